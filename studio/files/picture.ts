import sharp, { type Sharp } from 'sharp';
import type { PictureMode } from '../../schemas/checks-plain.ts';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import { MOST_PIXELS } from '../../schemas/limits.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { firstBytes } from './first-bytes.ts';
import { SNIFF_BYTES, sniffMime } from './mime.ts';

/**
 * The only place that decodes a picture which may come from outside (picture.test.ts looks through the sources). A file of
 * a few kilobytes may say that it is 16,000 pixels wide and high: its size is looked at before memory is taken for it.
 */

/** A drawing (SVG) or a document is a program for the computer's memory and time; a screen is none of them. */
const KINDS: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

type PictureSource = string | Uint8Array;
type PictureOptions = {
  /** More pixels than these are refused; the size of what was recorded, where it is known. */
  most?: number;
  /** How messages call it; the file's path, when it is one. */
  name?: string;
};

/** A picture whose size was looked at: width and height as they are shown, `turned` by its own note. */
export type CheckedPicture = { picture: Sharp; width: number; height: number; turned: boolean };

/**
 * Looks at a picture's head. Throws BAD_FILE for what is no PNG, JPEG, GIF or WebP, is damaged, or has too many pixels (67
 * megapixels, or `most`).
 */
export async function checkedPicture(source: PictureSource, options: PictureOptions = {}): Promise<CheckedPicture> {
  const name = options.name ?? (typeof source === 'string' ? source : 'the picture');
  const most = Math.min(MOST_PIXELS, options.most ?? MOST_PIXELS);
  try {
    const head = typeof source === 'string' ? firstBytes(source, SNIFF_BYTES) : source.subarray(0, SNIFF_BYTES);
    const kind = sniffMime(head);
    if (!KINDS.has(kind)) throw unreadable(name, `it is no PNG, JPEG, GIF or WebP, but ${kind}`);
    const picture = sharp(source, { limitInputPixels: MOST_PIXELS });
    const { width, height, orientation = 1 } = await picture.metadata();
    if (width * height > most) {
      throw unreadable(name, `it is ${width} x ${height} pixels large; at most ${most} pixels are taken here`);
    }
    // A photo that is turned by its note is turned.
    return orientation >= 5
      ? { picture, width: height, height: width, turned: true }
      : { picture, width, height, turned: false };
  } catch (error) {
    if (error instanceof StudioError) throw error;
    throw unreadable(name, firstLine(error), error);
  }
}

/** How many pictures follow each other in a file: 1, but for an animated GIF or WebP. Throws as `checkedPicture` does. */
export async function countPages(file: string): Promise<number> {
  const { picture } = await checkedPicture(file);
  return (await picture.metadata()).pages ?? 1;
}

/** Writes one of the pictures that follow each other in a file, from 0, as a PNG. Throws as `checkedPicture` does. */
export async function writePage(file: string, page: number, to: string): Promise<void> {
  const { width, height } = await checkedPicture(file);
  await inTurn(width * height, async () => {
    try {
      await sharp(file, { limitInputPixels: MOST_PIXELS, page }).png().toFile(to);
    } catch (error) {
      throw pictureError(file, error);
    }
  });
}

/** A picture's pixels, and what those of its file say. Throws as `checkedPicture` does. */
export async function rgbAndMode(
  source: PictureSource,
  options: PictureOptions = {},
): Promise<{ image: RgbImage; mode: PictureMode }> {
  const image = await readRgb(source, options);
  const { channels, isPalette, hasAlpha } = await sharp(source, { limitInputPixels: MOST_PIXELS }).metadata();
  const kind = channels < 3 ? 'grey' : 'colour';
  return { image, mode: isPalette === true ? 'palette' : hasAlpha === true ? `${kind}-alpha` : kind };
}

/** Its pixels as they stand in the file, 3 bytes each. Throws as `checkedPicture` does. */
export async function readRgb(source: PictureSource, options: PictureOptions = {}): Promise<RgbImage> {
  const { picture, width, height } = await checkedPicture(source, options);
  return await inTurn(width * height, async () => {
    try {
      const rgb = picture.removeAlpha().toColourspace('srgb').raw();
      const { data, info } = await rgb.toBuffer({ resolveWithObject: true });
      return { width: info.width, height: info.height, rgb: data };
    } catch (error) {
      const name = options.name ?? (typeof source === 'string' ? source : 'the picture');
      throw unreadable(name, firstLine(error), error);
    }
  });
}

/** A small JPEG of pixels of our own, no larger than `within`; never larger than the picture. */
export async function smallJpeg(image: RgbImage, within: { width: number; height: number }): Promise<Buffer> {
  const { width, height, rgb } = image;
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize({ ...within, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 72 })
    .toBuffer();
}

/** The picture as a small JPEG. Throws as `checkedPicture` does. */
export async function shrinkPicture(
  source: PictureSource,
  within: { width: number; height: number },
  options: PictureOptions = {},
): Promise<Buffer> {
  const { picture, width, height } = await checkedPicture(source, options);
  return await inTurn(width * height, async () => {
    try {
      const small = picture.resize({ ...within, fit: 'inside', withoutEnlargement: true });
      return await small.flatten().jpeg({ quality: 78 }).toBuffer();
    } catch (error) {
      throw pictureError(options.name ?? (typeof source === 'string' ? source : 'the picture'), error);
    }
  });
}

/** Pixels that are decoded at the same time: several of a screen, one of the largest. */
const AT_ONCE = MOST_PIXELS;
let decoding = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(pixels: number, work: () => Promise<T>): Promise<T> {
  while (decoding > 0 && decoding + pixels > AT_ONCE) await new Promise<void>((go) => waiting.push(go));
  decoding += pixels;
  try {
    return await work();
  } finally {
    decoding -= pixels;
    for (const go of waiting.splice(0)) go();
  }
}

const firstLine = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);

/** For work on a picture that failed: our own error as it is, any other as BAD_FILE with the file's name. */
export function pictureError(file: string, error: unknown): StudioError {
  if (error instanceof StudioError) return error;
  // Libraries put a line for each thing that they met into one message.
  const why = whyNot(error).split('\n')[0];
  return new StudioError('BAD_FILE', `${file} cannot be read as a picture: ${why}.`, { file }, { cause: error });
}

const unreadable = (name: string, why: string, cause?: unknown): StudioError =>
  new StudioError('BAD_FILE', `${name} cannot be read as a picture: ${why}.`, { file: name }, { cause });
