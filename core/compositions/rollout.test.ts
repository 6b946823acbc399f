import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Composition, compositionSchema, type Edge } from '../../schemas/composition.ts';
import { withContext } from './context-pack.ts';
import { comesBefore } from './graph.ts';
import { canBeSeen, memberOutcome, outputRead, textFound } from './outputs.ts';
import { SCENARIO_A, TABLE_3 } from './papers-for-tests.ts';
import { nextTurn, resultsBefore, rolloutOrder } from './rollout.ts';

type Given = Partial<Pick<Composition, 'kind'>> & { members: object[]; edges?: object[]; context?: object };
const made = ({ kind = 'scenario', ...rest }: Given): Composition =>
  compositionSchema.parse({ schema: 'trajectory-studio/composition', version: 1, id: 'c', title: 'C', kind, ...rest });
const task = (id: string, more: object = {}) => ({ id, task: id, instructions: { base: 'Do it' }, ...more });

type Done = Parameters<typeof nextTurn>[3][number];
type Acts = (member: string, instruction: string) => Pick<Done, 'outcome' | 'values'>;

/** Does what a runner does, from what is there. */
function rolled(
  composition: Composition,
  acts: Acts,
  before: readonly Done[] = [],
): (Done & { told: string | null })[] {
  const order = rolloutOrder(composition) ?? [];
  const results = before.map((one) => ({ ...one, told: null as string | null }));
  for (;;) {
    const turn = nextTurn(composition, order, 'base', results);
    if (turn.do === 'end') return results;
    const member = turn.member.id;
    if (turn.do === 'run') results.push({ member, ...acts(member, turn.instruction), told: turn.instruction });
    else results.push({ member, outcome: turn.outcome, values: [], told: null });
    if (results.length > composition.members.length) throw new Error('a member was done twice');
  }
}

/** Members in a row, with edges that lead forwards alone. */
const graph = (kind: Composition['kind'], edge: Edge['kind']) =>
  fc
    .record({
      size: fc.integer({ min: 1, max: 9 }),
      pairs: fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 8 })), { maxLength: 16 }),
      fails: fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { maxLength: 3 }),
    })
    .map(({ size, pairs, fails }) => {
      const ids = Array.from({ length: size }, (_, n) => `m${n}`);
      const edges = pairs.flatMap(([from, to]) => {
        if (from >= to || to >= size) return [];
        return [{ kind: edge, from: ids[from], to: ids[to], ...(edge === 'data' && { output: 'x' }) }];
      });
      const members = ids.map((id) => {
        const slots = edges.filter(({ to }) => edge === 'data' && to === id).map(({ from }) => `{{${from}.x}}`);
        return task(id, {
          instructions: { base: `Do ${slots.join(' ')}` },
          outputs: [{ name: 'x', value: `of ${id}` }],
        });
      });
      return { composition: made({ kind, members, edges }), fails: fails.flatMap((n) => ids[n] ?? []) };
    });

describe('the order in which tasks are done', () => {
  test('CP15: by edges, then by the windows of time, then as they are written', () => {
    const at = (from: string) => ({ window: { from } });
    const members = [task('late', at('18:00')), task('after'), task('noon', at('12:00')), task('early', at('08:00'))];
    expect(rolloutOrder(made({ members }))).toEqual(['early', 'noon', 'late', 'after']);
    const edges = [{ kind: 'hard', from: 'late', to: 'early' }];
    expect(rolloutOrder(made({ members, edges }))).toEqual(['noon', 'late', 'early', 'after']);
    expect(rolloutOrder(SCENARIO_A)).toEqual(SCENARIO_A.members.map(({ id }) => id));
    expect(rolloutOrder(made({ members, edges: [...edges, { kind: 'hard', from: 'early', to: 'late' }] }))).toBeNull();
  });

  test('CP15: every edge is kept, and every member is done or passed over once', () => {
    fc.assert(
      fc.property(graph('scenario', 'hard'), ({ composition, fails }) => {
        const order = rolloutOrder(composition) ?? [];
        expect([...order].sort()).toEqual(composition.members.map(({ id }) => id).sort());
        for (const { from, to } of composition.edges) expect(order.indexOf(from)).toBeLessThan(order.indexOf(to));
        const results = rolled(composition, (id) => ({
          outcome: fails.includes(id) ? 'failed' : 'passed',
          values: [],
        }));
        expect(results.map(({ member }) => member)).toEqual(order);
      }),
    );
  });
});

