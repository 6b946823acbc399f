import { LRUCache } from 'lru-cache';
import type { Size } from '../geometry.ts';

/** Scaled pictures kept: the next, the one before, the other side of this one, and this one. */
const KEPT = 5;

/**
 * Pictures at the size at which the stage shows them, made while nothing else is to do. Scaling a whole screen down takes
 * longer than one frame of the display where there is no graphics card; drawing it as it is takes a fraction of that.
 */
export function makeScaled(scale: typeof createImageBitmap = createImageBitmap) {
  const kept = new LRUCache<ImageBitmap, { size: Size; made: ImageBitmap | null }>({
    max: KEPT,
    dispose: ({ made }) => made?.close(),
  });

  /** Whether it is to be made: only below the picture's own size (from 100 % on pixels stay sharp), and once. */
  function wants(bitmap: ImageBitmap, { width, height }: Size): boolean {
    if (bitmap.width === 0 || width < 1 || height < 1 || width >= bitmap.width) return false;
    const known = kept.get(bitmap);
    return known?.size.width !== width || known.size.height !== height;
  }

  return {
    /** The picture at this size (px of the canvas), or null when it was not made. */
    get(bitmap: ImageBitmap, { width, height }: Size): ImageBitmap | null {
      const known = kept.get(bitmap);
      return known && known.size.width === width && known.size.height === height ? known.made : null;
    },
    wants,
    /** Makes it, unless it is there or on its way. */
    async prepare(bitmap: ImageBitmap, { width, height }: Size): Promise<void> {
      if (!wants(bitmap, { width, height })) return;
      const place = { size: { width, height }, made: null as ImageBitmap | null };
      kept.set(bitmap, place);
      try {
        const made = await scale(bitmap, { resizeWidth: width, resizeHeight: height, resizeQuality: 'medium' });
        if (kept.get(bitmap) === place) place.made = made;
        else made.close();
      } catch {
        // The picture was closed meanwhile, or there is no room: it is drawn from the whole one then.
        if (kept.get(bitmap) === place) kept.delete(bitmap);
      }
    },
    close(): void {
      kept.clear();
    },
  };
}
export type Scaled = ReturnType<typeof makeScaled>;
