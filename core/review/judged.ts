import type { StepError } from '../../schemas/review.ts';
import type { ErrorId } from '../../schemas/step-errors.ts';

/**
 * The sum of the judgements of a step, for filters and exports. Each question is decided by the majority of those who
 * answered it; a tie settles nothing, and nothing is made of it (J1).
 */

/** One person's judgement of a step. */
export type StepJudgement = {
  action: string;
  grounded: boolean | null;
  error: StepError | null;
  /** Whether it could have been left out; absent in judgements from before it was asked. */
  redundant?: boolean | null | undefined;
};

/** Null: nobody said, or they do not agree. */
export type JudgedStep = {
  /** How many people judged it. */
  judges: number;
  grounded: boolean | null;
  /** Whether it is an error. */
  wrong: boolean | null;
  /** The kind of an error, and whether a later step makes it good. */
  error: ErrorId | null;
  recoverable: boolean | null;
  redundant: boolean | null;
};

/** Whether an act says nothing at all: it takes back what was said before. */
export const isEmptyJudgement = (said: Omit<StepJudgement, 'action'> & { comment: string }): boolean =>
  !hasSay(said) && said.comment === '';

/** By action; what nobody judged is not in it. Who left a comment alone has no say. */
export function judgedSteps(judgements: Iterable<StepJudgement>): Map<string, JudgedStep> {
  const steps = new Map<string, JudgedStep>();
  for (const [action, said] of Map.groupBy(judgements, (one) => one.action)) {
    const judges = said.filter(hasSay);
    if (judges.length > 0) steps.set(action, judgedStep(judges));
  }
  return steps;
}

const hasSay = ({ grounded, error, redundant }: Omit<StepJudgement, 'action'>): boolean =>
  grounded !== null || error !== null || (redundant ?? null) !== null;

function judgedStep(judges: readonly StepJudgement[]): JudgedStep {
  const errors = judges.flatMap(({ error }) => error ?? []);
  // The agreement of judges reads it so, too: who said that it was grounded or not, and named no error, said that there is
  // none.
  const said = judges.flatMap(({ grounded, error }) => (error !== null ? true : grounded !== null ? false : []));
  const wrong = majority(said);
  return {
    judges: judges.length,
    grounded: majority(judges.flatMap(({ grounded }) => grounded ?? [])),
    wrong,
    error: wrong === true ? majority(errors.map(errorId)) : null,
    recoverable: wrong === true ? majority(errors.map(({ recoverable }) => recoverable)) : null,
    redundant: majority(judges.flatMap(({ redundant }) => redundant ?? [])),
  };
}

/** NaturalGAIA's five kinds; an execution error of which nobody said more is an operational one, as in the agreement. */
const errorId = ({ kind, execution }: StepError): ErrorId =>
  kind === 'execution' ? (execution ?? 'operational') : kind;

/** The value that most gave; null when none did, or two values are as frequent. */
function majority<T>(values: readonly T[]): T | null {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, of]) => ({ value, count: of.length }));
  counts.sort((a, b) => b.count - a.count);
  const [first, second] = counts;
  return first === undefined || first.count === second?.count ? null : first.value;
}

/**
 * Whether the step did the right thing: an error did not; a grounded step without one did. A step that was not grounded and
 * in which nobody found an error is neither.
 */
export function isCorrect({ wrong, grounded }: JudgedStep): boolean | null {
  if (wrong === true) return false;
  return wrong === false && grounded === true ? true : null;
}

/** The sum of a recording's judgements, of its kept steps alone. */
export type JudgedFigures = {
  /** Steps that somebody judged. */
  steps: number;
  grounded: number;
  ungrounded: number;
  /** Steps that are an error, by its kind; one on whose kind judges do not agree stands in `wrong` alone. */
  errors: Partial<Record<ErrorId, number>>;
  wrong: number;
  /** Errors that no later step makes good. */
  unrecoverable: number;
  redundant: number;
};

/** Null when nobody judged one of these steps. */
export function judgedFigures(
  judged: ReadonlyMap<string, JudgedStep>,
  kept: Iterable<{ id: string }>,
): JudgedFigures | null {
  const figures: JudgedFigures = {
    steps: 0,
    grounded: 0,
    ungrounded: 0,
    errors: {},
    wrong: 0,
    unrecoverable: 0,
    redundant: 0,
  };
  for (const { id } of kept) {
    const one = judged.get(id);
    if (!one) continue;
    figures.steps++;
    if (one.grounded === true) figures.grounded++;
    if (one.grounded === false) figures.ungrounded++;
    if (one.redundant === true) figures.redundant++;
    if (one.wrong !== true) continue;
    figures.wrong++;
    if (one.recoverable !== true) figures.unrecoverable++;
    if (one.error !== null) figures.errors[one.error] = (figures.errors[one.error] ?? 0) + 1;
  }
  return figures.steps === 0 ? null : figures;
}
