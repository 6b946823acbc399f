import type { Action, Modifier } from '../../../../schemas/actions.ts';
import type { Rect } from '../../../../schemas/events.ts';
import type { KeyboardLayout } from '../../../../schemas/layout.ts';

/** The known inputs of `doctor --prove`: what is done, and which actions must come back for it. */

type MouseButton = 'left' | 'right' | 'middle';
type Point = { x: number; y: number };
export type KnownStroke = { code: string; shift: boolean; altGr: boolean };
export type ProveStep =
  | { do: 'click'; at: Point; button: MouseButton; count: number; modifiers: Modifier[] }
  | { do: 'drag'; path: Point[]; button: MouseButton }
  | { do: 'scroll'; at: Point; dx: number; dy: number }
  | { do: 'press'; code: string; key: string; modifiers: Modifier[] }
  /** The keys are chosen when the layout is known. */
  | { do: 'type'; layout: number; part: number };

/** How many inputs there are, whatever the machine has. */
export const INPUTS = 60;
const TEXTS = 12;

const MODIFIERS: Modifier[][] = [['ctrl'], ['shift'], ['ctrl', 'shift'], ['shift']];
const PRESSES: { code: string; key: string; modifiers: Modifier[] }[] = [
  { code: 'Enter', key: 'Enter', modifiers: [] },
  { code: 'Tab', key: 'Tab', modifiers: [] },
  { code: 'ArrowLeft', key: 'ArrowLeft', modifiers: [] },
  { code: 'Home', key: 'Home', modifiers: [] },
  { code: 'End', key: 'End', modifiers: ['shift'] },
  { code: 'PageDown', key: 'PageDown', modifiers: ['ctrl'] },
];

/**
 * Sixty inputs inside of `rect`: clicks of every button and count, with modifiers, drags, wheel turns, keys, and texts that go
 * round the layouts. Two clicks never follow each other at one place, so that none is taken for a double click.
 */
export function proveSteps(rect: Rect, layouts: number): ProveStep[] {
  let placed = 0;
  // Over the window's upper left nine tenths: the sync check's patch is in the lower right corner.
  const at = (): Point => {
    const n = placed++;
    const column = (n * 7) % 11;
    const row = (n * 3) % 7;
    return {
      x: rect.x + 12 + Math.floor((column * (rect.width * 0.8)) / 11) + (n % 3),
      y: rect.y + 12 + Math.floor((row * (rect.height * 0.8)) / 7) + (n % 2),
    };
  };
  const clicks = (n: number, button: MouseButton, count: number): ProveStep[] =>
    Array.from({ length: n }, () => ({ do: 'click', at: at(), button, count, modifiers: [] }));
  const drags: ProveStep[] = Array.from({ length: 7 }, (_, i) => {
    const from = at();
    const to = { x: from.x + 31 + 5 * i, y: from.y + 17 + i };
    const path = [from, { x: from.x + 9, y: from.y + 4 }, { x: from.x + 20, y: from.y + 11 }, to];
    return { do: 'drag', path, button: i === 6 ? 'right' : 'left' };
  });
  const turns = [3, -2, 1, -1].map((dy): ProveStep => ({ do: 'scroll', at: at(), dx: 0, dy }));
  const held = MODIFIERS.map(
    (modifiers): ProveStep => ({ do: 'click', at: at(), button: 'left', count: 1, modifiers }),
  );
  const mouse = [
    ...clicks(12, 'left', 1),
    ...clicks(5, 'left', 2),
    ...clicks(3, 'left', 3),
    ...clicks(4, 'right', 1),
    ...clicks(3, 'middle', 1),
    ...held,
    ...drags,
    ...turns,
  ];
  const presses = PRESSES.map((press): ProveStep => ({ do: 'press', ...press }));
  const texts = Array.from({ length: TEXTS }, (_, i): ProveStep => {
    const layout = Math.floor((i * layouts) / TEXTS);
    const first = Math.ceil((layout * TEXTS) / layouts);
    return { do: 'type', layout, part: i - first };
  });
  // A mouse action between two texts, which would otherwise be one.
  const keyboard = [...presses, ...texts];
  const steps: ProveStep[] = [];
  for (const [i, step] of mouse.entries()) {
    steps.push(step);
    const next = keyboard[i];
    if (next) steps.push(next);
  }
  return steps;
}

/** Keys that every keyboard has and that write: digits and letters, and what stands beside them. */
const WRITING = [
  ...[...'QWERTYUIOP'].map((c) => `Key${c}`),
  ...[...'ASDFGHJKL'].map((c) => `Key${c}`),
  ...[...'ZXCVBNM'].map((c) => `Key${c}`),
  ...[...'1234567890'].map((c) => `Digit${c}`),
  ...['Minus', 'Equal', 'BracketLeft', 'BracketRight', 'Semicolon', 'Quote', 'Comma', 'Period', 'Slash', 'Backslash'],
];
/** Three parts at most: plain, with Shift, with AltGr. Further ones begin again with other keys. */
const STATES = [
  { shift: false, altGr: false },
  { shift: true, altGr: false },
  { shift: false, altGr: true },
] as const;
const KEYS_A_TEXT = 12;

