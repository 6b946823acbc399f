import { type XDisplay, x11 } from './x11.ts';

/** Where the pointer is; null while it is on another screen of the server. */
export function readPointer(display: XDisplay): { x: number; y: number } | null {
  const [x, y] = [[0], [0]];
  const here = x11().queryPointer(display, x11().root(display), [0], [0], x, y, [0], [0], [0]);
  return here === 0 ? null : { x: x[0] ?? 0, y: y[0] ?? 0 };
}
