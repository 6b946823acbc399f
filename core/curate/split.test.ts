import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findLeaks } from './leaks.ts';
import { dataRow } from './rows-for-tests.ts';
import { planSplits, type SplitTask } from './split.ts';

const task = (id: string, software = 'gimp', split: string | null = null): SplitTask => ({
  id,
  software,
  split,
  recordings: 1,
});
const RULE = {
  shares: [
    { split: 'train', share: 8 },
    { split: 'validation', share: 1 },
    { split: 'test', share: 1 },
  ],
  seed: '1',
  again: false,
};
const many = (count: number, software = 'gimp'): SplitTask[] =>
  Array.from({ length: count }, (_, at) => task(`${software.toUpperCase()}_${at + 1}`, software));
const splitsOf = (plan: ReturnType<typeof planSplits>) => new Map(plan.assigned.map((one) => [one.task, one.split]));
const counts = (plan: ReturnType<typeof planSplits>, wanted: string): number =>
  plan.shares.filter(({ split }) => split === wanted).reduce((sum, { tasks }) => sum + tasks, 0);

describe('splitting by a rule', () => {
  test('gives every split its share', () => {
    const plan = planSplits(many(100), RULE, []);
    expect(['train', 'validation', 'test'].map((split) => counts(plan, split))).toEqual([80, 10, 10]);
  });

  test('small software do not all land in the largest split', () => {
    const tasks = Array.from({ length: 20 }, (_, at) => task(`S${at}_1`, `s${at}`));
    const plan = planSplits(tasks, RULE, []);
    expect(['train', 'validation', 'test'].map((split) => counts(plan, split))).toEqual([16, 2, 2]);
  });

  test('each software is dealt by itself', () => {
    const { shares } = planSplits([...many(50, 'gimp'), ...many(10, 'word')], RULE, []);
    expect(shares).toContainEqual({ software: 'gimp', split: 'train', tasks: 40, recordings: 40 });
    expect(shares).toContainEqual({ software: 'word', split: 'train', tasks: 8, recordings: 8 });
    expect(shares).toContainEqual({ software: 'word', split: 'test', tasks: 1, recordings: 1 });
  });

  test('another seed deals otherwise, the same one the same whatever the order', () => {
    const tasks = many(40);
    const first = planSplits(tasks, RULE, []);
    expect(planSplits(tasks.toReversed(), RULE, [])).toEqual(first);
    expect(planSplits(tasks, { ...RULE, seed: '2' }, []).assigned).not.toEqual(first.assigned);
  });

  test('a split named twice is refused', () => {
    const shares = [...RULE.shares, { split: 'test', share: 3 }];
    expect(() => planSplits(many(3), { ...RULE, shares }, [])).toThrow('named twice');
  });

  const anyTasks = fc
    .uniqueArray(fc.tuple(fc.constantFrom('gimp', 'word', 'vlc'), fc.nat(40)), {
      selector: (one) => one.join(),
      maxLength: 40,
    })
    .map((list) => list.map(([software, n]) => task(`${software.toUpperCase()}_${n}`, software)));

  test('new tasks move none that has a split', () => {
    fc.assert(
      fc.property(anyTasks, fc.nat(40), (tasks, cut) => {
        const before = splitsOf(planSplits(tasks.slice(0, cut), RULE, []));
        const now = tasks.map((one) => ({ ...one, split: before.get(one.id) ?? null }));
        const after = planSplits(now, RULE, []);
        expect(after.assigned.filter(({ from }) => from !== null)).toEqual([]);
        expect(after.assigned).toHaveLength(Math.max(0, tasks.length - cut));
      }),
    );
  });

  test('every task gets a split, and a group one together', () => {
    fc.assert(
      fc.property(
        anyTasks,
        fc.array(fc.array(fc.nat(39), { minLength: 2, maxLength: 4 }), { maxLength: 5 }),
        (tasks, places) => {
          const groups = places.map((some) => some.flatMap((at) => tasks[at]?.id ?? []));
          const splits = splitsOf(planSplits(tasks, RULE, groups));
          expect(splits.size).toBe(tasks.length);
          for (const group of groups) expect(new Set(group.map((id) => splits.get(id))).size).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  test('a group follows those of it that have a split; one that was torn by hand is told and stays', () => {
    const tasks = [task('A_1', 'a', 'test'), task('A_2', 'a'), task('A_3', 'a', 'train'), task('A_4', 'a', 'test')];
    const plan = planSplits(tasks, RULE, [
      ['A_1', 'A_2'],
      ['A_3', 'A_4'],
    ]);
    expect(plan.assigned).toEqual([{ task: 'A_2', from: null, split: 'test' }]);
    expect(plan.torn).toEqual([['A_3', 'A_4']]);
  });
});

describe('the leakage check', () => {
  const one = dataRow({ recording: 'a', task: 'PPT_1', split: 'train', goal: 'Insert a picture' });
  const other = dataRow({ recording: 'b', task: 'PPT_2', split: 'test', goal: 'Insert the picture' });
  const limits = { goals: 0.7, screens: 4 };
  const screen = (recording: string, inTask: string, hash: string) => ({
    recording,
    task: inTask,
    action: `${recording}-1`,
    frame: 3,
    hash,
  });
  const zero = '0'.repeat(64);

  test('names a task in two splits', () => {
    expect(findLeaks([one, { ...one, recording: 'c', split: 'test' }], [], limits)).toMatchObject([
      { kind: 'task', task: 'PPT_1', splits: ['test', 'train'], recordings: ['a', 'c'] },
    ]);
  });

  test('names near-duplicate goals across splits, not within one', () => {
    expect(findLeaks([one, other], [], limits)).toMatchObject([
      { kind: 'goal', tasks: ['PPT_1', 'PPT_2'], splits: ['train', 'test'] },
    ]);
    expect(findLeaks([one, { ...other, split: 'train' }], [], limits)).toEqual([]);
    expect(findLeaks([one, { ...other, split: null }], [], limits)).toEqual([]);
  });

  test('names equal and near screens across splits, the nearest with how many there are', () => {
    const far = { ...other, goal: 'Mute the audio' };
    const screens = [
      screen('a', 'PPT_1', zero),
      screen('b', 'PPT_2', `${zero.slice(0, 63)}3`),
      screen('b', 'PPT_2', zero),
      screen('gone', 'PPT_9', zero),
    ];
    expect(findLeaks([one, far], screens, limits)).toEqual([
      {
        kind: 'screen',
        screens: [expect.objectContaining({ task: 'PPT_1' }), expect.objectContaining({ task: 'PPT_2' })],
        splits: ['train', 'test'],
        distance: 0,
        pairs: 2,
      },
    ]);
    expect(findLeaks([one, far], screens, { ...limits, screens: null })).toEqual([]);
  });
});

test('a family of tasks never lies in two splits, whatever its tasks had before, and whatever is dealt', () => {
  const splits = fc.option(fc.constantFrom('train', 'test', 'validation'), { nil: null });
  fc.assert(
    fc.property(
      fc.array(fc.record({ family: fc.nat(4), split: splits, dealt: fc.boolean() }), { minLength: 1, maxLength: 40 }),
      fc.boolean(),
      fc.string({ maxLength: 3 }),
      fc.array(fc.array(fc.nat(39), { maxLength: 4 }), { maxLength: 4 }),
      (given, again, seed, alike) => {
        // Those that are not dealt lie together, as an earlier deal left them.
        const all = given.map((one, n) => {
          const split = one.dealt ? one.split : one.family % 2 === 0 ? 'test' : null;
          return { ...task(`GIMP_${n + 1}`, 'gimp', split), dealt: one.dealt, family: one.family };
        });
        const families = [...Map.groupBy(all, ({ family }) => family).values()].map((some) => some.map(({ id }) => id));
        const placed = new Map(all.flatMap(({ id, split }) => (split === null ? [] : [[id, split] as const])));
        const groups = alike.map((some) => some.map((n) => `GIMP_${n + 1}`));
        const plan = planSplits(
          all.filter(({ dealt }) => dealt),
          { ...RULE, seed, again },
          groups,
          { families, placed },
        );
        const now = new Map([...placed, ...splitsOf(plan)]);
        for (const family of families)
          expect(new Set(family.flatMap((id) => now.get(id) ?? [])).size).toBeLessThanOrEqual(1);
      },
    ),
  );
});
