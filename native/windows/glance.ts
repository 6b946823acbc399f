import { lazy } from '../memory/memory.ts';
import type { Glance } from '../platform/platform.ts';
import { toRgb } from '../screen/picture.ts';
import { gdiReader } from './gdi.ts';

/** Single pictures by GDI. Bounds of windows hold their frames here. */
export function gdiGlance(): Glance {
  const reader = lazy(gdiReader);
  return {
    grab({ x, y, width, height }) {
      const { memory, read } = reader();
      const picture = memory.make(width, height);
      try {
        return read(picture, x, y) ? toRgb(picture) : null;
      } finally {
        memory.free(picture);
      }
    },
    frameOf: ({ bounds }) => bounds,
  };
}
