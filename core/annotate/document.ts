import type { AnnotationRecord, Change } from '../../schemas/annotation.ts';
import { StudioError } from '../../schemas/errors.ts';

/** A document's records by their ids. Never changed in place. */
export type Records = ReadonlyMap<string, AnnotationRecord>;

/** Records by id. Throws CONFLICT when two have the same. */
export function toRecords(list: readonly AnnotationRecord[]): Records {
  return applyChanges(
    new Map(),
    list.map((record) => ({ op: 'add', record })),
  );
}

/**
 * The records after a transaction's changes, in order, all of them or none (N3). Records that it does not touch are the same objects as before.
 * Throws CONFLICT naming the record when an added one exists, or one that is changed or removed no longer is as it says.
 */
export function applyChanges(records: Records, changes: readonly Change[]): Records {
  const next = new Map(records);
  applyInPlace(next, changes);
  return next;
}

/** The same on a map of the caller's own, for long logs; what is there when it throws is of no use. */
export function applyInPlace(next: Map<string, AnnotationRecord>, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.op === 'add') {
      const { record } = change;
      if (next.has(record.id)) throw conflict(record, next.get(record.id), 'it is there already');
      next.set(record.id, record);
      continue;
    }
    const expected = change.op === 'change' ? change.before : change.record;
    const found = next.get(expected.id);
    if (!found) throw conflict(expected, found, 'it is no longer there');
    if (!sameValue(found, expected)) throw conflict(expected, found, 'it has changed since');
    if (change.op === 'remove') {
      next.delete(expected.id);
      continue;
    }
    if (change.after.id !== expected.id || change.after.kind !== expected.kind) {
      throw new StudioError(
        'USAGE',
        `A change keeps a record's id and kind: ${expected.kind} "${expected.id}" cannot become ${change.after.kind} "${change.after.id}". Remove the one and add the other.`,
        { record: expected.id, becomes: change.after.id },
      );
    }
    next.set(expected.id, change.after);
  }
}

/** The changes that take these back (N4): their opposites in the opposite order. */
export function invert(changes: readonly Change[]): Change[] {
  return changes.toReversed().map((change): Change => {
    if (change.op === 'add') return { op: 'remove', record: change.record };
    if (change.op === 'remove') return { op: 'add', record: change.record };
    return { op: 'change', before: change.after, after: change.before };
  });
}

/** The changes that turn `from` into `to`: what is gone, what is other, what is new. Empty when they are equal. */
export function difference(from: Records, to: Records): Change[] {
  const changes: Change[] = [];
  for (const [id, record] of from) {
    const other = to.get(id);
    if (other === undefined || other.kind !== record.kind) changes.push({ op: 'remove', record });
    else if (!sameValue(record, other)) changes.push({ op: 'change', before: record, after: other });
  }
  for (const [id, record] of to) {
    if (from.get(id)?.kind !== record.kind) changes.push({ op: 'add', record });
  }
  return changes;
}

/** The change that makes `next` stand under `id`; null: nothing is there. */
export function put(records: Records, id: string, next: AnnotationRecord | null): Change[] {
  const before = records.get(id);
  if (!before) return next ? [{ op: 'add', record: next }] : [];
  if (!next) return [{ op: 'remove', record: before }];
  return sameValue(before, next) ? [] : [{ op: 'change', before, after: next }];
}

/** Equal as JSON is, whatever the order of fields. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return left.length === right.size && left.every(([key, value]) => right.has(key) && sameValue(value, right.get(key)));
}

/** The action that a record speaks of; null for subtasks and the goal. */
export function actionOf(record: AnnotationRecord): string | null {
  return 'action' in record ? record.action : null;
}

const WORDS = {
  subtask: 'The subtask',
  label: 'What is said of the step',
  box: 'The box of the step',
  removal: 'The removal of the step',
  reasoning: 'What is thought of the step',
  keyframe: 'The keyframe of the step',
  step: 'The step',
  goal: 'The goal',
} as const;

function conflict(record: AnnotationRecord, found: AnnotationRecord | undefined, why: string): StudioError {
  return new StudioError(
    'CONFLICT',
    `${WORDS[record.kind]} (record "${record.id}") cannot be changed so: ${why}. Look at it as it is now and do it again.`,
    { record: record.id, kind: record.kind, found: found ?? null },
  );
}
