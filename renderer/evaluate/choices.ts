import type { EvaluateOptions } from '../../schemas/evaluate.ts';

/** The choices of the page's dialog; every other keeps the studio's default. Plain data: the schemas stay in the studio. */
export type PageOptions = Pick<
  EvaluateOptions,
  | 'answerForms'
  | 'coordinates'
  | 'threshold'
  | 'comparator'
  | 'missingDist'
  | 'boxRecall'
  | 'markPlace'
  | 'keysReading'
  | 'planScore'
  | 'difficulty'
  | 'matcrMean'
  | 'passAttempts'
  | 'positionWeight'
  | 'benchmark'
  | 'scenarioMean'
  | 'passScore'
  | 'clarificationCost'
>;

/** The defaults (choices.test.ts), but for the plans: without a critic step F1 is in the place of its score. */
export const PAGE_OPTIONS: PageOptions = {
  answerForms: 'any',
  coordinates: 'guess',
  threshold: 100,
  comparator: '<=',
  missingDist: 'skip',
  boxRecall: 'corners',
  markPlace: 'centre',
  keysReading: 'contained',
  planScore: 'stepF1',
  difficulty: 'product',
  matcrMean: 'tasks',
  passAttempts: 4,
  positionWeight: 'i',
  benchmark: 'task',
  scenarioMean: 'scenarios',
  passScore: 0.99,
  clarificationCost: 0.5,
};
