import type { z } from 'zod';
import { checkStepByHand, isByHand, stepsWith } from '../../core/annotate/by-hand.ts';
import { checkPartition, checkRecord } from '../../core/annotate/check.ts';
import { actionOf, type Records } from '../../core/annotate/document.ts';
import { boxFits, framePlace, pictureRect } from '../../core/annotate/picture.ts';
import { stepIndex } from '../../core/annotate/subtasks.ts';
import { holdsPoint } from '../../core/rect.ts';
import { plural } from '../../core/words.ts';
import {
  type AnnotationRecord,
  type Change,
  type RecordOf,
  type Transaction,
  transactionSchema,
} from '../../schemas/annotation.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { ClosedRecording } from '../recordings/closed.ts';
import { checkSlowly } from '../store/check-slowly.ts';

/** The conditions on a transaction before it is stored, whatever its sender checked. */

const WORDS: Readonly<Record<string, string>> = {
  element: "the element's name",
  startName: "the start position's name",
  endName: "the end position's name",
  purpose: 'the purpose',
  narration: 'the narration',
  thought: 'the thought',
  actionThought: 'the action thought',
  observation: 'the observation',
  text: 'the text',
  title: "the subtask's title",
  comment: 'the comment',
  box: 'the box',
  label: "the gesture's label",
};

/** The transaction as its schema has it. Throws USAGE with the field, the limit and what came. */
export async function checkShape(value: unknown): Promise<Transaction> {
  const result = await checkSlowly(transactionSchema, value);
  if (result.success) return result.data;
  throw shapeError(result.error.issues[0], value);
}

function shapeError(issue: z.core.$ZodIssue | undefined, value: unknown): StudioError {
  const path = issue?.path ?? [];
  const field = path.join('.');
  const name = String(path.findLast((part) => typeof part === 'string' && part in WORDS) ?? '');
  const what = WORDS[name] ?? `the field \`${field || 'transaction'}\``;
  const came = path.reduce<unknown>((at, key) => Object(at)[key], value);
  if (issue?.code === 'too_big' && typeof came === 'string') {
    return new StudioError(
      'USAGE',
      `${capital(what)} has ${plural(came.length, 'character')}; at most ${issue.maximum} are kept. Shorten it. Nothing was changed.`,
      { field, limit: Number(issue.maximum), found: came.length },
    );
  }
  return new StudioError(
    'USAGE',
    `${capital(what)} cannot be taken: ${issue?.message ?? 'it does not fit'} (${field}).`,
    {
      field,
    },
  );
}

/**
 * Whether changes may stand in this recording's document. `after` are the records with them applied.
 * Throws UNKNOWN_STEP, and USAGE for a box outside of its picture, a keyframe that is no recorded frame, subtasks that do
 * not part the steps.
 */
export function checkChanges(opened: ClosedRecording, after: Records, changes: readonly Change[]): void {
  let subtasks = false;
  const steps = stepsWith(opened.page, after);
  for (const change of changes) {
    const record = change.op === 'change' ? change.after : change.record;
    if (record.kind === 'subtask' || record.kind === 'step') subtasks = true;
    if (change.op === 'remove') {
      if (record.kind === 'step') checkUnsaid(after, record.action);
      if (record.kind === 'goal') throw new StudioError('USAGE', 'The goal can be emptied, but not removed.', {});
      continue;
    }
    checkRecord(steps, record);
    if (record.kind === 'step') checkStep(opened, record);
    if (record.kind === 'keyframe') checkKeyframe(opened, record);
    if (record.kind === 'box') checkBox(opened, after, record);
  }
  if (subtasks) checkPartition(steps, after);
}

/** A step that is taken back leaves nothing behind that was said of it (N2). */
function checkUnsaid(after: Records, action: string): void {
  for (const record of after.values()) {
    if ((record.kind === 'subtask' ? record.first : actionOf(record)) !== action) continue;
    throw new StudioError('USAGE', 'Something was said of this step since. Take that back first, or remove the step.', {
      step: action,
      record: record.id,
    });
  }
}

/** N12: at a picture of the recording, and inside it. */
function checkStep({ page, meta }: ClosedRecording, record: RecordOf<'step'>): void {
  const { action, t } = record;
  if (!isByHand(action) || !action.startsWith(`${meta.id}:`)) {
    throw new StudioError('USAGE', `"${action}" cannot be the id of a step that is added by hand.`, { step: action });
  }
  if (meta.capture.grabber !== 'video') {
    throw new StudioError('USAGE', 'Steps are added to videos alone: here every input was recorded.', { step: action });
  }
  checkStepByHand(record);
  const rect = pictureRect(
    page,
    page.frames.findIndex((frame) => frame[1] === t),
  );
  if (!rect) {
    throw new StudioError('USAGE', `A step is added at a recorded picture; at ${t} µs there is none.`, { t });
  }
  for (const [x, y] of [
    [record.x, record.y],
    [record.endX, record.endY],
  ]) {
    if (x == null || y == null) continue;
    if (holdsPoint(rect, x, y)) continue;
    throw new StudioError('USAGE', `The place (${x}, ${y}) lies outside of the picture.`, { step: action, x, y });
  }
}

function checkKeyframe({ page }: ClosedRecording, record: RecordOf<'keyframe'>): void {
  const frame = page.frames[framePlace(page.frames, record.frame)];
  if (frame && frame[1] === record.t) return;
  throw new StudioError(
    'USAGE',
    `A keyframe is a recorded frame; frame ${record.frame} at ${record.t} µs is none of this recording.`,
    { frame: record.frame, t: record.t },
  );
}

function checkBox(opened: ClosedRecording, after: Records, record: RecordOf<'box'>): void {
  const { page } = opened;
  const rect = pictureRect(page, beforePlace(opened, after, record.action));
  const { x, y, width, height } = record.box;
  if (!rect) {
    throw new StudioError('USAGE', `The step has no picture, so no box can be drawn in it ("${record.action}").`, {
      step: record.action,
    });
  }
  if (boxFits(record.box, rect)) return;
  throw new StudioError(
    'USAGE',
    `The box (${x}, ${y}, ${width} x ${height}) lies outside of the step's picture of ${rect.width} x ${rect.height}. Draw it inside.`,
    { step: record.action, box: record.box, picture: { width: rect.width, height: rect.height } },
  );
}

/** The place in `frames` of a step's `before` picture, moved or chosen (K5); -1 when there is none. */
export function beforePlace({ page }: ClosedRecording, records: Records, action: string): number {
  const moved = records.get(`keyframe:${action}:before`);
  if (moved?.kind === 'keyframe') {
    const place = framePlace(page.frames, moved.frame);
    if (place >= 0) return place;
  }
  const steps = stepsWith(page, records);
  return steps[stepIndex(steps).get(action) ?? -1]?.before ?? -1;
}

/** Actions that changes speak of, each once, for the history of a step. */
export function actionsTouched(changes: readonly Change[]): Set<string> {
  const of = (record: AnnotationRecord): string | null => (record.kind === 'subtask' ? record.first : actionOf(record));
  const all = changes.flatMap((change) => (change.op === 'change' ? [change.before, change.after] : [change.record]));
  return new Set(all.map(of).filter((action) => action !== null));
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
