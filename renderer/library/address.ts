import type { ProofState } from '../../schemas/dataset.ts';
import { type AddressParts, sortOfPart, sortPart } from '../ui/address.ts';
import { type Filter, STAGES, type TaskSort, type TaskSortKey } from './filter.ts';

export const FIRST_SORT: TaskSort = { key: 'id', descending: false };
export const PROOFS: readonly ProofState[] = ['proven', 'failed', 'said', 'untried'];
const KEYS: readonly TaskSortKey[] = ['id', 'goal', 'software', 'stage', 'progress', 'recordings', 'created'];

/** The library's filter and order as its address has them. */
export function partsOfLibrary(filter: Filter, sort: TaskSort): AddressParts {
  return {
    q: filter.text || null,
    software: filter.software,
    progress: filter.stage,
    state: filter.state === 'all' ? null : filter.state,
    proof: filter.proof,
    sort: sortPart(sort, FIRST_SORT),
  };
}

export function libraryOfParts(parts: AddressParts): { filter: Filter; sort: TaskSort } {
  const { q, software, progress, state, proof, sort } = parts;
  return {
    filter: {
      text: q ?? '',
      software: software ?? null,
      stage: STAGES.find((one) => one === progress) ?? null,
      state: state === 'open' || state === 'closed' ? state : 'all',
      proof: PROOFS.find((one) => one === proof) ?? null,
    },
    sort: sortOfPart(sort, KEYS, FIRST_SORT),
  };
}
