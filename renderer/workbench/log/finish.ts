import type { Records } from '../../../core/annotate/document.ts';
import type { ReviewAct } from '../../../schemas/review.ts';
import type { Pending } from '../document/pending.ts';
import { isFixed } from './fixes.ts';

/**
 * An act as it goes out: one that speaks of a version of the document says the one that was looked at, which is known only
 * when every gesture before it is stored. Null: it waits for that. A fix that the studio refused is no fix.
 */
export function finishAct(act: ReviewAct, pending: Pending, handedIn: Records | null): ReviewAct | null {
  // A value reaches the log after it is stored in the document, never before.
  if (act.type === 'settle') return pending.queue.length > 0 ? null : act;
  if (act.type !== 'decide' && act.type !== 'submit' && act.type !== 'verdict') return act;
  if (pending.queue.length > 0) return null;
  const version = Math.max(pending.version, 1);
  if (act.type !== 'decide' || act.verdict === null || act.verdict === 'reject') return { ...act, version };
  return { ...act, version, verdict: isFixed(act.item, handedIn, pending.view) ? 'fixed' : 'accept' };
}
