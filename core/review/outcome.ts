import type { Judgement } from '../../schemas/api/review-models.ts';
import type { ReviewActOf, ReviewEvent } from '../../schemas/review.ts';
import { isCorrect, type JudgedStep, judgedSteps } from './judged.ts';
import { foldJudgement } from './project.ts';

/** Whether a task came out, by the word of people who reviewed. */

/** Reasons of a rejection that speak of what was done; the others are of its annotation, and say nothing of the outcome. */
const OF_THE_DOING: ReadonlySet<string> = new Set(['missing-step', 'other']);

/** It was rejected for what was done. */
export const rejectsTheDoing = ({ verdict, reasons }: Pick<ReviewActOf<'verdict'>, 'verdict' | 'reasons'>): boolean =>
  verdict === 'reject' && (reasons.length === 0 || reasons.some((reason) => OF_THE_DOING.has(reason)));

const isBeyondRepair = ({ wrong, recoverable }: Pick<JudgedStep, 'wrong' | 'recoverable'>): boolean =>
  wrong === true && recoverable === false;

/**
 * A recording that they approved came out; one that they rejected for what was done, or judged wrong beyond repair, did not. Both where reviews
 * contradict each other; nothing where nobody said anything of it.
 */
export function outcomesSaid({
  approved,
  rejected,
  steps,
}: {
  approved: boolean;
  /** The last verdict on it, for what was done. */
  rejected: boolean;
  /** Its steps, with the judgements of them that are settled. */
  steps: Iterable<JudgedStep>;
}): boolean[] {
  const said = approved ? [true] : rejected ? [false] : [];
  return [...steps].some(isBeyondRepair) ? [...said, false] : said;
}

/** One person's word on a recording. */
export type PersonSaid = {
  /** Their id, by which their words are put together: no export has it. */
  person: string;
  /** Whether it came out; null: they did not say, or said both. */
  good: boolean | null;
  /** Beside their verdict. */
  comment: string;
  /** Steps that they judged or commented on. `right` is null where they say neither. */
  steps: readonly { action: string; judged: boolean; right: boolean | null; comment: string }[];
};

/** Read from a recording's log, by person. A reopened recording is judged as a whole anew. */
export function peopleSaid(events: readonly Pick<ReviewEvent, 'person' | 'at' | 'act'>[]): PersonSaid[] {
  const verdicts = new Map<string, ReviewActOf<'verdict'>>();
  const judgements = new Map<string, Judgement>();
  for (const { person, at, act } of events) {
    if (act.type === 'reopen') verdicts.clear();
    if (act.type === 'verdict') verdicts.set(person, act);
    if (act.type === 'judge') foldJudgement(judgements, act, { person, at });
  }
  const byPerson = Map.groupBy(judgements.values(), ({ person }) => person);
  const people = [...new Set([...verdicts.keys(), ...byPerson.keys()])].sort();
  return people.map((person): PersonSaid => {
    const verdict = verdicts.get(person);
    const own = byPerson.get(person) ?? [];
    const judged = judgedSteps(own);
    const outcomes = outcomesSaid({
      approved: verdict?.verdict === 'approve',
      rejected: verdict !== undefined && rejectsTheDoing(verdict),
      steps: judged.values(),
    });
    const [good = null] = outcomes;
    return {
      person,
      good: outcomes.every((one) => one === good) ? good : null,
      comment: verdict?.comment ?? '',
      steps: own.map(({ action, comment }) => {
        const step = judged.get(action);
        return { action, judged: step !== undefined, right: step ? isCorrect(step) : null, comment };
      }),
    };
  });
}
