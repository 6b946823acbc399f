import type { Variant } from '../bus/gvariant.ts';
import { isRef } from './atspi-questions.ts';
import type { TextChange } from './contract.ts';

/** Changes that wait to be looked at: what a program prints without end is none that a person types. */
const MOST_CHANGES = 400;
/** A longer text is a file that was opened, not one that was typed, characters. */
const MOST_TEXT = 5000;

/** Keeps what AT-SPI's `TextChanged` tells until it is taken: `insert` or `delete`, a place, a length, the text. */
export function heardTexts() {
  let changes: TextChange[] = [];
  let isTooMuch = false;
  return {
    heard(bus: string, path: string, [what, at, length, text]: readonly Variant[]): void {
      if (isTooMuch || !isRef(bus, path) || typeof what !== 'string') return;
      if (!isCount(at) || !isCount(length)) return;
      if (changes.length >= MOST_CHANGES) {
        isTooMuch = true;
        changes = [];
        return;
      }
      // Newer programs add whether the system did it: `insert:system`.
      if (what.startsWith('delete')) changes.push({ bus, path, at, removed: length, inserted: '' });
      if (!what.startsWith('insert') || typeof text !== 'string') return;
      if (text.length > 2 * MOST_TEXT) isTooMuch = true;
      else changes.push({ bus, path, at, removed: 0, inserted: text });
    },
    /** What was heard since the last call; null: too much. */
    take(): TextChange[] | null {
      const taken = isTooMuch ? null : changes;
      changes = [];
      isTooMuch = false;
      return taken;
    },
  };
}

const isCount = (value: Variant | undefined): value is number => Number.isInteger(value) && Number(value) >= 0;
