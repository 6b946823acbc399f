import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Composition, compositionSchema, type Edge } from '../../schemas/composition.ts';
import { comesBefore, orderOf } from './graph.ts';
import { brokenLaws } from './laws.ts';
import { levelWanted } from './levels.ts';
import { SCENARIO_A, TABLE_3 } from './papers-for-tests.ts';
import { askableAt, bind, truthOf } from './slots.ts';
import { valuesIn } from './values.ts';
import { windowsInTheWay } from './windows.ts';

type Given = { kind?: 'pathway' | 'scenario'; members: object[]; edges?: object[]; context?: object; level?: number };
const made = ({ kind = 'scenario', ...rest }: Given): Composition =>
  compositionSchema.parse({ schema: 'trajectory-studio/composition', version: 1, id: 'c', title: 'C', kind, ...rest });
const task = (id: string, more: object = {}) => ({ id, instructions: { base: 'Do it' }, ...more });
const said = (composition: Composition): string[] =>
  brokenLaws(composition).map(({ law, member, level, why }) => [law, member, level, why].filter(Boolean).join(' '));
const output = (name: string, value: unknown = 'x', more: object = {}) => ({ name, value, ...more });

const NAMES = ['a', 'b', 'c', 'd', 'e'];
/** A graph of some members, whatever its edges. */
const graph = fc
  .record({
    size: fc.integer({ min: 1, max: 5 }),
    pairs: fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 })), { maxLength: 8 }),
  })
  .map(({ size, pairs }) => {
    const ids = NAMES.slice(0, size);
    const edges = pairs.map(([from, to]): Edge => ({ kind: 'hard', from: ids[from % size]!, to: ids[to % size]! }));
    return made({ members: ids.map((id) => task(id)), edges });
  });

/** All orders of the members that the edges allow, by trying. */
function allOrders({ members, edges }: Composition): string[][] {
  const ids = members.map(({ id }) => id);
  const permute = (left: string[]): string[][] =>
    left.length === 0
      ? [[]]
      : left.flatMap((one) => permute(left.filter((id) => id !== one)).map((rest) => [one, ...rest]));
  return permute(ids).filter((order) => edges.every(({ from, to }) => order.indexOf(from) < order.indexOf(to)));
}

describe('the order of members', () => {
  test('CP1: an edge to nobody, and of an output that is not there', () => {
    const edges = [
      { kind: 'hard', from: 'a', to: 'z' },
      { kind: 'data', from: 'a', to: 'b', output: 'none' },
    ];
    expect(said(made({ members: [task('a'), task('b')], edges }))).toEqual([
      'CP1 An edge names “z”, which is no member.',
      'CP1 a An edge to “b” takes “none” of “a”, which has no such output.',
    ]);
  });

  test('CP2: there is an order that all edges allow, or a cycle that they make; one of both, for every graph', () => {
    fc.assert(
      fc.property(graph, (composition) => {
        const found = orderOf(composition);
        const orders = allOrders(composition);
        const laws = brokenLaws(composition).filter(({ law }) => law === 'CP2');
        if ('order' in found) {
          expect(orders).toContainEqual(found.order);
          expect(laws).toEqual([]);
          return;
        }
        expect([orders, laws.length]).toEqual([[], 1]);
        for (const [n, from] of found.cycle.entries()) {
          const to = found.cycle[(n + 1) % found.cycle.length];
          expect(composition.edges.some((edge) => edge.from === from && edge.to === to)).toBe(true);
        }
      }),
    );
    const edges = [
      { kind: 'hard', from: 'a', to: 'b' },
      { kind: 'time', from: 'b', to: 'a' },
    ];
    expect(said(made({ members: [task('a'), task('b')], edges }))).toEqual([
      expect.stringMatching(/^CP2 [ab] There is no order: “[ab]” → “[ab]” → “[ab]”\.$/),
    ]);
  });

  test('CP3: a slot without a source, and what only looks like a slot', () => {
    const members = [
      task('a', { outputs: [output('time', '9:00')] }),
      task('b', { instructions: { base: 'At {{a.time}} in {{given.room}}, not {{a.place}} or {{x.y}} or {{ A }}' } }),
    ];
    const edges = [{ kind: 'data', from: 'a', to: 'b', output: 'time' }];
    const context = { given: [{ name: 'room', value: 'Lab 305' }] };
    const composition = made({ members, edges, context });
    expect(said(composition)).toEqual([
      'CP3 b base “{{ A }}” is no slot; write {{member.output}}.',
      'CP3 b base Nothing gives {{a.place}}.',
      'CP3 b base Nothing gives {{x.y}}.',
    ]);
    expect(bind('At {{ a.time }} in {{given.room}}, {{x.y}}', truthOf(composition))).toBe(
      'At 9:00 in Lab 305, {{x.y}}',
    );
  });

  test('CP4: a source is before its slot in every order; what the law says is what trying all orders says', () => {
    fc.assert(
      fc.property(graph, fc.nat(), fc.nat(), (composition, one, other) => {
        const orders = allOrders(composition);
        fc.pre(orders.length > 0);
        const { members, edges } = composition;
        const [source, reader] = [members[one % members.length]!.id, members[other % members.length]!.id];
        const isBefore = comesBefore(composition)(source, reader);
        expect(isBefore).toBe(
          source !== reader && orders.every((order) => order.indexOf(source) < order.indexOf(reader)),
        );
        const read = members.map((member) => ({
          ...member,
          outputs: member.id === source ? [output('out')] : [],
          instructions: { base: member.id === reader ? `With {{${source}.out}}` : 'Do it' },
        }));
        const late = brokenLaws(made({ members: read, edges })).filter(({ law }) => law === 'CP4');
        expect(late.map(({ member }) => member)).toEqual(isBefore ? [] : [reader]);
      }),
    );
  });

  test('CP5: exactly the outputs that neither a text nor an edge uses are noted', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('text', 'edge', 'none'), { minLength: 1, maxLength: 6 }), (uses) => {
        const outputs = uses.map((_, n) => output(`o${n}`));
        const text = uses.map((use, n) => (use === 'text' ? `{{a.o${n}}}` : '')).join(' ');
        const edges = uses.flatMap((use, n) =>
          use === 'edge' ? [{ kind: 'data', from: 'a', to: 'b', output: `o${n}` }] : [],
        );
        const members = [task('a', { outputs }), task('b', { instructions: { base: `Do ${text}` } })];
        const order = { kind: 'hard', from: 'a', to: 'b' };
        const found = brokenLaws(made({ members, edges: [...edges, order] }));
        const unused = uses.flatMap((use, n) => (use === 'none' ? [`Nobody uses its output “o${n}”.`] : []));
        expect(found.map(({ law, kind, why }) => [law, kind, why])).toEqual(unused.map((why) => ['CP5', 'note', why]));
      }),
    );
  });
});

