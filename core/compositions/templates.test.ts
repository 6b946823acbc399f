import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Composition, compositionSchema } from '../../schemas/composition.ts';
import { renameMember, renameOutput } from './edit.ts';
import { nameEvent } from './edit-events.ts';
import { instanceOf, otherMembers, tasksOfInstance } from './instances.ts';
import { brokenLaws } from './laws.ts';
import { ownContent } from './own.ts';
import { completeSet, countOf, drawnSets, drawsOf, keyOfSet, moved, ownValues } from './parameters.ts';
import { atPlace, mayHold, placesWith, stands, withSwaps } from './places.ts';
import { taskPlacesAreThere } from './template-laws.ts';

/** Templates: given values that vary, and the instances that they make. */

const ROOMS = ['Lab 305', 'Lab 12', 'Hall B'];
const TIMES = { kind: 'time', from: '09:00', to: '17:00', step: 30 };
type Given = { name: string; value: string; varies?: object };
const GIVEN: Given[] = [
  { name: 'room', value: 'Lab 305', varies: { kind: 'list', values: ROOMS } },
  {
    name: 'time',
    value: '11:30',
    varies: { ...TIMES, puts: ['members/meeting/outputs/time/value', 'events/note/happens/0/text'] },
  },
  {
    name: 'alarm',
    value: '11:20',
    varies: { kind: 'after', of: 'time', plus: -10, puts: ['members/alarm/narration'] },
  },
];

function template(given: readonly Given[] = GIVEN): Composition {
  return compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 4,
    id: 'monday',
    kind: 'scenario',
    title: 'A Monday',
    context: { begins: '2026-03-02', given },
    members: [
      {
        id: 'meeting',
        task: 'CAL_1',
        instructions: { base: 'When is the meeting in {{given.room}}?' },
        outputs: [{ name: 'time', value: '11:30' }],
      },
      {
        id: 'alarm',
        task: 'CLOCK_1',
        narration: 'It rings at 11:20.',
        instructions: { base: 'Set an alarm.', L0: 'Set an alarm for {{given.alarm}}, before {{meeting.time}}.' },
      },
      { id: 'rest', task: 'MAIL_1', instructions: { base: 'Read the mail.' } },
    ],
    edges: [{ kind: 'data', from: 'meeting', to: 'alarm', output: 'time' }],
    events: [
      {
        id: 'note',
        at: { after: 'rest' },
        happens: [{ kind: 'notification', title: 'At 11:30', text: 'It is at 11:30.' }],
      },
    ],
  });
}
const said = (composition: Composition): string[] =>
  brokenLaws(composition).map(({ law, kind, why }) => [law, ...(kind === 'note' ? [kind] : []), why].join(' '));
const varying = (varies: object, value = '4', more: readonly Given[] = []): Composition =>
  template([
    { name: 'room', value: 'Lab 305' },
    { name: 'alarm', value: '11:20' },
    { name: 'n', value, varies },
    ...more,
  ]);

test('an instance has its values in slots, answers, events and narrations, an id of its own, and says where it comes from', () => {
  const values = new Map([
    ['room', 'Hall B'],
    ['time', '14:00'],
    ['alarm', '13:50'],
  ]);
  const instance = instanceOf(template(), { seed: 7, number: 2, values });
  expect(compositionSchema.parse(instance)).toEqual(instance);
  expect(instance).toMatchObject({
    id: 'monday-7-2',
    title: 'A Monday (7-2)',
    origin: { template: 'monday', seed: 7, number: 2 },
    context: {
      given: [
        { name: 'room', value: 'Hall B' },
        { name: 'time', value: '14:00' },
        { name: 'alarm', value: '13:50' },
      ],
    },
    members: [{ outputs: [{ value: '14:00' }] }, { narration: 'It rings at 13:50.' }, {}],
    events: [{ happens: [{ title: 'At 11:30', text: 'It is at 14:00.' }] }],
  });
  expect(instance.context.given.some((one) => 'varies' in one)).toBe(false);
  expect(said(instance)).toEqual([]);
  expect([...otherMembers(template(), instance)]).toEqual(['meeting', 'alarm']);
});

