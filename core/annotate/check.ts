import type { AnnotationRecord } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import { actionOf, type Records } from './document.ts';
import { boxId, GOAL_ID, keyframeId, labelId, reasoningId, removalId, stepRecordId } from './ids.ts';
import { stepIndex } from './subtasks.ts';

/**
 * Whether a record may stand in a document of these steps. Throws UNKNOWN_STEP when it speaks of an action that is not
 * there, USAGE when its id is not that of its kind and action (N2).
 */
export function checkRecord(steps: readonly Step[], record: AnnotationRecord): void {
  const action = record.kind === 'subtask' ? record.first : actionOf(record);
  if (action !== null && !stepIndex(steps).has(action)) {
    throw new StudioError('UNKNOWN_STEP', `This recording has no step "${action}". Open it again and look.`, {
      step: action,
      record: record.id,
    });
  }
  const expected = expectedId(record);
  if (expected === null ? isReserved(record.id) : expected !== record.id) {
    const rule = expected === null ? "must not be another kind's" : `must be "${expected}"`;
    throw new StudioError('USAGE', `The id "${record.id}" of a ${record.kind} record ${rule}.`, {
      record: record.id,
      expected,
    });
  }
}

/**
 * Whether subtasks part the steps (N1): one begins at the first step, no two at the same. Throws USAGE with the subtask.
 */
export function checkPartition(steps: readonly Step[], records: Records): void {
  const first = steps[0]?.id;
  if (first === undefined) return;
  const begins = new Map<string, string>();
  for (const record of records.values()) {
    if (record.kind !== 'subtask') continue;
    const other = begins.get(record.first);
    if (other !== undefined) {
      throw new StudioError(
        'USAGE',
        `Two subtasks ("${other}" and "${record.id}") begin at the step "${record.first}". Merge them, or begin one elsewhere.`,
        { subtasks: [other, record.id], step: record.first },
      );
    }
    begins.set(record.first, record.id);
  }
  if (begins.has(first)) return;
  throw new StudioError(
    'USAGE',
    `No subtask begins at the first step ("${first}"), so some steps would lie in none. The first subtask stays at the start.`,
    { step: first },
  );
}

function expectedId(record: AnnotationRecord): string | null {
  switch (record.kind) {
    case 'goal':
      return GOAL_ID;
    case 'label':
      return labelId(record.action);
    case 'box':
      return boxId(record.action, record.role);
    case 'removal':
      return removalId(record.action);
    case 'keyframe':
      return keyframeId(record.action, record.role);
    case 'reasoning':
      return reasoningId(record.action);
    case 'step':
      return stepRecordId(record.action);
    case 'subtask':
      return null;
  }
}

/** A subtask's id is free, but not one that another kind's record may want. */
const isReserved = (id: string): boolean =>
  id === GOAL_ID || /^(?:label|box|removal|keyframe|reasoning|step):/.test(id);