test('five hundred members with all the edges they may have are looked through in no time that anybody waits for', () => {
  const ids = Array.from({ length: 500 }, (_, n) => `m${n}`);
  const slots = (n: number): string =>
    Array.from({ length: 9 }, (_, k) => `{{m${Math.max(0, n - k - 1)}.o}}`).join(' ');
  const members = ids.map((id, n) =>
    task(id, { outputs: [output('o')], instructions: { base: `Do ${n === 0 ? '' : slots(n)}` } }),
  );
  const edges = ids.flatMap((to, n) =>
    Array.from({ length: Math.min(n, 9) }, (_, k) => ({ kind: 'data', from: `m${n - k - 1}`, to, output: 'o' })),
  );
  // Each law is at most the product of both; one that went through all edges for each pair of members would take minutes.
  expect(brokenLaws(made({ members, edges })).map(({ law }) => law)).toEqual(['CP5']);
}, 20_000);

describe('answers', () => {
  const answers = (...outputs: object[]): string[] =>
    said(made({ members: [task('a', { outputs })] })).filter((one) => !one.startsWith('CP5'));

  test('CP6: other ways to write an answer must be the same answer under its comparison', () => {
    expect(answers(output('year', '1920s', { alternatives: [' 1920S '] }))).toEqual([]);
    expect(answers(output('year', '1920s', { alternatives: ['the twenties'] }))).toEqual([
      expect.stringMatching(/^CP6 a Its output “year” would have two answers: “the twenties”/),
    ]);
    expect(answers(output('n', 12, { tolerance: 0.5, alternatives: ['12.4'] }))).toEqual([]);
    expect(answers(output('n', 12, { tolerance: 12 }))).toEqual([
      expect.stringMatching(/tolerance 12 reaches from 12 to 0/),
    ]);
    expect(answers(output('who', ['Ada', 'ada ']))).toEqual([expect.stringMatching(/names one thing twice/)]);
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== ''),
        (text) => {
          expect(answers(output('t', text, { alternatives: [text] })).filter((one) => one.startsWith('CP6'))).toEqual(
            [],
          );
        },
      ),
    );
  });

  test('CP7: an answer that may change needs a kept file with its date', () => {
    expect(answers(output('price', '9.99', { stable: false }))).toEqual([
      expect.stringMatching(/^CP7 a .*may change with time/),
    ]);
    expect(
      answers(output('price', '9.99', { stable: false, kept: { file: 'page.html', date: '2026-11-01' } })),
    ).toEqual([]);
  });

  test('CP13: a member of a pathway has one answer, and only answers join members', () => {
    const members = [
      task('a', { outputs: [output('x'), output('y')], apps: { pc: ['A'] } }),
      task('b', { outputs: [output('z')] }),
    ];
    const edges = [{ kind: 'hard', from: 'a', to: 'b' }];
    expect(said(made({ kind: 'pathway', members, edges })).filter((one) => one.startsWith('CP13'))).toEqual([
      'CP13 a A member of a pathway has one answer; the number of outputs of this one is 2.',
      'CP13 b In a pathway only answers join members; “a” and “b” have an edge of the kind hard.',
    ]);
  });
});

