import type { AnnotationRecord } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import { firstSubtaskId, GOAL_ID } from './ids.ts';

/**
 * The beginning of a document (N6): the goal, a subtask from the first action on and one from the first action after
 * each mark. `steps` ascend in start time; `marks` are the times (µs) at which the person ended a subtask: an action that
 * starts at a mark's own time still is before it. Marks without an action between them make one subtask.
 */
export function initialRecords(
  steps: readonly Pick<Step, 'id' | 'start'>[],
  marks: readonly number[],
  goal: string,
): AnnotationRecord[] {
  const records: AnnotationRecord[] = [{ kind: 'goal', id: GOAL_ID, text: goal }];
  const times = marks.toSorted((a, b) => a - b);
  let passed = 0;
  for (const [index, { id, start }] of steps.entries()) {
    const before = passed;
    while (passed < times.length && times[passed]! < start[2]) passed++;
    if (index > 0 && passed === before) continue;
    records.push({ kind: 'subtask', id: firstSubtaskId(id), first: id, title: '' });
  }
  return records;
}
