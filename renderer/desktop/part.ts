/** A picture: 4 bytes a pixel. */
export type Pixels = { width: number; height: number; bytes: Uint8Array<ArrayBuffer> };
/** A rectangle of a picture, px. */
export type Part = { left: number; top: number; columns: number; rows: number };

export const NOTHING: Part = { left: 0, top: 0, columns: 0, rows: 0 };
export const wholeOf = ({ width, height }: Pixels): Part => ({ left: 0, top: 0, columns: width, rows: height });

const words = ({ bytes, width, height }: Pixels): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, width * height);

/**
 * The smallest rectangle outside of which two pictures of one size are the same; null when they are everywhere. Most changes
 * of a screen are small (a caret, a line of text), and what need not be handed over costs nothing.
 */
export function changedPart(before: Pixels, now: Pixels): Part | null {
  const { width } = now;
  const length = width * now.height;
  const [a, b] = [words(before), words(now)];
  let first = 0;
  while (first < length && a[first] === b[first]) first++;
  if (first === length) return null;
  let last = length - 1;
  while (a[last] === b[last]) last--;
  const top = Math.floor(first / width);
  const bottom = Math.floor(last / width);
  let left = width;
  let right = -1;
  for (let row = top; row <= bottom; row++) {
    const at = row * width;
    let x = 0;
    while (x < left && a[at + x] === b[at + x]) x++;
    left = Math.min(left, x);
    x = width - 1;
    while (x > right && a[at + x] === b[at + x]) x--;
    right = Math.max(right, x);
  }
  return { left, top, columns: right - left + 1, rows: bottom - top + 1 };
}

/** The bytes of a part of a picture, row after row. Whole rows are not copied. */
export function bytesOf({ width, bytes }: Pixels, { left, top, columns, rows }: Part): Uint8Array<ArrayBuffer> {
  const at = (row: number): number => ((top + row) * width + left) * 4;
  if (columns === width) return bytes.subarray(at(0), at(rows));
  const part = new Uint8Array(columns * rows * 4);
  for (let row = 0; row < rows; row++) part.set(bytes.subarray(at(row), at(row) + columns * 4), row * columns * 4);
  return part;
}
