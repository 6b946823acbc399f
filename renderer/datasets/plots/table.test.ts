import { expect, it } from 'vitest';
import { toCsv, toJson } from './table.ts';

const TABLE = {
  columns: ['Software', 'Tasks'] as const,
  rows: [
    ['A "b", c', 3],
    ['=1+1', 2],
    ['line\nbreak', 1],
  ],
};

it('is CSV that keeps commas, quotes and line breaks, and no formula of somebody else’s', () => {
  expect(toCsv(TABLE)).toBe('Software,Tasks\r\n"A ""b"", c",3\r\n\'=1+1,2\r\n"line\nbreak",1\r\n');
  expect(toCsv({ columns: ['A'], rows: [['＝1+1'], ['a;=1+1'], ['\n=1']] })).toBe(
    'A\r\n\'＝1+1\r\n"a;=1+1"\r\n"\'\n=1"\r\n',
  );
});

it('is JSON by the columns’ names', () => {
  expect(JSON.parse(toJson(TABLE))).toEqual([
    { Software: 'A "b", c', Tasks: 3 },
    { Software: '=1+1', Tasks: 2 },
    { Software: 'line\nbreak', Tasks: 1 },
  ]);
});
