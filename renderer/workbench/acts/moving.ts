import { stepIndex } from '../../../core/annotate/subtasks.ts';
import { smallestOf } from '../../../core/lists.ts';
import type { StoredTransaction } from '../../../schemas/annotation.ts';
import { tr } from '../../language/tr.ts';
import type { Sync } from '../document/sync.ts';
import { entered } from '../effort.ts';
import { nextOpen, subtaskJump } from '../list/rows.ts';
import { stepAfter } from '../sheet/shown.ts';
import { stickyViewport } from '../stage/target.ts';
import type { Gestures } from './gestures.ts';

type Dependencies = {
  gestures: Gestures;
  sync: Sync;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
  autoAdvance: () => boolean;
};

/** Going from step to step, and to what an undo or a redo changed. */
export function makeMoving({ gestures, sync, now, autoAdvance }: Dependencies) {
  const { settle, say, mayWrite } = gestures;
  const { getState: get, setState: set } = gestures.store;

  /** A step was gone to since the last undo or redo was asked for: its answer may come late and must not pull back. */
  let movedOn = false;

  function go(to: number, { extend = false } = {}): void {
    const { doc, at, anchor, stop } = get();
    const next = Math.min(Math.max(to, 0), doc.steps.length - 1);
    if (next < 0) return;
    if (next === at && !extend && anchor === null && stop === null && get().looking === null) return;
    settle();
    movedOn = true;
    set((state) => ({
      at: next,
      viewport: stickyViewport(state, next),
      anchor: extend ? (state.anchor ?? at) : null,
      side: 'before',
      flipping: false,
      looking: null,
      stop: null,
      aspect: null,
      thread: null,
      mode: { kind: 'idle' },
      playing: state.playing?.what === 'step' ? null : state.playing,
      playhead: null,
      effort: entered(state.effort, doc.steps[next]!.step.id, now()),
    }));
  }

  /** From the step at `at`, which is done, to the next one, where the person wants that. */
  function advance(at: number): void {
    set({ mode: { kind: 'idle' } });
    if (!autoAdvance()) return;
    const { doc } = get();
    const after = stepAfter({ ...get(), at });
    if (after !== null) go(after);
    else {
      const open = nextOpen(doc.steps, at);
      say(
        open === -1
          ? tr("All steps are done. Submit when you're ready.")
          : tr('That was the last step. Some are still open: the next is step {number}.', { number: open + 1 }),
        'info',
      );
    }
  }

  function goToOpen(): void {
    const open = nextOpen(get().doc.steps, get().at);
    if (open === -1) say(tr('No step is open any more.'), 'info');
    else go(open);
  }

  function undoOr(work: () => void): void {
    settle();
    if (!mayWrite()) return;
    movedOn = false;
    work();
  }

  /** Goes to what an undo or a redo changed, unless it is in hand already or the person has gone on since. */
  function showChanged(stored: StoredTransaction): void {
    const { opened, at } = get();
    const places = stored.changes
      .map((change) => (change.op === 'change' ? change.after : change.record))
      .map((record) => ('action' in record ? record.action : record.kind === 'subtask' ? record.first : null))
      .map((action) => (action === null ? -1 : (stepIndex(opened.steps).get(action) ?? -1)))
      .filter((place) => place >= 0);
    if (movedOn || places.length === 0 || places.includes(at)) return;
    go(smallestOf(places));
    movedOn = false;
  }

  return {
    go,
    advance,
    goBy: (by: number, options?: { extend?: boolean }) => go(get().at + by, options),
    goToOpen,
    goToSubtask: (direction: 1 | -1) => go(subtaskJump(get().doc.subtasks, get().at, direction)),
    undo: () => undoOr(() => sync.undo()),
    redo: () => undoOr(() => sync.redo()),
    showChanged,
  };
}
