import { expect, test } from 'vitest';
import { toRecords } from '../annotate/document.ts';
import { initialRecords } from '../annotate/initial.ts';
import { stepsFrom } from '../annotate/steps-for-tests.ts';
import { countRecording } from './figures.ts';

test('rests and waits are steps, but no actions: the paper counts what a person does', () => {
  const kinds = ['click', 'hover', 'type', 'wait'] as const;
  const steps = stepsFrom(4, (at) => ({ kind: kinds[at]! }));
  const { row, figures } = countRecording(steps, toRecords(initialRecords(steps, [], '')), 'Crop it');
  expect(row).toMatchObject({ steps: 4, kinds: { click: 1, hover: 1, type: 1, wait: 1 } });
  expect(figures.subtasks.map((one) => one.steps)).toEqual([2]);
  expect(Object.keys(figures.kinds)).not.toContain('Hover');
  expect(Object.values(figures.kinds).reduce((sum, n) => sum + n, 0)).toBe(2);
});
