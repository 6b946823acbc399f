import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomFrom, shuffled } from '../evaluate/random.ts';
import { arenaSets, arenaTable, MOST_IN_SET, type Ranking, shareBeaten } from './arena.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** A noisy ranker, as Plackett and Luce have it: a strength, and noise of Gumbel's distribution on it. */
function rankers(planted: readonly number[], people: number, sets: number, seed: number): Ranking[] {
  const random = randomFrom(seed);
  const gumbel = (): number => -Math.log(-Math.log(1 - random() * 0.999_999 - 1e-7));
  return Array.from({ length: people * sets }, (_, n) => {
    const seen = NAMES.map((name, at) => ({ name, worth: (planted[at] ?? 0) + gumbel() }));
    const order = seen.sort((a, b) => b.worth - a.worth).map(({ name }) => [name]);
    return { set: `s${n % sets}`, person: `p${Math.floor(n / sets)}`, order };
  });
}

test('a planted order of five comes back from twelve noisy people, each within its interval', () => {
  const planted = [2, 1, 0, -1, -2];
  let [inside, ordered] = [0, 0];
  const rounds = 10;
  for (let seed = 1; seed <= rounds; seed++) {
    const { rows, people, rankings } = arenaTable(rankers(planted, 12, 4, seed));
    expect({ people, rankings }).toEqual({ people: 12, rankings: 48 });
    if (rows.map(({ name }) => name).join('') === 'abcde') ordered++;
    for (const { name, strengthBounds } of rows) {
      const true1 = planted[NAMES.indexOf(name)]!;
      if (strengthBounds && strengthBounds.low <= true1 && true1 <= strengthBounds.high) inside++;
    }
  }
  expect(ordered).toBe(rounds);
  // 95 % intervals: 47.5 of 50 are to be expected.
  expect(inside).toBeGreaterThanOrEqual(44);
});

test('whoever wins each time has a finite strength, ties share their place, and one ranking has no interval', () => {
  const table = arenaTable([{ set: 's', person: 'p', order: [['a'], ['b', 'c']] }]);
  expect(table).toMatchObject({ rankings: 1, people: 1, agreement: null });
  expect(table.rows.map(({ name, meanRank }) => [name, meanRank])).toEqual([
    ['a', 1],
    ['b', 2.5],
    ['c', 2.5],
  ]);
  expect(table.rows[0]).toMatchObject({ rankings: 1, meanRankBounds: null, strengthBounds: null });
  expect(Number.isFinite(table.rows[0]?.strength)).toBe(true);
  expect(table.rows[1]?.strength).toBeCloseTo(table.rows[2]?.strength ?? 0, 6);
  expect(arenaTable([])).toEqual({ rows: [], rankings: 0, people: 0, agreement: null });
});

test('agreement is 1 where all rank alike, 0 where they turn it round, and nothing where all is one tie', () => {
  const by = (person: string, ...order: string[][]): Ranking => ({ set: 's', person, order });
  const agreed = arenaTable([by('p', ['a'], ['b'], ['c']), by('q', ['a'], ['b'], ['c'])]);
  expect(agreed.agreement).toBeCloseTo(1, 9);
  expect(arenaTable([by('p', ['a'], ['b'], ['c']), by('q', ['c'], ['b'], ['a'])]).agreement).toBeCloseTo(0, 9);
  expect(arenaTable([by('p', ['a', 'b']), by('q', ['a', 'b'])]).agreement).toBeNull();
  // With ties: 12 * 4.5 over 4 * 24 less 2 * 12.
  expect(arenaTable([by('p', ['a'], ['b', 'c']), by('q', ['a', 'b'], ['c'])]).agreement).toBeCloseTo(0.75, 9);
});

test('whatever people say, the table does not depend on the order of rankings or names, and strengths follow wins', () => {
  const ranking = fc
    .tuple(
      fc.shuffledSubarray(NAMES, { minLength: 2 }),
      fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      fc.nat(3),
    )
    .map(([names, ties, n]): Ranking => {
      const order: string[][] = [];
      for (const [at, name] of names.entries()) {
        const last = order.at(-1);
        if (last && ties[at]) last.push(name);
        else order.push([name]);
      }
      return { set: names.toSorted().join(''), person: `p${n}`, order };
    });
  fc.assert(
    fc.property(fc.array(ranking, { minLength: 1, maxLength: 4 }), fc.integer(), (rankings, seed) => {
      const strengthOf = (some: readonly Ranking[]) =>
        new Map(arenaTable(some).rows.map(({ name, strength }) => [name, strength]));
      const [one, other] = [strengthOf(rankings), strengthOf(shuffled(rankings, randomFrom(seed)))];
      for (const [name, strength] of one) expect(other.get(name)).toBeCloseTo(strength, 5);
      expect([...one.values()].reduce((sum, each) => sum + each, 0)).toBeCloseTo(0, 6);
      if (rankings.length !== 1) return;
      const groups = rankings[0]!.order;
      for (const [n, group] of groups.entries())
        for (const later of groups.slice(n + 1).flat())
          for (const name of group) expect(one.get(name)).toBeGreaterThan(one.get(later) ?? 0);
    }),
    { numRuns: 8 },
  );
});

test('the newest run of each agent is in one set of its task, none alone and none with more than five', () => {
  const run = (n: number, task: string, name: string) => ({ recording: `r${n}`, task, name, at: `2026-01-${10 + n}` });
  expect(arenaSets([run(1, 'T', 'x'), run(2, 'T', 'x'), run(3, 'T', 'y'), run(4, 'U', 'x')])).toMatchObject([
    { id: 'r2+r3', task: 'T', runs: [{ recording: 'r2' }, { recording: 'r3' }] },
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 40 }), (count) => {
      const sets = arenaSets(Array.from({ length: count }, (_, n) => run(n, 'T', `agent ${n}`)));
      expect(sets.flatMap(({ runs }) => runs).length).toBe(count);
      for (const { runs } of sets) expect(runs.length >= 2 && runs.length <= MOST_IN_SET).toBe(true);
    }),
  );
});

test('the share that an outcome beats: 1 for the best, 0 for the last, half for a tie, the mean of all rankings', () => {
  const order = (...groups: string[]) => ({
    order: groups.map((group) => [...group].map((recording) => ({ recording }))),
  });
  expect(Object.fromEntries(shareBeaten([order('a', 'b', 'c')]))).toEqual({ a: 1, b: 0.5, c: 0 });
  expect(Object.fromEntries(shareBeaten([order('ab')]))).toEqual({ a: 0.5, b: 0.5 });
  expect(Object.fromEntries(shareBeaten([order('a', 'bc'), order('b', 'a')]))).toEqual({ a: 0.5, b: 0.625, c: 0.25 });
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 5 }), (sizes) => {
      let at = 0;
      const groups = sizes.map((size) => Array.from({ length: size }, () => ({ recording: `r${at++}` })));
      const shares = [...shareBeaten([{ order: groups }]).values()];
      // Who wins against one loses for the other.
      expect(shares.reduce((sum, one) => sum + one, 0)).toBeCloseTo(at / 2, 9);
      for (const share of shares) expect(share >= 0 && share <= 1).toBe(true);
    }),
  );
});
