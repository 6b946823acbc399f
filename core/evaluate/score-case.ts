import type { CaseNote, EvaluateOptions, ScoredCase } from '../../schemas/evaluate.ts';
import type { Prediction, Question, Truth } from '../../schemas/questions.ts';
import { plural } from '../words.ts';
import { markPlace } from './aids.ts';
import { readClick, readDrag, readMark, readMarks, readOption, readSteps } from './answers.ts';
import { readKeys, scoreKeys } from './keys/score.ts';
import { referencesOf, scoreBest } from './plan.ts';
import { type PointOrBox, scoreClick, scoreDrag } from './position.ts';
import { answerPart } from './reading/answer-part.ts';
import { chosenLetter, chosenMarks, stepList } from './reading/choices.ts';
import { clickPlace, dragPlaces, whyNoPlace } from './reading/places.ts';
import { type CoordinateScale, type RawPlace, SCALE_NAMES, type ScaleSample, scaledPlace } from './reading/scale.ts';
import { chosenOption, goldLetter, scoreScroll } from './scroll.ts';

/** One question with its truth. */
export type Case = Question & { truth: Truth };
type Answer = Prediction['prediction'];
type Outcome = Pick<ScoredCase, 'reading' | 'scores' | 'why' | 'notes'>;

/**
 * The score of one prediction. `undefined`: there is none (M5). Plans get what can be said without a model (M13 to M15);
 * a critic's score is added by `withCritic`.
 */
export function scoreCase(
  of: Case,
  prediction: Answer | undefined,
  options: EvaluateOptions,
  scale: CoordinateScale = options.coordinates === 'guess' ? 'pixels' : options.coordinates,
): ScoredCase {
  const given = prediction ?? null;
  const answer = isDeep(given) ? TOO_DEEP : given;
  const outcome = readOrNot(of, answer, options, scale);
  const notes: CaseNote[] = answer === null ? ['missing'] : outcome.notes;
  const why = answer === null ? 'There is no prediction.' : outcome.why;
  const { id, kind, query, software, task, actions, difficulty, prompt, images, truth } = of;
  return {
    id,
    kind,
    query,
    software,
    task,
    actions,
    difficulty,
    prompt: prompt || null,
    images,
    truth,
    prediction: answer,
    ...outcome,
    why,
    notes,
  };
}

const MOST_LEVELS = 50;
/** Stands in the place of what could not even be written down again. */
const TOO_DEEP = '(lists within lists, more than 50 of them)';

/** Level by level, so that no depth is too much for it. */
function isDeep(answer: Answer): boolean {
  let level: unknown[] = [answer];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_LEVELS) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}

/** One odd answer costs its own score and nothing else: whatever a reader throws, the other cases are scored. */
function readOrNot(of: Case, answer: Answer, options: EvaluateOptions, scale: CoordinateScale): Outcome {
  try {
    return scoreAnswer(of, answer, options, scale);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      ...scoreAnswer(of, null, options, scale),
      why: `It could not be read: ${why.slice(0, LONGEST_WHY)}.`,
      notes: ['unreadable'],
    };
  }
}
const LONGEST_WHY = 200;

function scoreAnswer(
  { truth, marks }: Case,
  answer: Answer,
  options: EvaluateOptions,
  scale: CoordinateScale,
): Outcome {
  switch (truth.kind) {
    case 'click': {
      const { places, said, lacks } = marks
        ? marked(marks, [readOneMark(answer, options)], options, 'It names no single mark [n].')
        : clickPlaces(truth, answer, options, scale);
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
        ? marked(marks, readTwoMarks(answer, options) ?? [null], options, 'It names no two marks [n] -> [m].')
        : dragEnds(truth, answer, options, scale);
      const [from, to] = found.places;
      const places: [PointOrBox, PointOrBox] | null = from && to ? [from, to] : null;
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
      const letter = options.answerForms === 'any' ? chosenLetter(answer) : readOption(answer);
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
      const steps = readPlan(answer, options);
      const references = referencesOf(truth);
      const { stepF1, order, matches, reference } = scoreBest(references, steps ?? []);
      const wanted = references[reference]!.length; // scoreBest gives one of them.
      return {
        reading: steps && { steps, matches, ...(references.length > 1 && { reference }) },
        scores: { stepF1, order: steps ? order : null },
        why: steps
          ? `${matches.length} of ${plural(wanted, 'step')} have a counterpart among ${steps.length}${references.length > 1 ? ` (the best fitting of ${plural(references.length, 'reference')}, number ${reference + 1})` : ''}.`
          : 'It holds no steps.',
        notes: steps ? [] : ['unreadable'],
      };
    }
  }
}

