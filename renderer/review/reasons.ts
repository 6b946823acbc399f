import type { StepView } from '../../core/annotate/view.ts';
import type { ReviewItem } from '../../schemas/review.ts';
import { REASONS, type Reason } from '../ui/reasons.ts';

export type Boxes = 'none' | 'one' | 'all';

/** Which of its boxes a step has; `all` for one that needs none. */
export function boxesOf({ step, target, end }: Pick<StepView, 'step' | 'target' | 'end'>): Boxes {
  const has = step.kind === 'drag' ? [target, end] : [target];
  if (has.every((box) => box === null)) return 'none';
  return has.includes(null) ? 'one' : 'all';
}

type Of = { aspects: readonly string[]; removed: boolean; boxes: Boxes };

/**
 * The reasons that fit an item; with `aspects`, those of what a step has. A box that is missing is neither loose nor around
 * something else, and comes first: it is the commonest fault.
 */
export function reasonsFor(item: ReviewItem, { aspects, removed, boxes }: Of): Reason[] {
  const fits = ({ reason, about }: Reason): boolean => {
    if (about === null) return reason !== 'missing-step' || item.kind === 'step' || item.kind === 'edge';
    if (reason === 'should-be-kept' && !removed) return false;
    if (reason === 'should-be-removed' && removed) return false;
    if (reason === 'missing-box' && boxes === 'all') return false;
    if (about === 'box' && reason !== 'missing-box' && boxes === 'none') return false;
    if (about === item.kind) return true;
    // A step as a whole has every reason of its parts; one part has only its own.
    return item.kind === 'step' && aspects.includes(about);
  };
  const found = REASONS.filter(fits);
  const missing = found.filter(({ reason }) => reason === 'missing-box');
  return [...missing, ...found.filter((one) => !missing.includes(one))];
}

/**
 * The item that a rejection for this reason speaks of: the box for a loose box, the item itself when the reason names no
 * part.
 */
export function itemOfReason(item: ReviewItem, { about }: Reason): ReviewItem {
  if (about === null || !('action' in item) || about === 'goal' || about === 'edge' || about === 'title') return item;
  return { kind: about, action: item.action };
}
