import { useStore } from 'zustand';
import { RECORDING_STATES } from '../../schemas/task-terms.ts';
import type { AddressParts } from '../ui/address.ts';
import type { SelectRows } from '../ui/grid/selection.ts';
import { viewStore } from '../ui/view-store.ts';
import { EVERYTHING, type RecordingFilter } from './filter.ts';

type View = { filter: RecordingFilter; selected: ReadonlySet<string>; chosen: string | null };
type Actions = {
  setFilter: (filter: RecordingFilter) => void;
  select: SelectRows;
  choose: (recording: string | null) => void;
};

const storeOf = viewStore<View, Actions>({ filter: EVERYTHING, selected: new Set(), chosen: null }, (change) => ({
  // What is found anew is read from its beginning.
  setFilter: (filter) => change({ filter, chosen: null }),
  select: (next) => change(({ selected }) => ({ selected: next(selected) })),
  choose: (chosen) => change({ chosen }),
}));

/** The view of each workspace's recordings. */
export const useRecordingsView = (ws: string): View & Actions => useStore(storeOf(ws));

/** The filter as the address has it. */
export function partsOfRecordings({ text, state, doubtful, assigned }: RecordingFilter): AddressParts {
  return { q: text || null, state, problems: doubtful ? 'only' : null, assigned };
}

export function recordingsOfParts({ q, state, problems, assigned }: AddressParts): RecordingFilter {
  return {
    text: q ?? '',
    state: RECORDING_STATES.find((one) => one === state) ?? null,
    doubtful: problems === 'only',
    assigned: assigned ?? null,
  };
}
