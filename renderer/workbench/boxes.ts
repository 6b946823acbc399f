import { isSameRect } from '../../core/rect.ts';
import type { Rect } from '../../schemas/events.ts';
import { tr } from '../language/tr.ts';
import type { Point, Size } from './geometry.ts';

/** Boxes in picture px (integers, whole pixels covered). Every result is inside its picture. */
export type BoxHandle = 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w';
export const HANDLES: readonly BoxHandle[] = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];

/** The box that covers both pixels, whichever comes first. */
export function boxOfCorners(a: Point, b: Point): Rect {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return { x, y, width: Math.abs(a.x - b.x) + 1, height: Math.abs(a.y - b.y) + 1 };
}

/** Moves a box; at the picture's edge it stops, and keeps its size. */
export function moveBox(box: Rect, dx: number, dy: number, picture: Size): Rect {
  return {
    ...box,
    x: clamp(box.x + dx, 0, Math.max(picture.width - box.width, 0)),
    y: clamp(box.y + dy, 0, Math.max(picture.height - box.height, 0)),
  };
}

/** Makes the right and bottom edges wider or narrower by whole pixels; at least 1 px remains. */
export function resizeBox(box: Rect, dx: number, dy: number, picture: Size): Rect {
  return {
    ...box,
    width: clamp(box.width + dx, 1, Math.max(picture.width - box.x, 1)),
    height: clamp(box.height + dy, 1, Math.max(picture.height - box.y, 1)),
  };
}

/** Drags one handle to a pixel. Past the other side the box turns over. */
export function dragHandle(box: Rect, handle: BoxHandle, to: Point, picture: Size): Rect {
  const at = { x: clamp(to.x, 0, picture.width - 1), y: clamp(to.y, 0, picture.height - 1) };
  const right = box.x + box.width - 1;
  const bottom = box.y + box.height - 1;
  const [x0, x1] = handle.includes('w') ? [at.x, right] : handle.includes('e') ? [box.x, at.x] : [box.x, right];
  const [y0, y1] = handle.includes('n') ? [at.y, bottom] : handle.includes('s') ? [box.y, at.y] : [box.y, bottom];
  return boxOfCorners({ x: x0, y: y0 }, { x: x1, y: y1 });
}

/** The part of a box inside the picture; null when no part does. */
export function cutToPicture(box: Rect, picture: Size): Rect | null {
  const x = Math.max(box.x, 0);
  const y = Math.max(box.y, 0);
  const right = Math.min(box.x + box.width, picture.width);
  const bottom = Math.min(box.y + box.height, picture.height);
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}

/** In words why a box cannot be kept, or null. */
export function boxProblem(box: Rect, picture: Size): string | null {
  const cut = cutToPicture(box, picture);
  if (cut && sameBox(cut, box)) return null;
  return tr(
    'The box ({x}, {y}, {width} × {height}) reaches outside the picture of {pictureWidth} × {pictureHeight} pixels. Draw it inside.',
    {
      x: box.x,
      y: box.y,
      width: box.width,
      height: box.height,
      pictureWidth: picture.width,
      pictureHeight: picture.height,
    },
  );
}

export function sameBox(a: Rect | null, b: Rect | null): boolean {
  if (!a || !b) return a === b;
  return isSameRect(a, b);
}

export function handlePoint(box: Rect, handle: BoxHandle): Point {
  const x = handle.includes('w') ? box.x : handle.includes('e') ? box.x + box.width : box.x + box.width / 2;
  const y = handle.includes('n') ? box.y : handle.includes('s') ? box.y + box.height : box.y + box.height / 2;
  return { x, y };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
