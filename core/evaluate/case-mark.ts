import type { ScoredCase } from '../../schemas/evaluate.ts';

/** The score of a case that its table counts (M17, M19), in the order of preference. */
const MAIN = new Map<string, readonly [score: string, full: number][]>(
  Object.entries({
    click: [['recall', 1]],
    drag: [['recall', 1]],
    scroll: [['accuracy', 1]],
    keys: [['precision', 1]],
    // A critic's 0 to 5 where one was asked.
    mid: [
      ['score', 5],
      ['stepF1', 1],
    ],
    high: [
      ['score', 5],
      ['stepF1', 1],
    ],
    trajectory: [['success', 1]],
    scenario: [['success', 1]],
  }),
);

/** One number for a case, 0 to 1, to sort and filter by; null where nothing was counted. */
export function caseMark({ kind, scores }: Pick<ScoredCase, 'kind' | 'scores'>): number | null {
  for (const [score, full] of MAIN.get(kind) ?? []) {
    const value = scores[score];
    if (value !== undefined && value !== null) return value / full;
  }
  return null;
}
