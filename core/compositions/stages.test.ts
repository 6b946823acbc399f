import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Composition, compositionSchema } from '../../schemas/composition.ts';
import type { MemberResult } from '../../schemas/composition-run.ts';
import { brokenLaws } from './laws.ts';
import { ownContent } from './own.ts';
import { keptTasks, nextTurn, rolloutOrder } from './rollout.ts';
import { runTable } from './scores.ts';
import { copyAfter, handedOver, stageNameOf, stagesNeeded, stagesOf } from './stages.ts';

/** Members on stages that the composition declares. */

const made = (more: object): Composition =>
  compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 4,
    id: 'c',
    kind: 'scenario',
    title: 'C',
    ...more,
  });
const task = (id: string, more: object = {}) => ({ id, instructions: { base: 'Do it' }, ...more });
const TWO = [{ name: 'desktop' }, { name: 'office', platform: 'Linux' }];
const said = (composition: Composition): string[] =>
  brokenLaws(composition)
    .filter(({ law }) => law === 'CP30' || law === 'CP31')
    .map(({ law, kind, member, why }) => [law, kind, member, why].filter(Boolean).join(' '));

test('CP30, CP31: a stage that is not declared is broken, at its member or event; one that no member uses is a note', () => {
  const events = [{ id: 'mail', at: { after: 'a' }, stage: 'car', happens: [{ kind: 'window', title: 'x' }] }];
  const members = [task('a'), task('b', { stage: 'phone' })];
  expect(said(made({ stages: TWO, members, events }))).toEqual([
    'CP30 broken b It is to be done on the stage “phone”, which the composition does not declare.',
    'CP30 broken The event “mail” is to happen on the stage “car”, which the composition does not declare.',
    'CP31 note No member is done on the stage “office”.',
  ]);
  // Where none is declared there is one, which has no name to be called by.
  expect(said(made({ members: [task('a', { stage: 'office' })] }))).toEqual([
    'CP30 broken a It is to be done on the stage “office”, which the composition does not declare.',
  ]);
  expect(said(made({ stages: TWO, members: [task('a'), task('b', { stage: 'office' })] }))).toEqual([]);
  expect(said(made({ members: [task('a'), task('b')] }))).toEqual([]);
});

test('a stage is declared once, and has a name that texts can hold; the first is that of members without one', () => {
  const parse = (stages: object[]) =>
    compositionSchema.safeParse({ ...made({ members: [task('a')] }), stages }).error?.issues[0]?.message;
  expect(parse([])).toMatch(/at least|>=1|too small/i);
  expect(parse([{ name: 'a' }, { name: 'a' }])).toBe('two stages have the same name');
  expect(parse([{ name: 'Two words' }])).toMatch(/small letters/);
  expect(parse([{ name: 'a', path: '/x' }])).toMatch(/path/);
  const composition = made({ stages: TWO, members: [task('a'), task('b', { stage: 'office' }), task('c')] });
  expect(stagesOf(composition).map(({ platform }) => platform)).toEqual(['Linux', 'Linux']);
  expect(composition.members.map((member) => stageNameOf(composition, member))).toEqual([
    'desktop',
    'office',
    'desktop',
  ]);
  expect(stagesNeeded(composition, ['c', 'b'])).toEqual(['desktop', 'office']);
  expect(stagesNeeded(composition, ['c'])).toEqual(['desktop']);
  expect(stagesNeeded(made({ members: [task('a')] }), ['a'])).toHaveLength(1);
});

test('a composition is of the version that stages need exactly where it names some', () => {
  const members = [task('a')];
  expect(ownContent(made({ stages: TWO, members, version: 1 })).version).toBe(4);
  expect(ownContent(made({ members: [task('a', { stage: 'x' })], version: 2 })).version).toBe(4);
  expect(ownContent(made({ members, version: 4 })).version).toBe(1);
  expect(ownContent(made({ members, events: [], version: 4 })).version).toBe(2);
  for (const version of [1, 2]) expect(ownContent(made({ members, version })).version).toBe(version);
  expect(ownContent(made({ members, version: 3 })).version).toBe(2);
});

