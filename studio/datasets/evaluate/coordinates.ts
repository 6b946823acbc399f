import { guessScale, type ScaleSample } from '../../../core/evaluate/reading/scale.ts';
import { type Case, scaleSamples } from '../../../core/evaluate/score-case.ts';
import { append } from '../../../core/lists.ts';
import type { EvaluateOptions, UsedCoordinates } from '../../../schemas/evaluate.ts';
import { QUESTION_KINDS, type QuestionKind } from '../../../schemas/questions.ts';
import { breathe } from '../../store/breathe.ts';
import { predictionsOf, type TruthFiles } from './inputs.ts';

/** The unit of a model's positions, decided once for all of its answers (M29). */

/** More answers tell nothing new. */
const MOST_SAMPLES = 5000;

type Request = { predictions: readonly string[]; options: EvaluateOptions; signal?: AbortSignal | undefined };

/** Null when no click and no drag is scored. Throws CANCELLED. */
export async function coordinatesOf(
  { predictions, options, signal }: Request,
  truth: TruthFiles<unknown>,
  wanted: ReadonlySet<QuestionKind>,
): Promise<UsedCoordinates | null> {
  const kindAt = (place: number): QuestionKind => QUESTION_KINDS[truth.table.at(place).kind]!;
  const isPlaced = (place: number): boolean => {
    const kind = kindAt(place);
    return (kind === 'click' || kind === 'drag') && wanted.has(kind);
  };
  let asked = false;
  for (let place = 0; place < truth.table.size && !asked; place++) asked = isPlaced(place);
  if (!asked) return null;
  if (options.coordinates !== 'guess') {
    return { scale: options.coordinates, guessed: false, sure: true, answers: 0, why: 'as the options say' };
  }
  const samples: ScaleSample[] = [];
  for (const { id, prediction } of predictionsOf(predictions)) {
    signal?.throwIfAborted();
    const place = truth.table.find(id);
    // Indexed by `openTruth`, which refused lines without a truth.
    if (isPlaced(place)) append(samples, scaleSamples(truth.read(place) as Case, prediction, options));
    if (samples.length >= MOST_SAMPLES) break;
    await breathe();
  }
  return { ...guessScale(samples), guessed: true };
}
