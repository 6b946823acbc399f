import type { CaseNote, EvaluateOptions, ScoredCase } from '../../schemas/evaluate.ts';
import type { Prediction, Question, Truth } from '../../schemas/questions.ts';
import { markPlace } from './aids.ts';
import { readClick, readDrag, readMark, readMarks, readOption, readSteps } from './answers.ts';
import { readKeys, scoreKeys } from './keys/score.ts';
import { scorePlan } from './plan.ts';
import { type Place, scoreClick, scoreDrag } from './position.ts';
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
  const outcome = scoreAnswer(of, answer, options);
  const notes: CaseNote[] = answer === null ? ['missing'] : outcome.notes;
  const why = answer === null ? 'There is no prediction.' : outcome.why;
  const { id, kind, query, software, task, actions, difficulty, prompt, images, truth } = of;
  return {
    ...{ id, kind, query, software, task, actions, difficulty, prompt: prompt || null, images, truth },
    ...{ prediction: answer, ...outcome, why, notes },
  };
}

function scoreAnswer({ truth, marks }: Case, answer: Answer, options: EvaluateOptions): Outcome {
  switch (truth.kind) {
    case 'click': {
      const { places, said, lacks } = marks
        ? marked(marks, [readMark(answer)], options, 'It names no single mark [n].')
        : { places: [readClick(answer)], said: '', lacks: 'It names no position [x, y].' };
      const [place = null] = places;
      const { pixels, dist, recall } = scoreClick(truth, place, options);
      return {
        reading: place,
        scores: { dist, recall },
        why: place ? `${said}${distanceText(pixels!, recall, options)}` : lacks,
        notes: place ? [] : ['unreadable'],
      };
    }
    case 'drag': {
      const found = marks
        ? marked(marks, readMarks(answer) ?? [null], options, 'It names no two marks [n] -> [m].')
        : { places: readDrag(answer) ?? [], said: '', lacks: 'It names no two positions [x1, y1] -> [x2, y2].' };
      const [from, to] = found.places;
      const places: [Place, Place] | null = from && to ? [from, to] : null;
      const { start, end, dist, recall } = scoreDrag(truth, places, options);
      return {
        reading: places,
        scores: { dist, recall, startDist: start.dist, endDist: end.dist },
        why: places
          ? `${found.said}Start: ${distanceText(start.pixels!, start.recall, options)} End: ${distanceText(end.pixels!, end.recall, options)}`
          : found.lacks,
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

/** Marks as places (M26), what to say of them, and what to say when one is missing. */
function marked(
  marks: NonNullable<Case['marks']>,
  numbers: readonly (number | null)[],
  options: EvaluateOptions,
  none: string,
): { places: (Place | null)[]; said: string; lacks: string } {
  const places = numbers.map((mark) => (mark === null ? null : markPlace(marks, mark, options)));
  const absent = numbers.find((mark, i) => mark !== null && places[i] === null);
  const lacks = absent === undefined ? none : `There is no mark ${absent}; the picture has ${marks.length}.`;
  return { places, said: `${numbers.length === 1 ? 'Mark' : 'Marks'} ${numbers.join(' and ')}. `, lacks };
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
  critic: { score: number | null; comment: string; by?: ScoredCase['critic'] },
  { unreadableCritic }: Pick<EvaluateOptions, 'unreadableCritic'>,
): ScoredCase {
  const by = critic.by ? { critic: critic.by } : {};
  if (critic.score !== null) {
    return {
      ...scored,
      ...by,
      scores: { ...scored.scores, score: critic.score },
      why: critic.comment || scored.why,
    };
  }
  return {
    ...scored,
    ...by,
    scores: { ...scored.scores, score: unreadableCritic === 'zero' ? 0 : null },
    why: "The critic's answer could not be read, twice.",
    notes: [...scored.notes, 'critic-unreadable'],
  };
}

const quoted = (key: string): string => JSON.stringify(key);

function distanceText(pixels: number, recall: 0 | 1, { threshold, comparator }: EvaluateOptions): string {
  return `${pixels.toFixed(1)} px off, ${recall === 1 ? 'a hit' : 'no hit'} (${comparator} ${threshold} px).`;
}
