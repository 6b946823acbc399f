import type { Change } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import { put, type Records } from './document.ts';
import { keepOrigins } from './origins.ts';
import { type SubtaskSpan, stepIndex, subtaskSpans } from './subtasks.ts';

/** The changes that one gesture makes to the subtasks (pattern 6). Whatever is done, each step is in exactly one (N1). */

/** Throws USAGE when there is no such subtask. */
export function setTitle(records: Records, subtaskId: string, title: string): Change[] {
  const record = records.get(subtaskId);
  if (record?.kind !== 'subtask') throw unknownSubtask(subtaskId);
  return put(records, subtaskId, keepOrigins(record, { ...record, title: title.trim() }));
}

/**
 * A new subtask from `atAction` to the end of the one it is in. Empty when one begins there already.
 * Throws UNKNOWN_STEP, and USAGE when `newId` is taken.
 */
export function splitSubtask(
  records: Records,
  steps: readonly Step[],
  atAction: string,
  newId: string,
  title: string,
): Change[] {
  const at = placeOf(steps, atAction);
  if (subtaskSpans(steps, records).some(({ from, to }) => from === at && to > from)) return [];
  if (records.has(newId)) {
    throw new StudioError('USAGE', `The id "${newId}" is taken; a new subtask needs a new one.`, { record: newId });
  }
  return put(records, newId, { kind: 'subtask', id: newId, first: atAction, title: title.trim() });
}

/** Gives a subtask's steps to the one before it. Empty for the first. Throws USAGE when there is no such subtask. */
export function mergeSubtask(records: Records, steps: readonly Step[], subtaskId: string): Change[] {
  const [spans, place] = locate(records, steps, subtaskId);
  return place === 0 ? [] : put(records, spans[place]!.record.id, null);
}

/**
 * Moves a subtask's beginning to `toAction`; it goes no farther than leaves one step to it and to the one before.
 * Empty for the first, whose beginning is the recording's. Throws UNKNOWN_STEP, USAGE.
 */
export function moveEdge(records: Records, steps: readonly Step[], subtaskId: string, toAction: string): Change[] {
  const [spans, place] = locate(records, steps, subtaskId);
  const wanted = placeOf(steps, toAction);
  if (place === 0) return [];
  const least = spans[place - 1]!.from + 1;
  const most = spans[place]!.to - 1;
  if (most < least) return [];
  const { record } = spans[place]!;
  const first = steps[Math.min(Math.max(wanted, least), most)]!.id;
  // Where a subtask begins is a part of its draft.
  const origin = first === record.first ? undefined : record.drafted?.subtask;
  return put(records, record.id, {
    ...record,
    first,
    ...(origin && { drafted: { subtask: { ...origin, edited: true } } }),
  });
}

function locate(records: Records, steps: readonly Step[], subtaskId: string): [SubtaskSpan[], number] {
  const spans = subtaskSpans(steps, records);
  const place = spans.findIndex(({ record }) => record.id === subtaskId);
  if (place < 0) throw unknownSubtask(subtaskId);
  return [spans, place];
}

function placeOf(steps: readonly Step[], action: string): number {
  const at = stepIndex(steps).get(action);
  if (at !== undefined) return at;
  throw new StudioError('UNKNOWN_STEP', `This recording has no step "${action}".`, { step: action });
}

function unknownSubtask(id: string): StudioError {
  return new StudioError('USAGE', `There is no subtask "${id}" any more.`, { record: id });
}
