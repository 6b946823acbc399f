import type { StepView } from './view.ts';

/** Gaps of a step that may be confirmed but makes poor training data. */
export type Lack = 'pixels' | 'box';

/** A place as narrations are made with it while nothing is named: `(261, 80)`. */
const PIXELS = /\(-?\d+, -?\d+\)/;

/** `pixels`: the narration names a place by coordinates; `box`: a drag without a box at both ends. Removed steps lack nothing. */
export function lacksOf({ step, state, narration, overwritten, target, end }: StepView): Lack[] {
  if (state === 'removed') return [];
  const lacks: Lack[] = [];
  // Somebody who wrote the words themselves means them.
  if (!overwritten && step.kind !== 'type' && PIXELS.test(narration)) lacks.push('pixels');
  if (step.kind === 'drag' && (target === null || end === null)) lacks.push('box');
  return lacks;
}

/** The same of many steps, in words; `first`: the number of the first. Null when nothing is lacking. */
export function lackingWords(steps: readonly StepView[], first = 1): string | null {
  const numbers = (lack: Lack): number[] =>
    steps.flatMap((step, index) => (lacksOf(step).includes(lack) ? [index + first] : []));
  const [pixels, boxes] = [numbers('pixels'), numbers('box')];
  const said: string[] = [];
  if (pixels.length > 0) {
    said.push(
      `${stepsOf(pixels)} ${pixels.length === 1 ? 'says' : 'say'} a place in pixels: name the element and, of a drag, the positions.`,
    );
  }
  if (boxes.length > 0) {
    said.push(
      `${stepsOf(boxes)} ${boxes.length === 1 ? 'is a drag' : 'are drags'} without both boxes, which questions leave out.`,
    );
  }
  return said.length === 0 ? null : said.join(' ');
}

const MOST_NAMED = 8;

function stepsOf(numbers: readonly number[]): string {
  const named = numbers.slice(0, MOST_NAMED).join(', ');
  const more = numbers.length > MOST_NAMED ? ` and ${numbers.length - MOST_NAMED} more` : '';
  return `${numbers.length === 1 ? 'Step' : 'Steps'} ${named}${more}`;
}
