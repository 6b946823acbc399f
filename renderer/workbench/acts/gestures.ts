import type { Records } from '../../../core/annotate/document.ts';
import * as edit from '../../../core/annotate/edit.ts';
import type { StepView } from '../../../core/annotate/view.ts';
import type { Change } from '../../../schemas/annotation.ts';
import { english } from '../../language/tr.ts';
import type { Sync } from '../document/sync.ts';
import { labelWords } from '../labels.ts';
import { readOnlyNow, type WorkStore } from '../store.ts';
import { makeNotices, type Notices } from './notices.ts';

/** `aside`: the gesture comes by itself, while the person may be in the middle of a word. */
export type GestureOptions = { aside?: boolean };

/** What every act on the document is made with. */
export type Gestures = Notices & {
  store: WorkStore;
  /** The records as they are shown, with what is not stored yet. */
  records: () => Records;
  stepNow: () => StepView | undefined;
  /** Stores what is half done: typed text, a box being moved. */
  settle: () => void;
  /** By itself a while after the last move. Somebody may be typing by then: their text is left alone. */
  settleBox: () => void;
  /** Registers what stores a half-typed field; gives the way to take it out again. */
  whenSettling: (finish: () => void) => () => void;
  /** True when the document may be changed; otherwise the reason is shown. */
  mayWrite: () => boolean;
  /** True when something changed. A change that does not fit is reported, never thrown at a component. */
  gesture: (label: string, build: () => Change[], options?: GestureOptions) => boolean;
};

/** Turns what a person does into transactions. What is half done when another gesture begins is stored first. */
export function makeGestures({ store, sync }: { store: WorkStore; sync: Sync }): Gestures {
  const { getState: get, setState: set } = store;
  const notices = makeNotices(store);
  const unfinished = new Set<() => void>();
  const records = (): Records => sync.state().pending.view;

  function settle(): void {
    for (const finish of [...unfinished]) finish();
    settleBox();
  }

  function settleBox(): void {
    const { draft } = get();
    if (!draft) return;
    set({ draft: null });
    const { action, role, box } = draft;
    gesture(english('Move box'), () => edit.setBox(records(), action, role, box, 'hand', 1), { aside: true });
  }

  function mayWrite(): boolean {
    const why = readOnlyNow(get());
    if (why !== null) notices.say(why, 'info');
    return why === null;
  }

  function gesture(label: string, build: () => Change[], { aside = false }: GestureOptions = {}): boolean {
    if (!aside) settle();
    try {
      const changes = build();
      if (changes.length === 0 || !mayWrite()) return false;
      sync.gesture(label, changes);
      return true;
    } catch (error) {
      notices.say(`${labelWords(label)}: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  return {
    ...notices,
    store,
    records,
    stepNow: () => get().doc.steps[get().at],
    settle,
    settleBox,
    whenSettling(finish) {
      unfinished.add(finish);
      return () => unfinished.delete(finish);
    },
    mayWrite,
    gesture,
  };
}
