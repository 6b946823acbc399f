import type { KeyboardLayout } from '../../schemas/layout.ts';
import type { PerformLine } from '../../schemas/perform.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import { SELF_NAMED } from '../actions/keys.ts';
import type { Act } from '../evaluate/keys/acts.ts';
import { canonicalKey, isLibraryKey } from '../evaluate/keys/names.ts';
import { plural } from '../words.ts';

/** The steps of a script (PL15). */
export type PerformStep = { what: string; acts: Act[] };

/** A line of a script as acts. */
export function stepOfLine(line: PerformLine): PerformStep {
  const held = 'modifiers' in line ? line.modifiers : [];
  const around = (...acts: Act[]): Act[] => [...keys(held, true), ...acts, ...keys(held.toReversed(), false)];
  const spot = 'start' in line ? ([line.start.x, line.start.y] as const) : ([0, 0] as const);
  switch (line.kind) {
    case 'click':
      return {
        what: `click ${spot.join(', ')}`,
        acts: around({ do: 'click', at: spot, button: line.button ?? 'left', count: line.count }),
      };
    case 'drag': {
      const to = [line.end.x, line.end.y] as const;
      const path = (line.path ?? []).map(([x = 0, y = 0]) => [x, y] as const);
      const drag: Act = { do: 'drag', from: spot, to, button: line.button ?? 'left', path };
      return { what: `drag ${spot.join(', ')} to ${to.join(', ')}`, acts: around(drag) };
    }
    case 'scroll': {
      const { dx, dy, unit } = line.scroll;
      const by = (value: number): number =>
        unit === 'px' ? Math.sign(value) * Math.ceil(Math.abs(value) / 40) : value;
      return { what: `scroll at ${spot.join(', ')}`, acts: around({ do: 'scroll', at: spot, dx: by(dx), dy: by(dy) }) };
    }
    case 'type':
      return { what: `type ${plural(line.text.length, 'letter')}`, acts: [...line.text].flatMap((key) => tap(key)) };
    case 'press': {
      const last = line.keys.at(-1) ?? '';
      const before = line.keys.slice(0, -1);
      const taps = Array.from({ length: line.count }, () => tap(last)).flat();
      return {
        what: `keys ${line.keys.join('+')}`,
        acts: [...keys(before, true), ...taps, ...keys(before.toReversed(), false)],
      };
    }
    case 'hover':
      return { what: `move to ${spot.join(', ')}`, acts: [{ do: 'move', at: spot }] };
    case 'wait':
      return { what: `wait ${line.ms} ms`, acts: [{ do: 'wait', ms: line.ms }] };
  }
}

const tap = (key: string): Act[] => [
  { do: 'key', key, down: true },
  { do: 'key', key, down: false },
];
const keys = (names: readonly string[], down: boolean): Act[] => names.map((key) => ({ do: 'key', key, down }));

/**
 * A program's acts as steps: keys that follow each other are one. Keys that the library does not know it ignores, and so is
 * done here; they are given by name.
 */
export function stepsOfProgram(acts: readonly Act[]): { steps: PerformStep[]; ignored: string[] } {
  const steps: PerformStep[] = [];
  const ignored = new Set<string>();
  const ofKeys: { what: string; acts: KeyAct[] }[] = [];
  let open: (typeof ofKeys)[number] | null = null;
  for (const act of acts) {
    if (act.do !== 'key') {
      open = null;
      steps.push({ what: wordsOfAct(act), acts: [act] });
    } else if (!isLibraryKey(act.key)) ignored.add(act.key);
    else {
      if (!open) {
        open = { what: '', acts: [] };
        ofKeys.push(open);
        steps.push(open);
      }
      open.acts.push(act);
    }
  }
  for (const one of ofKeys) one.what = wordsOfKeys(one.acts);
  return { steps, ignored: [...ignored] };
}

type KeyAct = Act & { do: 'key' };

/** So many characters of what is typed are said in words. */
const MOST_SAID = 80;
export const wordsOfText = (text: string): string =>
  `type ${JSON.stringify(text.length > MOST_SAID ? `${text.slice(0, MOST_SAID)}…` : text)}`;

/** Keys in a row: single characters that are pressed alone are a text, everything else are chords. */
function wordsOfKeys(acts: readonly KeyAct[]): string {
  const said: string[] = [];
  const held: string[] = [];
  let text = '';
  const end = (): void => {
    if (text !== '') said.push(wordsOfText(text));
    text = '';
  };
  for (const [at, { key, down }] of acts.entries()) {
    const next = acts[at + 1];
    const isTap = down && next?.key === key && !next.down;
    if (!down) {
      const place = held.lastIndexOf(key);
      if (place >= 0) held.splice(place, 1);
    } else if (isTap && held.length === 0 && [...key].length === 1) text += key;
    else if (isTap || next === undefined || !next.down) {
      end();
      said.push(`keys ${[...held, key].join('+')}`);
      if (!isTap) held.push(key);
    } else held.push(key);
  }
  end();
  return said.length > 0 ? said.join(', ') : 'keys let go';
}

export function wordsOfAct(act: Act): string {
  if (act.do === 'wait') return `wait ${act.ms} ms`;
  const at = act.do === 'drag' ? act.to : 'at' in act ? act.at : null;
  return `${act.do} ${at?.join(', ') ?? 'where the pointer is'}`;
}