describe('levels of pathways', () => {
  test('CP8: the level follows from members and applications, and outside of the table there is none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 9 }), (count, apps) => {
        const all = Array.from({ length: apps }, (_, n) => `App ${n}`);
        const members = Array.from({ length: count }, (_, n) =>
          task(`m${n}`, { apps: { pc: n === 0 ? all : all.slice(0, 1) } }),
        );
        const found = levelWanted(made({ kind: 'pathway', members }));
        const level =
          count <= 2 && apps >= 1 && apps <= 2
            ? 1
            : count >= 3 && count <= 4 && apps >= 2 && apps <= 5
              ? 2
              : count >= 5 && count <= 7 && apps >= 3 && apps <= 7
                ? 3
                : null;
        expect(found.level).toBe(level);
      }),
    );
    expect(said({ ...TABLE_3, level: 2 })).toEqual([
      'CP8 It is called level 2, and is of level 1, with 2 members and 2 applications.',
    ]);
  });
});

describe('windows of time', () => {
  const member = (id: string, from: number, to: number) =>
    task(id, { window: { from: `00:0${from}`, to: `00:0${to}` } });

  test('CP9: the windows can be met when some choice of times meets them', () => {
    const window = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }));
    const edge = fc.record({
      from: fc.constantFrom('a', 'b', 'c'),
      to: fc.constantFrom('a', 'b', 'c'),
      atLeast: fc.integer({ min: 0, max: 3 }),
      atMost: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.tuple(window, window, window), fc.array(edge, { maxLength: 4 }), (windows, edges) => {
        const ids = ['a', 'b', 'c'];
        const composition = made({
          members: ids.map((id, n) => member(id, ...windows[n]!)),
          edges: edges.map((one) => ({ kind: 'time', ...one })),
        });
        const times = [0, 1, 2, 3, 4];
        const some = times.flatMap((a) =>
          times.flatMap((b) => times.map((c): Record<string, number> => ({ a, b, c }))),
        );
        const isMet = some.some(
          (at) =>
            ids.every((id, n) => at[id]! >= windows[n]![0] && at[id]! <= windows[n]![1]) &&
            edges.every(({ from, to, atLeast, atMost }) => {
              const apart = at[to]! - at[from]!;
              return apart >= atLeast && (atMost === undefined || apart <= atMost);
            }),
        );
        const inTheWay = windowsInTheWay(composition);
        expect(inTheWay === null).toBe(isMet);
        expect((inTheWay ?? ids).every((id) => ids.includes(id))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('CP9: who is in the way is named; a window that ends before it begins is its own', () => {
    const members = [member('late', 5, 6), member('free', 0, 9), member('early', 1, 2)];
    const edges = [
      { kind: 'hard', from: 'late', to: 'free' },
      { kind: 'hard', from: 'free', to: 'early' },
    ];
    const [found] = said(made({ members, edges }));
    expect(found).toMatch(/^CP9 .*The times of .*“late”.* cannot all be met/);
    expect(said(made({ members: [member('a', 5, 1)] }))).toEqual([
      'CP9 a Its window ends (00:01) before it begins (00:05).',
    ]);
  });
});

describe('levels of instructions', () => {
  const levels = (instructions: object, outputs: object[] = []) =>
    made({
      members: [task('s', { outputs }), task('m', { instructions })],
      edges: [{ kind: 'hard', from: 's', to: 'm' }],
    });

  test('CP10: the paper’s own scenario A disagrees with itself in five tasks, and nothing else of it is said', () => {
    expect(said(SCENARIO_A)).toEqual([
      'CP10 alarm base base says 20 minutes, where L0 says 10 minutes.',
      'CP10 alarm L1 L1 says 15 minutes, where L0 says 10 minutes.',
      'CP10 attendees L1 L1 says Client Sync, where L0 says Company Weekly Meeting, Simple Calendar Pro.',
      "CP10 absent base base says ‘Tom, out of office’, where L0 says 'Company Weekly Meeting', 'Chris, out of office'.",
      "CP10 absent L1 L1 says 'Anna, out of office', where L0 says 'Company Weekly Meeting', 'Chris, out of office'.",
      "CP10 shop base base says 'Outdoor Patio Folding Side Table green', where L0 says 'Apple iPhone 11 Pro, US Version, 256GB, Silver'.",
      "CP10 shop L1 L1 says 'Dentemp Ora-GUARD Bruxism Night Guard (Two Pack)', where L0 says 'Apple iPhone 11 Pro, US Version, 256GB, Silver'.",
      'CP10 shop L2 L2 says Outdoor Patio Folding Side Table, and L0 says no name like it.',
      'CP10 again base base says 10 minutes, where L0 says 5 minutes.',
      'CP10 again L1 L1 says 3 minutes, where L0 says 5 minutes.',
    ]);
    expect(said(TABLE_3)).toEqual([]);
  });

  test('CP10: a duration in words is found too, and a level that only leaves out agrees, whatever it leaves out', () => {
    const L0 = 'Move my alarm from 9:00 to 8:40.';
    expect(said(levels({ base: 'Move it twenty minutes earlier.', L0 }))).toEqual([]);
    expect(said(levels({ base: 'Move it fifteen minutes earlier.', L0 }))).toEqual([
      'CP10 m base base says fifteen minutes, where L0 says 20 minutes.',
    ]);
    const parts = ['at 3:00 PM', 'for 20 minutes', 'and pay $12.50', 'with “Blue Book”', 'near Riverside Park'];
    fc.assert(
      fc.property(fc.subarray(parts), (left) => {
        const exact = `Do it ${parts.join(' ')}.`;
        expect(said(levels({ base: `Do it ${left.join(' ')}.`, L0: exact }))).toEqual([]);
        expect(valuesIn(exact)).toHaveLength(parts.length);
      }),
    );
    for (const other of ['at 15:01', 'for 21 minutes', 'and pay $12.51', 'with “Red Book”', 'near Central Park'])
      expect(said(levels({ base: `Do it ${other}.`, L0: `Do it ${parts.join(' ')}.` }))).toHaveLength(1);
    expect(said(levels({ base: 'At 15:00.', L0: 'At 3 pm.' }))).toEqual([]);
  });

  test('CP10: slots are compared by their true values', () => {
    const outputs = [output('time', '8:50')];
    expect(said(levels({ base: 'At {{s.time}}', L0: 'At 8:50 or {{s.time}}' }, outputs))).toEqual([]);
    expect(said(levels({ base: 'At {{s.time}}', L0: 'At 8:40 or {{s.time}}', L1: 'At 9:00' }, outputs))).toEqual([
      'CP10 m L1 L1 says 9:00, where L0 says 8:40, 8:50.',
    ]);
  });

  test('CP11 and CP12: L0 says all slots of the others, and these leave something out', () => {
    const outputs = [output('time', '8:50'), output('day', 'Monday')];
    expect(said(levels({ base: 'Do it', L1: 'Do it' }))).toEqual([
      'CP11 m L1 and L2 leave out what L0 says, and there is no L0.',
    ]);
    const all = levels({ base: '{{s.day}}', L0: 'At {{s.time}}', L1: 'At {{s.time}} please', L2: 'Soon' }, outputs);
    expect(said(all)).toEqual([
      'CP11 m base base says {{s.day}}, which L0 does not.',
      'CP12 m L1 L1 leaves out nothing that L0 says, so there is nothing to ask.',
    ]);
    // What L0 says in plain text can be asked for as well.
    const plain = { base: 'Ring', L0: 'Ring at 8:40, before {{s.time}}', L1: 'Ring before {{s.time}}' };
    expect(said(levels(plain, [output('time', '8:50')]))).toEqual([]);
    const [, asked] = all.members;
    expect([askableAt(asked!, 'L1'), askableAt(asked!, 'L2')]).toEqual([[], [{ of: 's', output: 'time' }]]);
  });
});

test('CP36: two given values, or two outputs of a member, of one name are told, each once', () => {
  const given = ['room', 'day', 'room', 'room'].map((name) => ({ name, value: 'x' }));
  const outputs = [output('time'), output('time'), output('place')];
  const composition = made({
    members: [task('a', { outputs }), task('b', { outputs: [output('time')] })],
    context: { preferences: [], given },
  });
  expect(said(composition).filter((law) => law.startsWith('CP36'))).toEqual([
    'CP36 Two given values have the name “room”, of which texts can mean one alone.',
    'CP36 a It has two outputs of the name “time”, of which texts can mean one alone.',
  ]);
});
