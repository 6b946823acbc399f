import fs from 'node:fs';
import path from 'node:path';

/**
 * Somebody who knows nothing of a task but its skill's folder: reads SKILL.md and references/steps.md as texts, and gives what is
 * done at each step. No recording, no database, nothing of the studio's own code.
 */

export type SkillAct = {
  /** From 1. */
  step: number;
  /** The target's name; null: unnamed, or none. */
  name: string | null;
  /** The file with the screen before it; null: the skill has none. */
  before: string | null;
  /** Px of that picture. */
  at: { x: number; y: number } | null;
  does:
    | { do: 'click'; button: 'left' | 'right' | 'middle'; count: number; holdMs: number; holding: string[] }
    | { do: 'drag'; button: 'left' | 'right' | 'middle'; way: { x: number; y: number }[]; holding: string[] }
    | { do: 'scroll'; dx: number; dy: number; holding: string[] }
    | { do: 'point' }
    | { do: 'wait'; ms: number }
    | { do: 'press'; keys: string[]; count: number }
    | { do: 'type'; text: string };
};

/** The inputs of a skill as its SKILL.md lists them, with the first example's text; null for a secret. */
export function inputsInSkill(folder: string): Map<string, string | null> {
  const found = new Map<string, string | null>();
  const text = fs.readFileSync(path.join(folder, 'SKILL.md'), 'utf8');
  for (const [, name = '', kind, cell = ''] of text.matchAll(/^\| `\{([^}`]+)\}` \| (\w+) \| (.*) \|$/gm))
    found.set(name, kind === 'secret' ? null : firstOf(cell.replaceAll('\\|', '|')));
  return found;
}

/** Examples are parted by commas; one that holds such a thing is written as JSON. */
function firstOf(cell: string): string {
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(cell);
  return quoted ? String(JSON.parse(quoted[0])) : (cell.split(', ')[0] ?? '');
}

/** The steps, with these values for its inputs. Throws where the text says too little to act on. */
export function readSkill(folder: string, values: ReadonlyMap<string, string>): SkillAct[] {
  const text = fs.readFileSync(path.join(folder, 'references', 'steps.md'), 'utf8');
  return text
    .split(/^## Step /m)
    .slice(1)
    .map((section) => actOf(section, folder, values));
}

function actOf(section: string, folder: string, values: ReadonlyMap<string, string>): SkillAct {
  const step = Number(/^\d+/.exec(section)?.[0]);
  const field = (name: string): string | null => new RegExp(`^- ${name}: (.*)$`, 'm').exec(section)?.[1] ?? null;
  const filled = (words: string, as: (value: string) => string = (value) => value): string =>
    words.replace(/(?<!\\)\{((?:SECRET:)?[a-z0-9_]+)\}/g, (whole, name: string) => {
      const value = values.get(name);
      if (value === undefined) throw new Error(`step ${step}: no value for ${whole}`);
      return as(value);
    });
  const place = field('Place');
  const [x, y] =
    /^(-?\d+), (-?\d+)/
      .exec(place ?? '')
      ?.slice(1)
      .map(Number) ?? [];
  const picture = /!\[before\]\(\.\.\/([^)]+)\)/.exec(section)?.[1];
  const called = /^"(.*?)"(?:, in the window|$)/.exec(field('Target') ?? '')?.[1];
  const at = x === undefined || y === undefined ? null : { x, y };
  return {
    step,
    name: called === undefined ? null : filled(called).replaceAll('\\|', '|'),
    before: picture ? path.join(folder, picture) : null,
    at,
    does: doesOf(field('Do') ?? '', {
      step,
      at,
      place,
      way: field('Way'),
      text: () => String(JSON.parse(filled(field('Value') ?? '""', (value) => JSON.stringify(value).slice(1, -1)))),
    }),
  };
}

type Said = {
  step: number;
  at: SkillAct['at'];
  place: string | null;
  way: string | null;
  text(): string;
};

function doesOf(words: string, { step, at, place, way, text }: Said): SkillAct['does'] {
  const verb = /^\w+/.exec(words)?.[0];
  const button = (/with the (right|middle) button/.exec(words)?.[1] ?? 'left') as 'left' | 'right' | 'middle';
  const count = Number(/, (\d+) times/.exec(words)?.[1] ?? 1);
  const holding = keysIn(/, holding (.*)$/.exec(words)?.[1] ?? '');
  if (['click', 'drag', 'scroll', 'point'].includes(verb ?? '') && !at)
    throw new Error(`step ${step}: it says no place`);
  switch (verb) {
    case 'click':
      return { do: 'click', button, count, holdMs: Number(/held for (\d+) ms/.exec(words)?.[1] ?? 0), holding };
    case 'drag':
      return { do: 'drag', button, way: pointsIn(way ?? (place ?? '').replace(/, in a picture.*$/, '')), holding };
    case 'scroll': {
      const by = (side: string): number => Number(new RegExp(` (\\d+) ${side}`).exec(words)?.[1] ?? 0);
      return { do: 'scroll', dx: by('right') - by('left'), dy: by('down') - by('up'), holding };
    }
    case 'point':
      return { do: 'point' };
    case 'wait':
      return { do: 'wait', ms: Number(/[\d.]+/.exec(words)?.[0] ?? 0) * 1000 };
    case 'press':
      return { do: 'press', keys: keysIn(words), count };
    case 'type':
      return { do: 'type', text: text() };
    default:
      throw new Error(`step ${step}: it says not what to do (“${words}”)`);
  }
}

const keysIn = (words: string): string[] =>
  [...words.matchAll(/`` (.+?) ``|`([^`]+)`/g)].map(([, double, single]) => double ?? single ?? '');

const pointsIn = (words: string): { x: number; y: number }[] =>
  [...words.matchAll(/(-?\d+), (-?\d+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
