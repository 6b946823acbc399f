import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Composition,
  compositionSchema,
  type Edge,
  type Happening,
  type Member,
} from '../../schemas/composition.ts';
import {
  addMembers,
  changeMember,
  emptyMember,
  joinsFor,
  moveMember,
  newComposition,
  newOutput,
  removeMember,
  renameMember,
  renameOutput,
  slotNameOf,
  withEdge,
  withoutEdge,
} from './edit.ts';
import { addEvent, changeEvent, moveEvent, nameEvent, newHappening, removeEvent } from './edit-events.ts';
import { faultsIn } from './faults.ts';
import { brokenLaws } from './laws.ts';
import { SCENARIO_A, TABLE_3 } from './papers-for-tests.ts';

/** Changes of a composition as an editor makes them, and what of it cannot be saved. */

const bare = (id: string): Member => ({ ...emptyMember('scenario'), id });

test('table 3 of NaturalGAIA is written from nothing, one change after another', () => {
  const { id, kind, title, task, level, members, edges } = TABLE_3;
  let made: Composition = { ...newComposition({ id, kind, title }), task, level };
  for (const [n, member] of members.entries()) {
    made = addMembers(made, [emptyMember('pathway')], n);
    made = renameMember(made, 'task', member.id);
    made = renameOutput(made, member.id, 'answer', member.outputs[0]!.name);
    const { instructions, apps, way, outputs } = member;
    made = changeMember(made, member.id, { instructions, apps, way, outputs });
  }
  for (const edge of edges) made = withEdge(made, edge);
  expect(compositionSchema.parse(made)).toEqual(TABLE_3);
  expect(faultsIn(made)).toEqual([]);
});

test('names are made of words, and are never taken', () => {
  expect(slotNameOf('GIMP_1', [])).toBe('gimp_1');
  expect(slotNameOf('GIMP_1', ['gimp_1', 'gimp_1_2'])).toBe('gimp_1_3');
  expect(slotNameOf('1. Öffne “Größe”', [])).toBe('offne_gro_e');
  expect(slotNameOf('…', [])).toBe('task');
  const two = addMembers(newComposition({ id: 'c', kind: 'scenario', title: 'C' }), [bare('given'), bare('given')], 0);
  expect(two.members.map(({ id }) => id)).toEqual(['given_2', 'given_3']);
});

test('a member or an output that is called otherwise keeps its edges and slots', () => {
  const renamed = renameOutput(renameMember(TABLE_3, 'movie', 'film'), 'film', 'title', 'name');
  expect(renamed.edges).toEqual([{ kind: 'data', from: 'film', to: 'era', output: 'name' }]);
  expect(renamed.members[1]?.instructions.base).toContain('{{film.name}}');
  expect(renameMember(TABLE_3, 'movie', 'era')).toBe(TABLE_3);
  expect(renameMember(TABLE_3, 'movie', 'given')).toBe(TABLE_3);
  expect(renameMember(TABLE_3, 'movie', 'Two words')).toBe(TABLE_3);
  expect(renameOutput(TABLE_3, 'movie', 'title', '')).toBe(TABLE_3);
});

test('what goes takes its edges with it, and a slot that named it is told by its law', () => {
  const left = removeMember(TABLE_3, 'movie');
  expect(left.edges).toEqual([]);
  expect(brokenLaws(left).map(({ law, member }) => [law, member])).toContainEqual(['CP3', 'era']);
});

test('what is joined already is not offered again, and a pathway is joined by answers alone', () => {
  expect(joinsFor(TABLE_3, 'era')).toEqual([]);
  const [edge] = TABLE_3.edges as [Edge];
  const apart = withoutEdge(TABLE_3, edge);
  expect(joinsFor(apart, 'era')).toEqual([edge]);
  expect(withEdge(apart, edge)).toEqual(TABLE_3);
  expect(withEdge(TABLE_3, edge)).toBe(TABLE_3);
  expect(joinsFor({ ...apart, kind: 'scenario' }, 'era').map(({ kind }) => kind)).toEqual(['data', 'hard', 'time']);
});

