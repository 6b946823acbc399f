import { takeDraft } from '../../../core/annotate/drafted.ts';
import { english, tr } from '../../language/tr.ts';
import { openDrafts } from '../drafts.ts';
import type { Gestures } from './gestures.ts';

type Dependencies = {
  gestures: Gestures;
  newId: () => string;
  /** Keeps that a draft is refused, or no longer. */
  askReject: (draft: string, rejected: boolean) => Promise<unknown>;
};

/** Drafts of models at the fields: taken, refused, put back. Without an id: the first one that waits at the step in hand. */
export function makeDraftActs({ gestures, newId, askReject }: Dependencies) {
  const { gesture, records, mayWrite, say, sayHere, settle, stepNow } = gestures;
  const { getState: get, setState: set } = gestures.store;

  function inHand(id: string | undefined) {
    // Words that are half typed into its field are an answer of their own.
    settle();
    const { drafts } = get();
    const found =
      id === undefined ? openDrafts(get(), stepNow()?.step.id ?? '')[0] : drafts.find((one) => one.id === id);
    if (!found) sayHere(tr('No draft waits at this step.'));
    return found;
  }

  function takeModelDraft(id?: string): void {
    const draft = inHand(id);
    if (!draft) return;
    const { steps } = get().opened;
    gesture(english('Take draft'), () => takeDraft(records(), steps, draft, newId()));
  }

  function answer(id: string, rejected: boolean): void {
    const mark = (state: 'rejected' | 'open'): void =>
      set(({ drafts }) => ({ drafts: drafts.map((one) => (one.id === id ? { ...one, state } : one)) }));
    mark(rejected ? 'rejected' : 'open');
    set(({ refused }) => {
      const next = new Set(refused);
      if (rejected) next.add(id);
      else next.delete(id);
      return { refused: next };
    });
    askReject(id, rejected).catch((error: unknown) => {
      mark(rejected ? 'open' : 'rejected');
      const message = error instanceof Error ? error.message : String(error);
      say(tr('The answer to the draft was not stored. {message}', { message }));
    });
  }

  function refuseModelDraft(id?: string): void {
    const draft = inHand(id);
    if (draft && mayWrite()) answer(draft.id, true);
  }

  function putBackModelDraft(id: string): void {
    if (mayWrite()) answer(id, false);
  }

  return { takeModelDraft, refuseModelDraft, putBackModelDraft };
}
