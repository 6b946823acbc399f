import type { Judgement } from '../../schemas/api/review-models.ts';
import type { StepError } from '../../schemas/review.ts';
import { tr } from '../language/tr.ts';
import type { Actions } from '../workbench/actions.ts';
import type { ReviewSync } from '../workbench/log/sync.ts';
import type { WorkState, WorkStore } from '../workbench/store.ts';

/** The kinds of error, by one key each. Source of the terms: NaturalGAIA, appendix D (execution is split in three). */
export const ERRORS = [
  { id: 'planning', key: '1', label: tr('Planning'), error: { kind: 'planning', execution: null } },
  { id: 'structural', key: '2', label: tr('Structural'), error: { kind: 'structural', execution: null } },
  {
    id: 'operational',
    key: '3',
    label: tr('Execution: operational'),
    error: { kind: 'execution', execution: 'operational' },
  },
  {
    id: 'knowledge',
    key: '4',
    label: tr('Execution: knowledge'),
    error: { kind: 'execution', execution: 'knowledge' },
  },
  {
    id: 'perceptual',
    key: '5',
    label: tr('Execution: perceptual'),
    error: { kind: 'execution', execution: 'perceptual' },
  },
] as const satisfies readonly {
  id: string;
  key: string;
  label: string;
  error: Pick<StepError, 'kind' | 'execution'>;
}[];
type ErrorId = (typeof ERRORS)[number]['id'];

export const errorIdOf = (error: StepError | null): ErrorId | null =>
  ERRORS.find((one) => one.error.kind === error?.kind && one.error.execution === error.execution)?.id ?? null;

/** Judging a trajectory: of each step whether the screen warranted it, and what kind of error it was, if one. */
export type Judging = ReturnType<typeof makeJudging>;

export function makeJudging({ store, sync, actions }: { store: WorkStore; sync: ReviewSync; actions: Actions }) {
  const { getState: get, setState: set } = store;

  function mine(): Judgement | null {
    return judgementOf(get(), get().at);
  }

  function judge(change: Partial<Pick<Judgement, 'grounded' | 'error' | 'redundant' | 'comment'>>): void {
    const { doc, at, review } = get();
    const action = doc.steps[at]?.step.id;
    if (!action || !review) return;
    if (review.view.may.judge !== null) {
      actions.say(review.view.may.judge, 'info');
      return;
    }
    const { grounded = null, error = null, redundant = null, comment = '' } = mine() ?? {};
    sync.act({ type: 'judge', action, grounded, error, redundant, comment, ...change });
  }

  function next(): void {
    const { doc, at } = get();
    for (let n = 1; n <= doc.steps.length; n++) {
      const to = (at + n) % doc.steps.length;
      if (judgementOf(get(), to) === null) {
        actions.go(to);
        return;
      }
    }
    actions.say(tr('Every step is judged.'), 'info');
  }

  return {
    /** Enter: a step that is not judged is grounded and without error; then the next one that is not judged. */
    accept(): void {
      if (mine() === null) judge({ grounded: true, error: null });
      next();
    },
    next,
    ground: (grounded: boolean) => judge({ grounded }),
    /** The same error again takes it away. */
    err(id: ErrorId): void {
      const { error } = ERRORS.find((one) => one.id === id)!;
      const now = mine()?.error ?? null;
      const same = errorIdOf(now) === id;
      judge({ error: same ? null : { ...error, recoverable: now?.recoverable ?? false } });
    },
    toggleRecoverable(): void {
      const error = mine()?.error;
      if (error) judge({ error: { ...error, recoverable: !error.recoverable } });
      else actions.say(tr('Say first which error it was (1 to 5).'), 'info');
    },
    /** Redundant, then not said again: a step of which nobody says it is taken as needed. */
    toggleRedundant: () => judge({ redundant: mine()?.redundant === true ? null : true }),
    comment: (comment: string) => judge({ comment }),
    takeBack(): void {
      if (mine()) judge({ grounded: null, error: null, redundant: null, comment: '' });
      else actions.say(tr('This step is not judged.'), 'info');
    },
    toggle(): void {
      if (get().review === null) actions.say(tr('Choose your name first (Alt+P).'), 'info');
      else set(({ judging }) => ({ judging: !judging, stop: null, aspect: null, mode: { kind: 'idle' } }));
    },
  };
}

/** This person's judgement of a step; null when they gave none. */
export function judgementOf(
  { review, person, doc }: Pick<WorkState, 'review' | 'person' | 'doc'>,
  at: number,
): Judgement | null {
  const action = doc.steps[at]?.step.id;
  return review?.view.judgements.find((one) => one.action === action && one.person === person) ?? null;
}
