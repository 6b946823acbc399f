import { draftableTexts, originsOf } from '../../core/annotate/origins.ts';
import { stepIndex } from '../../core/annotate/subtasks.ts';
import type { StepView } from '../../core/annotate/view.ts';
import type { AnnotationRecord, DraftOrigin } from '../../schemas/annotation.ts';
import type { DraftShown } from '../../schemas/api/drafts.ts';
import type { DraftField } from '../../schemas/draft.ts';
import type { WorkState } from './store.ts';

/** Drafts of models on the page: which still wait for a word at a step, and where words came from one. */

/** The order in which one key takes them: as the fields are read. */
const ORDER: readonly DraftField[] = ['element', 'narration', 'thought', 'actionThought', 'observation', 'subtask'];

type State = Pick<WorkState, 'drafts' | 'doc' | 'opened'>;

/** Those of a step that nobody answered and whose field says nothing yet, in the order in which they are taken. */
export function openDrafts({ drafts, doc, opened }: State, action: string): DraftShown[] {
  const step = doc.steps[stepIndex(opened.steps).get(action) ?? -1];
  if (!step || drafts.length === 0 || step.state === 'removed') return [];
  const own = drafts.filter((one) => one.action === action && one.state !== 'rejected');
  return own
    .filter(({ field }) => draftableTexts(recordFor({ doc }, step, field))[field] === undefined)
    .sort((a, b) => ORDER.indexOf(a.field) - ORDER.indexOf(b.field));
}

/** The record that says what a field of a step says; of a subtask, the one that begins at the step. */
function recordFor(
  { doc }: Pick<WorkState, 'doc'>,
  { label, reasoning, step }: StepView,
  field: DraftField,
): AnnotationRecord | undefined {
  if (field === 'element' || field === 'narration') return label ?? undefined;
  if (field !== 'subtask') return reasoning ?? undefined;
  return doc.subtasks.find(({ record }) => record.first === step.id)?.record;
}

/** Whose words stand in a field, where they come from a draft. */
export const originAt = (record: AnnotationRecord | null | undefined, field: DraftField): DraftOrigin | null =>
  originsOf(record ?? undefined)[field] ?? null;
