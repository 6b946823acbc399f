import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { type FrameSize, placedIn } from '../../../core/export/lerobot/frame.ts';
import { figuresOfColours } from '../../../core/export/lerobot/stats.ts';
import type { NamedPicture } from '../../../core/export/pictures.ts';
import { writeFilm } from '../../../native/ffmpeg/film.ts';
import { type FfmpegInfo, findFfmpeg } from '../../../native/ffmpeg/find.ts';
import type { LerobotFigures } from '../../../schemas/export-lerobot.ts';
import { readRgb } from '../../files/picture.ts';
import { refuseCancelled } from '../../store/jobs/cancelled.ts';
import { missingFile, refuseStranger } from './target.ts';

type FilmWish = FrameSize & {
  fps: number;
  exact: boolean;
  signal: AbortSignal | undefined;
  onPicture(name: string): void;
};

/** Makes a video of stills, one after another. */
export type FilmStore = {
  /** The figures of its colours, as shares. Throws BAD_FILE when a picture is missing. */
  put(pictures: readonly NamedPicture[], to: string, wish: FilmWish): Promise<LerobotFigures>;
};

export function filmStore(): FilmStore {
  let found: Promise<FfmpegInfo> | undefined;
  return {
    async put(pictures, to, wish) {
      await mkdir(path.dirname(to), { recursive: true });
      const counts = [0, 1, 2].map(() => new Array<number>(256).fill(0));
      // Looked at before ffmpeg is started: what is missing is said as everywhere.
      for (const { picture, name } of pictures) {
        await refuseStranger(picture.path, name).catch((error: unknown) => {
          throw missingFile(error, picture.path, name);
        });
      }
      found ??= findFfmpeg();
      await writeFilm(await found, to, wish, framesOf(pictures, wish, counts));
      return figuresOfColours(counts, pictures.length);
    },
  };
}

/** So many pixels of a picture are counted for the figures. */
const COUNTED = 90_000;

async function* framesOf(
  pictures: readonly NamedPicture[],
  { width, height, signal, onPicture }: FilmWish,
  counts: readonly number[][],
): AsyncGenerator<Uint8Array> {
  for (const { picture, name } of pictures) {
    refuseCancelled(signal);
    const rgb = await frameOfPicture(picture.path, { width, height });
    const step = 3 * Math.max(1, Math.floor((width * height) / COUNTED));
    for (let at = 0; at < rgb.length; at += step) {
      for (let colour = 0; colour < 3; colour++) counts[colour]![rgb[at + colour]!]!++;
    }
    onPicture(name);
    yield rgb;
  }
}

async function frameOfPicture(file: string, frame: FrameSize): Promise<Uint8Array> {
  const image = await readRgb(file);
  if (image.width === frame.width && image.height === frame.height) return image.rgb;
  const { width, height } = placedIn(image, frame);
  const raw = sharp(image.rgb, { raw: { width: image.width, height: image.height, channels: 3 } });
  const right = frame.width - width;
  const bottom = frame.height - height;
  const fitted = width === image.width && height === image.height ? raw : raw.resize(width, height, { fit: 'fill' });
  return fitted.extend({ right, bottom, background: '#000000' }).raw().toBuffer();
}
