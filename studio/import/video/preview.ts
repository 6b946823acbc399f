import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import sharp from 'sharp';
import { StudioError } from '../../../schemas/errors.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { checkedPicture } from '../../files/picture.ts';
import { cutFrames } from '../../recordings/cut.ts';
import { LIMITS } from '../limits.ts';
import type { TakenFilm } from './film.ts';
import { buildFrames, DEFAULT_SAMPLING, type VideoOptions } from './import-video.ts';

/** The contact sheet: width of a picture in px, pictures a row, most pictures. */
const WIDTH = 320;
const COLUMNS = 4;
const MOST_SHOWN = 200;
const LABEL = 22;

type Preview = {
  out: string;
  samples: number;
  kept: number;
  /** Pictures on the sheet. */
  shown: number;
};

/**
 * Shows what K6 would choose, and imports nothing: `index.json` with every sample, its share of changed pixels and whether
 * it was kept, and `contact-sheet.png`. Throws TARGET_EXISTS when `out` holds anything; as importVideo otherwise.
 */
export async function previewVideo(
  source: string,
  out: string,
  options: Pick<VideoOptions, 'ffmpeg' | 'sampling' | 'signal' | 'report' | 'limits'>,
): Promise<Preview> {
  const target = resolve(out);
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new StudioError('TARGET_EXISTS', `${target} is not empty. Choose another folder.`, { out: target });
  }
  mkdirSync(dirname(target), { recursive: true });
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID().slice(0, 8)}.part`);
  const { signal, report, limits = LIMITS, sampling = DEFAULT_SAMPLING } = options;
  try {
    const work = join(temporary, 'work');
    const made = join(temporary, 'out');
    for (const folder of [work, made]) mkdirSync(folder, { recursive: true });
    const built = await buildFrames(source, { folder: work, limits, signal, report }, { ...options, sampling });
    const kept = built.analysis.samples.filter((sample) => sample.kept);
    const shown = kept.slice(0, MOST_SHOWN);
    await writeSheet(work, join(made, 'contact-sheet.png'), built, shown, options);
    const zero = built.analysis.frames[0]!.pts; // analyseVideo gives at least one.
    const samples = built.analysis.samples.map(({ frame, pts, share, kept: isKept }) => {
      return {
        frame,
        seconds: (pts - zero) / 1000,
        share: share === null ? null : Math.round(share * 1e4) / 1e4,
        kept: isKept,
      };
    });
    const index = { video: basename(source), rule: sampling.rule ?? 'K6', sampling, samples };
    writeFileAtomic(join(made, 'index.json'), `${JSON.stringify(index, null, 1)}\n`);
    if (existsSync(target)) rmSync(target, { recursive: true });
    renameSync(made, target);
    return { out: target, samples: samples.length, kept: kept.length, shown: shown.length };
  } catch (error) {
    if (signal.aborted) throw new StudioError('CANCELLED', 'The preview was stopped; nothing was kept.', {});
    throw error;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The kept pictures in rows, each with its time and its share of changed pixels. */
async function writeSheet(
  work: string,
  file: string,
  { video, analysis }: TakenFilm,
  shown: TakenFilm['analysis']['samples'],
  { ffmpeg, signal }: Pick<VideoOptions, 'ffmpeg' | 'signal'>,
): Promise<void> {
  const frames = shown.map(({ frame, pts }) => ({ i: frame, pts, t: pts * 1000 }));
  const segment = {
    index: 0,
    file: 'screen.mkv',
    width: video.width,
    height: video.height,
    firstFrame: 0,
    frames: analysis.frames.length,
  };
  const fileOf = ({ i }: { i: number }): string => join(work, `${i}.png`);
  await cutFrames(work, [segment], frames, fileOf, ffmpeg, { signal });
  const height = Math.max(1, Math.round((video.height * WIDTH) / video.width));
  const rows = Math.ceil(shown.length / COLUMNS);
  const zero = analysis.frames[0]!.pts;
  const parts = await Promise.all(
    shown.map(async ({ frame, pts, share }, at) => {
      const { picture: whole } = await checkedPicture(fileOf({ i: frame }));
      const picture = await whole.resize(WIDTH, height, { fit: 'fill' }).png().toBuffer();
      const left = (at % COLUMNS) * (WIDTH + 8) + 8;
      const top = Math.floor(at / COLUMNS) * (height + LABEL + 8) + 8;
      const said = `${((pts - zero) / 1000).toFixed(2)} s${share === null ? ' · last' : ` · ${(share * 100).toFixed(1)} %`}`;
      return [
        { input: picture, left, top },
        { input: label(said), left, top: top + height },
      ];
    }),
  );
  const canvas = {
    width: COLUMNS * (WIDTH + 8) + 8,
    height: Math.max(1, rows) * (height + LABEL + 8) + 8,
    channels: 3 as const,
    background: '#1b1c1e',
  };
  await sharp({ create: canvas }).composite(parts.flat()).png().toFile(file);
}

/** Only digits and signs of ours come in: nothing to escape. */
function label(text: string): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${LABEL}"><text x="2" y="16" font-family="sans-serif" font-size="13" fill="#e6e6e6">${text}</text></svg>`,
  );
}
