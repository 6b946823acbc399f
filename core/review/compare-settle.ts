import type { AnnotationRecord, Change, RecordOf } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import type { Difference } from '../../schemas/api/review-models.ts';
import { StudioError } from '../../schemas/errors.ts';
import { applyChanges, difference as changesBetween, type Records } from '../annotate/document.ts';
import { setReasoning } from '../annotate/edit.ts';
import { boxId, firstSubtaskId, GOAL_ID, keyframeId, labelId, reasoningId, removalId } from '../annotate/ids.ts';
import { emptyLabel, isEmptyLabel } from '../annotate/label.ts';
import { originsFrom } from '../annotate/origins.ts';
import { stepIndex } from '../annotate/subtasks.ts';
import { largestOf, smallestOf } from '../lists.ts';
import { thoughtOf } from './compare-differences.ts';
import type { Thought } from './compare-read.ts';

type Label = RecordOf<'label'>;
type Draft = Map<string, AnnotationRecord>;

/** The fields of a label that a difference of this kind is about. */
const FIELDS = {
  element: ['element', 'elementSource'],
  narration: ['narration'],
  text: ['text'],
  drag: ['startName', 'endName', 'purpose', 'dragKind'],
} as const satisfies Partial<Record<Difference['kind'], readonly (keyof Label)[]>>;

/**
 * The changes to the adjudicated document when a difference is settled by taking one side, a document's id (R16). Only what
 * the difference is about: everything else that is there stays. Empty when it says so already. The document that comes
 * out is accepted by `checkRecord` and `checkPartition` if the one that went in is.
 * Throws USAGE when the difference has no such side, UNKNOWN_STEP when it speaks of a step that is not there.
 */
export function takeSide(records: Records, steps: readonly Step[], difference: Difference, side: string): Change[] {
  const taken = difference.sides.find(({ document }) => document === side)?.records;
  if (!taken) {
    const sides = difference.sides.map(({ document }) => document);
    throw new StudioError(
      'USAGE',
      `The difference "${difference.id}" has no side "${side}". Take one of ${sides.join(', ')}.`,
      { difference: difference.id, side, sides },
    );
  }
  const { action, kind } = difference;
  if (action !== null && !stepIndex(steps).has(action)) {
    throw new StudioError('UNKNOWN_STEP', `This recording has no step "${action}". Compare the documents again.`, {
      step: action,
      difference: difference.id,
    });
  }
  const next: Draft = new Map(records);
  if (kind === 'goal' || action === null) putOrDelete(next, GOAL_ID, taken[0]);
  else if (kind === 'subtask') takeSubtasks(next, steps, difference, taken);
  else if (kind === 'title') takeTitle(next, action, taken[0]);
  else if (kind === 'removal') putOrDelete(next, removalId(action), taken[0]);
  else if (kind === 'box' || kind === 'keyframe') putOrDelete(next, recordIdOf(difference, action), taken[0]);
  else if (kind === 'thought') takeThought(next, action, thoughtOf(difference), taken[0]);
  else takeFields(next, action, FIELDS[kind], taken[0]);
  return changesBetween(records, next);
}

/** The differences of a step's boxes and keyframes are by role; the side that says nothing does not tell which. */
function recordIdOf({ id, kind }: Difference, action: string): string {
  if (kind === 'keyframe') return keyframeId(action, id.endsWith(':after') ? 'after' : 'before');
  return boxId(action, id.endsWith(':end') ? 'end' : 'target');
}

function takeFields(
  next: Draft,
  action: string,
  fields: readonly (keyof Label)[],
  from: AnnotationRecord | undefined,
): void {
  const id = labelId(action);
  const found = next.get(id);
  const current = found?.kind === 'label' ? found : emptyLabel(action);
  const source = from?.kind === 'label' ? from : emptyLabel(action);
  const said = { ...current, ...Object.fromEntries(fields.map((field) => [field, source[field]])) };
  const label = originsFrom(said, source, fields);
  putOrDelete(next, id, isEmptyLabel(label) ? undefined : label);
}

/** Where the adjudicator has merged the subtask away there is nothing to call so. */
function takeTitle(next: Draft, action: string, from: AnnotationRecord | undefined): void {
  for (const record of next.values()) {
    if (record.kind !== 'subtask' || record.first !== action) continue;
    const title = from?.kind === 'subtask' ? from.title : '';
    next.set(record.id, originsFrom({ ...record, title }, from, ['subtask']));
    return;
  }
}

/** Inside the stretch subtasks begin where the side begins them, and nowhere else. */
function takeSubtasks(
  next: Draft,
  steps: readonly Step[],
  { sides }: Difference,
  taken: readonly AnnotationRecord[],
): void {
  const index = stepIndex(steps);
  const starts = sides.flatMap((side) => side.records).flatMap(startsAt(index));
  const [from, to] = [smallestOf(starts), largestOf(starts)];
  const wanted = new Map(taken.flatMap((record) => (record.kind === 'subtask' ? [[record.first, record]] : [])));
  for (const record of [...next.values()]) {
    if (record.kind !== 'subtask') continue;
    const at = index.get(record.first)!;
    const one = wanted.get(record.first);
    // One that begins there already keeps its id.
    if (one !== undefined) next.set(record.id, { ...one, id: record.id });
    else if (at >= from && at <= to) next.delete(record.id);
    wanted.delete(record.first);
  }
  for (const [first, one] of wanted) {
    const id = freeId(next, firstSubtaskId(first));
    next.set(id, { ...one, id });
  }
}

const startsAt = (index: ReadonlyMap<string, number>) => (record: AnnotationRecord) =>
  record.kind === 'subtask' && index.has(record.first) ? [index.get(record.first)!] : [];

/** A subtask that was moved away keeps the id of the step where it began. */
function freeId(records: Records, wanted: string): string {
  for (let n = 2, id = wanted; ; n++) {
    if (!records.has(id)) return id;
    id = `${wanted}:${n}`;
  }
}

function takeThought(next: Draft, action: string, part: Thought, from: AnnotationRecord | undefined): void {
  const text = from?.kind === 'reasoning' ? from[part] : null;
  const after = applyChanges(next, setReasoning(next, action, part, text));
  const record = after.get(reasoningId(action));
  putOrDelete(next, reasoningId(action), record && originsFrom(record, from, [part]));
}

function putOrDelete(next: Draft, id: string, record: AnnotationRecord | undefined): void {
  if (record) next.set(id, record);
  else next.delete(id);
}