describe('what is handed on', () => {
  test('CP16: a slot has what happened, in L0 the truth, and a member without the level is told its base', () => {
    const values = [{ name: 'title', value: 'Killers of the flower moon', right: true }];
    const done: Done[] = [{ member: 'movie', outcome: 'passed', values }];
    const turn = (composition: Composition, level: 'base' | 'L0', results: Done[]) =>
      nextTurn(composition, rolloutOrder(composition) ?? [], level, results);
    expect(turn(TABLE_3, 'base', done)).toMatchObject({
      do: 'run',
      level: 'base',
      instruction: /profile of Killers of the flower moon and/,
    });
    const meeting = task('meeting', { outputs: [{ name: 'time', value: '11:30' }] });
    const alarm = task('alarm', { instructions: { base: 'For {{meeting.time}}', L0: 'Set it for {{meeting.time}}' } });
    const edges = [{ kind: 'data', from: 'meeting', to: 'alarm', output: 'time' }];
    const day = made({ members: [meeting, alarm], edges });
    const wrong: Done[] = [
      { member: 'meeting', outcome: 'failed', values: [{ name: 'time', value: '11:00', right: false }] },
    ];
    expect(turn(day, 'base', wrong)).toMatchObject({ do: 'run', instruction: 'For 11:00' });
    expect(turn(day, 'L0', wrong)).toMatchObject({ do: 'run', level: 'L0', instruction: 'Set it for 11:30' });
    expect(turn(day, 'L0', [])).toMatchObject({ do: 'run', level: 'base', instruction: 'Do it' });
    expect(turn(day, 'base', [{ member: 'meeting', outcome: 'failed', values: [] }])).toMatchObject({
      do: 'pass-over',
      outcome: 'blocked',
      why: 'nothing gave {{meeting.time}}',
    });
  });

  test('CP16: whatever was answered stands in the texts that ask for it, and nothing else', () => {
    fc.assert(
      fc.property(graph('scenario', 'data'), fc.string({ minLength: 1 }), ({ composition }, said) => {
        const results = rolled(composition, (id) => ({
          outcome: 'passed',
          values: [{ name: 'x', value: `${id} said ${said}`, right: true }],
        }));
        for (const { member, told } of results) {
          const sources = composition.edges.filter(({ to }) => to === member).map(({ from }) => `${from} said ${said}`);
          expect(told).toBe(`Do ${sources.join(' ')}`);
        }
      }),
    );
  });

  test('the context pack tells the person, preferences and what was done; without them the instruction alone', () => {
    const done = {
      member: 'a',
      outcome: 'passed' as const,
      instruction: 'Find\nit',
      values: [{ name: 'x', value: '7', right: true }],
    };
    const context = { persona: 'Alex', preferences: ['Tea'], given: [] };
    expect(withContext({ context }, [done, { ...done, member: 'b', instruction: null }], 'Now')).toBe(
      'The person: Alex\nPreferences:\n- Tea\nTasks before this one, on the same computer:\n1. a (done): Find it (x: 7)\nThe task now:\nNow',
    );
    expect(withContext({ context: { preferences: [], given: [] } }, [], 'Now')).toBe('Now');
  });
});

