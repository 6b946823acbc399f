import { useActions, useTools } from '../annotate/context.ts';
import { useWork, useWorkStore } from '../annotate/store.ts';
import { useEditKeys, useViewKeys } from '../annotate/use-keys.ts';
import { useHandlers } from '../app/keys/use-commands.ts';
import { ERRORS } from './judging.ts';
import { useCommentKeys } from './use-comment-keys.ts';

/** What the keys of the review page do: those of annotating to fix in place, and the reviewer's own over them. */
export function useReviewKeys(): void {
  const store = useWorkStore();
  const actions = useActions();
  const { review } = useTools();
  const judging = useWork((state) => state.judging);
  const reviewing = review?.reviewing;
  const judge = review?.judging;

  useViewKeys({
    // While a trajectory is judged only steps are walked.
    by: (n) => (store.getState().judging ? actions.goBy(n) : reviewing?.goBy(n)),
    extend: (n) => actions.goBy(n, { extend: true }),
    end: (which) => {
      if (store.getState().judging) actions.go(which === 'first' ? 0 : store.getState().doc.steps.length - 1);
      else reviewing?.goToEnd(which);
    },
  });
  useEditKeys(!judging);
  useCommentKeys();
  const off = { enabled: !judging };
  useHandlers('annotate.edit.review', {
    'review.accept': { run: () => reviewing?.accept(), ...off },
    'review.next': { run: () => reviewing?.goToUndecided(), ...off },
    'review.reject': { run: () => reviewing?.askReason(), ...off },
    'review.takeBack': { run: () => reviewing?.takeBack(), ...off },
    'review.element': { run: () => reviewing?.lookAt('element'), ...off },
    'review.box': { run: () => reviewing?.lookAt('box'), ...off },
    'review.narration': { run: () => reviewing?.lookAt('narration'), ...off },
    'review.text': { run: () => reviewing?.lookAt('text'), ...off },
    'review.removal': { run: () => reviewing?.lookAt('removal'), ...off },
    'review.edge': { run: () => reviewing?.lookAtSubtask('edge'), ...off },
    'review.title': { run: () => reviewing?.lookAtSubtask('title'), ...off },
    'review.verdict': { run: () => reviewing?.toggleVerdict(), ...off },
    'review.release': { run: () => reviewing?.release(), ...off },
  });
  useHandlers('annotate', { 'judge.toggle': () => judge?.toggle() });
  const on = { enabled: judging };
  const errors = Object.fromEntries(ERRORS.map(({ id }) => [`judge.${id}`, { run: () => judge?.err(id), ...on }]));
  useHandlers('annotate.judge', {
    ...errors,
    'judge.accept': { run: () => judge?.accept(), ...on },
    'judge.next': { run: () => judge?.next(), ...on },
    'judge.grounded': { run: () => judge?.ground(true), ...on },
    'judge.notGrounded': { run: () => judge?.ground(false), ...on },
    'judge.recoverable': { run: () => judge?.toggleRecoverable(), ...on },
    'judge.takeBack': { run: () => judge?.takeBack(), ...on },
  });
}
