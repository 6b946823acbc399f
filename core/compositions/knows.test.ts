import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SimulatedUser, UserQuestion } from '../../schemas/agents.ts';
import { type Composition, compositionSchema } from '../../schemas/composition.ts';
import type { CompositionRun, MemberResult } from '../../schemas/composition-run.ts';
import type { InstructionLevel } from '../../schemas/instruction-levels.ts';
import { userAnswer } from '../agents/user.ts';
import { knownOf } from './knows.ts';
import { SCENARIO_A } from './papers-for-tests.ts';
import { nextTurn, rolloutOrder } from './rollout.ts';
import { scoreTables } from './scores.ts';

const SLOTS = ['red', 'blue', 'green', 'brown'];
/** Each task wants some values that are given; at L2 none of them is said. */
const day = (wants: readonly (readonly number[])[]): Composition =>
  compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 1,
    id: 'day',
    kind: 'scenario',
    title: 'Day',
    context: { given: SLOTS.map((name, n) => ({ name, value: `${1000 + n}` })) },
    members: wants.map((slots, n) => ({
      id: `m${n}`,
      instructions: {
        base: 'Do it',
        L0: `Do it with ${slots.map((slot) => `{{given.${SLOTS[slot]}}}`).join(', ')}.`,
        L1: `Do it with ${slots
          .slice(1)
          .map((slot) => `{{given.${SLOTS[slot]}}}`)
          .join(', ')}.`,
        L2: 'Do it as I like it.',
      },
      outputs: [{ name: 'done', value: 'yes' }],
    })),
  });

type Actor = { asks: boolean; needless: number };

/** Somebody who tells the truth: a task succeeds when all its values were said to them, and they ask for those that they lack. */
function lived(composition: Composition, level: InstructionLevel, { asks, needless }: Actor): CompositionRun {
  const order = rolloutOrder(composition) ?? [];
  const results: MemberResult[] = [];
  for (;;) {
    const turn = nextTurn(composition, order, level, results);
    if (turn.do !== 'run') break;
    const { member, instruction } = turn;
    const user: SimulatedUser = { kind: 'slots', most: 50, seed: 7, knows: knownOf(composition, member, turn.level) };
    const said: UserQuestion[] = [];
    const ask = (question: string): unknown => said.push(userAnswer(user, said, question));
    const wanted = knownOf(composition, member, 'L0');
    if (asks) {
      for (const { value, words } of wanted) if (!instruction.includes(value)) ask(`What is the ${words[0]}?`);
      for (let n = 0; n < needless; n++) ask('Shall I?');
    }
    const heard = [instruction, ...said.map(({ answer }) => answer)].join(' ');
    const passed = wanted.every(({ value }) => heard.includes(value));
    results.push({
      member: member.id,
      outcome: passed ? 'passed' : 'failed',
      why: '',
      level: turn.level,
      instruction,
      recording: null,
      score: passed ? 1 : 0,
      steps: 1,
      questions: said.length,
      tookMs: 0,
      cost: null,
      answer: null,
      values: [],
      copy: null,
    });
  }
  return {
    schema: 'trajectory-studio/composition-run',
    version: 1,
    id: 'abcdef012345',
    at: '2026-11-27T10:00:00.000Z',
    composition,
    actor: { kind: 'agent', agent: 'direct', model: 'truthful', endpoint: '' },
    level,
    context: 'none',
    ...(asks && { ask: { most: 50, user: 'slots' as const, seed: 7 } }),
    order,
    kept: [],
    resumes: null,
    results,
    begun: null,
    ended: { how: 'done', why: '' },
  };
}

/** SR and CAS as the table prints them. */
function scored(run: CompositionRun): { actor: string; sr: string; cas: string } {
  const table = scoreTables([run]).find(({ title }) => title.includes('table 6'));
  const [actor = '', , , , sr = '', , cas = ''] = table?.rows[1] ?? [];
  return { actor, sr, cas };
}

describe('CP22: goals of scenarios with questions', () => {
  const wants = fc.array(fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });

  test('who tells the truth and asks succeeds at every level; CAS falls as its formula says with each needless question', () => {
    fc.assert(
      fc.property(wants, fc.constantFrom('L0', 'L1', 'L2'), fc.nat(4), (all, level, needless) => {
        const run = lived(day(all), level, { asks: true, needless });
        const left = { L0: 0, L1: 1, L2: null }[level];
        const asked = all.map((slots) => (left ?? slots.length) + needless);
        const cas = asked.reduce((sum, c) => sum + 1 / (1 + 0.5 * c), 0) / asked.length;
        expect(scored(run)).toEqual({ actor: 'direct truthful + questions', sr: '100.0', cas: cas.toFixed(3) });
      }),
    );
  });

  test('who asks nothing reaches what the levels say, and no more', () => {
    fc.assert(
      fc.property(wants, (all) => {
        const passive = (level: InstructionLevel) => scored(lived(day(all), level, { asks: false, needless: 0 })).sr;
        expect([passive('L0'), passive('L1'), passive('L2')]).toEqual(['100.0', '0.0', '0.0']);
      }),
    );
  });
});

test('the paper’s own scenario: a time that L1 leaves out is told to who asks when, not to who asks for anything', () => {
  const told = SCENARIO_A.members.flatMap((member) => {
    const user: SimulatedUser = { kind: 'slots', most: 9, seed: 0, knows: knownOf(SCENARIO_A, member, 'L2') };
    const lacks = user.knows.filter(({ isTold }) => !isTold).length;
    const heard = user.knows.flatMap(({ words }) => userAnswer(user, [], words[0] ?? '').values);
    const idle = userAnswer(user, [], 'Is the sky blue?');
    return [{ lacks: lacks > 0, heard: heard.length > 0, idle: idle.kind }];
  });
  for (const { lacks, heard, idle } of told) expect([heard, idle]).toEqual([lacks, 'irrelevant']);
  expect(told.some(({ lacks }) => lacks)).toBe(true);
});

test('a task without L0 leaves the user nothing to say', () => {
  const plain = day([[0]]);
  const member = { ...plain.members[0]!, instructions: { base: 'Do it at 9:00' } };
  expect(knownOf(plain, member, 'base')).toEqual([]);
});
