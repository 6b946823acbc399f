import { describe, expect, it } from 'vitest';
import { filterRows } from '../../core/curate/filter.ts';
import { choicesOf, describeFilter, narrowsData, sortRows, withFacet, withRange, withWords } from './filter.ts';
import { dataRow } from './row-for-tests.ts';

const NAMES = new Map([['powerpoint', 'PowerPoint']]);
const rows = [
  dataRow({ recording: 'a', task: 'PPT_2', tags: ['short'], split: 'train' }),
  dataRow({ recording: 'b', task: 'PPT_10', split: 'test', person: null, steps: 30 }),
  dataRow({
    recording: 'c',
    task: 'GIMP_1',
    software: 'gimp',
    kinds: { drag: 1, click: 0 },
    person: 'Ada',
    annotators: ['Ada'],
  }),
];
const counts = (...given: Parameters<typeof choicesOf>): (string | number | null)[][] =>
  choicesOf(...given).map(({ value, count }) => [value, count]);

describe('what can be chosen', () => {
  it('is counted, the most frequent first, and named as people know it', () => {
    expect(choicesOf(rows, {}, 'software', NAMES)).toEqual([
      { value: 'powerpoint', label: 'PowerPoint', count: 2 },
      { value: 'gimp', label: 'gimp', count: 1 },
    ]);
  });
  it('is counted among what the other fields let through, while its own alternatives stay', () => {
    expect(counts(rows, { software: ['gimp'], tags: ['short'] }, 'software', NAMES)).toEqual([
      ['powerpoint', 1],
      ['gimp', 0],
    ]);
  });
  it('has a choice for rows without a value, where the filter can ask for them', () => {
    expect(counts(rows, {}, 'splits', NAMES)).toContainEqual([null, 1]);
    expect(counts(rows, {}, 'people', NAMES)).toEqual([
      ['Ada', 2],
      [null, 1],
    ]);
  });
  it('leaves out kinds of actions that no kept step has', () => {
    expect(counts(rows, {}, 'kinds', NAMES)).toContainEqual(['click', 2]);
  });
  it('finds as many rows as it said, for each field and value', () => {
    for (const key of ['software', 'state', 'splits', 'tags', 'kinds', 'resolutions', 'people'] as const)
      for (const { value, count } of choicesOf(rows, {}, key, NAMES))
        expect(filterRows(rows, withFacet({}, key, [value])), `${key} ${value}`).toHaveLength(count);
  });
});

describe('a filter', () => {
  it('that lost its last choice filters nothing', () => {
    const filter = withWords(withRange(withFacet({}, 'tags', ['short']), 'steps', { min: 3 }), 'blue');
    expect(narrowsData(filter)).toBe(true);
    expect(withWords(withRange(withFacet(filter, 'tags', []), 'steps', {}), ' ')).toEqual({});
  });
  it('reads as a sentence of parts', () => {
    expect(
      describeFilter(
        {
          software: ['powerpoint', 'gimp'],
          splits: [null],
          tags: ['a', 'b'],
          steps: { min: 3 },
          seconds: { min: 1, max: 9 },
          words: ' x ',
        },
        NAMES,
      ),
    ).toEqual([
      'Words: “x”',
      'Software: PowerPoint or gimp',
      'Split: in no split',
      'Tags: a and b',
      'Steps: at least 3 steps',
      'Length: 1 to 9 s',
    ]);
  });
});

it('sorts ids as people count, and rows without a figure as the least', () => {
  const ids = (key: 'task' | 'steps'): string[] =>
    sortRows([...rows, dataRow({ recording: 'd', steps: null })], { key, descending: false }).map(
      (row) => row.recording,
    );
  expect(ids('task')).toEqual(['c', 'd', 'a', 'b']);
  expect(ids('steps')[0]).toBe('d');
});
