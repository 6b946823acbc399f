import { boxId, labelId } from '../../core/annotate/ids.ts';
import { log } from '../../native/log/log.ts';
import type { Change } from '../../schemas/annotation.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { DocumentState } from '../store/documents.ts';
import type { Store } from '../store/store.ts';
import { actionsTouched } from './check.ts';
import type { Context } from './contexts.ts';
import { learn, lesson } from './learn.ts';

/** Steps of one gesture that are learnt from; an import of thousands would keep the machine busy for minutes. */
const MOST_STEPS = 64;
/** How long a question waits for what is being learnt, ms. */
const PATIENCE_MS = 1000;

type Lesson = { context: Context; state: DocumentState; action: string };

/**
 * Learns named crops after a gesture is stored, one step at a time: a picture takes a moment to read, and no gesture waits
 * for it. A lesson that a kill prevents is learnt at the next change of the step.
 */
export function learner(source: {
  store: Store;
  picture(context: Context, state: DocumentState, action: string): Promise<RgbImage | null>;
}) {
  const waiting = new Map<string, Lesson>();
  let running: Promise<void> | null = null;
  let closed = false;

  async function work(): Promise<void> {
    for (;;) {
      const [first] = waiting;
      if (!first || closed) return;
      waiting.delete(first[0]);
      const { context, state, action } = first[1];
      const taught = lesson(state.records, action);
      const key = { document: context.document, action, software: context.entry.app };
      try {
        await learn(source.store, key, taught, taught && (await source.picture(context, state, action)));
      } catch (error) {
        log.warn('crop not learnt', { error });
        // A crop that was not learnt is a proposal less; the gesture itself is stored.
      }
    }
  }

  return {
    /** Notes the steps whose name, box, picture or removal these changes touch. */
    note(context: Context, state: DocumentState, changes: readonly Change[]): void {
      const taught = changes.filter(teaches);
      const actions = actionsTouched(taught);
      if (actions.size > MOST_STEPS) return;
      for (const action of actions) {
        const key = `${context.document} ${action}`;
        // Nothing to learn and nothing learnt before: most steps of a long removal.
        if (!state.records.has(boxId(action, 'target')) && !touchesBox(taught, action)) continue;
        if (!state.records.has(labelId(action)) && !touchesLabel(taught, action)) continue;
        waiting.set(key, { context, state, action });
      }
      if (waiting.size > 0 && !closed) {
        running ??= work().finally(() => {
          running = null;
        });
      }
    },
    /** Resolves when everything noted so far is learnt, or when that takes too long to wait for. */
    async settled(): Promise<void> {
      if (!running) return;
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resume) => {
        timer = setTimeout(resume, PATIENCE_MS);
      });
      await Promise.race([running, enough]);
      clearTimeout(timer);
    },
    async close(): Promise<void> {
      closed = true;
      waiting.clear();
      await running;
    },
  };
}

const recordOf = (change: Change) => (change.op === 'change' ? change.after : change.record);

function teaches(change: Change): boolean {
  const record = recordOf(change);
  if (change.op === 'change' && change.before.kind === 'label' && change.after.kind === 'label') {
    return change.before.element !== change.after.element;
  }
  return record.kind === 'box' ? record.role === 'target' : record.kind !== 'subtask' && record.kind !== 'goal';
}

function touchesBox(changes: readonly Change[], action: string): boolean {
  return changes.some((change) => recordOf(change).id === boxId(action, 'target'));
}

function touchesLabel(changes: readonly Change[], action: string): boolean {
  return changes.some((change) => recordOf(change).id === labelId(action));
}
