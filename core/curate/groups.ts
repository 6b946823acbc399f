/** Groups out of pairs that are alike. */

type Alike = { a: number; b: number };

/** A group: who is proposed to be kept, and the others with how far they are from it. */
export type Group<P> = { keeper: number; others: { member: number; pair: P }[] };

/**
 * Each group has one keeper, and every other of it is alike to the keeper itself: chains of small differences do not grow
 * into one group of everything. `count` things by place, in the order in which they would be kept;
 * each pair once.
 */
export function groupsAround<P extends Alike>(count: number, pairs: readonly P[]): Group<P>[] {
  const near = new Map<number, P[]>();
  for (const pair of pairs) {
    for (const one of [pair.a, pair.b]) {
      const list = near.get(one);
      if (list) list.push(pair);
      else near.set(one, [pair]);
    }
  }
  const taken = new Set<number>();
  const groups: Group<P>[] = [];
  for (let keeper = 0; keeper < count; keeper++) {
    if (taken.has(keeper)) continue;
    const others = (near.get(keeper) ?? [])
      .map((pair) => ({ member: pair.a === keeper ? pair.b : pair.a, pair }))
      .filter(({ member }) => !taken.has(member))
      .sort((one, two) => one.member - two.member);
    if (others.length === 0) continue;
    for (const { member } of others) taken.add(member);
    taken.add(keeper);
    groups.push({ keeper, others });
  }
  return groups;
}

/** Everything that hangs together, however long the chain: sets of two and more, each in order, by their first. */
export function connected(groups: readonly (readonly string[])[]): string[][] {
  const parent = new Map<string, string>();
  const rootOf = (one: string): string => {
    let root = one;
    for (let up = parent.get(root); up !== undefined && up !== root; up = parent.get(root)) root = up;
    for (let at = one; at !== root; ) {
      const up = parent.get(at) ?? root;
      parent.set(at, root);
      at = up;
    }
    return root;
  };
  for (const members of groups) {
    for (const member of members) {
      if (!parent.has(member)) parent.set(member, member);
      const [a, b] = [rootOf(members[0]!), rootOf(member)];
      if (a < b) parent.set(b, a);
      else if (b < a) parent.set(a, b);
    }
  }
  return [...Map.groupBy(parent.keys(), rootOf).values()]
    .filter(({ length }) => length > 1)
    .map((members) => members.sort())
    .sort((a, b) => (a[0]! < b[0]! ? -1 : 1));
}