type Places = { places: (PointOrBox | null)[]; said: string; lacks: string };
type Sized = { width: number; height: number };

function clickPlaces(truth: Sized, answer: Answer, options: EvaluateOptions, scale: CoordinateScale): Places {
  const lacks = 'It names no position [x, y].';
  const raw = rawClick(answer, truth, options);
  if (raw) return scaledPlaces([raw], truth, options, scale, lacks);
  return { places: [], said: '', lacks: reasonOf(answer, truth, options) ?? lacks };
}

function dragEnds(truth: Sized, answer: Answer, options: EvaluateOptions, scale: CoordinateScale): Places {
  const lacks = 'It names no two positions [x1, y1] -> [x2, y2].';
  const raw = rawDrag(answer, truth, options);
  if (raw) return scaledPlaces(raw, truth, options, scale, lacks);
  return { places: [], said: '', lacks: reasonOf(answer, truth, options) ?? lacks };
}

const reasonOf = (answer: Answer, size: Sized, { answerForms }: EvaluateOptions): string | null =>
  answerForms === 'any' ? whyNoPlace(answer, size) : null;

function rawClick(answer: Answer, size: Sized, { answerForms }: EvaluateOptions): RawPlace | null {
  if (answerForms === 'any') return clickPlace(answer, size);
  const place = readClick(answer, size);
  return place && { numbers: place, scale: null };
}

function rawDrag(answer: Answer, size: Sized, { answerForms }: EvaluateOptions): RawPlace[] | null {
  if (answerForms === 'any') return dragPlaces(answer, size);
  return readDrag(answer)?.map((numbers) => ({ numbers, scale: null })) ?? null;
}

/** A form that has a scale of its own keeps it, unless the person named one (M29). */
function scaledPlaces(
  raw: RawPlace[],
  size: Sized,
  { coordinates }: EvaluateOptions,
  scale: CoordinateScale,
  lacks: string,
): Places {
  const scales = raw.map((one) => (coordinates === 'guess' ? (one.scale ?? scale) : scale));
  const other = scales.find((one) => one !== 'pixels');
  const said = other === undefined ? '' : `Its numbers are read as ${SCALE_NAMES[other]}. `;
  return { places: raw.map((one, i) => scaledPlace(one, scales[i]!, size)), said, lacks };
}

/** The numbers of a click or a drag whose scale is not known by its form, for the guess over all answers (M29). */
export function scaleSamples({ truth, marks }: Case, answer: Answer, options: EvaluateOptions): ScaleSample[] {
  if (marks || (truth.kind !== 'click' && truth.kind !== 'drag')) return [];
  const { width, height } = truth;
  try {
    const raw = truth.kind === 'click' ? [rawClick(answer, truth, options)] : (rawDrag(answer, truth, options) ?? []);
    const open = raw.flatMap((one) => (one && one.scale === null ? one.numbers : []));
    return open.length === 0 ? [] : [{ numbers: open, width, height }];
  } catch {
    return []; // It is told where it is scored.
  }
}

function readOneMark(answer: Answer, { answerForms }: EvaluateOptions): number | null {
  const strict = readMark(answer);
  if (strict !== null || answerForms === 'paper') return strict;
  const found = new Set(chosenMarks(answer));
  const [mark] = found;
  return found.size === 1 && mark !== undefined ? mark : null;
}

function readTwoMarks(answer: Answer, { answerForms }: EvaluateOptions): [number, number] | null {
  const strict = readMarks(answer);
  if (strict !== null || answerForms === 'paper') return strict;
  const [start, end, more] = chosenMarks(answer);
  return start !== undefined && end !== undefined && more === undefined ? [start, end] : null;
}

/** A plan's steps: of a list, else of the lines behind the thoughts (M13). */
function readPlan(answer: Answer, { answerForms }: EvaluateOptions): string[] | null {
  if (answerForms === 'paper' || typeof answer !== 'string') return readSteps(answer);
  const text = answerPart(answer);
  return stepList(text) ?? readSteps(text);
}

/** Marks as places (M26), what to say of them, and what to say when one is missing. */
function marked(
  marks: NonNullable<Case['marks']>,
  numbers: readonly (number | null)[],
  options: EvaluateOptions,
  none: string,
): Places {
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
  const parts = [`It presses ${plural(read.keys.length, 'key')}, the truth has ${truth.length}.`];
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
