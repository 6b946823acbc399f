import type { EvaluateOptions } from '../../schemas/evaluate.ts';

/** The choices of the page's dialog; every other keeps the studio's default. Plain data: the schemas stay in the studio. */
export type PageOptions = Pick<
  EvaluateOptions,
  'threshold' | 'comparator' | 'missingDist' | 'boxRecall' | 'keysReading' | 'planScore'
>;

/** The defaults (choices.test.ts), but for the plans: without a judge step F1 stands in the place of its score. */
export const PAGE_OPTIONS: PageOptions = {
  threshold: 100,
  comparator: '<=',
  missingDist: 'skip',
  boxRecall: 'corners',
  keysReading: 'contained',
  planScore: 'stepF1',
};
