import { parentPort } from 'node:worker_threads';
import { spreadBoxes } from '../../core/annotate/proposals/spread.ts';
import type { AidElement } from '../../schemas/aids.ts';
import { whyNot } from '../../schemas/errors.ts';
import { readRgb } from '../files/picture.ts';

/** Finds elements in pictures, in a thread of its own: a picture takes seconds, and the studio must answer meanwhile. */
export type SpreadAnswer = { elements: AidElement[] } | { problem: string };

/** More marks hide the screen that they are to explain. */
const MOST_MARKS = 150;

parentPort?.on('message', async (file: string) => {
  let answer: SpreadAnswer;
  try {
    const boxes = spreadBoxes(await readRgb(file), MOST_MARKS);
    answer = { elements: boxes.map(({ x, y, width, height }) => ({ box: [x, y, width, height] })) };
  } catch (error) {
    answer = { problem: whyNot(error) };
  }
  parentPort?.postMessage(answer);
});
