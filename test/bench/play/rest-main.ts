import { setTimeout as sleep } from 'node:timers/promises';
import { BLOCK, CARET_BLOCKS, cornerOf } from '../../../core/play/likeness.ts';
import { changedBlocks, NOWHERE } from '../../../core/play/sight.ts';
import { findMoved, isAt } from '../../../core/play/target.ts';
import { openHands } from '../../../native/index.ts';
import type { RgbImage } from '../../../schemas/picture.ts';
import { readRgb } from '../../../studio/files/picture.ts';
import { SCREEN } from './kinds.ts';
import type { Question } from './stage.ts';

/**
 * A process on the stage's display that tells the person when the screen has come to rest: a person goes on when they see
 * what they did. A blinking caret keeps nobody waiting. It also says whether a label looks as in a picture.
 */

const STILL_MS = 350;
const LOOK_MS = 50;
const AT_MOST_MS = 8000;
/** A label is compared so far around its place, px each way: further to its sides than a play looks, which must not judge itself. */
const LABEL = { x: 80, y: 14 };

/** So long somebody waits for the screen that the picture shows, of which this share of the squares may be other. */
const AS_SHOWN_MS = 5000;
const OTHER_SHARE = 0.05;
const isElse = (still: RgbImage, live: RgbImage | null): boolean => {
  const changed = live && changedBlocks(still, live);
  return !changed || changed.size > (OTHER_SHARE * still.width * still.height) / BLOCK ** 2;
};

const hands = await openHands();
const look = (): RgbImage | null => hands.look({ x: 0, y: 0, ...SCREEN });

process.on('message', async (question: Question) => {
  if (question !== 'rest' && 'find' in question) {
    const still = await readRgb(question.find);
    let live = look();
    // A dialog may come late: somebody who has the picture waits until the screen looks like it.
    for (const began = performance.now(); performance.now() - began < AS_SHOWN_MS && isElse(still, live); live = look())
      await sleep(LOOK_MS);
    if (question.at === null) return void process.send?.(NOWHERE);
    if (!live || still.width !== live.width || still.height !== live.height) return void process.send?.('none');
    if (isAt(still, live, question.at, NOWHERE)) return void process.send?.(NOWHERE);
    const found = findMoved(still, live, question.at);
    return void process.send?.('shift' in found ? found.shift : 'none');
  }
  if (question !== 'rest') {
    const { file, x, y, width, height } = question.still;
    const live = hands.look({ x, y, width, height });
    const changed = live && changedBlocks(await readRgb(file), live);
    const isLabel = (block: number): boolean => {
      const corner = cornerOf(block, width);
      const [dx, dy] = [x + corner.x + BLOCK / 2 - question.at.x, y + corner.y + BLOCK / 2 - question.at.y];
      return Math.abs(dx) <= LABEL.x && Math.abs(dy) <= LABEL.y;
    };
    process.send?.(changed && ![...changed].some(isLabel) ? 'alike' : 'other');
    return;
  }
  const began = performance.now();
  let last = look();
  let since = performance.now();
  while (performance.now() - since < STILL_MS && performance.now() - began < AT_MOST_MS) {
    await sleep(LOOK_MS);
    const now = look();
    if (last && now && (changedBlocks(last, now)?.size ?? CARET_BLOCKS + 1) <= CARET_BLOCKS) continue;
    last = now;
    since = performance.now();
  }
  process.send?.('rest');
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
