import { type Records, sameValue } from '../../core/annotate/document.ts';
import { boxId, GOAL_ID, keyframeId, labelId, reasoningId, removalId } from '../../core/annotate/ids.ts';
import { stepIndex } from '../../core/annotate/subtasks.ts';
import { largestOf, smallestOf } from '../../core/lists.ts';
import { takeSide, thoughtOf } from '../../core/review/compare.ts';
import type { AnnotationRecord, Change, StoredTransaction } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import type { Difference } from '../../schemas/api/review-models.ts';
import { isUndone } from '../workbench/labels.ts';

/**
 * Where each difference stands while it is adjudicated. Settling one is two steps: the value is written into the main
 * document, then the log is told. A page that was closed between the two finds the value written and the log silent: that
 * is `written`, and settling it then takes the value as it is. Pure.
 */
type DifferenceState =
  | 'open'
  /** In the main document, but the log was not told. */
  | 'written'
  | 'settled'
  /** The main document says something else than what was settled: it was changed, or taken back, since. */
  | 'changed';

export type Standing = {
  state: DifferenceState;
  /** Documents that say what the main document says now. */
  matches: readonly string[];
  /** Whose side was taken; null: a third value, or not settled. */
  side: string | null;
  /** The last transaction that wrote it; null when none did. */
  transaction: string | null;
};

type Settled = { difference: string; side: string | null };
type WrittenOnce = { id: string; label?: string; changes: readonly Change[] };
/** Transactions that wrote a difference's value, the oldest first. */
export type WrittenValue = ReadonlyMap<string, readonly WrittenOnce[]>;
/** A compared document's records. */
type Source = { document: string; records: Records };

export function standingOf(
  difference: Difference,
  now: {
    records: Records;
    steps: readonly Step[];
    sources: readonly Source[];
    settled: readonly Settled[];
    written: WrittenValue;
  },
): Standing {
  const { records, steps, sources, settled, written } = now;
  const matches = sources
    .filter((one) => hasSay(difference, one) && takeSide(records, steps, difference, one.document).length === 0)
    .map(({ document }) => document);
  const transaction = written.get(difference.id)?.at(-1)?.id ?? null;
  const found = settled.find((one) => one.difference === difference.id);
  if (!found) return { state: transaction === null ? 'open' : 'written', matches, side: null, transaction };
  const kept = found.side === null || matches.includes(found.side);
  return { state: kept ? 'settled' : 'changed', matches, side: found.side, transaction };
}

/** Whether there is anything left to decide. */
export const isUnsettled = ({ state }: Pick<Standing, 'state'>): boolean => state !== 'settled';

/**
 * Whether a document has a say. It has none of a step that it removed: its empty side then means nothing. What it leaves
 * empty (no name, no box) of a step that it keeps is a say like any other.
 */
export function hasSay({ kind, action }: Difference, { records }: Pick<Source, 'records'>): boolean {
  const ofKeptStep = action !== null && kind !== 'removal' && kind !== 'subtask' && kind !== 'title';
  return !ofKeptStep || !records.has(removalId(action));
}

/** With one more transaction: the differences that it wrote know it. */
export function withTransaction(
  written: WrittenValue,
  steps: readonly Step[],
  differences: readonly Difference[],
  transaction: WrittenOnce,
): WrittenValue {
  const touched = differences.filter((one) => transaction.changes.some((change) => writes(change, one, steps)));
  if (touched.length === 0) return written;
  const next = new Map(written);
  for (const { id } of touched) {
    const known = next.get(id) ?? [];
    if (isUndone(transaction.label ?? '')) next.delete(id);
    else if (!known.some((one) => one.id === transaction.id)) next.set(id, [...known, transaction]);
  }
  return next;
}

/**
 * The writing in a history, the oldest first; a transaction that was undone counts for nothing, nor does the one that undid
 * it.
 */
export function writtenIn(
  history: readonly StoredTransaction[],
  steps: readonly Step[],
  differences: readonly Difference[],
): WrittenValue {
  const undone = new Set<string>();
  for (const one of history) {
    if (one.undoes !== null) undone.add(one.undoes);
    if (one.redoes !== null) undone.delete(one.redoes);
  }
  return history
    .filter((one) => one.undoes === null && one.redoes === null && !undone.has(one.id))
    .reduce<WrittenValue>((written, one) => withTransaction(written, steps, differences, one), new Map());
}

/** Whether a change alters what a difference is about. */
function writes(change: Change, difference: Difference, steps: readonly Step[]): boolean {
  const before = change.op === 'add' ? null : change.op === 'change' ? change.before : change.record;
  const after = change.op === 'remove' ? null : change.op === 'change' ? change.after : change.record;
  const one = after ?? before;
  const { kind, action } = difference;
  if (!one) return false;
  if (kind === 'goal' || action === null) return one.id === GOAL_ID;
  if (kind === 'removal') return one.id === removalId(action);
  if (kind === 'box') return one.id === boxId(action, difference.id.endsWith(':end') ? 'end' : 'target');
  if (kind === 'thought')
    return one.id === reasoningId(action) && thoughtIn(before, difference) !== thoughtIn(after, difference);
  if (kind === 'keyframe') return one.id === keyframeId(action, difference.id.endsWith(':after') ? 'after' : 'before');
  const firsts = [before, after].flatMap((of) => (of?.kind === 'subtask' ? [of.first] : []));
  if (kind === 'subtask') return firsts[0] !== firsts[1] && firsts.some(inStretch(difference, steps));
  if (kind === 'title') return firsts.includes(action) && titleOf(before) !== titleOf(after);
  return (
    one.id === labelId(action) &&
    FIELDS[kind].some((field) => !sameValue(fieldOf(before, field), fieldOf(after, field)))
  );
}

const FIELDS = {
  element: ['element'],
  narration: ['narration'],
  text: ['text'],
  drag: ['startName', 'endName', 'purpose', 'dragKind'],
} as const;

const thoughtIn = (record: AnnotationRecord | null, difference: Difference): string | null =>
  record?.kind === 'reasoning' ? record[thoughtOf(difference)] : null;
const titleOf = (record: AnnotationRecord | null): string => (record?.kind === 'subtask' ? record.title : '');
const fieldOf = (record: AnnotationRecord | null, field: (typeof FIELDS)[keyof typeof FIELDS][number]): unknown =>
  record?.kind === 'label' ? record[field] : null;

/** A difference of subtasks speaks of a stretch of steps: from the first to the last at which some side begins one. */
function inStretch({ action, sides }: Difference, steps: readonly Step[]): (first: string) => boolean {
  const index = stepIndex(steps);
  const begun = sides.flatMap((side) => side.records).flatMap((of) => (of.kind === 'subtask' ? [of.first] : []));
  const places = [...begun, ...(action === null ? [] : [action])].map((first) => index.get(first) ?? 0);
  const [from, to] = [smallestOf(places), largestOf(places)];
  return (first) => {
    const at = index.get(first);
    return at !== undefined && at >= from && at <= to;
  };
}
