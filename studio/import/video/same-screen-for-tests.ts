/** Whether two pictures show the same screen. A caret that blinks is no other screen. */

export type Picture = { rgb: Uint8Array; width: number; height: number };

/** A text cursor is a thin line: at most so wide and so high, px. */
const CARET = { width: 3, height: 40 };

/** Pictures of one size that differ at most by carets: every region of pixels that differ and touch is as thin as one. */
export function isSameScreen(a: Picture, b: Picture): boolean {
  if (a.width !== b.width || a.height !== b.height) return false;
  const { width, height } = a;
  const differs = new Uint8Array(width * height);
  let any = false;
  for (let at = 0, byte = 0; at < differs.length; at++, byte += 3) {
    if (a.rgb[byte] === b.rgb[byte] && a.rgb[byte + 1] === b.rgb[byte + 1] && a.rgb[byte + 2] === b.rgb[byte + 2])
      continue;
    differs[at] = 1;
    any = true;
  }
  if (!any) return true;
  for (let at = 0; at < differs.length; at++)
    if (differs[at] === 1 && !isCaret(differs, width, height, at)) return false;
  return true;
}

/** Takes the region of this pixel out of `differs`. False as soon as it is larger than a caret. */
function isCaret(differs: Uint8Array, width: number, height: number, first: number): boolean {
  const stack = [first];
  const x0 = first % width;
  let [left, right, top, bottom] = [x0, x0, (first - x0) / width, (first - x0) / width];
  differs[first] = 0;
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const x = at % width;
    const y = (at - x) / width;
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    if (right - left >= CARET.width || bottom - top >= CARET.height) return false;
    for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
        if (differs[v * width + u] !== 1) continue;
        differs[v * width + u] = 0;
        stack.push(v * width + u);
      }
    }
  }
  return true;
}
