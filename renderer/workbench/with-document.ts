import { stepsWith } from '../../core/annotate/by-hand.ts';
import { stepIndex } from '../../core/annotate/subtasks.ts';
import type { SyncState } from './document/sync.ts';
import { documentOf, shownFrame, type WorkState } from './store.ts';

/**
 * What a page shows once its document has changed. Steps that were added by hand or taken back (N12) come and go in place:
 * whatever is in hand stays so.
 */
export function withDocument(before: WorkState, sync: SyncState): Partial<WorkState> {
  if (before.sync.pending.view === sync.pending.view) return { sync };
  const steps = stepsNow(before, sync);
  if (steps === before.opened.steps) return { sync, doc: documentOf(before.opened, sync) };
  const opened = { ...before.opened, steps };
  const doc = documentOf(opened, sync);
  const index = stepIndex(steps);
  const placeOf = (was: number): number | null => index.get(before.doc.steps[was]?.step.id ?? '') ?? null;
  const at = placeOf(before.at);
  // Gone: the next one is in hand, or the last; without any, the picture that was shown.
  const next = at ?? Math.max(Math.min(before.at, steps.length - 1), 0);
  return {
    sync,
    opened,
    doc,
    at: next,
    anchor: before.anchor === null ? null : placeOf(before.anchor),
    // Not there any more: the form that shows the step in hand follows at once.
    formAt: placeOf(before.formAt) ?? next,
    ...(at === null &&
      before.doc.steps.length > 0 && {
        mode: { kind: 'idle' as const },
        draft: null,
        looking: steps.length === 0 ? shownFrame(before) : null,
      }),
  };
}

/** Only the main document has steps by hand; who annotates separately has the steps that there were. */
function stepsNow({ opened, document }: WorkState, sync: SyncState): WorkState['opened']['steps'] {
  if (document !== opened.row.id) return opened.steps;
  const steps = stepsWith(opened, sync.pending.view);
  return steps === opened.steps ? opened.steps : [...steps];
}
