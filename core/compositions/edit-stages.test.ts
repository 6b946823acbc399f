import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Composition } from '../../schemas/composition.ts';
import { changeMember } from './edit.ts';
import { addEvent, changeEvent } from './edit-events.ts';
import { addStage, changeStage, moveStage, removeStage, renameStage } from './edit-stages.ts';
import { faultsIn } from './faults.ts';
import { brokenLaws } from './laws.ts';
import { ownContent } from './own.ts';
import { SCENARIO_A } from './papers-for-tests.ts';
import { stageNameOf } from './stages.ts';

/** Stages of a composition as an editor declares them. */

const [first, second] = SCENARIO_A.members.map(({ id }) => id) as [string, string];
function onTwo(): Composition {
  let made = renameStage(addStage(addStage(SCENARIO_A)), 'stage', 'desktop');
  made = renameStage(made, 'stage_2', 'office');
  made = changeMember(made, second, { stage: 'office' });
  return changeEvent(addEvent(made, 0, first), 'event', { stage: 'office', happens: [{ kind: 'window', title: 'x' }] });
}
const stageLaws = (of: Composition) =>
  brokenLaws(of).flatMap(({ law, member }) => (law === 'CP30' || law === 'CP31' ? [[law, member]] : []));

test('stages are declared from nothing, and members and events name them', () => {
  const made = onTwo();
  expect(made.stages).toEqual([
    { name: 'desktop', platform: 'Linux' },
    { name: 'office', platform: 'Linux' },
  ]);
  expect([stageLaws(made), faultsIn(made), ownContent(made).version]).toEqual([[], [], 4]);
  expect(changeStage(made, 'office', { platform: 'Android' }).stages?.[1]).toEqual({
    name: 'office',
    platform: 'Android',
  });
});

test('who names a stage follows its name; a name that is taken or can be none changes nothing', () => {
  const made = onTwo();
  const renamed = renameStage(made, 'office', 'lab');
  expect([renamed.stages?.[1]?.name, renamed.members[1]?.stage, renamed.events?.[0]?.stage]).toEqual(
    Array.from({ length: 3 }, () => 'lab'),
  );
  expect(renameStage(made, 'office', 'desktop')).toBe(made);
  expect(renameStage(made, 'office', 'Two words')).toBe(made);
});

test('one that is removed is told by CP30 at each who names it; with the last one nobody names any', () => {
  const left = removeStage(onTwo(), 'office');
  expect(stageLaws(left)).toEqual([
    ['CP30', second],
    ['CP30', null],
  ]);
  const none = removeStage(left, 'desktop');
  expect([none.stages, stageLaws(none)]).toEqual([undefined, []]);
  expect(JSON.stringify(none)).not.toContain('"stage"');
  expect(ownContent(none).version).toBe(2);
});

test('renaming never changes on which stage anything is done', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);
  fc.assert(
    fc.property(fc.constantFrom('desktop', 'office'), name, (from, to) => {
      const made = onTwo();
      const renamed = renameStage(made, from, to);
      const places = (of: Composition) => of.members.map((member) => stageNameOf(of, member));
      const expected = places(made).map((stage) => (stage === from && renamed !== made ? to : stage));
      expect(places(renamed)).toEqual(expected);
    }),
  );
});

test('putting stages into another order never changes on which anything is done, and loses none', () => {
  const moves = fc.array(fc.tuple(fc.constantFrom('desktop', 'office', 'lab'), fc.integer({ min: -3, max: 3 })));
  fc.assert(
    fc.property(moves, (all) => {
      const made = renameStage(addStage(onTwo()), 'stage', 'lab');
      const moved = all.reduce((now, [name, by]) => moveStage(now, name, by), made);
      const places = (of: Composition) => [...of.members, ...(of.events ?? [])].map((one) => stageNameOf(of, one));
      expect(places(moved)).toEqual(places(made));
      expect(new Set(moved.stages)).toEqual(new Set(made.stages));
      expect(faultsIn(moved)).toEqual([]);
    }),
  );
  const made = onTwo();
  const moved = moveStage(made, 'office', -1);
  expect([moved.stages?.map(({ name }) => name), moved.members[0]?.stage]).toEqual([['office', 'desktop'], 'desktop']);
  expect([moveStage(made, 'office', 1), moveStage(made, 'nobody', 1)]).toEqual([made, made]);
});
