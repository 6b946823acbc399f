import type { ElementLine } from '../../schemas/elements.ts';

/** How far an import's element may be from the press that it was told of, µs. Our own have the press's time. */
const IMPORT_US = 250_000;

/** The element of a press by its time; null where none was told. */
export function elementFinder(lines: readonly ElementLine[]): (t: number) => ElementLine | null {
  const own = new Map<number, ElementLine>();
  const imported: ElementLine[] = [];
  for (const line of lines) {
    if (line.version === undefined) imported.push(line);
    else if (!own.has(line.t)) own.set(line.t, line);
  }
  imported.sort((a, b) => a.t - b.t);
  return (t) => own.get(t) ?? nearest(imported, t);
}

function nearest(lines: readonly ElementLine[], t: number): ElementLine | null {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lines[middle]!.t < t) low = middle + 1;
    else high = middle;
  }
  const far = (line: ElementLine | undefined): number => (line ? Math.abs(line.t - t) : Number.POSITIVE_INFINITY);
  const best = far(lines[low - 1]) < far(lines[low]) ? lines[low - 1] : lines[low];
  return best && far(best) <= IMPORT_US ? best : null;
}
