import type { CoordinateScale } from '../../../schemas/scales.ts';
import { plural } from '../../words.ts';
import type { PointOrBox } from '../position.ts';

export type { CoordinateScale };

/** Unit of a position's numbers: pixels of the picture, or parts of it (M29). */

/** Two numbers or four as they were written; `scale`: where the way of writing them has one of its own. */
export type RawPlace = { numbers: readonly number[]; scale: CoordinateScale | null };
type Size = { width: number; height: number };

/** So much is the whole of a picture's width. */
const WHOLE: Readonly<Record<Exclude<CoordinateScale, 'pixels'>, number>> = { '0-1': 1, '0-100': 100, '0-1000': 1000 };
export const SCALE_NAMES: Readonly<Record<CoordinateScale, string>> = {
  pixels: 'pixels',
  '0-1': '0 to 1',
  '0-100': '0 to 100',
  '0-1000': '0 to 1000',
};

/** In pixels of the picture. */
export function scaledPlace({ numbers }: RawPlace, scale: CoordinateScale, { width, height }: Size): PointOrBox {
  const at = (i: number): number => {
    const side = i % 2 === 0 ? width : height;
    return scale === 'pixels' ? numbers[i]! : (numbers[i]! / WHOLE[scale]) * side;
  };
  return numbers.length === 4 ? [at(0), at(1), at(2), at(3)] : [at(0), at(1)];
}

export type ScaleSample = Size & { numbers: readonly number[] };
export type ScaleGuess = {
  scale: CoordinateScale;
  /** Whether the numbers leave no other choice. */
  sure: boolean;
  /** Answers that were looked at. */
  answers: number;
  why: string;
};

/** Another scale than the one that the prompts ask for is taken when it is this many times as likely. */
const PRIOR = Math.log(100);
/** A single position inside the first thousand pixels says little: menus lie there. */
const MOST_INSIDE = 0.3;
/** With fewer answers thousandths and pixels cannot be told apart: a few wild ones look like either. */
const LEAST_ANSWERS = 20;
/** A position outside of the picture is an error of the model about once in so many answers. */
const OUTSIDE = Math.log(200);

/**
 * The scale in which one model wrote all its positions, from the numbers and the sizes of the pictures alone: the truth is
 * never looked at, so no score is made better by it. The prompts ask for pixels; thousandths are taken when positions lie
 * outside of the pictures, or when there are many and none lies beyond 1000 in pictures that are larger.
 */
export function guessScale(samples: readonly ScaleSample[]): ScaleGuess {
  const answers = samples.length;
  const told = (scale: CoordinateScale, sure: boolean, why: string): ScaleGuess => ({ scale, sure, answers, why });
  if (answers === 0) return told('pixels', true, 'no answer names a position');
  const shares = samples.filter(({ numbers }) => numbers.every((one) => one >= 0 && one <= 1)).length;
  const broken = samples.some(({ numbers }) => numbers.some((one) => one > 0 && one < 1));
  if (broken && shares >= answers * 0.9)
    return told('0-1', true, `${shares} of ${plural(answers, 'answer')} lie between 0 and 1`);
  let [evidence, outside, beyond] = [0, 0, 0];
  for (const { numbers, width, height } of samples) {
    const leaves = numbers.some((one, i) => one < 0 || one > (i % 2 === 0 ? width : height));
    const exceeds = numbers.some((one) => one < 0 || one > 1000);
    if (leaves) outside++;
    if (exceeds) beyond++;
    if (leaves && !exceeds) evidence += OUTSIDE;
    else if (exceeds && !leaves) evidence -= OUTSIDE;
    else evidence += Math.max(-MOST_INSIDE, Math.min(MOST_INSIDE, Math.log((width * height) / 1e6)));
  }
  // Positions in thousandths fit into any picture; only a larger number than that says pixels.
  if (answers < LEAST_ANSWERS && beyond === 0) {
    const fewAnswers = answers === 1 ? '1 answer is' : `${answers} answers are`;
    return told(
      'pixels',
      false,
      `${fewAnswers} too few to tell pixels from thousandths (${LEAST_ANSWERS} are needed): read as the pixels that the prompts ask for; name the unit if the model counts otherwise`,
    );
  }
  const larger = samples.some(({ width, height }) => width > 1000 || height > 1000);
  if (evidence > PRIOR) {
    return outside > 0
      ? told(
          '0-1000',
          beyond === 0,
          `${outside} of ${plural(answers, 'answer')} would lie outside of their pictures as pixels`,
        )
      : told('0-1000', false, `none of ${plural(answers, 'answer')} lies beyond 1000, though the pictures are larger`);
  }
  if (beyond > 0) return told('pixels', outside === 0, `${beyond} of ${plural(answers, 'answer')} lie beyond 1000`);
  const few = `none of ${plural(answers, 'answer')} lies beyond 1000, so they might be thousandths too`;
  return told('pixels', false, larger || outside > 0 ? few : 'they lie inside of their pictures');
}
