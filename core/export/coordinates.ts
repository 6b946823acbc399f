import type { Rect } from '../../schemas/events.ts';
import { holdsPoint } from '../rect.ts';
import type { PicturePoint } from './model.ts';

/**
 * The one place where the exports' coordinates are made. In: px of the picture's own frame, top left of a pixel. The
 * display's scale plays no part: positions, boxes and pictures are physical pixels alike (A13).
 */

/** A picture's size, px. */
type Size = { width: number; height: number };

/** Decimals of relative coordinates (formats.md: 0 to 1, four decimals). */
const DECIMALS = 1e4;

/**
 * 0 to 1 with four decimals: px divided by the picture's size, as OpenCUA's own converter does (`x / img_size[0]`). The
 * pixel comes back by rounding `value * size` for pictures of up to 9,999 px: the four decimals move it by less than half a
 * pixel.
 */
export function relative(px: number, size: number): number {
  return Math.round((px / size) * DECIMALS) / DECIMALS;
}

export function relativePoint([x, y]: PicturePoint, { width, height }: Size): { x: number; y: number } {
  return { x: relative(x, width), y: relative(y, height) };
}

/** ScreenSpot, COCO: left, top, width, height. */
export function xywh({ x, y, width, height }: Rect): [number, number, number, number] {
  return [x, y, width, height];
}

/** ScreenSpot-Pro, ms-swift, OpenCUA: left, top, right, bottom; right and bottom are the first px outside of the box. */
export function xyxy({ x, y, width, height }: Rect): [number, number, number, number] {
  return [x, y, x + width, y + height];
}

/** AgentNetBench: left, top, width, height as shares of the picture, not rounded (as its authors' are). */
export function relativeXywh(box: Rect, { width, height }: Size): [number, number, number, number] {
  return [box.x / width, box.y / height, box.width / width, box.height / height];
}

/** OpenCUA's `GUIElement.bbox`: left, top, right, bottom as shares of the picture, not rounded. */
export function relativeXyxy(box: Rect, { width, height }: Size): [number, number, number, number] {
  const [left, top, right, bottom] = xyxy(box);
  return [left / width, top / height, right / width, bottom / height];
}

/** Whether a box holds a pixel. */
export function contains(box: Rect, [x, y]: PicturePoint): boolean {
  return holdsPoint(box, x, y);
}
