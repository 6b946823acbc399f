import type { ReviewItem } from '../../schemas/review.ts';
import { REASONS, type Reason } from '../ui/reasons.ts';

/** The reasons that fit an item; with `aspects`, those of what a step has. The item's own come first. */
export function reasonsFor(item: ReviewItem, aspects: readonly string[], removed: boolean): Reason[] {
  const fits = ({ reason, about }: Reason): boolean => {
    if (about === null) return reason !== 'missing-step' || item.kind === 'step' || item.kind === 'edge';
    if (reason === 'should-be-kept' && !removed) return false;
    if (reason === 'should-be-removed' && removed) return false;
    if (about === item.kind) return true;
    // A step as a whole has every reason of its parts; one part has only its own.
    return item.kind === 'step' && aspects.includes(about);
  };
  return REASONS.filter(fits);
}

/**
 * The item that a rejection for this reason speaks of: the box for a loose box, the item itself when the reason names no
 * part.
 */
export function itemOfReason(item: ReviewItem, { about }: Reason): ReviewItem {
  if (about === null || !('action' in item) || about === 'goal' || about === 'edge' || about === 'title') return item;
  return { kind: about, action: item.action };
}