/** Physical keys of names that are no character (by `canonicalKey`), W3C codes: those of actions, and PyAutoGUI's. */
const CODES: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...SELF_NAMED].map((code) => [code.toLowerCase(), code])),
  ...Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`num${n}`, `Numpad${n}`])),
  ctrl: 'ControlLeft',
  alt: 'AltLeft',
  shift: 'ShiftLeft',
  win: 'MetaLeft',
  altright: 'AltRight',
  enter: 'Enter',
  tab: 'Tab',
  escape: 'Escape',
  backspace: 'Backspace',
  delete: 'Delete',
  insert: 'Insert',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  ' ': 'Space',
  home: 'Home',
  end: 'End',
  pageup: 'PageUp',
  pagedown: 'PageDown',
  capslock: 'CapsLock',
  numlock: 'NumLock',
  scrolllock: 'ScrollLock',
  printscreen: 'PrintScreen',
  pause: 'Pause',
  apps: 'ContextMenu',
  add: 'NumpadAdd',
  subtract: 'NumpadSubtract',
  multiply: 'NumpadMultiply',
  divide: 'NumpadDivide',
  decimal: 'NumpadDecimal',
  clear: 'Numpad5',
};

/** A key as it is pressed: its own code, and the modifiers that its character needs. */
export type Stroke = { code: string; shift: boolean; altGr: boolean };

/** How a layout makes a key: a name, or a character; null where it has none (PL16). */
export function strokeOf(key: string, layout: KeyboardLayout): Stroke | null {
  const name = canonicalKey(key);
  const named = CODES[name];
  if (named !== undefined) return { code: named, shift: false, altGr: false };
  for (const level of layout.altGr ? [0, 1, 2, 3] : [0, 1])
    for (const [code, { chars }] of Object.entries(layout.keys))
      if (chars[level] === key && !code.startsWith('Numpad'))
        return { code, shift: (level & 1) !== 0, altGr: (level & 2) !== 0 };
  return null;
}

/** The same, with the dead key before it where the layout makes the character of two keys (PL16). */
export function strokesFor(key: string, layout: KeyboardLayout): Stroke[] | null {
  const one = strokeOf(key, layout);
  if (one) return [one];
  const [base = '', mark, ...rest] = [...key.normalize('NFD')];
  if (mark !== undefined && rest.length === 0 && [...key].length === 1) {
    const letter = strokeOf(base, layout);
    const dead = deadStroke(layout, (entry) => entry.dead === mark);
    if (letter && dead) return [dead, letter];
  }
  const space: Stroke = { code: 'Space', shift: false, altGr: false };
  const withSpace = deadStroke(layout, (entry) => (entry.space ?? entry.alone) === key);
  if (withSpace) return [withSpace, space];
  const twice = deadStroke(layout, (entry) => entry.alone === key);
  return twice && [twice, twice];
}

/** Names that make a chord of any key (A7). */
const CHORD = new Set(['ctrl', 'alt', 'win']);
const US = usLayout();

/**
 * The strokes of each key that goes down, null where the layout has none for it. In a chord a Latin letter that the layout
 * lacks is that key of a US keyboard, as actions name it (A7).
 */
export function strokesOfKey({ key, chord }: { key: string; chord: boolean }, layout: KeyboardLayout): Stroke[] | null {
  const strokes = strokesFor(key, layout);
  if (strokes || !chord) return strokes;
  const us = strokeOf(key, US);
  return us && Object.hasOwn(layout.keys, us.code) ? [us] : null;
}

/** Each key that a script presses, and whether it does so in a chord. `held`: keeps what is held from act to act. */
export function chordKey(act: Act & { do: 'key' }, held: Set<string>): { key: string; chord: boolean } {
  const name = canonicalKey(act.key);
  const chord = [...held].some((one) => CHORD.has(one) && one !== name);
  if (act.down) held.add(name);
  else held.delete(name);
  return { key: act.key, chord };
}

function deadStroke(
  layout: KeyboardLayout,
  fits: (entry: { dead: string; alone: string; space?: string | undefined }) => boolean,
): Stroke | null {
  for (const level of layout.altGr ? [0, 1, 2, 3] : [0, 1])
    for (const [code, { chars }] of Object.entries(layout.keys)) {
      const entry = chars[level];
      if (entry && typeof entry === 'object' && fits(entry))
        return { code, shift: (level & 1) !== 0, altGr: (level & 2) !== 0 };
    }
  return null;
}

/**
 * The keys of a script that a layout cannot make, each once: characters, which a temporary key can, and names. `has`: whether
 * the hands have a key, by its code.
 */
export function lacking(
  steps: readonly PerformStep[],
  layout: KeyboardLayout,
  has: (code: string) => boolean = () => true,
): { characters: string[]; names: string[] } {
  const held = new Set<string>();
  const keys = steps.flatMap(({ acts }) => acts.flatMap((act) => (act.do === 'key' ? [chordKey(act, held)] : [])));
  const missing = new Set(
    keys.filter((one) => !strokesOfKey(one, layout)?.every(({ code }) => has(code))).map(({ key }) => key),
  );
  const isCharacter = (key: string): boolean => [...key].length === 1 && !/\p{C}/u.test(key);
  return { characters: [...missing].filter(isCharacter), names: [...missing].filter((key) => !isCharacter(key)) };
}
