import { describe, expect, it } from 'vitest';
import { byReason, faultOf, wishedFormats } from './left-out.ts';

const FORMATS = [
  { name: 'videogui', title: 'VideoGUI', parts: ['parquet', 'raw'] },
  { name: 'coco', title: 'COCO', parts: [] },
];

it('what is left out is grouped by why, the most frequent first, and no item is lost', () => {
  const one = (item: string, reason: string, from = '*') => ({ item, reason, from });
  expect(
    byReason([one('A', 'removed'), one('B', 'no box', 'coco'), one('C', 'no box', 'coco'), one('D', 'no box')]),
  ).toEqual([
    { reason: 'no box', from: 'coco', items: ['B', 'C'] },
    { reason: 'removed', from: '*', items: ['A'] },
    { reason: 'no box', from: '*', items: ['D'] },
  ]);
});

it('D10: recordings that stay behind for the same reason are one group, each with its id', () => {
  const of = (id: string) => ({ item: 'GIMP_1', from: `recording ${id}`, reason: 'in state "recorded"' });
  expect(byReason([of('a'), of('b')])).toEqual([
    { reason: 'in state "recorded"', from: 'recordings', items: ['GIMP_1 (a)', 'GIMP_1 (b)'] },
  ]);
});

describe('a choice of formats', () => {
  it('is asked for in the list’s order; parts only where a format has some', () => {
    const picked = {
      coco: { parts: [], options: { categories: 'one' } },
      videogui: { parts: ['raw'], options: {} },
    };
    expect(wishedFormats(picked, FORMATS)).toEqual([
      { name: 'videogui', parts: ['raw'], options: {} },
      { name: 'coco', options: { categories: 'one' } },
    ]);
    expect(faultOf(picked, FORMATS)).toBeNull();
  });
  it('says what is missing', () => {
    expect(faultOf({}, FORMATS)).toMatch(/at least one format/);
    expect(faultOf({ videogui: { parts: [], options: {} } }, FORMATS)).toMatch(/part of VideoGUI/);
  });
});
