import { describe, expect, test } from 'vitest';
import type { DatasetFilter } from '../../schemas/dataset.ts';
import { filterRows } from './filter.ts';
import { dataRow } from './rows-for-tests.ts';

const rows = [
  dataRow({ recording: 'a', tags: ['pilot', 'long'], split: 'train', agreement: 0.9 }),
  dataRow({
    recording: 'b',
    software: 'gimp',
    state: 'recorded',
    steps: null,
    person: null,
    annotators: [],
    kinds: {},
    missing: null,
  }),
  dataRow({
    recording: 'c',
    task: 'PPT_2',
    goal: 'Übung: Bild drehen',
    seconds: 10,
    resolution: '1280x720',
    steps: 9,
    missing: { box: 2, title: 1 },
  }),
];
const found = (filter: DatasetFilter): string[] => filterRows(rows, filter).map(({ recording }) => recording);

describe('a filter', () => {
  test.each<[string, DatasetFilter, string[]]>([
    ['without fields takes everything', {}, ['a', 'b', 'c']],
    ['takes one of several software', { software: ['gimp', 'word'] }, ['b']],
    ['with an empty list takes nothing', { software: [] }, []],
    ['joins its fields by AND', { software: ['powerpoint'], state: ['recorded'] }, []],
    ['includes both ends of a range', { steps: { min: 4, max: 9 } }, ['a', 'c']],
    ['takes an open range', { steps: { min: 5 } }, ['c']],
    ['with a range without ends asks for nothing', { steps: {} }, ['a', 'b', 'c']],
    ['finds what is unknown in no range', { agreement: { min: 0, max: 1 } }, ['a']],
    ['asks for a kind of step', { kinds: ['type'] }, ['a', 'c']],
    ['asks for a resolution', { resolutions: ['1280x720'] }, ['c']],
    ['asks for who demonstrated or annotated', { people: ['Bo'] }, ['a', 'c']],
    ['asks for what nobody is named in', { people: [null] }, ['b']],
    ['asks for a gap (N11)', { missing: ['box', 'goal'] }, ['c']],
    ['asks for what nothing is missing in, of what was counted', { missing: ['none'] }, ['a']],
    ['wants all of several tags', { tags: ['pilot', 'long'] }, ['a']],
    ['wants none of several tags', { withoutTags: ['long', 'other'] }, ['b', 'c']],
    ['asks for what is in no split', { splits: [null] }, ['b', 'c']],
    ['wants every word somewhere, in any case', { words: ' ÜBUNG ppt_2 ' }, ['c']],
    ['names recordings', { recordings: ['a', 'zzz'] }, ['a']],
  ])('%s', (_what, filter, expected) => {
    expect(found(filter)).toEqual(expected);
  });
});
