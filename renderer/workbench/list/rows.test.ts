import { expect, test } from 'vitest';
import { nextOpen, rowOfStep, rowsOf, subtaskJump } from './rows.ts';

const subtask = (id: string, from: number, to: number) => ({
  from,
  to,
  record: { kind: 'subtask' as const, id, first: `a${from}`, title: '' },
});
const subtasks = [subtask('s1', 0, 2), subtask('s2', 2, 3)];

test('each subtask is followed by its steps', () => {
  expect(rowsOf(subtasks, new Set())).toEqual([
    { kind: 'subtask', index: 0 },
    { kind: 'step', index: 0 },
    { kind: 'step', index: 1 },
    { kind: 'subtask', index: 1 },
    { kind: 'step', index: 2 },
  ]);
});

test('the goal stands first where it is decided on, and the steps are found all the same', () => {
  const rows = rowsOf(subtasks, new Set(), { goal: true });
  expect(rows[0]).toEqual({ kind: 'goal', index: 0 });
  expect(rowOfStep(rows, subtasks, 2)).toBe(5);
});

test('a folded subtask hides its steps, and stands for them', () => {
  const rows = rowsOf(subtasks, new Set(['s1']));
  expect(rows).toEqual([
    { kind: 'subtask', index: 0 },
    { kind: 'subtask', index: 1 },
    { kind: 'step', index: 2 },
  ]);
  expect(rowOfStep(rows, subtasks, 1)).toBe(0);
  expect(rowOfStep(rows, subtasks, 2)).toBe(2);
});

test('a step stands after its subtask and those before', () => {
  expect(rowOfStep(rowsOf(subtasks, new Set()), subtasks, 1)).toBe(2);
  expect(rowOfStep([], [], 0)).toBe(-1);
});

test('the next open step is looked for to the end and then from the start', () => {
  const steps = [{ state: 'open' }, { state: 'done' }, { state: 'flagged' }, { state: 'removed' }] as const;
  expect(nextOpen(steps, 1)).toBe(0);
  expect(nextOpen(steps, 0)).toBe(0);
  expect(nextOpen(steps.slice(1), 0)).toBe(-1);
});

test('jumping goes to a subtask’s first step', () => {
  expect(subtaskJump(subtasks, 0, 1)).toBe(2);
  expect(subtaskJump(subtasks, 2, 1)).toBe(2);
  expect(subtaskJump(subtasks, 1, -1)).toBe(0);
  expect(subtaskJump(subtasks, 2, -1)).toBe(0);
});
