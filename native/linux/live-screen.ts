import type { Rect } from '../../schemas/events.ts';
import { memory } from '../memory/memory.ts';
import type { LiveScreen } from '../platform/live-screen.ts';
import { watchDamage } from './damage.ts';
import { readPointer } from './pointer.ts';
import { createShmImage, grabInto } from './shm.ts';
import { openX, x11 } from './x11.ts';

/** Follows the screen of $DISPLAY: read when the server says that something was painted, and always where it cannot say. */
export function openX11LiveScreen({ width, height }: { width: number; height: number }): LiveScreen {
  const display = openX();
  const root = x11().root(display);
  const image = createShmImage(display, width, height);
  const damage = watchDamage(display, root);
  const rowBytes = width * 4;
  let [before, now] = [new Uint8Array(image.bytes), new Uint8Array(image.bytes)];
  let isFirst = true;

  function changedIn(from: number, to: number): Rect | null {
    const rowOf = (bytes: Uint8Array, y: number): Uint8Array => bytes.subarray(y * rowBytes, (y + 1) * rowBytes);
    const isSame = (y: number): boolean => Buffer.compare(rowOf(before, y), rowOf(now, y)) === 0;
    let [top, bottom] = [from, to - 1];
    while (top <= bottom && isSame(top)) top++;
    if (top > bottom) return null;
    while (isSame(bottom)) bottom--;
    const [a, b] = [new Uint32Array(before.buffer), new Uint32Array(now.buffer)];
    let [left, right] = [width, -1];
    for (let y = top; y <= bottom && (left > 0 || right < width - 1); y++) {
      const row = y * width;
      let x = 0;
      while (x < left && a[row + x] === b[row + x]) x++;
      left = Math.min(left, x);
      x = width - 1;
      while (x > right && a[row + x] === b[row + x]) x--;
      right = Math.max(right, x);
    }
    return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
  }

  return {
    width,
    height,
    look() {
      const rows = damage ? damage.look() : { from: 0, to: height };
      if (!rows && !isFirst) return null;
      if (!grabInto(display, root, image, 0, 0)) return null;
      [before, now] = [now, before];
      memory().memcpyOut(now, image.pointer, image.bytes);
      if (isFirst) {
        isFirst = false;
        return { x: 0, y: 0, width, height };
      }
      return changedIn(0, height);
    },
    cut({ x, y, width: wide, height: high }) {
      const rgb = new Uint8Array(wide * high * 3);
      let to = 0;
      for (let row = y; row < y + high; row++) {
        let from = row * rowBytes + x * 4;
        for (let column = 0; column < wide; column++, from += 4) {
          rgb[to++] = now[from + 2] ?? 0;
          rgb[to++] = now[from + 1] ?? 0;
          rgb[to++] = now[from] ?? 0;
        }
      }
      return { width: wide, height: high, rgb };
    },
    pointer: () => readPointer(display),
  };
}