test('moving there and back is nothing, and nobody leaves the list', () => {
  const ids = SCENARIO_A.members.map(({ id }) => id);
  fc.assert(
    fc.property(fc.constantFrom(...ids), fc.integer({ min: -15, max: 15 }), (id, by) => {
      const moved = moveMember(SCENARIO_A, id, by);
      const [before, after] = [ids.indexOf(id), moved.members.findIndex((one) => one.id === id)];
      expect(after).toBe(Math.max(0, Math.min(before + by, ids.length - 1)));
      expect(moveMember(moved, id, before - after).members).toEqual(SCENARIO_A.members);
    }),
  );
});

test('renaming changes no law: the same are broken, of the new name', () => {
  const ids = [...SCENARIO_A.members, ...TABLE_3.members].map(({ id }) => id);
  fc.assert(
    fc.property(fc.constantFrom(SCENARIO_A, TABLE_3), fc.constantFrom(...ids), (composition, id) => {
      const laws = (of: Composition) => brokenLaws(of).map(({ law, level, member }) => [law, level, member]);
      const renamed = laws(renameMember(composition, id, 'zz_new'));
      expect(renamed.map((one) => one.map((part) => (part === 'zz_new' ? id : part)))).toEqual(laws(composition));
    }),
  );
});

test('events are written from nothing; with the last of them the file is one that older programs read', () => {
  const { events: _none, ...plain } = SCENARIO_A;
  let made: Composition = addEvent({ ...plain, version: 1 }, 0, 'alarm');
  expect([made.version, made.events?.[0]?.at]).toEqual([2, { after: 'alarm' }]);
  made = addEvent(made, 1, null);
  expect(made.events?.map(({ id }) => id)).toEqual(['event', 'event_2']);
  made = nameEvent(made, 'event_2', 'call');
  expect(nameEvent(made, 'call', 'event')).toBe(made);
  expect(nameEvent(made, 'call', 'Two words')).toBe(made);
  made = changeEvent(made, 'call', { at: { day: 2, from: '09:00' } });
  // The next one is written for the same day.
  expect(addEvent(made, 2, null).events?.[2]?.at).toEqual({ day: 2, from: '' });
  made = removeEvent(removeEvent(made, 'call'), 'event');
  expect(made).toEqual({ ...plain, version: 1 });
});

test('an event that moves there and back is where it was, and none is lost', () => {
  const made = Array.from({ length: 5 }).reduce<Composition>((day, _, n) => addEvent(day, n, null), SCENARIO_A);
  const ids = made.events!.map(({ id }) => id);
  fc.assert(
    fc.property(fc.constantFrom(...ids), fc.integer({ min: -7, max: 7 }), (id, by) => {
      const moved = moveEvent(made, id, by);
      const [before, after] = [ids.indexOf(id), moved.events!.findIndex((one) => one.id === id)];
      expect(after).toBe(Math.max(0, Math.min(before + by, ids.length - 1)));
      expect(moveEvent(moved, id, before - after).events).toEqual(made.events);
    }),
  );
});

test('another kind keeps the text; the next mail goes to the mailbox of the one before', () => {
  const file: Happening = { kind: 'file', to: 'a.txt', text: 'Two packs.' };
  expect(newHappening('notification', {}, file)).toEqual({ kind: 'notification', title: '', text: 'Two packs.' });
  const mail: Happening = { kind: 'mail', folder: 'Mail/m', from: 'a', to: 'm', subject: 's', text: 't' };
  const day = changeEvent(addEvent(SCENARIO_A, 0, null), 'event', { happens: [mail] });
  expect(newHappening('mail', day)).toEqual({ ...mail, from: '', subject: '', text: '' });
});

/** Values that fields of an editor may come to have, good and bad. */
const words = fc.oneof(
  fc.constantFrom('', 'x', '08:50', '24:00', '8:50', '2026-11-30', '2026-02-30', '2024-02-29', '1900-02-29', 'given'),
  fc.constantFrom('a_1', 'A', '1a', 'x'.repeat(40), 'x'.repeat(41), 'x'.repeat(300), 'x'.repeat(301)),
  fc.constantFrom('a/b.txt', '/a', 'a//b', '../a', 'a\\b', 'two\nlines', 'x'.repeat(60_000), 'x'.repeat(60_001)),
  fc.constantFrom('x'.repeat(2000), 'x'.repeat(2001), 'x'.repeat(4000), 'x'.repeat(4001)),
);
const lists = fc.oneof(
  fc.array(words, { maxLength: 3 }),
  fc.constantFrom(20, 21, 100, 101, 200, 201).map((n) => Array.from({ length: n }, () => 'x')),
);
const numbers = fc.constantFrom(0, 1, 1.5, -1, 366, 367, 600_000, 600_001, Number.NaN, Number.POSITIVE_INFINITY);
const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });

