import { applyChanges, invert, type Records, sameValue } from '../../../core/annotate/document.ts';
import { boxId, GOAL_ID, keyframeId, labelId, reasoningId, removalId } from '../../../core/annotate/ids.ts';
import type { AnnotationRecord, StoredTransaction } from '../../../schemas/annotation.ts';
import type { ReviewItem } from '../../../schemas/review.ts';

/**
 * The document as it was submitted: the document of now without everything that was written after `version`. `later`:
 * newest first. Null when the history does not reach back that far.
 */
export function documentAsHandedIn(
  now: Records,
  current: number,
  version: number,
  later: readonly StoredTransaction[],
): Records | null {
  const since = later.filter((one) => one.version > version && one.version <= current);
  if (since.length !== current - version) return null;
  return since.sort((a, b) => b.version - a.version).reduce((all, one) => applyChanges(all, invert(one.changes)), now);
}

/** Whether the reviewer has changed what an item speaks of since it was submitted (verdict `fixed` rather than `accept`). */
export function isFixed(item: ReviewItem, before: Records | null, now: Records): boolean {
  if (!before || before === now) return false;
  const differs = (id: string, part: (record: AnnotationRecord | undefined) => unknown = (one) => one) =>
    !sameValue(part(before.get(id)), part(now.get(id)));
  if (item.kind === 'goal') return differs(GOAL_ID);
  if ('subtask' in item) {
    const [old, fresh] = [subtaskAt(before, item.subtask), subtaskAt(now, item.subtask)];
    return item.kind === 'edge' ? (old === null) !== (fresh === null) : old?.title !== fresh?.title;
  }
  const { action } = item;
  const label = (fields: readonly string[]) =>
    differs(labelId(action), (record) => (record ? picked(record, fields) : picked({}, fields)));
  const box = () => differs(boxId(action, 'target')) || differs(boxId(action, 'end'));
  switch (item.kind) {
    case 'element':
      return label(ELEMENT);
    case 'box':
      return box();
    // Thoughts are words of the step, like its narration.
    case 'narration':
      return label(['narration']) || differs(reasoningId(action));
    case 'text':
      return label(['text']);
    case 'removal':
      return differs(removalId(action));
    case 'step':
      return (
        label([...ELEMENT, 'narration', 'text']) ||
        box() ||
        differs(removalId(action)) ||
        differs(reasoningId(action)) ||
        differs(keyframeId(action, 'before')) ||
        differs(keyframeId(action, 'after'))
      );
  }
}

/** The drag's quadruple goes with the element's name: they make one narration. */
const ELEMENT = ['element', 'startName', 'endName', 'purpose', 'dragKind'] as const;

function picked(record: object, fields: readonly string[]): unknown[] {
  const values = new Map(Object.entries(record));
  return fields.map((field) => values.get(field) ?? null);
}

function subtaskAt(records: Records, first: string): { title: string } | null {
  for (const record of records.values()) if (record.kind === 'subtask' && record.first === first) return record;
  return null;
}
