import type { RgbImage } from '../../schemas/picture.ts';
import { BLOCK } from './likeness.ts';
import { changedBlocks } from './sight.ts';

/** A part of the screen in which a play looks other than its demonstration, px of the picture. */
export type ScreenDifference = {
  x: number;
  y: number;
  width: number;
  height: number;
  /** The step itself changes something here, so that its verdict is about it; else it is something beside (a clock, a caret). */
  decisive: boolean;
};

/** Squares with at most so many between them are one part. */
const GAP = 2;
/** More parts are no help to the eye: the largest are shown. */
const MOST = 60;

/**
 * Where two pictures of one size differ, as few boxes, the largest first (PL17); null when their sizes differ. `effect`: the
 * squares that the step changes; null: nobody asks.
 */
export function screenDifferences(
  recorded: RgbImage,
  played: RgbImage,
  effect: ReadonlySet<number> | null,
): ScreenDifference[] | null {
  const blocks = changedBlocks(recorded, played);
  if (!blocks) return null;
  const columns = Math.ceil(recorded.width / BLOCK);
  const rows = Math.ceil(recorded.height / BLOCK);
  const left = new Set(blocks);
  const found: ScreenDifference[] = [];
  for (const first of blocks) {
    if (!left.delete(first)) continue;
    const part = [first];
    let [x0, x1, y0, y1, decisive] = [columns, 0, rows, 0, false];
    for (let block = part.pop(); block !== undefined; block = part.pop()) {
      const x = block % columns;
      const y = Math.floor(block / columns);
      [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
      decisive ||= effect?.has(block) ?? false;
      for (let ny = Math.max(0, y - GAP - 1); ny <= Math.min(rows - 1, y + GAP + 1); ny++) {
        for (let nx = Math.max(0, x - GAP - 1); nx <= Math.min(columns - 1, x + GAP + 1); nx++) {
          const near = ny * columns + nx;
          if (left.delete(near)) part.push(near);
        }
      }
    }
    const [x, y] = [x0 * BLOCK, y0 * BLOCK];
    const width = Math.min(recorded.width, (x1 + 1) * BLOCK) - x;
    const height = Math.min(recorded.height, (y1 + 1) * BLOCK) - y;
    found.push({ x, y, width, height, decisive });
  }
  const size = (one: ScreenDifference): number => one.width * one.height;
  return found.sort((a, b) => Number(b.decisive) - Number(a.decisive) || size(b) - size(a)).slice(0, MOST);
}
