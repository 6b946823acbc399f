import { FAULT_NAMES, type FaultName, SAYS } from './faults.ts';
import { APPS, type App } from './kinds.ts';

/** One play of the bench. `step`: the step that a fault was made at, and that a play stopped at, from 1. */
export type Played = {
  app: App;
  demo: string;
  fault: FaultName | null;
  step: number | null;
  stoppedAt: number | null;
  why: string | null;
  passed: boolean;
  /** The files that the checks look at are, byte for byte, those that the demonstration left. */
  same?: boolean;
  /** The fault really happened; true of plays without one. */
  injected: boolean;
  /** How often the person's time this took less, of a play that agreed. */
  faster: number | null;
};

/** What is wanted of a play with a fault: `through` of those that can be, `stopped` or failed checks of the others. */
export type Outcome = 'called right' | 'at the step' | 'elsewhere' | 'checks failed' | 'not injected';
export const outcomeOf = ({ step, stoppedAt, passed, injected }: Played): Outcome => {
  if (!injected) return 'not injected';
  if (stoppedAt !== null) return stoppedAt === step ? 'at the step' : 'elsewhere';
  return passed ? 'called right' : 'checks failed';
};

const CARRIED = new Set<FaultName>(['late', 'moved']);
const share = (part: number, of: number): string => (of === 0 ? '-' : `${part}/${of}`);

function row(cells: readonly string[]): string {
  return cells.map((cell, n) => (n === 0 ? cell.padEnd(22) : cell.padStart(11))).join('');
}

/** Plays that agreed and passed, by program and by fault; of wrong ones how many were called right, and stopped at their step. */
export function tableOf(every: readonly Played[]): string {
  const all = every.filter(({ injected }) => injected);
  const apps = APPS.filter((app) => all.some((one) => one.app === app));
  const good = all.filter(({ fault }) => fault === null);
  const right = (some: readonly Played[]): number =>
    some.filter(({ stoppedAt, passed }) => stoppedAt === null && passed).length;
  const lines = [row(['', ...apps, 'all'])];
  const add = (name: string, some: readonly Played[], count: (of: readonly Played[]) => string): void => {
    const cells = apps.map((app) => count(some.filter((one) => one.app === app)));
    lines.push(row([name, ...cells, count(some)]));
  };
  add('no fault: right', good, (some) => share(right(some), some.length));
  add('no fault: faster', good, (some) => {
    const times = some.flatMap(({ faster }) => (faster === null ? [] : [faster])).toSorted((a, b) => a - b);
    return times.length === 0 ? '-' : `${(times[times.length >> 1] ?? 0).toFixed(1)}x`;
  });
  for (const name of FAULT_NAMES) {
    const some = all.filter(({ fault }) => fault === name);
    if (some.length === 0) continue;
    if (CARRIED.has(name)) {
      add(`${SAYS[name]}`, some, (of) => share(right(of), of.length));
      continue;
    }
    add(`${SAYS[name]}`, some, (of) =>
      of.length === 0
        ? '-'
        : `${right(of)}!${of.filter((one) => outcomeOf(one) === 'at the step').length}/${of.length}`,
    );
  }
  lines.push(
    '',
    'Of wrong plays: called right ! stopped at the step that was wrong / all. Of the others: carried through / all.',
  );
  const wrong = all.filter(({ fault }) => fault !== null && !CARRIED.has(fault));
  lines.push(
    `Wrong plays called right: ${right(wrong)} of ${wrong.length}, of which ${right(wrong.filter(({ same }) => same))} left the very files that the demonstration left: what was made wrong came to nothing. Needless stops: ${good.length - right(good)} of ${good.length}; of plays that could be carried through ${share(
      all.filter(({ fault }) => fault !== null && CARRIED.has(fault)).length -
        right(all.filter(({ fault }) => fault !== null && CARRIED.has(fault))),
      all.filter(({ fault }) => fault !== null && CARRIED.has(fault)).length,
    )}.`,
  );
  lines.push(`Not injected, and not counted above: ${every.length - all.length} of ${every.length}.`);
  return lines.join('\n');
}
