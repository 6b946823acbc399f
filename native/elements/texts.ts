import type { Variant } from '../bus/gvariant.ts';
import { isRef } from './atspi-questions.ts';
import type { TextChange } from './contract.ts';

/** Changes that wait to be looked at: what a program prints without end is none that a person types. */
const MOST_CHANGES = 400;
/** A longer text is a file that was opened, not one that was typed, characters (docs/recording-folder.md). */
const MOST_TEXT = 10_000;

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
      if (text.length > MOST_TEXT) isTooMuch = true;
      else changes.push({ bus, path, at, removed: 0, inserted: text });
    },
    /** The changes that were heard since the last call; null when there were too many, or one was too long. */
    take(): TextChange[] | null {
      const taken = isTooMuch ? null : changes;
      changes = [];
      isTooMuch = false;
      return taken;
    },
  };
}

const isCount = (value: Variant | undefined): value is number => Number.isInteger(value) && Number(value) >= 0;
