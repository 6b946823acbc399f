import type { EvaluateOptions, Metric } from '../../schemas/evaluate.ts';
import { type PixelPair, scoreClick, scoreDrag } from './position.ts';
import { type Random, randomFrom, seedOf } from './random.ts';
import type { Case } from './score-case.ts';

/** The score of random answers to the same questions: the first row of table 5 (M30). */

/** Sums by metric; a share from 0 to 1 each. */
export type Chance = Map<string, { n: number; sum: number }>;

/** Guesses at one question, each anywhere in its picture; their mean is what it adds. */
const GUESSES = 16;
const LETTERS = 3;

/** Adds a question. Keys and plans have no chance that is worth a number: the paper's row leaves them empty. */
export function addChance(chance: Chance, { id, truth }: Case, options: EvaluateOptions): void {
  const add = (metric: string, value: number): void => {
    const known = chance.get(metric) ?? { n: 0, sum: 0 };
    known.n++;
    known.sum += value;
    chance.set(metric, known);
  };
  if (truth.kind === 'scroll') add('scroll.accuracy', 1 / LETTERS);
  if (truth.kind === 'keys') add('keys.precision', 0);
  if (truth.kind !== 'click' && truth.kind !== 'drag') return;
  const random = randomFrom(seedOf(id, options.seed));
  let [dist, recall] = [0, 0];
  for (let i = 0; i < GUESSES; i++) {
    const score =
      truth.kind === 'click'
        ? scoreClick(truth, anywhere(truth, random), options)
        : scoreDrag(truth, [anywhere(truth, random), anywhere(truth, random)], options);
    dist += (score.dist ?? 0) / GUESSES;
    recall += score.recall / GUESSES;
  }
  add(`${truth.kind}.dist`, dist);
  add(`${truth.kind}.recall`, recall);
}

const anywhere = ({ width, height }: { width: number; height: number }, random: Random): PixelPair => [
  random() * width,
  random() * height,
];

const PARTS = ['click.recall', 'drag.recall', 'keys.precision', 'scroll.accuracy'];

/** The row's metrics; the full score (M17) is of the kinds that were asked, keys counting 0. Empty without actions. */
export function chanceMetrics(chance: Chance): Metric[] {
  const percent = (metric: string, value: number, n: number): Metric => ({
    metric,
    value: 100 * value,
    unit: '%',
    n,
    interval: null,
  });
  const metrics = [...chance].flatMap(([metric, { n, sum }]) =>
    metric === 'keys.precision' ? [] : [percent(metric, sum / n, n)],
  );
  const parts = PARTS.flatMap((part) => chance.get(part) ?? []);
  if (parts.length === 0) return [];
  const n = parts.reduce((all, part) => all + part.n, 0);
  const full = parts.reduce((all, part) => all + part.sum / part.n, 0) / parts.length;
  return [...metrics, percent('action.full', full, n)];
}
