import { expect, test } from 'vitest';
import { countsInWords } from './counts.ts';

test('D11: one of something is not said as several', () => {
  expect(countsInWords({ tasks: 1, subtasks: 2, actions: 1, rows: 1, episodes: 2000 })).toBe(
    '1 task, 2 subtasks, 1 action, 1 row, 2,000 episodes',
  );
  expect(countsInWords({ class: 1 })).toBe('1 class');
  expect(countsInWords({})).toBe('');
});
