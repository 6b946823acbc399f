import type { PlanTruth } from '../../schemas/questions.ts';
import { readComment, readScore } from './answers.ts';
import { fillPrompt } from './prompts.ts';

/** The critic (M16): asked about one plan, it answers `[comment]: …` and `[score]: x` (videogui.txt 3.2, table 28). */

export function criticPrompt(template: string, truth: PlanTruth, prediction: string, software: string): string {
  const steps = truth.steps.map((step, i) => `${i + 1}. ${step}`).join('\n');
  return fillPrompt(template, { truth: steps, prediction: prediction.trim(), software });
}

/** Null when no score from 0 to 5 stands in it: ask once more. */
export function readCritic(answer: string): { score: number; comment: string } | null {
  const score = readScore(answer);
  return score === null ? null : { score, comment: readComment(answer) };
}