test('a task of an instance has the values at its places; its goal and answer follow the member', () => {
  const [room, time, alarm] = GIVEN;
  const puts = ['tasks/CLOCK_1/checks/checks/total/equals', 'tasks/CLOCK_1/recipe/files/0/text'];
  const of = template([room!, time!, { ...alarm!, varies: { ...alarm!.varies, puts } }]);
  const values = new Map([
    ['room', 'Lab 305'],
    ['time', '14:00'],
    ['alarm', '13:50'],
  ]);
  const instance = instanceOf(of, { seed: 1, number: 1, values });
  const clock = {
    goal: 'Set an alarm.',
    answer: '',
    recipe: { files: [{ text: '11:20 of 111:20', to: 'a' }] },
    checks: { checks: [{ id: 'total', equals: '11:20' }] },
  };
  expect(tasksOfInstance(of, instance)('CLOCK_1', clock)).toEqual({
    goal: 'Set an alarm for 13:50, before 14:00.',
    answer: '',
    recipe: { files: [{ text: '13:50 of 111:20', to: 'a' }] },
    checks: { checks: [{ id: 'total', equals: '13:50' }] },
  });
  const calendar = { goal: 'x', answer: '11:30', recipe: null, checks: null };
  expect(tasksOfInstance(of, instance)('CAL_1', calendar).answer).toBe('14:00');
  expect(taskPlacesAreThere(of, new Map([['CLOCK_1', clock]]))).toEqual([]);
  const odd = { ...clock, recipe: null, checks: { checks: [{ id: 'total', equals: '9:00' }] } };
  expect(taskPlacesAreThere(of, new Map([['CLOCK_1', odd]])).map(({ why }) => why)).toEqual([
    'The value “alarm” is to stand at “tasks/CLOCK_1/checks/checks/total/equals”; 11:20 is not there.',
    'The value “alarm” stands at “tasks/CLOCK_1/recipe/files/0/text”, which is no place of a text or a number.',
  ]);
});

test('CP25: a value that varies and that nothing uses', () => {
  expect(said(template())).toEqual([]);
  expect(said(varying({ kind: 'whole', from: 1, to: 9 }))).toEqual([
    'CP25 note Nothing uses the value “n”, which varies.',
  ]);
});

test('CP3: a slot whose value is not given, and CP26: places that are none, or at which the value does not stand', () => {
  const [room, time, alarm] = GIVEN;
  expect(said(template([time!, alarm!]))).toEqual(['CP3 Nothing gives {{given.room}}.']);
  const places = ['members/nobody/place', 'members/meeting/id', 'context/given/room/value', 'tasks/NO_1/goal', 'title'];
  expect(said(template([{ ...room!, varies: { kind: 'list', values: ROOMS, puts: places } }, time!, alarm!]))).toEqual([
    ...places
      .slice(0, 4)
      .map((place) => `CP26 The value “room” stands at “${place}”, which is no place of a text or a number.`),
    'CP26 The value “room” is to stand at “title”; Lab 305 is not there.',
  ]);
});

test('CP27: a generator of no value, of the template’s alone, of one twice; and dependences that lead nowhere', () => {
  const laws = (varies: object, value?: string, more?: Given[]) =>
    said(varying(varies, value, more)).filter((one) => one.startsWith('CP27'));
  const none = ['CP27 The value “n” varies, and there is no other value for it.'];
  expect(laws({ kind: 'list', values: [] })).toEqual(none);
  expect(laws({ kind: 'list', values: ['4'] })).toEqual(none);
  expect(laws({ kind: 'whole', from: 9, to: 1 })).toEqual(none);
  expect(laws({ kind: 'time', from: '10:00', to: '09:59' })).toEqual(none);
  expect(laws({ kind: 'date', from: '2026-02-02', to: '2026-02-01' })).toEqual(none);
  expect(laws({ kind: 'list', values: ['1', '1'] })).toEqual(['CP27 The value “n” has one value twice in its list.']);
  const list = { name: 'm', value: 'a', varies: { kind: 'list', values: ['a', 'b'] } };
  expect(laws({ kind: 'along', of: 'none', values: ['4'] })).toEqual([
    'CP27 The value “n” goes along with “none”, which is no list.',
  ]);
  expect(laws({ kind: 'along', of: 'm', values: ['4'] }, '4', [list])).toEqual([
    'CP27 The value “n” goes along with “m”, and has not as many values.',
  ]);
  expect(laws({ kind: 'along', of: 'm', values: ['1', '4'] }, '4', [list])).toEqual([
    'CP27 The value “n” depends on “m”: it would be 1, and is 4.',
  ]);
  expect(laws({ kind: 'after', of: 'n', plus: 1 })).toEqual([
    'CP27 The value “n” is counted from “n”, which is no number, time or date, or leads back to it.',
  ]);
  expect(laws({ kind: 'after', of: 'alarm', plus: 5 }, '11:24')).toEqual([
    'CP27 The value “n” depends on “alarm”: it would be 11:25, and is 11:24.',
  ]);
});

