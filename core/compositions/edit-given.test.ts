import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Composition } from '../../schemas/composition.ts';
import { changeMember } from './edit.ts';
import { addGiven, newVaries, renameGiven } from './edit-given.ts';
import { faultsIn } from './faults.ts';
import { SCENARIO_A } from './papers-for-tests.ts';
import { apartBy, moved } from './parameters.ts';
import { parametersGiveValues } from './template-laws.ts';

/** Values known before the first task and the way each varies, written as an editor does. */

type Given = Composition['context']['given'][number];
const withGiven = (...given: Given[]): Composition => ({ ...SCENARIO_A, context: { preferences: [], given } });
const one = (name: string, value: string): Given => ({ name, value });

test('slots of texts and values that depend on it follow the name of a value', () => {
  const [first] = SCENARIO_A.members as [Composition['members'][number]];
  const list: Given = { ...one('room', 'A'), varies: { kind: 'list', values: ['A', 'B'], puts: [] } };
  const along: Given = { ...one('floor', '1'), varies: { kind: 'along', of: 'room', values: ['1', '2'], puts: [] } };
  const base = 'Go to {{given.room}}, then {{given.floor}}.';
  const made = changeMember(withGiven(list, along), first.id, { instructions: { base } });
  const renamed = renameGiven(made, 'room', 'hall');
  expect(renamed.members[0]?.instructions.base).toBe('Go to {{given.hall}}, then {{given.floor}}.');
  expect(renamed.context.given.map(({ name, varies }) => [name, varies && 'of' in varies ? varies.of : null])).toEqual([
    ['hall', null],
    ['floor', 'hall'],
  ]);
  expect(renameGiven(made, 'room', 'floor')).toBe(made);
  expect(renameGiven(made, 'room', 'Two words')).toBe(made);
  expect(addGiven(addGiven(made)).context.given.slice(2)).toEqual([one('value', ''), one('value_2', '')]);
});

test('a way to vary begins with what the value and the others suggest, and keeps the places', () => {
  const puts = ['title'];
  const time: Given = { ...one('alarm', '11:20'), varies: { kind: 'list', values: ['11:20'], puts } };
  const { context } = withGiven(one('room', 'A'), one('time', '11:30'), time);
  expect(newVaries('after', context, time)).toEqual({ kind: 'after', of: 'time', plus: -10, puts });
  expect(newVaries('time', context, time)).toEqual({ kind: 'time', from: '11:20', to: '17:00', step: 30, puts });
  expect(newVaries('whole', context, one('n', '4'))).toEqual({ kind: 'whole', from: 4, to: 13, step: 1, puts: [] });
  expect(newVaries('date', context, one('d', '2026-11-30'))).toMatchObject({ from: '2026-11-30', to: '2026-12-30' });
  expect(newVaries('list', context, one('x', ''))).toEqual({ kind: 'list', values: [], puts: [] });
});

test('what is begun so fits the file, where the value is one of its kind; for a number, time or date it gives others', () => {
  const values = { whole: '7', time: '08:15', date: '2026-02-28' } as const;
  fc.assert(
    fc.property(fc.constantFrom('whole', 'time', 'date'), fc.constantFrom('list', 'along', 'after'), (kind, other) => {
      const value = one('x', values[kind]);
      const { context } = withGiven(value);
      const made = withGiven({ ...value, varies: newVaries(kind, context, value) });
      expect([faultsIn(made), parametersGiveValues(made)]).toEqual([[], []]);
      const depends = withGiven({ ...value, varies: newVaries(other, context, value) });
      // Without another value there is nothing to depend on yet: that is said at its field.
      expect(faultsIn(depends).map(({ field }) => field)).toEqual(
        other === 'list' ? [] : ['context.given.0.varies.of'],
      );
    }),
  );
});

test('the distance of two values of one kind leads from the one to the other', () => {
  const times = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
  const dates = fc.integer({ min: 0, max: 50_000 }).map((n) => new Date(n * 86_400_000).toISOString().slice(0, 10));
  const wholes = fc.integer({ min: -1000, max: 1000 }).map(String);
  const pairs = fc.oneof(fc.tuple(times, times), fc.tuple(dates, dates), fc.tuple(wholes, wholes));
  fc.assert(
    fc.property(pairs, ([from, to]) => {
      expect(moved(from, apartBy(from, to) ?? Number.NaN)).toBe(to);
    }),
  );
  expect([apartBy('11:30', '7'), apartBy('room', 'room'), apartBy('2026-01-01', '11:30')]).toEqual([null, null, null]);
});
