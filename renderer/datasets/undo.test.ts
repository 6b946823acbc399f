import { expect, test } from 'vitest';
import { dataRow } from './row-for-tests.ts';
import { splitsBack, tagsBack } from './undo.ts';

test('each row gets back the tags that it had, rows that lack the same in one call', () => {
  const rows = [
    dataRow({ recording: 'a', tags: ['old'] }),
    dataRow({ recording: 'b', tags: ['new', 'old'] }),
    dataRow({ recording: 'c', tags: ['old'] }),
    dataRow({ recording: 'd', tags: ['new'] }),
  ];
  expect(tagsBack(rows, { add: ['new'], remove: ['old'] })).toEqual([
    { recordings: ['a', 'c'], add: ['old'], remove: ['new'] },
    { recordings: ['b'], add: ['old'], remove: [] },
  ]);
  // What is both removed and added is there afterwards.
  expect(tagsBack(rows, { add: ['old'], remove: ['old'] })).toEqual([{ recordings: ['d'], add: [], remove: ['old'] }]);
});

test('tasks go back into the splits that they had, or into none', () => {
  const had = [
    { task: 'A_1', split: 'train' },
    { task: 'A_1', split: 'train' },
    { task: 'A_2', split: null },
  ];
  expect(splitsBack(had)).toEqual([
    { tasks: ['A_1'], split: 'train' },
    { tasks: ['A_2'], split: null },
  ]);
});