test('CP28: a value with which an instance breaks a law is told by the values and the law', () => {
  const place = 'members/meeting/window/to';
  const composition = template(
    GIVEN.map((one) => (one.name === 'time' ? { ...one, varies: { ...TIMES, puts: [place] } } : one)),
  );
  const [meeting, ...rest] = composition.members;
  const early = { ...composition, members: [{ ...meeting!, window: { day: 1, from: '11:00', to: '11:30' } }, ...rest] };
  const laws = said(early);
  expect(laws[0]).toBe('CP28 With time 09:00, alarm 08:50 an instance breaks CP9.');
  expect(laws.every((one) => one.startsWith('CP28 With time 0') || one.startsWith('CP28 With time 10:'))).toBe(true);
  // A number's place that takes a text.
  const room = [
    { name: 'room', value: '3', varies: { kind: 'list', values: ['3', 'many'], puts: ['edges/1/atLeast'] } },
  ];
  const edges = [...composition.edges, { kind: 'time' as const, from: 'alarm', to: 'rest', atLeast: 3 }];
  expect(said({ ...template([...room, ...GIVEN.slice(1)]), edges })).toContain(
    'CP28 With room many an instance breaks CP26.',
  );
});

function firstKeys(composition: Composition, seed: number, most: number): string[] {
  const keys: string[] = [];
  for (const set of drawnSets(composition, seed)) if (keys.push(keyOfSet(set)) >= most) break;
  return keys;
}
const parameter = fc.oneof(
  fc
    .uniqueArray(fc.string({ minLength: 1, maxLength: 5 }), { maxLength: 6 })
    .map((values) => ({ kind: 'list', values })),
  fc.record({
    kind: fc.constant('whole'),
    from: fc.integer({ min: -5, max: 5 }),
    to: fc.integer({ min: -5, max: 30 }),
    step: fc.integer({ min: 1, max: 7 }),
  }),
  fc.record({
    kind: fc.constant('time'),
    from: fc.constant('08:00'),
    to: fc.constantFrom('08:00', '09:10', '23:59'),
    step: fc.integer({ min: 1, max: 40 }),
  }),
  fc.record({
    kind: fc.constant('date'),
    from: fc.constant('2026-02-27'),
    to: fc.constantFrom('2026-02-26', '2026-03-02'),
    step: fc.integer({ min: 1, max: 3 }),
  }),
);

test('CP29: the same seed gives the same sets, no two are the same, none is the template’s, and all that there are come', () => {
  fc.assert(
    fc.property(fc.array(parameter, { minLength: 1, maxLength: 3 }), fc.nat(), (all, seed) => {
      const given = all.map((varies, n) => ({ name: `p${n}`, value: 'own', varies }));
      const composition = template(given);
      const first = (): string[] => firstKeys(composition, seed, 300);
      const keys = first();
      expect(first()).toEqual(keys);
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys).not.toContain(keyOfSet(ownValues(composition)));
      const draws = drawsOf(composition);
      // One of them may be the template's own.
      expect(keys.length).toBeGreaterThanOrEqual(Math.min(draws - 1, 300));
      // So many more of them: the first ones stay.
      const few = drawnSets(composition, seed);
      expect(keys.slice(0, 2)).toEqual(
        [few.next().value, few.next().value].flatMap((set) => (set ? [keyOfSet(set)] : [])),
      );
    }),
    { numRuns: 60 },
  );
});

test('CP29: very many values are drawn without end, none twice', () => {
  const composition = varying({ kind: 'whole', from: 0, to: 900_000_000 });
  const sets = drawnSets(composition, 3);
  const keys = Array.from({ length: 3000 }, () => sets.next().value).flatMap((set) => (set ? [keyOfSet(set)] : []));
  expect(new Set(keys).size).toBe(3000);
});