/** The keys of a text. Dead keys are left out: whether they compose is each program's own affair. */
export function strokesOf(layout: KeyboardLayout, part: number): KnownStroke[] {
  const states = layout.altGr ? STATES : STATES.slice(0, 2);
  const { shift, altGr } = states[part % states.length] ?? STATES[0];
  const index = (shift ? 1 : 0) | (altGr ? 2 : 0);
  const writes = (code: string): boolean => {
    const char = layout.keys[code]?.chars[index];
    return typeof char === 'string' && char.trim() !== '';
  };
  const able = WRITING.filter(writes);
  const from = Math.floor(part / states.length) * KEYS_A_TEXT;
  const chosen =
    able.length === 0
      ? []
      : Array.from({ length: Math.min(KEYS_A_TEXT, able.length) }, (_, i) => able[(from + i) % able.length] ?? '');
  // With AltGr some layouts have nothing: then it is written plainly.
  return chosen.length > 0 || !altGr
    ? chosen.map((code) => ({ code, shift, altGr }))
    : strokesOf({ ...layout, altGr: false }, part);
}

/** A step as a recorder must give it back. */
export type Expected = {
  kind: Action['kind'];
  count: number;
  modifiers: Modifier[];
  button: string | null;
  start: Point | null;
  end: Point | null;
  keys: string[] | null;
  text: string | null;
  scroll: { dx: number; dy: number } | null;
};

/** `received`: the text that the window was given while it was typed. */
export function expectedOf(step: ProveStep, received: string): Expected {
  const none = { count: 1, modifiers: [], button: null, start: null, end: null, keys: null, text: null, scroll: null };
  switch (step.do) {
    case 'click': {
      const { at, button, count, modifiers } = step;
      return { ...none, kind: 'click', button, count, modifiers, start: at, end: at };
    }
    case 'drag': {
      const [start = null, end = null] = [step.path[0], step.path.at(-1)];
      return { ...none, kind: 'drag', button: step.button, start, end };
    }
    case 'scroll':
      return { ...none, kind: 'scroll', start: step.at, scroll: { dx: step.dx, dy: step.dy } };
    case 'press':
      return { ...none, kind: 'press', keys: [...step.modifiers, step.key] };
    case 'type':
      return { ...none, kind: 'type', text: received };
  }
}

/** An action, cut down to the same fields. */
export function foundOf(action: Action): Expected {
  const { kind, count, modifiers, button, start, end, keys, text, scroll } = action;
  const spot = ({ x, y }: Action['start']): Point | null => (x === null || y === null ? null : { x, y });
  const placed = kind === 'click' || kind === 'drag' || kind === 'scroll';
  return {
    kind,
    count,
    modifiers: placed ? modifiers : [],
    button: kind === 'click' || kind === 'drag' ? button : null,
    start: placed ? spot(start) : null,
    end: kind === 'click' || kind === 'drag' ? spot(end) : null,
    keys,
    text,
    scroll: scroll && { dx: scroll.dx, dy: scroll.dy },
  };
}

export type Compared = { step: number; wanted: Expected | null; found: Expected | null };

/** Its fields in one order, whoever made it. */
function written({ kind, count, modifiers, button, start, end, keys, text, scroll }: Expected): string {
  const spot = (at: Point | null): number[] | null => at && [at.x, at.y];
  return JSON.stringify([kind, count, modifiers, button, spot(start), spot(end), keys, text, scroll?.dx, scroll?.dy]);
}

/**
 * Which of the wanted are in what was found, in order; the rest, each beside what is in its place. One that is missing
 * does not make those behind it wrong: the longest common order counts.
 */
export function compare(wanted: readonly Expected[], found: readonly Expected[]): { exact: number; wrong: Compared[] } {
  const [w, f] = [wanted.map(written), found.map(written)];
  const { exact, wrong } = alongside(wanted, found, (i, j) => w[i] === f[j]);
  return { exact, wrong: wrong.map((one) => ({ step: one.index, wanted: one.wanted, found: one.found })) };
}

type Apart<W, F> = { index: number; wanted: W | null; found: F | null };

/** The longest common order of two lists, and what is not in it: beside each other where they stand at one place. */
export function alongside<W, F>(
  wanted: readonly W[],
  found: readonly F[],
  isSame: (i: number, j: number) => boolean,
): { exact: number; wrong: Apart<W, F>[] } {
  const best = Array.from({ length: wanted.length + 1 }, () => new Array<number>(found.length + 1).fill(0));
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0;
  for (let i = wanted.length - 1; i >= 0; i--)
    for (let j = found.length - 1; j >= 0; j--) {
      const row = best[i];
      if (row) row[j] = isSame(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const wrong: Apart<W, F>[] = [];
  let [i, j] = [0, 0];
  while (i < wanted.length || j < found.length) {
    if (i < wanted.length && j < found.length && isSame(i, j)) {
      i++;
      j++;
      continue;
    }
    const both =
      i < wanted.length && j < found.length && at(i + 1, j) === at(i + 1, j + 1) && at(i, j + 1) === at(i + 1, j + 1);
    const onlyWanted = !both && (j >= found.length || (i < wanted.length && at(i + 1, j) >= at(i, j + 1)));
    wrong.push({
      index: i,
      wanted: both || onlyWanted ? (wanted[i] ?? null) : null,
      found: onlyWanted ? null : (found[j] ?? null),
    });
    if (both || onlyWanted) i++;
    if (!onlyWanted) j++;
  }
  return { exact: at(0, 0), wrong };
}
