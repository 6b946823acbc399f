import type { Change, Proposal } from '../../schemas/annotation.ts';
import { makeBoxActs } from './acts/boxes.ts';
import { makeDraftActs } from './acts/drafts.ts';
import { makeGestures } from './acts/gestures.ts';
import { makeKeyframeActs } from './acts/keyframes.ts';
import { makeMoving } from './acts/moving.ts';
import { makeProposing } from './acts/proposing.ts';
import { makeStepActs } from './acts/steps.ts';
import { makeSubtaskActs } from './acts/subtasks.ts';
import { makeWordActs } from './acts/words.ts';
import type { Sync } from './document/sync.ts';
import type { WorkState, WorkStore } from './store.ts';

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
  askReject: (draft: string, rejected: boolean) => Promise<unknown>;
  autoAdvance: () => boolean;
};

export function makeActions(given: Dependencies) {
  const { store, sync, newId, now, askProposals, askGrow, askReject, autoAdvance } = given;
  const gestures = makeGestures({ store, sync });
  const { say, sayHere, dismiss, settle, settleBox, whenSettling, gesture } = gestures;
  const { advance, ...moving } = makeMoving({ gestures, sync, now, autoAdvance });
  return {
    say,
    sayHere,
    dismiss,
    settle,
    settleBox,
    whenSettling,
    /** Any other gesture, under its name in the history. */
    gesture: (label: string, build: () => Change[]) => gesture(label, build),
    ...moving,
    ...makeStepActs({ gestures, go: moving.go, advance, now, autoAdvance }),
    ...makeWordActs(gestures),
    ...makeBoxActs({ gestures, askGrow }),
    ...makeSubtaskActs({ gestures, newId }),
    ...makeKeyframeActs(gestures),
    ...makeDraftActs({ gestures, newId, askReject }),
    ...makeProposing({ gestures, sync, askProposals }),
    retry: sync.retry,
    leaveOut: sync.leaveOut,
    update: (next: Partial<WorkState>) => store.setState(next),
  };
}
