import type { Action } from '../../schemas/actions.ts';
import type { InputEvent } from '../../schemas/events.ts';
import type { KeyboardLayout } from '../../schemas/layout.ts';
import { strokesOfKey } from './perform.ts';

/** Between two keys that are pressed for a text, µs. */
const GAP = 60_000;

/**
 * The keys of a text that a person gave a step whose own were withheld (PL39), from `start` on, as the layout makes them. The
 * characters that it has no key for are `missing`.
 */
export function keysOfText(
  text: string,
  { start, end }: { start: Pick<Action['start'], 't'>; end: Pick<Action['end'], 't'> },
  layout: KeyboardLayout,
): { events: InputEvent[]; missing: string[] } {
  const events: InputEvent[] = [];
  const missing: string[] = [];
  const letters = [...text];
  const gap = Math.min(GAP, Math.max(1, Math.floor((end.t - start.t) / Math.max(1, letters.length))));
  for (const [n, letter] of letters.entries()) {
    const t = start.t + n * gap;
    const strokes = strokesOfKey({ key: NAMED[letter] ?? letter, chord: false }, layout);
    if (!strokes) {
      missing.push(letter);
      continue;
    }
    for (const { code, shift, altGr } of strokes) {
      const held = [...(shift ? ['ShiftLeft'] : []), ...(altGr ? ['AltRight'] : [])];
      for (const one of held) events.push({ type: 'keydown', t, code: one });
      events.push({ type: 'keydown', t, code }, { type: 'keyup', t, code });
      for (const one of held.toReversed()) events.push({ type: 'keyup', t, code: one });
    }
  }
  return { events, missing };
}

const NAMED: Readonly<Record<string, string>> = { '\n': 'enter', '\t': 'tab' };