test('values that depend go along with the other one, or so far after it; a time never passes midnight', () => {
  const given = [
    { name: 'part', value: 'fan', varies: { kind: 'list', values: ['fan', 'belt'] } },
    { name: 'price', value: '14.50', varies: { kind: 'along', of: 'part', values: ['14.50', '8.20'] } },
    { name: 'late', value: '23:30', varies: { kind: 'time', from: '23:00', to: '23:59' } },
    { name: 'later', value: '23:50', varies: { kind: 'after', of: 'late', plus: 20 } },
  ];
  const complete = (part: string, late: string) => {
    const set = completeSet(
      template(given),
      new Map([
        ['part', part],
        ['late', late],
      ]),
    );
    return set && Object.fromEntries(set);
  };
  expect(complete('belt', '23:05')).toEqual({ part: 'belt', price: '8.20', late: '23:05', later: '23:25' });
  expect(complete('belt', '23:45')).toBe(null);
  expect([moved('2026-02-27', 2), moved('7', -9), moved('00:05', -6), moved('soon', 1)]).toEqual([
    '2026-03-01',
    '-2',
    null,
    null,
  ]);
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      for (const set of drawnSets(template(given), seed)) {
        expect(set.get('price')).toBe(set.get('part') === 'fan' ? '14.50' : '8.20');
        expect(set.get('later')).toBe(moved(set.get('late') ?? '', 20));
      }
    }),
    { numRuns: 5 },
  );
});

test('a value stands as a word of its own, and several are swapped at once', () => {
  expect([stands('at 9:00.', '9:00'), stands('at 19:00', '9:00'), stands('25.80', '25'), stands('B25', '25')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([stands(25.8, '25.80'), stands(25.8, '25'), stands('a (b).', '(b).'), stands(true, 'true')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  const swaps = [
    { place: 'a/0', own: 'one', value: 'two' },
    { place: 'a/0', own: 'two', value: 'one' },
    { place: 'n', own: '3', value: '4' },
    { place: 'none/here', own: 'one', value: 'x' },
  ];
  const root = { a: ['one two oneself'], n: 3 };
  expect(withSwaps(root, swaps)).toEqual({ a: ['two one oneself'], n: 4 });
  expect(root.a[0]).toBe('one two oneself');
  expect(atPlace(root, '__proto__/a')).toBeUndefined();
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }).filter((text) => text.trim() === text),
      fc.string(),
      (own, value) => {
        expect(stands(own, own)).toBe(true);
        expect(withSwaps({ a: own }, [{ place: 'a', own, value }])).toEqual({ a: value });
      },
    ),
  );
});

test('every place that is found may hold the value and has it; names and what is given are none', () => {
  expect(placesWith(template(), '11:30')).toEqual([
    'members/meeting/outputs/time/value',
    'events/note/happens/0/title',
    'events/note/happens/0/text',
  ]);
  for (const place of placesWith(template(), 'meeting')) expect(place).not.toMatch(/\/(?:id|from|to)$/);
  expect(
    ['id', 'members/a/task', 'members/a/outputs/time/from', 'edges/0/from', 'tasks/A_1', 'x'].map(mayHold),
  ).toEqual(Array(6).fill(false));
  expect(['members/a/window/from', 'edges/0/atMost', 'tasks/A_1/goal', 'context/begins'].map(mayHold)).toEqual(
    Array(4).fill(true),
  );
});

test('a member or an output that is called otherwise keeps its places', () => {
  const places = (composition: Composition) =>
    composition.context.given.flatMap(
      ({ varies }) => varies?.puts.filter((place) => place.startsWith('members/')) ?? [],
    );
  const renamed = renameOutput(renameMember(template(), 'meeting', 'talk'), 'talk', 'time', 'begins');
  expect(places(renamed)).toEqual(['members/talk/outputs/begins/value', 'members/alarm/narration']);
  expect(said(renamed)).toEqual([]);
  expect(said(nameEvent(renamed, 'note', 'word'))).toEqual([]);
});

test('one whose values vary, and an instance, are of version 4; one whose values vary no more is read by older programs', () => {
  expect(ownContent(template()).version).toBe(4);
  const plain = template([
    { name: 'room', value: 'Lab 305' },
    { name: 'alarm', value: '11:20' },
  ]);
  expect(ownContent(plain).version).toBe(2);
  expect(ownContent({ ...plain, events: undefined }).version).toBe(1);
  expect(countOf({ kind: 'whole', from: 1, to: 10, step: 4, puts: [] })).toBe(3);
});
