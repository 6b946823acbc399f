import { useCommentKeys } from '../comments/use-comment-keys.ts';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { useActions } from '../workbench/context.ts';
import { useWork, useWorkStore } from '../workbench/store.ts';
import { useEditKeys, useViewKeys } from '../workbench/use-keys.ts';
import { useReviewing } from './context.ts';
import { ERRORS } from './judging.ts';

/** The keys of the review page: those of annotating, to fix in place, and the reviewer's own over them. */
export function useReviewKeys(): void {
  const store = useWorkStore();
  const actions = useActions();
  const { reviewing, judging: judge } = useReviewing();
  const judging = useWork((state) => state.judging);

  useViewKeys({
    // While a trajectory is judged only steps are walked.
    by: (n) => (store.getState().judging ? actions.goBy(n) : reviewing.goBy(n)),
    extend: (n) => actions.goBy(n, { extend: true }),
    end: (which) => {
      if (store.getState().judging) actions.go(which === 'first' ? 0 : store.getState().doc.steps.length - 1);
      else reviewing.goToEnd(which);
    },
  });
  useEditKeys(!judging);
  useCommentKeys();
  const off = { enabled: !judging };
  useHandlers('annotate.edit.review', {
    'review.accept': { run: () => reviewing.accept(), ...off },
    'review.next': { run: () => reviewing.goToUndecided(), ...off },
    'review.reject': { run: () => reviewing.askReason(), ...off },
    'review.takeBack': { run: () => reviewing.takeBack(), ...off },
    'review.element': { run: () => reviewing.lookAt('element'), ...off },
    'review.box': { run: () => reviewing.lookAt('box'), ...off },
    'review.narration': { run: () => reviewing.lookAt('narration'), ...off },
    'review.text': { run: () => reviewing.lookAt('text'), ...off },
    'review.removal': { run: () => reviewing.lookAt('removal'), ...off },
    'review.edge': { run: () => reviewing.lookAtSubtask('edge'), ...off },
    'review.title': { run: () => reviewing.lookAtSubtask('title'), ...off },
    'review.verdict': { run: () => reviewing.toggleVerdict(), ...off },
    'review.release': { run: () => reviewing.release(), ...off },
  });
  useHandlers('annotate', { 'judge.toggle': () => judge.toggle() });
  const on = { enabled: judging };
  const errors = Object.fromEntries(ERRORS.map(({ id }) => [`judge.${id}`, { run: () => judge.err(id), ...on }]));
  useHandlers('annotate.judge', {
    ...errors,
    'judge.accept': { run: () => judge.accept(), ...on },
    'judge.next': { run: () => judge.next(), ...on },
    'judge.grounded': { run: () => judge.ground(true), ...on },
    'judge.notGrounded': { run: () => judge.ground(false), ...on },
    'judge.recoverable': { run: () => judge.toggleRecoverable(), ...on },
    'judge.redundant': { run: () => judge.toggleRedundant(), ...on },
    'judge.takeBack': { run: () => judge.takeBack(), ...on },
  });
}
