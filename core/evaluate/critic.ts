import type { PlanTruth } from '../../schemas/questions.ts';
import { readComment, readScore } from './answers.ts';
import { fillPrompt } from './prompts.ts';
import { answerPart } from './reading/answer-part.ts';

/** The critic (M16): asked about one plan, it answers `[comment]: …` and `[score]: x` (videogui.txt 3.2, table 28). */

export function criticPrompt(template: string, truth: PlanTruth, prediction: string, software: string): string {
  const steps = truth.steps.map((step, i) => `${i + 1}. ${step}`).join('\n');
  return fillPrompt(template, { truth: steps, prediction: prediction.trim(), software });
}

/** Null when no whole number from 0 to 5 stands in it, as table 28 asks for ("must be an integer"): ask once more. */
export function readCritic(answer: string): { score: number; comment: string } | null {
  const said = answerPart(answer);
  const score = readScore(said);
  return score === null || !Number.isInteger(score) ? null : { score, comment: readComment(said) };
}
