import type { RecordOf } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import type { Records } from './document.ts';

/** A subtask and its steps: indices into the steps, `to` exclusive. */
export type SubtaskSpan = { record: RecordOf<'subtask'>; from: number; to: number };

type Named = Pick<Step, 'id'>;

const indexes = new WeakMap<readonly Named[], ReadonlyMap<string, number>>();

/** Each step's place by its id. Kept by the identity of the list, which is never changed in place. */
export function stepIndex(steps: readonly Named[]): ReadonlyMap<string, number> {
  let index = indexes.get(steps);
  if (!index) {
    index = new Map(steps.map(({ id }, at) => [id, at]));
    indexes.set(steps, index);
  }
  return index;
}

/**
 * The subtasks in the order of time, each up to the next one's first action: every step is in exactly one (N1).
 * Total: the first one begins at the first step whatever its record says, and of two that begin at one step the second
 * (by id) has the steps; one whose first action is not there stands last and is empty. `checkRecords` refuses such records.
 */
export function subtaskSpans(steps: readonly Named[], records: Records): SubtaskSpan[] {
  const index = stepIndex(steps);
  const placed: { record: RecordOf<'subtask'>; from: number }[] = [];
  for (const record of records.values()) {
    if (record.kind === 'subtask') placed.push({ record, from: index.get(record.first) ?? steps.length });
  }
  placed.sort((a, b) => a.from - b.from || (a.record.id < b.record.id ? -1 : 1));
  if (placed[0]) placed[0].from = 0;
  return placed.map(({ record, from }, at) => ({ record, from, to: placed[at + 1]?.from ?? steps.length }));
}

/**
 * Numbers (from 1) of the subtasks that keep a step and have no title. A recording that nobody divided needs none: its goal
 * describes it.
 */
export function untitledSubtasks(
  subtasks: readonly { title: string; from: number; to: number; kept: number }[],
): number[] {
  const filled = subtasks.filter(({ from, to }) => to > from);
  if (filled.length < 2) return [];
  return filled.flatMap(({ title, kept }, index) => (kept > 0 && title.trim() === '' ? [index + 1] : []));
}
