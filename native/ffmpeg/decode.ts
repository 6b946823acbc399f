import { spawn } from 'node:child_process';
import { StudioError } from '../../schemas/errors.ts';
import type { Rect } from '../../schemas/events.ts';
import type { MkvBlock } from '../mkv/read.ts';
import { fileInput } from './input.ts';

/** One decoded picture: RGB, 3 bytes a pixel, rows without padding. */
type DecodedFrame = { pts: number; rgb: Buffer; width: number; height: number };

/** Wanted pictures that are in one stretch of the master: decoding starts at the key frame `from` (ms). */
type DecodeRun = { from: number; wanted: number[] };

/** Pictures that are cheaper to decode and throw away than to start ffmpeg anew. */
const SKIP_WORTH = 60;
const RUN_LIMIT = 400;
/** ffmpeg's expressions are at most 100 deep, and a sum of n terms is n deep. */
const SELECT_GROUP = 40;

/**
 * Splits wanted times (ms, those of `blocks`, ascending) into runs: a run goes on while the next wanted picture's own key
 * frame is not far ahead, so that long stretches nobody asked for are not decoded (K8). Unknown times are left out.
 */
export function planRuns(blocks: readonly MkvBlock[], wanted: readonly number[]): DecodeRun[] {
  // Only of the wanted ones: a master of hours lists hundreds of thousands of pictures.
  const places = new Map<number, { index: number; start: number } | null>(wanted.map((pts) => [pts, null]));
  let key = 0;
  for (const [index, block] of blocks.entries()) {
    if (block.key) key = index;
    if (places.has(block.pts)) places.set(block.pts, { index, start: key });
  }
  const runs: DecodeRun[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const pts of wanted) {
    const place = places.get(pts);
    if (!place) continue;
    const { index, start } = place;
    const run = runs.at(-1);
    if (run && start - last < SKIP_WORTH && run.wanted.length < RUN_LIMIT) run.wanted.push(pts);
    else runs.push({ from: blocks[start]?.pts ?? 0, wanted: [pts] });
    last = index;
  }
  return runs;
}

/** ffmpeg's arguments to write the wanted pictures of one run, in order, as raw RGB on its standard output. */
function decodeArgs(file: string, run: DecodeRun, crop: Rect | null, fpsMode: readonly string[]): string[] {
  const groups: string[] = [];
  for (let at = 0; at < run.wanted.length; at += SELECT_GROUP) {
    const terms = run.wanted.slice(at, at + SELECT_GROUP).map((pts) => `eq(pts\\,${pts})`);
    groups.push(`(${terms.join('+')})`);
  }
  const select = groups.join('+');
  const cut = crop ? `,crop=${crop.width}:${crop.height}:${crop.x}:${crop.y}:exact=1` : '';
  return [
    // seek_timestamp: -ss means the time in the file; without it ffmpeg adds the first picture's own time and lands too late.
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-noaccurate_seek', '-seek_timestamp', '1', '-copyts'],
    ...fileInput('matroska', file, ['-ss', (run.from / 1000).toFixed(3)]),
    ...['-map', '0:v:0'],
    ...['-vf', `select=${select}${cut}`, ...fpsMode, '-frames:v', String(run.wanted.length)],
    ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'],
  ];
}

/**
 * Decodes the wanted pictures of one master segment, named in any order, and hands each to `take` in the order of time. This is
 * the only way in which pictures leave a master (K4): stills, sync checks and pages all come through here.
 * Throws RECORDING_DAMAGED when ffmpeg gives fewer pictures than asked for.
 */
export async function decodeFrames(
  ffmpeg: { path: string; fpsMode: readonly string[] },
  source: { file: string; blocks: readonly MkvBlock[]; width: number; height: number; crop?: Rect },
  wanted: readonly number[],
  take: (frame: DecodedFrame) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<void> {
  const crop = source.crop ?? null;
  const width = crop?.width ?? source.width;
  const height = crop?.height ?? source.height;
  const bytes = width * height * 3;
  const inOrder = wanted.toSorted((a, b) => a - b);
  for (const run of planRuns(source.blocks, inOrder)) {
    const args = decodeArgs(source.file, run, crop, ffmpeg.fpsMode);
    const stop = { killSignal: 'SIGKILL' as const, ...(signal ? { signal } : {}) };
    const child = spawn(ffmpeg.path, args, { stdio: ['ignore', 'pipe', 'pipe'], ...stop });
    let errors = '';
    child.stderr.on('data', (data: Buffer) => {
      errors = (errors + data.toString()).slice(-2000);
    });
    const ended = new Promise<void>((done, failed) => child.once('close', () => done()).once('error', failed));
    // Awaited below; without this an abort while pictures are read would be an unhandled rejection.
    ended.catch(() => undefined);
    let done = 0;
    let frame = Buffer.allocUnsafe(bytes);
    let filled = 0;
    try {
      for await (const part of child.stdout as AsyncIterable<Buffer>) {
        let from = 0;
        while (from < part.length) {
          const n = Math.min(bytes - filled, part.length - from);
          part.copy(frame, filled, from, from + n);
          filled += n;
          from += n;
          if (filled < bytes) continue;
          const pts = run.wanted[done++];
          if (pts !== undefined) await take({ pts, rgb: frame, width, height });
          frame = Buffer.allocUnsafe(bytes);
          filled = 0;
        }
      }
    } catch (error) {
      // It may go on for long before it writes the next picture and finds nobody there.
      child.kill('SIGKILL');
      throw error;
    }
    await ended;
    if (done < run.wanted.length) {
      throw new StudioError(
        'RECORDING_DAMAGED',
        `${source.file}: ${run.wanted.length - done} of ${run.wanted.length} pictures could not be decoded${errors ? ` (${errors.trim().split('\n').at(-1)})` : ''}. Run "recover" on the workspace.`,
        { file: source.file, missing: run.wanted.length - done },
      );
    }
  }
}
