import sharp from 'sharp';
import type { RgbImage } from '../../core/annotate/proposals/image.ts';

/** Decoded pictures kept for the next question about the same step: full HD is 6 MB. */
const KEPT = 4;

type PictureReader = (file: string) => Promise<RgbImage>;

/** Reads PNG files as RGB; the last few are kept. */
export function pictureReader(): PictureReader {
  const kept = new Map<string, Promise<RgbImage>>();
  return (file) => {
    const known = kept.get(file);
    kept.delete(file);
    const image = known ?? read(file);
    kept.set(file, image);
    image.catch(() => kept.delete(file));
    for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest);
    return image;
  };
}

async function read(file: string): Promise<RgbImage> {
  const { data, info } = await sharp(file)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}
