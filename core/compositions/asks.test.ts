import { expect, test } from 'vitest';
import { compositionSchema } from '../../schemas/composition.ts';
import { asksAt } from './asks.ts';
import { SCENARIO_A } from './papers-for-tests.ts';

test('what a level leaves out of L0 may be asked: slots by their names, and values of its plain text', () => {
  const asked = (id: string, level: 'base' | 'L1' | 'L2') =>
    asksAt(SCENARIO_A, SCENARIO_A.members.find((member) => member.id === id)!, level);
  expect(asked('alarm', 'L2')).toEqual(['9:00', '8:50']);
  expect(asked('schedule', 'base')).toEqual([]);
  expect(asked('expense', 'L2')).toEqual(["'Shopping'", '$539.99', 'Pro Expense']);
  const made = compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 1,
    id: 'c',
    kind: 'scenario',
    title: 'C',
    members: [
      { id: 'a', instructions: { base: 'x' }, outputs: [{ name: 'time', value: '8:50' }] },
      { id: 'b', instructions: { base: 'x', L0: 'At {{a.time}} for 20 minutes', L2: 'Soon' } },
    ],
    edges: [{ kind: 'data', from: 'a', to: 'b', output: 'time' }],
  });
  const [first, second] = made.members;
  expect(asksAt(made, second!, 'L2')).toEqual(['a.time (8:50)', '20 minutes']);
  expect([asksAt(made, second!, 'L1'), asksAt(made, first!, 'base')]).toEqual([[], []]);
});
