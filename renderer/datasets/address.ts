import type { DatasetFilter } from '../../schemas/dataset.ts';
import { DRAFT_ORIGINS } from '../../schemas/draft-words.ts';
import { MISSING_KINDS } from '../../schemas/missing.ts';
import { RECORDING_STATES } from '../../schemas/task-terms.ts';
import { type AddressParts, listPart, sortOfPart, sortPart, valuesOfPart } from '../ui/address.ts';
import {
  type DataSort,
  type DataSortKey,
  FACETS,
  type FacetKey,
  RANGES,
  withFacet,
  withRange,
  withWords,
} from './filter.ts';

export const FIRST_DATA_SORT: DataSort = { key: 'task', descending: false };
const SORT_KEYS: readonly DataSortKey[] = ['task', 'goal', 'software', 'state', 'steps', 'seconds', 'split'];
/** Fields of a filter that know a few words alone. */
const WORDS: Readonly<Partial<Record<FacetKey, readonly string[]>>> = {
  state: RECORDING_STATES,
  missing: [...MISSING_KINDS, 'none'],
  drafts: [...DRAFT_ORIGINS, 'none'],
};
/** Lists of ids, which other pages may hand over. */
const IDS = ['tasks', 'recordings'] as const;

/** The filter as an address has it: `state=approved&steps=4..12&tags=night,blue`. */
export function partsOfFilter(filter: DatasetFilter): AddressParts {
  const parts: Record<string, string | null> = { q: filter.words || null };
  for (const { key } of FACETS) parts[key] = listPart(filter[key]);
  for (const { key } of RANGES) {
    const range = filter[key];
    parts[key] = range ? `${range.min ?? ''}..${range.max ?? ''}` : null;
  }
  for (const key of IDS) parts[key] = listPart(filter[key]);
  return parts;
}

/** The filter that an address says; what it says wrongly does not filter. */
export function filterOfParts(parts: AddressParts): DatasetFilter {
  let filter = withWords({}, parts.q ?? '');
  for (const { key, none } of FACETS) {
    const given = parts[key] ?? null;
    const values = given === null ? [] : valuesOfPart(given).filter((value) => value !== null || none !== undefined);
    const words = WORDS[key];
    const known = words === undefined ? values : values.filter((value) => words.some((word) => word === value));
    filter = withFacet(filter, key, known);
  }
  for (const { key } of RANGES) {
    const [min, max] = (parts[key] ?? '').split('..').map(numberOf);
    filter = withRange(filter, key, { ...(min !== undefined && { min }), ...(max !== undefined && { max }) });
  }
  for (const key of IDS) {
    const ids = valuesOfPart(parts[key] ?? '').filter((value) => value !== null);
    if (ids.length > 0) filter = { ...filter, [key]: ids };
  }
  return filter;
}

const numberOf = (text: string): number | undefined =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;

export const partOfDataSort = (sort: DataSort): string | null => sortPart(sort, FIRST_DATA_SORT);
export const dataSortOfPart = (part: string | null | undefined): DataSort =>
  sortOfPart(part, SORT_KEYS, FIRST_DATA_SORT);
