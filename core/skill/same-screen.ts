import type { RgbImage } from '../../schemas/picture.ts';

/** Encoders and smoothing make no larger difference of a channel (of 255). */
const SAME = 8;
/** A caret, px: it blinks, and says nothing of what was done. */
const CARET = { width: 3, height: 64 };

/** Elsewhere so much of the screen may be other (a status line, a scroll bar that fades), as a share. */
const ELSEWHERE = 0.02;

/** A press that opened so much of the screen opened something; so little of it may be other after it was closed again. */
const OPENED = { least: 2000, other: 0.1 };

/** Whether two screens show the same but for one caret, which may be seen in one of them alone. */
export const isSameButCaret = (a: RgbImage, b: RgbImage): boolean =>
  a.width === b.width && a.height === b.height && isCaretAtMost(a, b, () => true);

/** The pixels that are other, by their places; null for pictures of two sizes. */
export function changedPixels(a: RgbImage, b: RgbImage): Set<number> | null {
  if (a.width !== b.width || a.height !== b.height) return null;
  const changed = new Set<number>();
  for (let i = 0; i < a.rgb.length; i++) if (isOther(a, b, i)) changed.add(Math.floor(i / 3));
  return changed;
}

/**
 * Whether all that these pixels show is as before, but for one caret, and hardly anything else is other. Of one step that opened
 * something (a menu, a dialog) a part of it may be: a scroll bar that faded, a row that is lit.
 */
export function isBack(before: RgbImage, after: RgbImage, changed: readonly ReadonlySet<number>[]): boolean {
  const other = changedPixels(before, after);
  if (!other || other.size > before.width * before.height * ELSEWHERE) return false;
  if (isCaretAtMost(before, after, (pixel) => changed.some((set) => set.has(pixel)))) return true;
  const [opened, ...more] = changed;
  if (!opened || more.length > 0 || opened.size < OPENED.least) return false;
  let left = 0;
  for (const pixel of other) if (opened.has(pixel)) left++;
  return left <= opened.size * OPENED.other;
}

function isOther(a: RgbImage, b: RgbImage, i: number): boolean {
  const difference = (a.rgb[i] ?? 0) - (b.rgb[i] ?? 0);
  return difference > SAME || difference < -SAME;
}

function isCaretAtMost(a: RgbImage, b: RgbImage, counts: (pixel: number) => boolean): boolean {
  let [left, right, top, bottom] = [a.width, -1, a.height, -1];
  for (let i = 0; i < a.rgb.length; i++) {
    if (!isOther(a, b, i)) continue;
    const pixel = Math.floor(i / 3);
    if (!counts(pixel)) continue;
    const [x, y] = [pixel % a.width, Math.floor(pixel / a.width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = y;
    if (right - left >= CARET.width || bottom - top >= CARET.height) return false;
  }
  return true;
}
