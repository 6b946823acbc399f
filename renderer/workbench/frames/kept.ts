import { LRUCache } from 'lru-cache';

/**
 * Decoded pictures by a number, the last used ones up to so many bytes; one that leaves is closed. The newest stays even
 * when it alone is larger than the limit.
 */
export const keptPictures = (most: number): LRUCache<number, ImageBitmap> =>
  new LRUCache({
    maxSize: most,
    sizeCalculation: ({ width, height }) => Math.min(most, width * height * 4),
    dispose: (bitmap) => bitmap.close(),
  });