const outputs = fc.record({
  name: words,
  value: fc.oneof(words, numbers, lists),
  tolerance: numbers,
  alternatives: lists,
  from: fc.oneof(fc.constant('answer' as const), fc.record({ check: words })),
  stable: fc.boolean(),
  kept: optional(fc.record({ file: words, date: words })),
});
const good: Composition = { ...SCENARIO_A, members: SCENARIO_A.members.slice(0, 2), edges: [] };
const happenings = fc.oneof(
  fc.record({ kind: fc.constant('file' as const), to: words, text: words }),
  fc.record({ kind: fc.constant('mail' as const), folder: words, from: words, to: words, subject: words, text: words }),
  fc.record({ kind: fc.constant('notification' as const), title: words, text: words }),
  fc.record({ kind: fc.constant('service' as const), service: words, change: words }),
  fc.record({ kind: fc.constant('window' as const), title: words }),
);
/** A good event with one part of it changed to anything. */
const events = fc
  .oneof(
    words.map((id) => ({ id })),
    words.map((after) => ({ at: { after } })),
    fc.record({ day: numbers, from: words, to: optional(words) }).map((at) => ({ at })),
    fc.array(happenings, { maxLength: 2 }).map((happens) => ({ happens })),
    fc
      .constantFrom(20, 21)
      .map((n) => ({ happens: Array.from({ length: n }, () => ({ kind: 'window', title: 'x' })) })),
  )
  .map((part) => ({ id: 'call', at: { after: 'alarm' }, happens: [{ kind: 'window', title: 'x' }], ...part }));
const puts = fc.oneof(
  lists,
  fc.constantFrom(200, 201).map((n) => Array.from({ length: n }, () => 'x')),
);
const wholes = fc.constantFrom(0, 1, -1, 1.5, 1_000_000, 1_000_001, 1e9, -1e9, 1e9 + 1, -1e9 - 1, Number.NaN);
const values = fc.oneof(
  lists,
  fc.constantFrom(1000, 1001).map((n) => Array.from({ length: n }, () => 'x')),
);
/** Ways in which a value may vary: a good one with one part of it changed to anything. */
const ways = fc
  .constantFrom(
    { kind: 'list', values: ['a', 'b'], puts: [] },
    { kind: 'whole', from: 1, to: 9, step: 1, puts: [] },
    { kind: 'time', from: '09:00', to: '10:00', step: 5, puts: [] },
    { kind: 'date', from: '2026-11-01', to: '2026-11-30', step: 1, puts: [] },
    { kind: 'along', of: 'part', values: ['1', '2'], puts: [] },
    { kind: 'after', of: 'part', plus: -10, puts: [] },
  )
  .chain((way) => {
    const parts = Object.keys(way).filter((part) => part !== 'kind');
    const of = (part: string): fc.Arbitrary<unknown> => {
      if (part === 'puts') return puts;
      if (part === 'values') return values;
      return part === 'of' || way.kind === 'time' || way.kind === 'date' ? (part === 'step' ? wholes : words) : wholes;
    };
    return fc.constantFrom(...parts).chain((part) => of(part).map((value) => ({ ...way, [part]: value })));
  });
