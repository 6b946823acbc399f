import type { RejectReason, ReviewItem } from '../../schemas/review.ts';

/** Why something is rejected, in the order of the dialog; a letter chooses. `about`: what of a step the reason speaks of. */
export type Reason = { reason: RejectReason; key: string; label: string; about: ReviewItem['kind'] | null };

export const REASONS: readonly Reason[] = [
  { reason: 'wrong-element', key: 'E', label: 'Wrong element', about: 'element' },
  { reason: 'wrong-box', key: 'B', label: 'Box around something else', about: 'box' },
  { reason: 'loose-box', key: 'L', label: 'Box too loose or too tight', about: 'box' },
  { reason: 'wrong-narration', key: 'N', label: 'Wrong narration', about: 'narration' },
  { reason: 'wrong-text', key: 'T', label: 'Wrong text', about: 'text' },
  { reason: 'wrong-edge', key: 'G', label: 'The subtask begins elsewhere', about: 'edge' },
  { reason: 'wrong-title', key: 'I', label: 'Wrong title', about: 'title' },
  { reason: 'should-be-removed', key: 'R', label: 'The step should be removed', about: 'removal' },
  { reason: 'should-be-kept', key: 'K', label: 'The step should be kept', about: 'removal' },
  { reason: 'missing-step', key: 'M', label: 'A step is missing', about: null },
  { reason: 'private', key: 'P', label: 'Private content', about: null },
  { reason: 'unclear', key: 'U', label: 'Unclear', about: null },
  { reason: 'other', key: 'O', label: 'Another reason', about: null },
];

export const reasonLabel = (reason: RejectReason): string =>
  REASONS.find((one) => one.reason === reason)?.label ?? reason;

/** The reasons that fit an item; with `aspects`, those of what a step has. The item's own come first. */
export function reasonsFor(item: ReviewItem, aspects: readonly string[], removed: boolean): Reason[] {
  const fits = ({ reason, about }: Reason): boolean => {
    if (about === null) return reason !== 'missing-step' || item.kind === 'step' || item.kind === 'edge';
    if (reason === 'should-be-kept' && !removed) return false;
    if (reason === 'should-be-removed' && removed) return false;
    if (about === item.kind) return true;
    // Of a step by itself every reason of its parts; of one part only its own.
    return item.kind === 'step' && aspects.includes(about);
  };
  return REASONS.filter(fits);
}

/** What a rejection for this reason speaks of: the box for a loose box, the item itself when the reason names no part. */
export function itemOfReason(item: ReviewItem, { about }: Reason): ReviewItem {
  if (about === null || !('action' in item) || about === 'goal' || about === 'edge' || about === 'title') return item;
  return { kind: about, action: item.action };
}
