import { expect, test } from 'vitest';
import type { AgentLine } from '../../schemas/agents.ts';
import { personSpans, whoseAt } from './whose.ts';

const person = (t: number, what: 'took-over' | 'gave-back' | 'ended'): AgentLine => ({ type: 'person', t, what });

test('what happens while a person has the mouse and the keyboard is the person’s', () => {
  const lines = [person(10, 'took-over'), person(20, 'gave-back'), person(30, 'took-over')];
  const whose = whoseAt(lines);
  expect([9, 10, 19, 20, 29, 30, 1000].map(whose)).toEqual([
    ...['agent', 'person', 'person', 'agent', 'agent', 'person', 'person'],
  ]);
  expect(personSpans([...lines, person(40, 'ended')])).toEqual([
    { from: 10, to: 20 },
    { from: 30, to: 40 },
  ]);
});

test('a run that nobody took over is the agent’s', () => {
  expect(whoseAt([])(5)).toBe('agent');
});
