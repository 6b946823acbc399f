import type { Modifier } from '../../schemas/actions.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { MOD_BITS } from '../../schemas/key-bits.ts';
import type { KeyMade } from '../../schemas/key-made.ts';
import { canonicalKey } from '../evaluate/keys/names.ts';
import type { AnswerAct, PlaceNumbers } from '../evaluate/reading/tool-acts.ts';
import { settledActs } from './settled-acts.ts';

/** Acts of an agent's answer as the raw events that they made: its own places and keys, at times of our own. */

export type ActPoint = { x: number; y: number };

/** µs: how long a button is down, from one press of a double click to the next, and from one act to the next. */
const [HELD, AGAIN, NEXT] = [0.06e6, 0.12e6, 0.7e6];
/** From one key to the next. */
const KEY = 5000;
/** A longer text is no input of an act. */
const LONGEST = 20_000;

const MODIFIERS: Readonly<Record<string, { code: string; key: string; name: Modifier }>> = {
  ctrl: { code: 'ControlLeft', key: 'Control', name: 'ctrl' },
  alt: { code: 'AltLeft', key: 'Alt', name: 'alt' },
  shift: { code: 'ShiftLeft', key: 'Shift', name: 'shift' },
  win: { code: 'MetaLeft', key: 'Meta', name: 'meta' },
};

/** W3C's names of keys by our canonical ones (M11). */
const NAMED: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  [
    ...'Enter Escape Tab Backspace Delete Insert Home End PageUp PageDown CapsLock NumLock ScrollLock PrintScreen Pause'.split(
      ' ',
    ),
    ...Array.from({ length: 24 }, (_, at) => `F${at + 1}`),
  ].map((name) => [canonicalKey(name), name]),
);
const OTHERS: Readonly<Record<string, string | undefined>> = {
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  apps: 'ContextMenu',
};

type Key = { code: string; made: KeyMade; modifier: Modifier | null };

function keyOf(name: string): Key | null {
  const canonical = canonicalKey(name);
  const modifier = Object.hasOwn(MODIFIERS, canonical) ? MODIFIERS[canonical] : undefined;
  if (modifier) return { code: modifier.code, made: { key: modifier.key }, modifier: modifier.name };
  const named = NAMED[canonical] ?? OTHERS[canonical];
  if (named) return { code: named, made: { key: named }, modifier: null };
  const char = canonical.length > 0 && [...name].length === 1 ? name : canonical;
  return [...char].length === 1 ? characterOf(char) : null;
}

function characterOf(char: string): Key {
  const code = /^[a-z]$/i.test(char) ? `Key${char.toUpperCase()}` : char === ' ' ? 'Space' : codePoint(char);
  return { code, made: { key: char, text: char }, modifier: null };
}
const codePoint = (char: string): string => `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * The events of the acts from `from` on, and when they are over; or why they cannot be told: a key that nobody knows, a place
 * outside of the picture, a button or a key that stays down. Null where they give no input at all. `before`: where the pointer is.
 */
export function inputOfActs(
  acts: readonly AnswerAct[],
  spot: (at: PlaceNumbers) => ActPoint | null,
  from: number,
  before: ActPoint | null = null,
): { events: RawEvent[]; end: number; pointer: ActPoint | null } | { why: string } | null {
  const settled = settledActs(acts);
  if (settled === null) return { why: 'a button or a key stays down after it' };
  const events: RawEvent[] = [];
  let t = from;
  let pointer = before;
  const placed = (at: PlaceNumbers | null): ActPoint | null => (at === null ? pointer : spot(at));
  const bitsOf = (keys: readonly Key[]): { mods?: number } => {
    const bits = keys.reduce((sum, { modifier }) => sum | (modifier ? MOD_BITS[modifier] : 0), 0);
    return bits === 0 ? {} : { mods: bits };
  };
  const press = (keys: readonly Key[], inside: () => void): void => {
    const held: Key[] = [];
    for (const key of keys) {
      const isChord = held.some(({ modifier }) => modifier !== null && modifier !== 'shift');
      const { text, ...plain } = key.made;
      const upper = held.some(({ modifier }) => modifier === 'shift') && text !== undefined ? text.toUpperCase() : text;
      const mods = held.flatMap(({ modifier }) => modifier ?? []);
      const counts = mods.length === 0 ? {} : { mods };
      const made = isChord || upper === undefined ? { ...plain, ...counts } : { key: upper, text: upper, ...counts };
      events.push({ type: 'keydown', t, code: key.code, made, ...bitsOf(held) });
      held.push(key);
      t += KEY;
    }
    inside();
    for (const key of keys.toReversed()) {
      held.pop();
      events.push({ type: 'keyup', t, code: key.code, ...bitsOf(held) });
      t += KEY;
    }
  };
  const around = (names: readonly string[], inside: (held: readonly Key[]) => void): string | null => {
    const keys = names.map(keyOf);
    const unknown = keys.findIndex((key) => key === null);
    if (unknown >= 0) return `the key "${names[unknown]!.slice(0, 40)}" is not known`;
    const known = keys.filter((key) => key !== null);
    press(known, () => inside(known));
    return null;
  };
  for (const act of settled) {
    let why: string | null = null;
    switch (act.do) {
      case 'wait':
        break;
      case 'move': {
        const at = placed(act.at);
        if (!at) return { why: OUTSIDE };
        pointer = at;
        events.push({ type: 'move', t, ...at });
        break;
      }
      case 'click': {
        const at = placed(act.at);
        if (!at) return { why: OUTSIDE };
        pointer = at;
        why = around(act.held, (held) => {
          for (let count = 0; count < act.count; count++) {
            events.push({ type: 'down', t, ...at, button: act.button, ...bitsOf(held) });
            events.push({ type: 'up', t: t + HELD, ...at, button: act.button, ...bitsOf(held) });
            t += AGAIN;
          }
        });
        break;
      }
      case 'drag': {
        const way = act.path.map(placed);
        const [first, last] = [way[0], way.at(-1)];
        if (!first || !last || way.some((place) => place === null)) return { why: OUTSIDE };
        pointer = last;
        why = around(act.held, (held) => {
          events.push({ type: 'down', t, ...first, button: 'left', ...bitsOf(held) });
          for (const place of way.slice(1)) {
            t += HELD;
            events.push({ type: 'move', t, ...place!, ...bitsOf(held) });
          }
          t += HELD;
          events.push({ type: 'up', t, ...last, button: 'left', ...bitsOf(held) });
        });
        break;
      }
      case 'scroll': {
        const at = placed(act.at);
        if (!at) return { why: OUTSIDE };
        pointer = at;
        if (act.dx === 0 && act.dy === 0) break;
        why = around(act.held, (held) => {
          events.push({ type: 'wheel', t, ...at, dx: act.dx, dy: act.dy, unit: 'notch', ...bitsOf(held) });
        });
        break;
      }
      case 'chord':
        why = around(act.keys, () => undefined);
        break;
      case 'type': {
        const text = act.text.replace(/\r\n?/g, '\n');
        if (text.length > LONGEST) return { why: `a text of more than ${LONGEST} characters` };
        for (const char of text) {
          const key = char === '\n' ? keyOf('Enter') : char === '\t' ? keyOf('Tab') : characterOf(char);
          press([key!], () => undefined); // Each of the three is known.
        }
        break;
      }
    }
    if (why !== null) return { why };
    // The pointer is moved for what comes next.
    t += act.do === 'type' ? KEY : act.do === 'move' ? HELD : NEXT;
  }
  return events.length > 0 ? { events, end: t, pointer } : null;
}

const OUTSIDE = 'a place of it does not lie in the picture before it';
