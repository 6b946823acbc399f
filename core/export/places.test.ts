import { expect, test } from 'vitest';
import { FORMATS, type FormatName } from './formats.ts';
import { unplaced } from './places.ts';
import { taskWith } from './tasks-for-tests.ts';

test('N11: every format counts the narrations that say pixels, but for a part without any', () => {
  const [said, unsaid] = [taskWith([[{}]]), taskWith([[{}, {}]])];
  for (const action of unsaid.subtasks[0]!.actions) action.pixels = true;
  const told = (task: typeof said, format: FormatName, parts: string[] = []) =>
    unplaced(task, format, parts).filter(({ from }) => from.endsWith('/pixels'));
  for (const { name: format } of FORMATS) {
    expect(told(said, format, ['messages', 'parquet'])).toEqual([]);
    expect(told(unsaid, format, ['messages', 'parquet'])).toMatchObject([
      { from: `${format}/pixels`, reason: expect.stringMatching(/^2 narrations say pixels/) },
    ]);
  }
  expect(told(unsaid, 'ms-swift', ['grounding'])).toEqual([]);
});
