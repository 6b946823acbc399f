import { shrinkPicture } from '../files/picture.ts';

/** The sizes of pictures in a row of a list, and beside one; px, for dense displays too. */
const SIZES = { small: { width: 200, height: 125 }, medium: { width: 1200, height: 750 } } as const;
export type SmallSize = keyof typeof SIZES;

/** Some thousand rows of lists. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Small pictures of frames, made at the first question and kept in memory: `most` as for any picture of the recording. */
export function smallPictures(keptBytes = KEPT_BYTES) {
  const kept = new Map<string, Promise<Buffer>>();
  let held = 0;
  return async (file: string, size: SmallSize, most: number): Promise<Buffer> => {
    const key = `${size} ${file}`;
    const known = kept.get(key);
    if (known) {
      // The one that was asked for last goes last.
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const making = shrinkPicture(file, SIZES[size], { most });
    kept.set(key, making);
    try {
      held += (await making).length;
    } catch (error) {
      kept.delete(key);
      throw error;
    }
    for (const [old, picture] of kept) {
      if (held <= keptBytes || old === key) break;
      kept.delete(old);
      held -= await picture.then(
        ({ length }) => length,
        () => 0,
      );
    }
    return making;
  };
}
