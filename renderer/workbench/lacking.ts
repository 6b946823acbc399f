import { lacksOf } from '../../core/annotate/missing.ts';
import type { StepView } from '../../core/annotate/view.ts';
import { tr } from '../language/tr.ts';

/** What a step that was just confirmed lacks as training data, in words; `number`: its number. Null when it lacks nothing. */
export function lackingWords(step: StepView, number: number): string | null {
  const lacks = lacksOf(step);
  const said = [
    lacks.includes('pixels') &&
      tr('Step {number} says a place in pixels: name the element and, of a drag, the positions.', { number }),
    lacks.includes('box') && tr('Step {number} is a drag without both boxes, which questions leave out.', { number }),
  ].filter((words) => words !== false);
  return said.length === 0 ? null : said.join(' ');
}