test('what comes from members on other stages is handed over, and nothing else', () => {
  const composition = made({
    stages: TWO,
    members: [task('a'), task('b', { stage: 'office' }), task('c', { stage: 'office' })],
  });
  const slots = [
    { of: 'a', output: 'code' },
    { of: 'b', output: 'place' },
    { of: 'given', output: 'room' },
  ];
  expect(handedOver(composition, composition.members[2]!, slots)).toEqual([
    { of: 'a', output: 'code', from: 'desktop' },
  ]);
});

test('a run is gone on with by the newest copy of each stage’s home', () => {
  const result = (copy: string | null, copies?: Record<string, string>) => ({ copy, ...(copies && { copies }) });
  const on = [result('a', { desktop: 'a' }), result('b', { office: 'b' }), result(null), result('c', { desktop: 'c' })];
  expect([copyAfter(on, 'desktop'), copyAfter(on, 'office'), copyAfter(on, 'phone')]).toEqual(['c', 'b', null]);
  expect(copyAfter(on.slice(0, 3), 'desktop')).toBe('a');
  // Runs on one stage name none.
  expect([copyAfter([result('a'), result('b'), result(null)], 'stage'), copyAfter([], 'stage')]).toEqual(['b', null]);
});

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const day = fc
  .record({
    places: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 6, maxLength: 6 }),
    pairs: fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })), { maxLength: 8 }),
    goneAt: fc.integer({ min: 0, max: 5 }),
    gone: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ places, pairs, goneAt, gone }) => {
    const stages = ['one', 'two', 'three'];
    const edges = pairs.flatMap(([x, y]) => (x < y ? [{ kind: 'hard', from: IDS[x], to: IDS[y] }] : []));
    const composition = made({
      stages: stages.map((name) => ({ name })),
      members: IDS.map((id, n) => task(id, { stage: stages[places[n] ?? 0] })),
      edges,
    });
    return { composition, goneAt, stage: stages[gone] ?? '' };
  });

test('CP32: a stage that gives out blocks its members that are not done, and what hangs on them; all else is done', () => {
  fc.assert(
    fc.property(day, ({ composition, goneAt, stage }) => {
      const order = rolloutOrder(composition) ?? [];
      const results: MemberResult[] = [];
      const gone = new Map<string, string>();
      for (;;) {
        if (results.length === goneAt) gone.set(stage, 'it is gone');
        const turn = nextTurn(composition, order, 'base', results, gone);
        if (turn.do === 'end') break;
        const isRun = turn.do === 'run';
        results.push({
          member: turn.member.id,
          outcome: isRun ? 'passed' : turn.outcome,
          values: [],
          recording: isRun ? '2026-11-29' : null,
          copy: isRun ? 'x' : null,
          ...(!isRun && turn.stageGone && { stageGone: true }),
        } as unknown as MemberResult);
      }
      const lost = new Set<string>();
      for (const [n, id] of order.entries()) {
        const member = composition.members.find((one) => one.id === id)!;
        const isOn = n >= goneAt && stageNameOf(composition, member) === stage;
        if (isOn || composition.edges.some(({ from, to }) => to === id && lost.has(from))) lost.add(id);
      }
      const passed = results.flatMap(({ member, outcome }) => (outcome === 'passed' ? [member] : []));
      expect(passed).toEqual(order.filter((id) => !lost.has(id)));
      // It is gone on with at the first that was lost to the stage.
      const first = order.findIndex(
        (id, n) => n >= goneAt && stageNameOf(composition, composition.members.find((one) => one.id === id)!) === stage,
      );
      if (first >= 0) expect(keptTasks({ results })).toBeLessThanOrEqual(first);
      else expect(keptTasks({ results })).toBe(order.length);
    }),
  );
});

test('the table of a run names the stage of each task, also of those that are not done', () => {
  const composition = made({ stages: TWO, members: [task('a'), task('b', { stage: 'office' })] });
  const run = { composition, order: ['a', 'b'], results: [], id: 'x' } as unknown as Parameters<typeof runTable>[0];
  expect(runTable(run).rows.map(([, name]) => name)).toEqual(['TASK', 'a (desktop)', 'b (office)']);
  const one = made({ members: [task('a')] });
  expect(runTable({ ...run, composition: one, order: ['a'] }).rows.map(([, name]) => name)).toEqual(['TASK', 'a']);
});
