import type { CaseNote, EvaluateOptions, ScoredCase } from '../../schemas/evaluate.ts';
import type { Prediction, Question, Truth } from '../../schemas/questions.ts';
import { readClick, readDrag, readOption, readSteps } from './answers.ts';
import { readKeys, scoreKeys } from './keys/score.ts';
import { scorePlan } from './plan.ts';
import { scoreClick, scoreDrag } from './position.ts';
import { chosenOption, goldLetter, scoreScroll } from './scroll.ts';

/** One question with its truth. */
export type Case = Question & { truth: Truth };
type Answer = Prediction['prediction'];
type Outcome = Pick<ScoredCase, 'reading' | 'scores' | 'why' | 'notes'>;

/**
 * The score of one prediction. `undefined`: there is none (M5). Plans get what can be said without a model (M13 to M15);
 * a critic's score is added by `withCritic`.
 */
export function scoreCase(of: Case, prediction: Answer | undefined, options: EvaluateOptions): ScoredCase {
  const answer = prediction ?? null;
  const outcome = scoreAnswer(of.truth, answer, options);
  const notes: CaseNote[] = answer === null ? ['missing'] : outcome.notes;
  const why = answer === null ? 'There is no prediction.' : outcome.why;
  const { id, kind, query, software, task, actions, difficulty, prompt, images, truth } = of;
  return {
    ...{ id, kind, query, software, task, actions, difficulty, prompt: prompt || null, images, truth },
    ...{ prediction: answer, ...outcome, why, notes },
  };
}

function scoreAnswer(truth: Truth, answer: Answer, options: EvaluateOptions): Outcome {
  switch (truth.kind) {
    case 'click': {
      const place = readClick(answer);
      const { pixels, dist, recall } = scoreClick(truth, place, options);
      return {
        reading: place,
        scores: { dist, recall },
        why: place ? distanceText(pixels!, recall, options) : 'It names no position [x, y].',
        notes: place ? [] : ['unreadable'],
      };
    }
    case 'drag': {
      const places = readDrag(answer);
      const { start, end, dist, recall } = scoreDrag(truth, places, options);
      return {
        reading: places,
        scores: { dist, recall, startDist: start.dist, endDist: end.dist },
        why: places
          ? `Start: ${distanceText(start.pixels!, start.recall, options)} End: ${distanceText(end.pixels!, end.recall, options)}`
          : 'It names no two positions [x1, y1] -> [x2, y2].',
        notes: places ? [] : ['unreadable'],
      };
    }
    case 'scroll': {
      const letter = readOption(answer);
      const gold = goldLetter(truth);
      return {
        reading: letter && { letter, answer: chosenOption(truth.order, letter) },
        scores: { accuracy: scoreScroll(truth, letter) },
        why: letter
          ? `It chose ${letter} (${chosenOption(truth.order, letter)}); ${gold} (${truth.answer}) is right.`
          : 'It chooses no single option [A], [B] or [C].',
        notes: letter ? [] : ['unreadable'],
      };
    }
    case 'keys':
      return keysOutcome(truth.keys, answer, options);
    default: {
      const steps = readSteps(answer);
      const { stepF1, order, matches } = scorePlan(truth.steps, steps ?? []);
      return {
        reading: steps && { steps, matches },
        scores: { stepF1, order: steps ? order : null },
        why: steps
          ? `${matches.length} of ${truth.steps.length} steps have a counterpart among ${steps.length}.`
          : 'It holds no steps.',
        notes: steps ? [] : ['unreadable'],
      };
    }
  }
}

function keysOutcome(truth: readonly string[], answer: Answer, options: EvaluateOptions): Outcome {
  const read = readKeys(answer, options);
  if (read.kind !== 'keys') {
    const what = read.kind === 'refused' ? 'It was refused, not run' : 'It could not be read';
    return { reading: null, scores: { recall: 0, precision: 0 }, why: `${what}: ${read.why}.`, notes: [read.kind] };
  }
  const scores = scoreKeys(truth, read.keys, options.keysReading);
  const notes: CaseNote[] = [];
  const parts = [`It presses ${read.keys.length} keys, the truth has ${truth.length}.`];
  if (read.ignored.length > 0) {
    notes.push('ignored-keys');
    parts.push(`The library knows no key ${[...new Set(read.ignored)].slice(0, 5).map(quoted).join(', ')}.`);
  }
  if (read.error !== null) {
    notes.push('stopped');
    parts.push(`It stops with ${read.error}.`);
  }
  return { reading: { keys: read.keys, ignored: read.ignored }, scores: { ...scores }, why: parts.join(' '), notes };
}

/** A plan's case with what the critic said: 0 to 5; null when its answer could not be read twice (M16). */
export function withCritic(
  scored: ScoredCase,
  critic: { score: number | null; comment: string },
  { unreadableCritic }: Pick<EvaluateOptions, 'unreadableCritic'>,
): ScoredCase {
  if (critic.score !== null) {
    return { ...scored, scores: { ...scored.scores, score: critic.score }, why: critic.comment || scored.why };
  }
  return {
    ...scored,
    scores: { ...scored.scores, score: unreadableCritic === 'zero' ? 0 : null },
    why: "The critic's answer could not be read, twice.",
    notes: [...scored.notes, 'critic-unreadable'],
  };
}

const quoted = (key: string): string => JSON.stringify(key);

function distanceText(pixels: number, recall: 0 | 1, { threshold, comparator }: EvaluateOptions): string {
  return `${pixels.toFixed(1)} px off, ${recall === 1 ? 'a hit' : 'no hit'} (${comparator} ${threshold} px).`;
}
