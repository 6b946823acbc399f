import { MOST_PIXELS } from '../../schemas/limits.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { Segment } from '../../schemas/recording.ts';
import { readRgb } from '../files/picture.ts';

/** Decoded pictures are kept for the next question about the same step, up to so many bytes: full HD is 6 MB. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** How many pixels a picture of these segments has at most; a recording without any has no pictures of its own. */
export const mostPixels = (segments: readonly Segment[]): number =>
  segments.reduce((most, { width, height }) => Math.max(most, width * height), 0) || MOST_PIXELS;

/** `most`: how many pixels the recording's pictures have at most. Throws BAD_FILE. */
type PictureReader = (file: string, most: number) => Promise<RgbImage>;

/** Reads PNG files as RGB; the last few are kept. */
export function pictureReader(keptBytes = KEPT_BYTES): PictureReader {
  const kept = new Map<string, Promise<RgbImage>>();
  const sizes = new Map<string, number>();
  const forget = (file: string): void => {
    kept.delete(file);
    sizes.delete(file);
  };
  return async (file, most) => {
    const image = kept.get(file) ?? readRgb(file, { most });
    const size = sizes.get(file);
    forget(file);
    // The newest last; one that is read now is here too, so that who asks meanwhile shares it.
    kept.set(file, image);
    if (size !== undefined) sizes.set(file, size);
    try {
      const { rgb } = await image;
      if (kept.get(file) === image) sizes.set(file, rgb.length);
    } catch (error) {
      forget(file);
      throw error;
    }
    let held = 0;
    for (const one of [...kept.keys()].reverse()) {
      held += sizes.get(one) ?? 0;
      if (held > keptBytes) forget(one);
    }
    return await image;
  };
}
