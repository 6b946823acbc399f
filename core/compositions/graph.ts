import type { Composition, Edge } from '../../schemas/composition.ts';

/** The order of members that edges allow. An edge that names no member is passed over; CP1 says it. */

export type Joined = Pick<Composition, 'members' | 'edges'>;

/** The edges between members that are there. */
export function edgesOf({ members, edges }: Joined): Edge[] {
  const there = new Set(members.map(({ id }) => id));
  return edges.filter(({ from, to }) => there.has(from) && there.has(to));
}

/**
 * The members in an order that all edges allow, those that may come next in the order in which they are written; and the members
 * of one cycle where there is no such order.
 */
export function orderOf(composition: Joined): { order: string[] } | { cycle: string[] } {
  const edges = edgesOf(composition);
  const left = new Set(composition.members.map(({ id }) => id));
  const after = Map.groupBy(edges, ({ from }) => from);
  const waits = new Map([...left].map((id) => [id, 0]));
  for (const { to } of edges) waits.set(to, (waits.get(to) ?? 0) + 1);
  const order: string[] = [];
  while (left.size > 0) {
    let next: string | undefined;
    for (const id of left) {
      if (waits.get(id) !== 0) continue;
      next = id;
      break;
    }
    if (next === undefined) return { cycle: cycleIn(left, edges) };
    order.push(next);
    left.delete(next);
    for (const { to } of after.get(next) ?? []) waits.set(to, (waits.get(to) ?? 0) - 1);
  }
  return { order };
}

/** Each of `left` has another of them before it: whoever goes back from one comes to where they were. */
function cycleIn(left: ReadonlySet<string>, edges: readonly Edge[]): string[] {
  const way: string[] = [];
  let [at] = left;
  while (at !== undefined && !way.includes(at)) {
    way.push(at);
    const here: string = at;
    at = edges.find(({ from, to }) => to === here && left.has(from))?.from;
  }
  return at === undefined ? way : way.slice(way.indexOf(at)).reverse();
}

/** Whether a member is before another one in every order that the edges allow; of who asks for many, each is looked for once. */
export function comesBefore(composition: Joined): (earlier: string, later: string) => boolean {
  const into = Map.groupBy(edgesOf(composition), ({ to }) => to);
  const known = new Map<string, Set<string>>();
  const allBefore = (id: string): Set<string> => {
    const found = new Set<string>();
    const open = [id];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const { from } of into.get(at) ?? []) {
        if (found.has(from)) continue;
        found.add(from);
        open.push(from);
      }
    known.set(id, found);
    return found;
  };
  return (earlier, later) =>
    // Most are joined by an edge of their own: then nobody needs all that is before.
    (into.get(later) ?? []).some(({ from }) => from === earlier) || (known.get(later) ?? allBefore(later)).has(earlier);
}
