import type { Change, DraftOrigin } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import type { DraftField } from '../../schemas/draft.ts';
import { applyChanges, put, type Records } from './document.ts';
import { nameElement, setNarration, setReasoning, setTitle, splitSubtask } from './edit.ts';
import { labelId, reasoningId } from './ids.ts';
import { originsOf, withOrigins } from './origins.ts';

/** A draft of a model becomes what an annotation says, and keeps whose it was (N13). */

export type TakenDraft = { id: string; action: string; field: DraftField; text: string; by: string };

/**
 * Takes a draft's words into its field, with its origin. A subtask begins at its step then; `newId` is its id where none did.
 * Empty where the field has them, and their origin, already. Throws UNKNOWN_STEP.
 */
export function takeDraft(records: Records, steps: readonly Step[], draft: TakenDraft, newId: string): Change[] {
  const { id, changes } = written(records, steps, draft, newId);
  const record = applyChanges(records, changes).get(id);
  if (!record) return [];
  const origin: DraftOrigin = { draft: draft.id, by: draft.by, edited: false };
  return put(records, id, withOrigins(record, { ...originsOf(record), [draft.field]: origin }));
}

function written(
  records: Records,
  steps: readonly Step[],
  { action, field, text }: TakenDraft,
  newId: string,
): { id: string; changes: Change[] } {
  switch (field) {
    case 'element':
      return { id: labelId(action), changes: nameElement(records, action, text, 'hand') };
    case 'narration':
      return { id: labelId(action), changes: setNarration(records, action, text) };
    case 'subtask': {
      const begun = [...records.values()].find((record) => record.kind === 'subtask' && record.first === action);
      return begun
        ? { id: begun.id, changes: setTitle(records, begun.id, text) }
        : { id: newId, changes: splitSubtask(records, steps, action, newId, text) };
    }
    default:
      return { id: reasoningId(action), changes: setReasoning(records, action, field, text) };
  }
}
