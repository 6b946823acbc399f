import type { ScreenCounts } from '../../native/screen/contract.ts';

type Tallied = Omit<ScreenCounts, 'frames'>;
const NONE: Tallied = { dropped: 0, late: 0, black: 0, ticks: 0 };
const NAMES = ['dropped', 'late', 'black', 'ticks'] as const;

/**
 * The screen recorder's counts, without those of a time that was forgotten. `read` gives its own counts, which only
 * grow; `note` remembers them every second, so that up to a second of what came before may be taken out too.
 */
export function createTally(read: () => Tallied): {
  note(t: number): void;
  forget(from: number): void;
  counts(): Tallied;
} {
  let noted: { t: number; counts: Tallied }[] = [];
  let forgotten = NONE;
  const counts = (): Tallied => apart(read(), forgotten);
  return {
    counts,
    note: (t) => void noted.push({ t, counts: counts() }),
    forget(from) {
      noted = noted.filter(({ t }) => t < from);
      const before = noted.at(-1)?.counts ?? NONE;
      forgotten = apart(read(), before);
    },
  };
}

function apart(a: Tallied, b: Tallied): Tallied {
  const out = { ...NONE };
  for (const name of NAMES) out[name] = a[name] - b[name];
  return out;
}
