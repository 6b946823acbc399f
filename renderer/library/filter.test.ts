import { describe, expect, it } from 'vitest';
import {
  byName,
  countEntries,
  filterEntries,
  isFiltered,
  NO_FILTER,
  proofsOfTasks,
  sortEntries,
  toEntries,
} from './filter.ts';
import { row, software } from './rows-for-tests.ts';

const rows = [
  row('PPT_15', 'ppt', 'Insert the café picture', { furthest: 'annotating', progress: 0.5, recordings: 1 }),
  row('PPT_2', 'ppt', 'Animate a rocket', { state: 'closed' }),
  row('VLC_1', 'vlc', 'Crop the video', { platform: 'macOS', furthest: 'approved', progress: 1, recordings: 2 }),
];
const entries = toEntries(rows, software);
const ids = (list: typeof entries): string[] => list.map((entry) => entry.row.id);

describe('filtering tasks', () => {
  it('finds all words in any order, in id, goal, software and platform, without case and accents', () => {
    expect(ids(filterEntries(entries, { ...NO_FILTER, text: 'CAFE insert' }))).toEqual(['PPT_15']);
    expect(ids(filterEntries(entries, { ...NO_FILTER, text: 'media macos' }))).toEqual(['VLC_1']);
    expect(ids(filterEntries(entries, { ...NO_FILTER, text: 'ppt_' }))).toEqual(['PPT_15', 'PPT_2']);
    expect(ids(filterEntries(entries, { ...NO_FILTER, text: 'rocket crop' }))).toEqual([]);
  });

  it('takes only what was chosen', () => {
    expect(ids(filterEntries(entries, { ...NO_FILTER, software: 'vlc' }))).toEqual(['VLC_1']);
    expect(ids(filterEntries(entries, { ...NO_FILTER, stage: 'unrecorded' }))).toEqual(['PPT_2']);
    expect(ids(filterEntries(entries, { ...NO_FILTER, state: 'open' }))).toEqual(['PPT_15', 'VLC_1']);
  });

  it('takes those of which one recording is proven, those where a proof failed, or those that nobody tried', () => {
    const proofs = proofsOfTasks([
      { task: 'PPT_15', proof: 'proven' },
      { task: 'PPT_15', proof: 'failed' },
      { task: 'PPT_2', proof: 'failed' },
      { task: 'PPT_2', proof: 'untried' },
      { task: 'VLC_1', proof: 'untried' },
    ]);
    const known = toEntries(rows, software, proofs);
    expect(ids(filterEntries(known, { ...NO_FILTER, proof: 'proven' }))).toEqual(['PPT_15']);
    expect(ids(filterEntries(known, { ...NO_FILTER, proof: 'failed' }))).toEqual(['PPT_2']);
    expect(ids(filterEntries(known, { ...NO_FILTER, proof: 'untried' }))).toEqual(['VLC_1']);
    // While nobody knows yet, none is said to be untried.
    expect(ids(filterEntries(entries, { ...NO_FILTER, proof: 'untried' }))).toEqual([]);
    expect(isFiltered({ ...NO_FILTER, proof: 'untried' })).toBe(true);
  });

  it('knows whether anything is left out', () => {
    expect(isFiltered({ ...NO_FILTER, text: '  ' })).toBe(false);
    expect(isFiltered({ ...NO_FILTER, stage: 'recorded' })).toBe(true);
  });
});

describe('sorting tasks', () => {
  it('orders ids by their number', () => {
    expect(ids(sortEntries(entries, { key: 'id', descending: false }))).toEqual(['PPT_2', 'PPT_15', 'VLC_1']);
  });

  it('orders states by how far they are, and turns round', () => {
    expect(ids(sortEntries(entries, { key: 'stage', descending: false }))).toEqual(['PPT_2', 'PPT_15', 'VLC_1']);
    expect(ids(sortEntries(entries, { key: 'stage', descending: true }))).toEqual(['VLC_1', 'PPT_15', 'PPT_2']);
  });

  it('keeps equal ones by id, also when turned round', () => {
    expect(ids(sortEntries(entries, { key: 'created', descending: true }))).toEqual(['PPT_2', 'PPT_15', 'VLC_1']);
  });

  it('leaves the given list as it was', () => {
    sortEntries(entries, { key: 'id', descending: true });
    expect(ids(entries)).toEqual(['PPT_15', 'PPT_2', 'VLC_1']);
  });
});

it('counts tasks by software and by how far they are', () => {
  const counts = countEntries(entries);
  expect(counts.software.get('ppt')).toBe(2);
  expect(counts.stages.get('unrecorded')).toBe(1);
  expect(counts.stages.get('approved')).toBe(1);
});

it('lists software by name, small letters beside capitals', () => {
  const named = ['YouTube', 'leafpad', 'GIMP', 'Éclair', 'Firefox'].map((name) => ({ ...software[0]!, name }));
  expect(byName(named).map(({ name }) => name)).toEqual(['Éclair', 'Firefox', 'GIMP', 'leafpad', 'YouTube']);
});
