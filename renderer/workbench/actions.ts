import * as edit from '../../core/annotate/edit.ts';
import { lackingWords } from '../../core/annotate/missing.ts';
import { stepIndex } from '../../core/annotate/subtasks.ts';
import type { DocumentView, StepView } from '../../core/annotate/view.ts';
import { largestOf, smallestOf } from '../../core/lists.ts';
import type { Change, Proposal, RecordOf, Source, StoredTransaction } from '../../schemas/annotation.ts';
import type { Rect } from '../../schemas/events.ts';
import { TEXT_LIMITS } from '../../schemas/limits.ts';
import { english, tr } from '../language/tr.ts';
import { boxProblem, sameBox } from './boxes.ts';
import type { Sync } from './document/sync.ts';
import { entered, finished } from './effort.ts';
import { pictureRect, type Size } from './geometry.ts';
import { labelWords } from './labels.ts';
import { nextOpen, subtaskJump } from './list/rows.ts';
import { makeProposing } from './proposing.ts';
import { stickyViewport } from './stage/target.ts';
import {
  chosenSteps,
  type KeyframeSide,
  type Notice,
  type Role,
  readOnlyNow,
  type WorkState,
  type WorkStore,
} from './store.ts';
import { textTooLong } from './too-long.ts';

/**
 * A person's acts on the document. Each is one gesture: it shows at once and goes to the studio by itself. What is
 * half typed or half moved when another gesture begins is stored first, so nothing is lost and the order is what was seen.
 */
export type Actions = ReturnType<typeof makeActions>;

type Dependencies = {
  store: WorkStore;
  sync: Sync;
  newId: () => string;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
  /** Proposals for a step, from the studio. */
  askProposals: (action: string) => Promise<readonly Proposal[]>;
  askGrow: (action: string, x: number, y: number) => Promise<Proposal | null>;
  autoAdvance: () => boolean;
};

/** The names that the history gives them. */
const REASONING_WORDS = {
  thought: english('Write thought'),
  actionThought: english('Write action thought'),
  observation: english('Write observation'),
} as const;

