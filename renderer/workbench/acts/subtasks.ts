import * as edit from '../../../core/annotate/edit.ts';
import { english, tr } from '../../language/tr.ts';
import type { Gestures } from './gestures.ts';

/** Where subtasks begin and end. */
export function makeSubtaskActs({ gestures, newId }: { gestures: Gestures; newId: () => string }) {
  const { gesture, records, stepNow, sayHere } = gestures;
  const { getState: get } = gestures.store;

  function split(): void {
    const step = stepNow();
    if (!step) return;
    const id = newId();
    const { steps } = get().opened;
    if (!gesture(english('Split subtask'), () => edit.splitSubtask(records(), steps, step.step.id, id, ''))) {
      sayHere(tr('A subtask begins at this step already.'));
    }
  }

  function merge(): void {
    const subtask = get().doc.subtasks[stepNow()?.subtask ?? -1];
    if (!subtask) return;
    const { steps } = get().opened;
    if (!gesture(english('Merge subtask'), () => edit.mergeSubtask(records(), steps, subtask.record.id))) {
      sayHere(tr('The first subtask has none before it.'));
    }
  }

  /** Moves the beginning of subtask `index` to the step at place `to`. */
  function moveEdge(index: number, to: number): void {
    const { doc, opened } = get();
    const subtask = doc.subtasks[index];
    const action = opened.steps[to]?.id;
    if (!subtask || !action) return;
    gesture(english('Move subtask edge'), () => edit.moveEdge(records(), opened.steps, subtask.record.id, action));
  }

  function markIn(): void {
    const { at } = get();
    const index = stepNow()?.subtask ?? -1;
    if (index <= 0) sayHere(tr('The first subtask begins with the recording. Split it here instead (S).'));
    else moveEdge(index, at);
  }

  function markOut(): void {
    const { at, doc } = get();
    const index = stepNow()?.subtask ?? -1;
    if (index + 1 >= doc.subtasks.length)
      sayHere(tr('The last subtask ends with the recording. Split it instead (S).'));
    else moveEdge(index + 1, at + 1);
  }

  return { split, merge, moveEdge, markIn, markOut };
}
