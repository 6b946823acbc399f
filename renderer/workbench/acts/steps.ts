import * as edit from '../../../core/annotate/edit.ts';
import { filledIn } from '../../../core/annotate/proposals/filled.ts';
import { largestOf } from '../../../core/lists.ts';
import type { RecordOf } from '../../../schemas/annotation.ts';
import { TEXT_LIMITS } from '../../../schemas/limits.ts';
import { english, tr } from '../../language/tr.ts';
import { finished } from '../effort.ts';
import { lackingWords } from '../lacking.ts';
import { chosenSteps } from '../store.ts';
import { textTooLong } from '../too-long.ts';
import type { Gestures } from './gestures.ts';

type Dependencies = {
  gestures: Gestures;
  go: (to: number) => void;
  advance: (at: number) => void;
  now: () => number;
  autoAdvance: () => boolean;
};

/** What is done with steps as wholes: they are confirmed, flagged, filled from another, removed and restored. */
export function makeStepActs({ gestures, go, advance, now, autoAdvance }: Dependencies) {
  const { gesture, settle, records, stepNow, say, sayHere } = gestures;
  const { getState: get, setState: set } = gestures.store;

  function confirmAndGo(): void {
    settle();
    const { at } = get();
    const step = stepNow();
    if (!step) return;
    if (step.state === 'removed') {
      advance(at);
      return;
    }
    const id = step.step.id;
    // A flag stays: flagging and going on is how one leaves a doubt for later.
    const filled = filledIn(step, get().proposals.get(id));
    gesture(english('Confirm step'), () =>
      filled ? edit.confirmFilled(records(), id, filled) : edit.confirm(records(), id, true),
    );
    set((state) => ({ effort: finished(state.effort, id, now()) }));
    const lacking = lackingWords(get().doc.steps[at] ?? step, at + 1);
    // Among all boxes the tile shows it, and one goes on quickly.
    if (lacking !== null && get().sheet.is !== 'shown') say(lacking, 'info');
    advance(at);
  }

  function toggleDone(): void {
    const step = stepNow();
    if (!step || step.state === 'removed') return;
    const done = step.label?.confirmed === true;
    gesture(done ? english('Reopen step') : english('Confirm step'), () =>
      edit.confirm(records(), step.step.id, !done),
    );
    if (!done) set((state) => ({ effort: finished(state.effort, step.step.id, now()) }));
  }

  function toggleFlag(): void {
    const step = stepNow();
    if (!step) return;
    const flagged = step.label?.flagged === true;
    gesture(flagged ? english('Unflag step') : english('Flag step'), () =>
      edit.flag(records(), step.step.id, !flagged),
    );
  }

  function copyFromBefore(): void {
    const { at, doc } = get();
    const step = stepNow();
    if (!step) return;
    const from = doc.steps.slice(0, at).findLast((one) => one.state !== 'removed' && one.label?.element != null);
    if (!from) {
      sayHere(tr('No step before this one has a name to copy.'));
      return;
    }
    gesture(english('Copy from step before'), () => edit.copyRecords(records(), from.step.id, step.step.id));
  }

  function removeOrRestore(): void {
    settle();
    const chosen = chosenSteps(get()).map((i) => get().doc.steps[i]!);
    if (chosen.length > 0 && chosen.every((step) => step.state === 'removed')) {
      gesture(english('Restore'), () =>
        edit.restoreSteps(
          records(),
          chosen.map((step) => step.step.id),
        ),
      );
    } else if (chosen.length > 0) set({ open: 'remove' });
  }

  function remove(reason: RecordOf<'removal'>['reason'], comment: string): void {
    const { doc, at } = get();
    const chosen = chosenSteps(get()).map((i) => doc.steps[i]!.step.id);
    const problem = textTooLong(tr('The comment'), comment, TEXT_LIMITS.comment);
    if (problem) {
      say(problem);
      return;
    }
    const label = chosen.length === 1 ? english('Remove step') : `Remove ${chosen.length} steps`;
    const done = gesture(label, () => edit.removeSteps(records(), chosen, reason, comment));
    set({ open: null, anchor: null });
    if (done && autoAdvance()) go(Math.max(at, largestOf(chosenSteps(get()))) + 1);
  }

  return { confirmAndGo, toggleDone, toggleFlag, copyFromBefore, removeOrRestore, remove };
}
