import type { EvaluateOptions } from '../../schemas/evaluate.ts';
import type { ScenarioOutcome, ScenarioTruth } from '../../schemas/questions.ts';

/** ScenDroid (M25): scendroid.txt 3.4, equations 1 to 3. */

export type ScenarioCase = { truth: ScenarioTruth; outcome: ScenarioOutcome | null };
type Choices = Pick<EvaluateOptions, 'clarificationCost' | 'passScore' | 'scenarioMean'>;

/** s / (1 + η c): what a success is worth after c questions. */
export function clarificationAdjusted(success: number, questions: number, cost: number): number {
  return success / (1 + cost * questions);
}

/** s_i: 1 when its graded score is a pass. */
export function passed(outcome: ScenarioOutcome | null, { passScore }: Pick<Choices, 'passScore'>): 0 | 1 {
  return outcome !== null && outcome.score >= passScore ? 1 : 0;
}

type ScenarioSummary = {
  n: number;
  sr: number | null;
  /** Mean over the tasks that say it. */
  steps: number | null;
  stepsN: number;
  cas: number | null;
  /** Mean of the graded scores. */
  final: number | null;
};

/**
 * A task without an outcome failed; it took no part in the steps. Rates over several scenarios are the mean of their own
 * rates (tables 3 and 7); steps are a mean over tasks (equation 2, table 6).
 */
export function summarizeScenario(cases: readonly ScenarioCase[], choices: Choices): ScenarioSummary {
  const groups =
    choices.scenarioMean === 'scenarios' ? [...Map.groupBy(cases, ({ truth }) => truth.scenario).values()] : [cases];
  const mean = (of: (one: ScenarioCase) => number) =>
    cases.length === 0
      ? null
      : groups.reduce((all, group) => all + group.reduce((sum, one) => sum + of(one), 0) / group.length, 0) /
        groups.length;
  const steps = cases.flatMap(({ outcome }) => (outcome?.steps === undefined ? [] : [outcome.steps]));
  return {
    n: cases.length,
    sr: mean(({ outcome }) => passed(outcome, choices)),
    steps: steps.length === 0 ? null : steps.reduce((sum, one) => sum + one, 0) / steps.length,
    stepsN: steps.length,
    cas: mean(({ outcome }) =>
      clarificationAdjusted(passed(outcome, choices), outcome?.clarifications ?? 0, choices.clarificationCost),
    ),
    final: mean(({ outcome }) => outcome?.score ?? 0),
  };
}
