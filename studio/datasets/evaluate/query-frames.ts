import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportTask, MediaRef } from '../../../core/export/model.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { DEMUXERS } from '../../../native/ffmpeg/input.ts';
import { countPictures, spreadPlaces, writePictures } from '../../../native/ffmpeg/video-frames.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { mimeOf } from '../../files/first-bytes.ts';
import { countPages, writePage } from '../../files/picture.ts';

/**
 * Visual queries that are videos as sequences of frames ("Media > 1f" of videogui.txt table 3). The frames are spread evenly,
 * the first and the last one among them: chosen by their places in the file, so that the same file gives the same pictures.
 */

/** How many frames show a video, unless somebody says otherwise. */
export const QUERY_FRAMES = 8;

export type GatheredFrames = {
  count: number;
  /** Whether a video is shown at all. */
  used: boolean;
  /** In the order of time; or why it cannot be shown. */
  of(video: MediaRef): readonly { path: string }[] | string;
  /** Removes the pictures, which are needed until they were copied. */
  clear(): void;
};

/** Throws what `signal` says when aborted, DISK_FULL. A video that cannot be shown is its own reason, and no error. */
export async function gatherFrames(
  tasks: readonly ExportTask[],
  count: number,
  signal: AbortSignal | undefined,
): Promise<GatheredFrames> {
  const videos = new Set(
    tasks.flatMap(({ visualQuery: { start, end } }) =>
      [start, end].flatMap((file) => (isVideo(file) ? [file.path] : [])),
    ),
  );
  const shown = new Map<string, readonly { path: string }[] | string>();
  const folder = videos.size > 0 ? mkdtempSync(join(tmpdir(), 'studio-frames-')) : null;
  const clear = (): void => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const [at, file] of [...videos].entries()) {
      const to = join(folder!, String(at)); // There is one where there are videos.
      mkdirSync(to);
      const frames = await framesOf(file, count, to, signal);
      // A GIF that does not move is a picture like any other.
      if (frames !== null) shown.set(file, frames);
    }
  } catch (error) {
    clear();
    throw error;
  }
  return {
    count,
    used: [...shown.values()].some((frames) => typeof frames !== 'string'),
    of: ({ path }) => shown.get(path) ?? 'its file is no picture and no video',
    clear,
  };
}

/** Pictures that may hold several, one after another. */
const MOVING: ReadonlySet<string> = new Set(['image/gif', 'image/webp']);

const UNSHOWN: ReadonlySet<string> = new Set(['BAD_FILE', 'NO_FFMPEG', 'FFMPEG_UNSUITABLE']);

const isVideo = (file: MediaRef | null): file is MediaRef => file?.given !== undefined && mimeOfGiven(file) !== null;

/** Only files that somebody gave may be videos; a still of a recording never is. */
function mimeOfGiven({ path }: MediaRef): string | null {
  const mime = mimeOf(path);
  return mime.startsWith('video/') || MOVING.has(mime) ? mime : null;
}

async function framesOf(
  file: string,
  count: number,
  to: string,
  signal: AbortSignal | undefined,
): Promise<readonly { path: string }[] | string | null> {
  if (MOVING.has(mimeOf(file))) return pagesOf(file, count, to, signal);
  const demuxer = DEMUXERS[mimeOf(file)];
  if (!demuxer) return `its video is ${mimeOf(file)}; mp4, mov, mkv and webm are shown`;
  try {
    const ffmpeg = await findFfmpeg();
    const total = await countPictures(ffmpeg, file, demuxer, signal);
    const places = spreadPlaces(total, count);
    await writePictures(ffmpeg, { file, demuxer }, places, to, signal);
    const written = readdirSync(to).length;
    if (written === 0) return 'its video holds no picture that can be decoded';
    return Array.from({ length: written }, (_, at) => ({ path: join(to, `${at + 1}.png`) }));
  } catch (error) {
    // Questions without pictures are asked all the same.
    if (!(error instanceof StudioError) || !UNSHOWN.has(error.code)) throw error;
    return `its video cannot be shown: ${error.message}`;
  }
}

/** The same of an animated picture; null of one that stands still, or cannot be read here. */
async function pagesOf(
  file: string,
  count: number,
  to: string,
  signal: AbortSignal | undefined,
): Promise<readonly { path: string }[] | null> {
  try {
    const places = spreadPlaces(await countPages(file), count);
    if (places.length < 2) return null;
    const frames = places.map((page, at) => ({ page, path: join(to, `${at + 1}.png`) }));
    for (const { page, path } of frames) {
      signal?.throwIfAborted();
      await writePage(file, page, path);
    }
    return frames.map(({ path }) => ({ path }));
  } catch (error) {
    if (!(error instanceof StudioError) || !UNSHOWN.has(error.code)) throw error;
    return null;
  }
}
