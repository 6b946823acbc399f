import type { Composition, Member } from '../../schemas/composition.ts';
import { edgesOf } from './graph.ts';
import { minutesOf } from './time-of-day.ts';

/** Whether the tasks' windows of time can all be met, with the distances that edges want: differences of times, minutes. */

/** `a` at the latest so long after `b`. */
type Difference = { a: string; b: string; most: number };

const ZERO = '';
const DAY = 24 * 60;

/** When a member may begin, minutes from the first day's midnight; null: at any time. */
function windowOf({ window }: Pick<Member, 'window'>): { from: number; to: number } | null {
  if (!window) return null;
  const midnight = (window.day - 1) * DAY;
  return { from: midnight + minutesOf(window.from), to: midnight + minutesOf(window.to ?? window.from) };
}

/** The members that cannot all keep their windows and distances; null: they can. */
export function windowsInTheWay(composition: Pick<Composition, 'members' | 'edges'>): string[] | null {
  const differences = composition.members.flatMap((member): Difference[] => {
    const window = windowOf(member);
    if (!window) return [];
    return [
      { a: member.id, b: ZERO, most: window.to },
      { a: ZERO, b: member.id, most: -window.from },
    ];
  });
  for (const edge of edgesOf(composition)) {
    const atLeast = edge.kind === 'time' ? edge.atLeast : 0;
    differences.push({ a: edge.from, b: edge.to, most: -atLeast });
    if (edge.kind === 'time' && edge.atMost !== undefined)
      differences.push({ a: edge.to, b: edge.from, most: edge.atMost });
  }
  return shorteningCycle([ZERO, ...composition.members.map(({ id }) => id)], differences);
}

/** Bellman and Ford: the times can be met unless a cycle of differences is less than nothing; it names who is in the way. */
function shorteningCycle(names: readonly string[], differences: readonly Difference[]): string[] | null {
  const time = new Map(names.map((name) => [name, 0]));
  const by = new Map<string, string>();
  let changed: string | null = null;
  for (let round = 0; round <= names.length; round++) {
    changed = null;
    for (const { a, b, most } of differences) {
      const wanted = (time.get(b) ?? 0) + most;
      if ((time.get(a) ?? 0) <= wanted) continue;
      time.set(a, wanted);
      by.set(a, b);
      changed = a;
    }
    if (changed === null) return null;
  }
  // So many steps back it is in the cycle for sure.
  let at = changed ?? ZERO;
  for (let n = 0; n < names.length; n++) at = by.get(at) ?? at;
  const cycle: string[] = [];
  for (let one = at; !cycle.includes(one); one = by.get(one) ?? one) cycle.push(one);
  return cycle.filter((name) => name !== ZERO).reverse();
}
