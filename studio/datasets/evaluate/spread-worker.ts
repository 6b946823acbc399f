import { spreadBoxes } from '../../../core/annotate/proposals/spread.ts';
import { serveCalls } from '../../../native/process/serve.ts';
import type { AidElement } from '../../../schemas/aids.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import { readRgb } from '../../files/picture.ts';

/** Finds elements in pictures, in a thread of its own: a picture takes seconds, and the studio must answer meanwhile. */

/** More marks hide the screen that they are to explain. */
const MOST_MARKS = 150;

const calls = {
  async find(file: string): Promise<AidElement[]> {
    try {
      const boxes = spreadBoxes(await readRgb(file), MOST_MARKS);
      return boxes.map(({ x, y, width, height }) => ({ box: [x, y, width, height] }));
    } catch (error) {
      throw new StudioError('BAD_FILE', `The picture ${file} cannot be read: ${whyNot(error)}`, { file });
    }
  },
};
export type SpreadCalls = typeof calls;
serveCalls(calls);