let notices = 0;
export function makeActions({ store, sync, newId, now, askProposals, askGrow, autoAdvance }: Dependencies) {
  const { getState: get, setState: set } = store;
  const unfinished = new Set<() => void>();

  const records = () => sync.state().pending.view;
  const stepNow = (): StepView | undefined => get().doc.steps[get().at];
  const subtaskNow = (): DocumentView['subtasks'][number] | undefined => get().doc.subtasks[stepNow()?.subtask ?? -1];

  function say(text: string, tone: Notice['tone'] = 'bad', step?: string): void {
    const shown = get().notices.filter((notice) => notice.text !== text);
    set({ notices: [...shown.slice(-3), { id: ++notices, tone, text, step }] });
  }

  /** The same of the step in hand alone: it goes with it. */
  const sayHere = (text: string): void => say(text, 'info', stepNow()?.step.id);

  function dismiss(id: number): void {
    set(({ notices: shown }) => ({ notices: shown.filter((notice) => notice.id !== id) }));
  }

  /** Stores what is half done: typed text, a box being moved. */
  function settle(): void {
    for (const finish of [...unfinished]) finish();
    settleBox();
  }

  /** By itself a while after the last move. Somebody may be typing by then: their text is left alone. */
  function settleBox(): void {
    const { draft } = get();
    if (!draft) return;
    set({ draft: null });
    const { action, role, box } = draft;
    gesture(english('Move box'), () => edit.setBox(records(), action, role, box, 'hand', 1), { aside: true });
  }

  /**
   * True when something changed. A change that does not fit is reported, never thrown at a component. `aside`: it comes by
   * itself, while the person may be in the middle of a word.
   */
  function gesture(label: string, build: () => Change[], { aside = false } = {}): boolean {
    if (!aside) settle();
    try {
      const changes = build();
      if (changes.length === 0) return false;
      const why = readOnlyNow(get());
      if (why !== null) {
        say(why, 'info');
        return false;
      }
      sync.gesture(label, changes);
      return true;
    } catch (error) {
      say(`${labelWords(label)}: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  function undoOr(work: () => void): void {
    settle();
    const why = readOnlyNow(get());
    if (why !== null) {
      say(why, 'info');
      return;
    }
    movedOn = false;
    work();
  }

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
    gesture(english('Confirm step'), () => edit.confirm(records(), id, true));
    set((state) => ({ effort: finished(state.effort, id, now()) }));
    const lacking = lackingWords([step], at + 1);
    if (lacking !== null) say(lacking, 'info');
    advance(at);
  }

  function advance(at: number): void {
    set({ mode: { kind: 'idle' } });
    if (!autoAdvance()) return;
    const { doc } = get();
    if (at + 1 < doc.steps.length) go(at + 1);
    else {
      const open = nextOpen(doc.steps, at);
      say(
        open === -1
          ? tr("All steps are done. Submit when you're ready.")
          : tr('That was the last step. Some are still open: the next is step {value}.', { value: open + 1 }),
        'info',
      );
    }
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

  function name(action: string, element: string, source: Source = 'hand'): void {
    gesture(english('Name element'), () => edit.nameElement(records(), action, element, source));
  }

  function field<F extends edit.LabelField>(
    action: string,
    which: F,
    value: RecordOf<'label'>[F],
    label: string,
  ): void {
    gesture(label, () => edit.setField(records(), action, which, value));
  }

  function narrate(action: string, text: string | null): void {
    const made = get().doc.steps.find((one) => one.step.id === action)?.narrationMade;
    // The sentence as it is made is no overwriting.
    const value = text !== null && text.trim() === made ? null : text;
    gesture(value === null ? english('Reset narration') : english('Overwrite narration'), () =>
      edit.setNarration(records(), action, value),
    );
  }

  function reason(action: string, which: edit.ReasoningField, text: string): void {
    gesture(REASONING_WORDS[which], () => edit.setReasoning(records(), action, which, text));
  }

  function pictureSize(step: StepView): Size | null {
    return pictureRect(get().opened, step.before);
  }

  /** Stores a box; one outside the picture is reported instead. */
  function box(step: StepView, role: Role, value: Rect | null): boolean {
    return setBox(step, role, value, { source: 'hand', confidence: 1 });
  }

  type By = { source: Source; confidence: number; aside?: boolean };
  function setBox(step: StepView, role: Role, value: Rect | null, by: By): boolean {
    const size = pictureSize(step);
    const problem = value && size ? boxProblem(value, size) : null;
    if (problem) {
      say(problem);
      return false;
    }
    const old = role === 'target' ? step.target : step.end;
    if (sameBox(old?.box ?? null, value)) return false;
    return gesture(
      value ? (old ? english('Change box') : english('Draw box')) : english('Remove box'),
      () => edit.setBox(records(), step.step.id, role, value, by.source, by.confidence),
      by,
    );
  }

  async function grow(step: StepView, role: Role, x: number, y: number): Promise<boolean> {
    try {
      const found = await askGrow(step.step.id, x, y);
      if (found?.box) return setBox(step, role, found.box, { ...found, aside: true });
      say(
        tr('There is no clear edge around that point. Draw the box by dragging, or by its corners (B).'),
        'info',
        step.step.id,
      );
    } catch (error) {
      say(
        tr('The box could not be fitted: {error}', { error: error instanceof Error ? error.message : String(error) }),
      );
    }
    return false;
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
    const subtask = subtaskNow();
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

  function setTitle(subtask: string, title: string): void {
    gesture(english('Title subtask'), () => edit.setTitle(records(), subtask, title));
  }

  function setGoal(text: string): void {
    gesture(english('Set goal'), () => edit.setGoal(records(), text));
  }

  /** Moves the picture before or after by frames, by the frames' own list. */
  function moveKeyframe(side: KeyframeSide, by: number): void {
    const step = stepNow();
    const { opened } = get();
    if (!step) return;
    const place = step[side] + by;
    const frame = opened.frames[place];
    if (!frame) {
      sayHere(by < 0 ? tr('This is the first frame.') : tr('This is the last frame.'));
      return;
    }
    const [i, t] = frame;
    const back = place === step.step[side];
    set({ side, looking: null, flipping: false, playing: null, playhead: null });
    gesture(side === 'before' ? english('Move picture before') : english('Move picture after'), () =>
      edit.moveKeyframe(records(), step.step.id, side, back ? null : { frame: i, t }),
    );
  }

  function resetKeyframe(side: KeyframeSide): void {
    const step = stepNow();
    if (step) gesture(english('Reset picture'), () => edit.moveKeyframe(records(), step.step.id, side, null));
  }

  const proposing = makeProposing({ store, sync, askProposals, gesture, say });

  return {
    say,
    sayHere,
    dismiss,
    settle,
    settleBox,
    /** Any other gesture, under its name in the history. */
    gesture: (label: string, build: () => Change[]) => gesture(label, build),
    /** Registers what stores a half-typed field; gives the way to take it out again. */
    whenSettling(finish: () => void): () => void {
      unfinished.add(finish);
      return () => unfinished.delete(finish);
    },
    go,
    goBy: (by: number, options?: { extend?: boolean }) => go(get().at + by, options),
    goToOpen(): void {
      const open = nextOpen(get().doc.steps, get().at);
      if (open === -1) say(tr('No step is open any more.'), 'info');
      else go(open);
    },
    goToSubtask: (direction: 1 | -1) => go(subtaskJump(get().doc.subtasks, get().at, direction)),
    confirmAndGo,
    toggleDone,
    toggleFlag,
    name,
    field,
    narrate,
    reason,
    box,
    grow,
    ...proposing,
    copyFromBefore,
    removeOrRestore,
    remove,
    split,
    merge,
    moveEdge,
    markIn,
    markOut,
    setTitle,
    setGoal,
    moveKeyframe,
    resetKeyframe,
    undo: () => undoOr(() => sync.undo()),
    redo: () => undoOr(() => sync.redo()),
    /** Goes to what an undo or a redo changed, unless it is in hand already or the person has gone on since. */
    showChanged(stored: StoredTransaction): void {
      const { opened, at } = get();
      const places = stored.changes
        .map((change) => (change.op === 'change' ? change.after : change.record))
        .map((record) => ('action' in record ? record.action : record.kind === 'subtask' ? record.first : null))
        .map((action) => (action === null ? -1 : (stepIndex(opened.steps).get(action) ?? -1)))
        .filter((place) => place >= 0);
      if (movedOn || places.length === 0 || places.includes(at)) return;
      go(smallestOf(places));
      movedOn = false;
    },
    retry: sync.retry,
    leaveOut: sync.leaveOut,
    update: (next: Partial<WorkState>) => set(next),
  };
}
