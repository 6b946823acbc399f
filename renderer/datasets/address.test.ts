import { expect, it } from 'vitest';
import type { DatasetFilter } from '../../schemas/dataset.ts';
import { partsOf, searchWith } from '../ui/address.ts';
import { filterOfParts, partsOfFilter } from './address.ts';

const FILTERS: DatasetFilter[] = [
  {},
  { words: 'crop, the & picture' },
  { state: ['approved', 'rejected'], tags: ['night sky', 'a%b'], splits: [null, 'train'], people: [null] },
  { steps: { min: 4 }, seconds: { max: 12.5 }, agreement: { min: 0, max: 1 } },
  { errors: ['none'], kinds: ['click', 'drag'], withoutTags: ['draft'], recordings: ['a', 'b'], tasks: ['PPT_1'] },
];

it('every filter comes back from its address as it was', () => {
  for (const filter of FILTERS) {
    const parts = partsOfFilter(filter);
    const search = searchWith('', parts);
    expect(filterOfParts(partsOf(search, Object.keys(parts)))).toEqual(filter);
  }
});

it('what an address says wrongly does not filter', () => {
  expect(filterOfParts({ state: 'nonsense', steps: 'a..b', seconds: '..', tags: '', agreement: '1e999..' })).toEqual(
    {},
  );
});
