import type { ItemState } from './items.ts';

/** The states of a decision in words. */
export const ITEM_STATE_WORDS: Readonly<Record<ItemState, string>> = {
  undecided: 'undecided',
  again: 'to decide again',
  accepted: 'accepted',
  fixed: 'fixed and accepted',
  rejected: 'rejected',
};
