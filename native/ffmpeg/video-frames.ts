import { StudioError } from '../../schemas/errors.ts';
import type { FfmpegInfo } from './find.ts';
import { type Demuxer, fileInput } from './input.ts';
import { fpsModeArgs } from './master.ts';
import { runFfmpeg } from './run.ts';

/** Single pictures of a video that somebody gave: chosen by their place in the file, so that the same file gives the same ones. */

type Tool = Pick<FfmpegInfo, 'path' | 'major' | 'minor'>;

/** A longer one is no visual query: ten hours at 60 pictures a second. */
const MOST_PICTURES = 2_160_000;
const LOG_BYTES = 1 << 16;

/** The places of `count` pictures spread evenly over `total`, the first and the last one among them; each once. */
export function spreadPlaces(total: number, count: number): number[] {
  if (total <= 0 || count <= 0) return [];
  if (count === 1) return [total - 1];
  const places = Array.from({ length: count }, (_, at) => Math.round((at * (total - 1)) / (count - 1)));
  return [...new Set(places)];
}

/**
 * How many pictures of a video can be decoded; the whole of it is. Throws BAD_FILE when there is none, or when there are
 * more than ten hours of them.
 */
export async function countPictures(
  ffmpeg: Tool,
  file: string,
  demuxer: Demuxer,
  signal?: AbortSignal,
): Promise<number> {
  const args = [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-nostats', '-progress', 'pipe:1'],
    ...fileInput(demuxer, file),
    ...['-map', '0:V:0', '-an', '-sn', '-dn', ...fpsModeArgs(ffmpeg)],
    ...['-frames:v', String(MOST_PICTURES + 1), '-f', 'null', '-'],
  ];
  const out = await run(ffmpeg, args, file, signal);
  const count = Number([...out.matchAll(/^frame=\s*(\d+)\s*$/gm)].at(-1)?.[1] ?? 0);
  if (count === 0) throw new StudioError('BAD_FILE', `${file} holds no picture that can be decoded.`, { file });
  if (count <= MOST_PICTURES) return count;
  throw new StudioError('BAD_FILE', `${file} has more than ${MOST_PICTURES} pictures. Give a shorter one.`, { file });
}

/**
 * Writes the pictures at these places (ascending, from 0) as PNG files `<to>/<n>.png`, n from 1, turned as players turn them,
 * without anything that would differ from run to run. Throws BAD_FILE, DISK_FULL.
 */
export async function writePictures(
  ffmpeg: Tool,
  { file, demuxer }: { file: string; demuxer: Demuxer },
  places: readonly number[],
  to: string,
  signal?: AbortSignal,
): Promise<void> {
  const wanted = places.map((place) => `eq(n\\,${place})`).join('+');
  const args = [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-nostats', ...fileInput(demuxer, file)],
    ...['-map', '0:V:0', '-an', '-sn', '-dn', '-map_metadata', '-1', '-vf', `select='${wanted}'`],
    ...[...fpsModeArgs(ffmpeg), '-frames:v', String(places.length)],
    ...['-c:v', 'png', '-pix_fmt', 'rgb24', '-flags', '+bitexact', '-f', 'image2', '-start_number', '1'],
    `file:${to}/%d.png`,
  ];
  await run(ffmpeg, args, file, signal);
}

/** Gives what ffmpeg printed. Throws DISK_FULL, and BAD_FILE when it failed. */
async function run(ffmpeg: Tool, args: readonly string[], file: string, signal?: AbortSignal): Promise<string> {
  const { out, log, code } = await runFfmpeg(ffmpeg, args, { logBytes: LOG_BYTES, signal });
  if (code === 0) return out;
  if (/No space left on device|ENOSPC/.test(log)) {
    throw new StudioError('DISK_FULL', 'The disk is full. Free some space and try again.', { file });
  }
  const why = log.trim().split('\n').at(-1)?.slice(0, 300) || `ffmpeg ended with ${code}`;
  throw new StudioError('BAD_FILE', `${file}: its pictures cannot be read: ${why}.`, { file });
}
