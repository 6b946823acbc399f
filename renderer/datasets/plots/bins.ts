import { shownLanguage } from '../../language/tr.ts';

/** Bins of a histogram: `[from, to)`, the last one with its end. */
type Bin = { from: number; to: number; count: number };

/** More bars than this are no longer read one by one. */
const MOST_BINS = 24;

/**
 * Values in bins of equal and round width (1, 2 or 5 times a power of ten; at least `least`, 1 for what is counted). Bins
 * begin at multiples of the width. Empty without values.
 */
export function binsOf(values: readonly number[], least = 1): Bin[] {
  if (values.length === 0) return [];
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  const width = roundWidth(low, high, least);
  const first = Math.floor(low / width);
  const count = Math.floor(high / width) - first + 1;
  const bins = Array.from({ length: count }, (_, i) => ({
    from: (first + i) * width,
    to: (first + i + 1) * width,
    count: 0,
  }));
  for (const value of values) {
    const bin = bins[Math.min(count - 1, Math.floor(value / width) - first)];
    if (bin) bin.count++;
  }
  return bins;
}

function roundWidth(low: number, high: number, least: number): number {
  for (let power = least; ; power *= 10) {
    for (const factor of [1, 2, 5]) {
      const width = power * factor;
      if (Math.floor(high / width) - Math.floor(low / width) + 1 <= MOST_BINS) return width;
    }
  }
}

/** A bin in words: `3` for whole numbers one by one, else `10–19` (counted) or `10–20` (measured). */
export function binLabel({ from, to }: Bin, whole: boolean): string {
  if (!whole) return `${from.toLocaleString(shownLanguage())}–${to.toLocaleString(shownLanguage())}`;
  return to - from <= 1
    ? from.toLocaleString(shownLanguage())
    : `${from.toLocaleString(shownLanguage())}–${(to - 1).toLocaleString(shownLanguage())}`;
}

/** Round marks of an axis from 0 to at least `most`: at most six. Whole numbers only. */
export function niceTicks(most: number): number[] {
  const least = Math.max(1, most);
  for (let power = 1; ; power *= 10) {
    for (const factor of [1, 2, 5]) {
      const step = power * factor;
      const count = Math.ceil(least / step);
      if (count <= 5) return Array.from({ length: count + 1 }, (_, i) => i * step);
    }
  }
}