describe('what a failure ends', () => {
  test('CP17: in a scenario it blocks exactly what hangs on it by hard edges, in 500 graphs', () => {
    fc.assert(
      fc.property(graph('scenario', 'hard'), ({ composition, fails }) => {
        const results = rolled(composition, (id) => ({
          outcome: fails.includes(id) ? 'failed' : 'passed',
          values: [],
        }));
        const isBefore = comesBefore(composition);
        for (const { member, outcome } of results) {
          const hangs = fails.some((id) => isBefore(id, member));
          expect([member, outcome]).toEqual([member, hangs ? 'blocked' : fails.includes(member) ? 'failed' : 'passed']);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('CP18: in a pathway everything after the first failure has collapsed', () => {
    fc.assert(
      fc.property(graph('pathway', 'data'), ({ composition, fails }) => {
        const results = rolled(composition, (id) => ({
          outcome: fails.includes(id) ? 'failed' : 'passed',
          values: [{ name: 'x', value: 'y', right: true }],
        }));
        const first = results.findIndex(({ member }) => fails.includes(member));
        const wanted = results.map((_, n) =>
          first < 0 || n < first ? 'passed' : n === first ? 'failed' : 'collapsed',
        );
        expect(results.map(({ outcome }) => outcome)).toEqual(wanted);
      }),
    );
  });

  test('CP20: gone on with at any task, a run comes to what it would have come to, and does nothing twice', () => {
    fc.assert(
      fc.property(graph('scenario', 'hard'), fc.nat({ max: 9 }), ({ composition, fails }, at) => {
        const acts: Acts = (id) => ({ outcome: fails.includes(id) ? 'failed' : 'passed', values: [] });
        const whole = rolled(composition, acts).map(({ told: _told, ...result }) => result);
        const order = rolloutOrder(composition) ?? [];
        const from = (at % order.length) + 1;
        const before = resultsBefore(order, whole, from);
        if (!Array.isArray(before)) throw new Error(before.why);
        const done: string[] = [];
        const again = rolled(
          composition,
          (id, told) => {
            done.push(id);
            return acts(id, told);
          },
          before,
        );
        expect(again.map(({ told: _told, ...result }) => result)).toEqual(whole);
        expect(done.filter((id) => before.some(({ member }) => member === id))).toEqual([]);
      }),
    );
    const order = ['a', 'b', 'c'];
    expect(resultsBefore(order, [{ member: 'a' }], 3)).toEqual({
      why: 'only 1 of the 2 tasks before it have a result',
    });
    expect(resultsBefore(order, [], 4)).toEqual({ why: 'it has 3 tasks' });
  });
});

describe('CP19: whether a task succeeded', () => {
  const [movie] = TABLE_3.members;
  const output = movie!.outputs[0]!;
  test('its answer is the true one in any of its ways to write it, and its checks passed', () => {
    expect(outputRead(output, ' killers of the flower moon ')).toEqual({
      name: 'title',
      value: 'killers of the flower moon',
      right: true,
    });
    expect(outputRead({ ...output, alternatives: ['KotFM'] }, 'kotfm')).toMatchObject({ right: true });
    expect(outputRead(output, '  ')).toBeNull();
    const right = outputRead(output, 'Killers of the Flower Moon');
    const checked = { passed: true, score: 1, why: '' };
    expect(memberOutcome(movie!, { checked, values: [right!] })).toEqual({ outcome: 'passed', why: '', score: 1 });
    expect(memberOutcome(movie!, { checked: null, values: [outputRead(output, 'Inception')!] })).toEqual({
      outcome: 'failed',
      why: '“title” is “Inception”, not “Killers of the Flower Moon”',
      score: 0,
    });
    expect(memberOutcome(movie!, { checked: null, values: [] })).toMatchObject({
      why: 'nothing was answered for “title”',
    });
    const failed = { passed: false, score: 0.5, why: 'note: the text lacks “x”' };
    expect(memberOutcome({ outputs: [] }, { checked: failed, values: [] })).toEqual({
      outcome: 'failed',
      why: failed.why,
      score: 0.5,
    });
    expect([canBeSeen(movie!, false), canBeSeen({ outputs: [] }, false), canBeSeen({ outputs: [] }, true)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  const first = (pattern: string, flags: string, text: string): string | null => {
    const match = new RegExp(pattern, flags).exec(text);
    return match ? (match[1] ?? match[0]) : null;
  };
  test('an output that a check reads is what the check looks at, by its pattern where it has one', () => {
    const text = { id: 't', kind: 'text' as const, weight: 1, path: 'a', contains: [], lacks: [], ignoreCase: false };
    const found = { of: 'text', text: 'Meeting 11:30\r\nLunch' } as const;
    expect(textFound(text, found, first)).toBe('Meeting 11:30\r\nLunch');
    expect(textFound({ ...text, matches: ['^Meeting (\\S+)$'] }, found, first)).toBe('11:30');
    expect(textFound({ ...text, matches: ['Dinner'] }, found, first)).toBeNull();
    expect(textFound(text, { of: 'value', value: 12 }, first)).toBe('12');
    expect(textFound(text, { of: 'none', why: 'gone' }, first)).toBeNull();
  });
});