const stages = fc.oneof(
  fc.tuple(words, words).map(([name, platform]) => [{ name, platform }]),
  fc.constantFrom(0, 8, 9).map((n) => Array.from({ length: n }, (_, i) => ({ name: `s${i}`, platform: 'Linux' }))),
);
/** One composition with one part of it changed to anything. */
const changedOnce = fc.oneof(
  fc.constantFrom(500, 501).map((n) => ({
    ...good,
    events: Array.from({ length: n }, (_, i) => ({
      id: `e${i}`,
      at: { after: 'alarm' },
      happens: [{ kind: 'window', title: 'x' }],
    })),
  })),
  words.map((title) => ({ ...good, title })),
  optional(words).map((task) => ({ ...good, task })),
  fc
    .record({ persona: optional(words), preferences: lists, begins: optional(words) })
    .map((context) => ({ ...good, context: { ...context, given: [] } })),
  fc.tuple(words, words).map(([name, value]) => ({ ...good, context: { preferences: [], given: [{ name, value }] } })),
  fc.constantFrom(0, 500, 501).map((n) => ({
    ...good,
    members: Array.from({ length: n }, (_, i) => ({ ...bare(`m${i}`), instructions: { base: 'x' } })),
  })),
  fc
    .tuple(fc.constantFrom('id', 'narration', 'place', 'recording', 'task'), words)
    .map(([part, value]) => ({ ...good, members: [{ ...good.members[0]!, [part]: value }] })),
  fc
    .record({ base: words, L0: optional(words), L1: optional(words), L2: optional(words) })
    .map((instructions) => ({ ...good, members: [{ ...good.members[0]!, instructions }] })),
  fc
    .record({ day: numbers, from: words, to: optional(words) })
    .map((window) => ({ ...good, members: [{ ...good.members[0]!, window }] })),
  fc.tuple(fc.constantFrom('way', 'apps'), words, lists).map(([part, platform, list]) => ({
    ...good,
    members: [{ ...good.members[0]!, [part]: part === 'way' ? list : { [platform]: list } }],
  })),
  fc.array(outputs, { maxLength: 2 }).map((all) => ({ ...good, members: [{ ...good.members[0]!, outputs: all }] })),
  fc.constantFrom(50, 51).map((n) => ({
    ...good,
    members: [{ ...good.members[0]!, outputs: Array.from({ length: n }, () => ({ ...newOutput('a'), value: 'x' })) }],
  })),
  fc
    .record({ from: words, to: words, output: words })
    .map((edge) => ({ ...good, edges: [{ kind: 'data' as const, ...edge }] })),
  fc
    .record({ atLeast: numbers, atMost: optional(numbers) })
    .map((edge) => ({ ...good, edges: [{ kind: 'time' as const, from: 'alarm', to: 'schedule', ...edge }] })),
);

const faultsAreTheSchemas = (composition: unknown): void => {
  const faults = faultsIn(composition as Composition);
  expect([faults.length === 0, faults]).toEqual([compositionSchema.safeParse(composition).success, faults]);
};

test('what is at fault in an editor is what the schema of the file refuses, and nothing else', () => {
  fc.assert(fc.property(changedOnce, faultsAreTheSchemas), { numRuns: 400 });
});

test('the same of a value that varies, and of stages and those who name one', () => {
  const withWay = ways.map((varies) => ({
    ...good,
    context: { preferences: [], given: [{ name: 'x', value: 'x', varies }] },
  }));
  const named = words.map((stage) => ({
    ...good,
    members: [{ ...good.members[0]!, stage }],
    events: [{ id: 'call', at: { after: 'alarm' }, stage, happens: [{ kind: 'window', title: 'x' }] }],
  }));
  const declared = stages.map((all) => ({ ...good, stages: all }));
  fc.assert(fc.property(fc.oneof({ weight: 5, arbitrary: withWay }, named, declared), faultsAreTheSchemas), {
    numRuns: 800,
  });
});

test('the same of files that a member takes', () => {
  const takes = fc.oneof(
    fc
      .tuple(words, words, optional(words))
      .map(([from, file, to]) => [{ from, file, ...(to !== undefined && { to }) }]),
    fc
      .tuple(words, optional(words), optional(words))
      .map(([from, file, folder]) => [
        { from, ...(file !== undefined && { file }), ...(folder !== undefined && { folder }) },
      ]),
    fc.constantFrom(0, 20, 21).map((n) => Array.from({ length: n }, () => ({ from: 'alarm', file: 'a/b.txt' }))),
  );
  const taking = takes.map((all) => ({ ...good, members: [{ ...good.members[0]!, takes: all }] }));
  fc.assert(fc.property(taking, faultsAreTheSchemas), { numRuns: 400 });
});

test('the same of an event', () => {
  fc.assert(
    fc.property(events, (event) => faultsAreTheSchemas({ ...good, events: [event] })),
    { numRuns: 400 },
  );
});
