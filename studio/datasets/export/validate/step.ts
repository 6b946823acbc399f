import { plural } from '../../../../core/words.ts';
import type { WebdatasetSample } from '../../../../schemas/export-grounding.ts';
import { TASK_ID_SHAPE } from './expected.ts';
import type { PlaceReport } from './problems.ts';
import type { CheckedFolder } from './reading.ts';
import { checkTitle } from './rows.ts';

/** The size of a picture, px. */
type Size = { width: number; height: number };
type Quadruple = readonly [number, number, number, number];

/** Left, top, width, height. */
export function checkXywh([left, top, width, height]: Quadruple, size: Size | null, place: PlaceReport): void {
  if (!size || (left + width <= size.width && top + height <= size.height)) return;
  place('BOX_OUTSIDE', `bbox ${[left, top, width, height].join(', ')} does not lie in ${size.width} x ${size.height}`);
}

/** What a step says of itself and of the screen before it, which has this size (imagefolder, webdataset). */
export function checkStep(check: CheckedFolder, step: WebdatasetSample, size: Size | null, place: PlaceReport): void {
  if (!TASK_ID_SHAPE.test(step.task_id)) place('TASK_ID', `"${step.task_id}" is not of the form PPT_15`);
  check.inSplit(step.task_id, place);
  if (step.subtask !== null) checkTitle(step.subtask, step.goal, place);
  for (const position of [step.start_position, step.end_position]) {
    if (position && size && (position[0] >= size.width || position[1] >= size.height)) {
      place('POSITION_OUTSIDE', `(${position.join(', ')}) lies outside of ${size.width} x ${size.height}`);
    }
  }
  const { bbox, categories, roles } = step.objects;
  for (const box of bbox) checkXywh(box, size, place);
  if (bbox.length !== categories.length) {
    const [boxes, named] = [plural(bbox.length, 'box', 'boxes'), plural(categories.length, 'category', 'categories')];
    place('MARKS_WRONG', `${boxes} and ${named}`);
  }
  if (bbox.length !== roles.length)
    place('MARKS_WRONG', `${plural(bbox.length, 'box', 'boxes')} and ${plural(roles.length, 'role')}`);
}
