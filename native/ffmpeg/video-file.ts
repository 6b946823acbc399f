import { spawn } from 'node:child_process';
import { StudioError } from '../../schemas/errors.ts';
import { MOST_PIXELS } from '../../schemas/limits.ts';
import type { FfmpegInfo } from './find.ts';
import { type Demuxer, fileInput } from './input.ts';
import { fpsModeArgs, MASTER_GOP } from './master.ts';
import { runFfmpeg } from './run.ts';

/** A video that somebody else made: what it holds, its pictures as a master of ours, and how they change. */

export type VideoFacts = {
  /** ffmpeg's number of its stream: what players show. */
  track: number;
  /** Further video tracks, which nobody takes. */
  others: { width: number; height: number }[];
  codec: string;
  width: number;
  height: number;
  /** Degrees that players turn it by. */
  rotation: number;
  hasSound: boolean;
  /** When it says that it was made, ISO 8601 UTC. */
  createdAt: string | null;
  squarePixels: boolean;
};

type Tool = Pick<FfmpegInfo, 'path' | 'major' | 'minor'>;

const LOG_BYTES = 1 << 20;

const inputArgs = (demuxer: Demuxer, file: string): string[] => [
  ...['-hide_banner', '-nostdin', ...fileInput(demuxer, file)],
];

/** Throws BAD_FILE when it holds no video that this ffmpeg can read, or one with more than 67 megapixels. */
export async function probeVideo(
  ffmpeg: Tool,
  file: string,
  demuxer: Demuxer,
  signal?: AbortSignal,
): Promise<VideoFacts> {
  // Without an output ffmpeg tells what the input is and ends with an error.
  const { log } = await runFfmpeg(ffmpeg, inputArgs(demuxer, file), { logBytes: LOG_BYTES, signal });
  const facts = parseFacts(log);
  if (facts === null) {
    if (/^ {0,9}Stream #0:\d{1,9}[^\n]*: Audio: /m.test(log)) {
      const message = `${file} holds sound and no pictures, so there are no steps to be seen in it. Take the film that the sound is of.`;
      throw new StudioError('BAD_FILE', message, { file });
    }
    const why = log.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
    throw new StudioError('BAD_FILE', `${file} holds no video that ffmpeg can read${why && `: ${why}`}.`, { file });
  }
  if (facts.width * facts.height > MOST_PIXELS) {
    throw new StudioError(
      'BAD_FILE',
      `${file} is ${facts.width} x ${facts.height}: more than 67 megapixels are not taken.`,
      {
        file,
      },
    );
  }
  return facts;
}

/**
 * `ffmpeg -i`'s lines about the video streams that are no cover pictures: the one that is marked as default, as players take
 * it, else the first; null without one.
 */
export function parseFacts(log: string): VideoFacts | null {
  const lines = log.split('\n');
  const tracks = lines.flatMap((line, at) => {
    const track = /^\s*Stream #0:(\d{1,9}).*: Video: /.exec(line)?.[1];
    if (track === undefined || line.includes('(attached pic)')) return [];
    const size = /, (\d{2,5})x(\d{2,5})[, ]/.exec(`${line} `);
    return size ? [{ at, line, track: Number(track), width: Number(size[1]), height: Number(size[2]) }] : [];
  });
  const shown = tracks.find(({ line }) => line.includes('(default)')) ?? tracks[0];
  if (!shown) return null;
  const { at, line, track, width, height } = shown;
  const next = lines.findIndex((other, index) => index > at && /^\s*Stream #/.test(other));
  const own = lines.slice(at, next < 0 ? undefined : next).join('\n');
  const sar = /\[SAR (\d+):(\d+)/.exec(line);
  const created = /creation_time\s*: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/.exec(log)?.[1];
  const createdAt = created && !Number.isNaN(Date.parse(created)) ? new Date(created).toISOString() : null;
  return {
    track,
    others: tracks.filter((one) => one !== shown).map((one) => ({ width: one.width, height: one.height })),
    codec: /: Video: (\w+)/.exec(line)?.[1] ?? '',
    width,
    height,
    rotation: Math.round(Number(/rotation of (-?[\d.]+) degrees/.exec(own)?.[1] ?? 0)),
    hasSound: lines.some((other) => /^\s*Stream #0:\d{1,9}.*: Audio: /.test(other)),
    createdAt,
    squarePixels: !sar || sar[1] === sar[2],
  };
}

/** A track of a file: what is read. */
export type VideoTrack = { file: string; demuxer: Demuxer; track: number };

/**
 * Writes the pictures as a Matroska file with their own times in ms. `copy`: as they are coded, bit for bit. `encode`: coded
 * again (H.264, 4:4:4, CRF 12), turned as players turn it; `canvas`: each picture at the top left of one of this size, made
 * smaller where it is larger. Gives what ffmpeg had to complain of: a damaged file is read as
 * far as it goes. Throws BAD_FILE, DISK_FULL; what `signal` says when aborted.
 */
export async function writeMaster(
  ffmpeg: Tool,
  from: VideoTrack,
  to: string,
  how: 'copy' | { canvas: { width: number; height: number } | null },
  signal?: AbortSignal,
): Promise<string[]> {
  // Two pictures in one millisecond could not be told apart.
  const apart = "settb=1/1000,select='isnan(prev_selected_pts)+gt(pts\\,prev_selected_pts)'";
  const fitted = how === 'copy' || how.canvas === null ? apart : `${apart},${onCanvas(how.canvas)}`;
  const coding =
    how === 'copy'
      ? ['-c:v', 'copy']
      : [
          ...[
            '-vf',
            fitted,
            ...fpsModeArgs(ffmpeg),
            '-enc_time_base',
            '1:1000',
            '-c:v',
            'libx264',
            '-preset',
            'veryfast',
          ],
          ...['-crf', '12', '-pix_fmt', 'yuv444p', '-bf', '0', '-g', String(MASTER_GOP)],
        ];
  const args = [
    ...['-loglevel', 'error', '-copyts', ...inputArgs(from.demuxer, from.file)],
    ...['-map', `0:${from.track}`, '-an', '-sn', '-dn'],
    ...[
      '-map_metadata',
      '-1',
      '-map_chapters',
      '-1',
      ...coding,
      '-avoid_negative_ts',
      'disabled',
      '-f',
      'matroska',
      '-y',
    ],
    `file:${to}`,
  ];
  const { log, code } = await runFfmpeg(ffmpeg, args, { logBytes: LOG_BYTES, signal });
  if (code === 0) return complaintsOf(log);
  if (/No space left on device|ENOSPC/.test(log)) {
    throw new StudioError('DISK_FULL', 'The disk is full. Free some space and try again.', { file: to });
  }
  const why = log.trim().split('\n').slice(-2).join(' | ').replaceAll(to, 'the copy').slice(0, 400);
  throw new StudioError(
    'BAD_FILE',
    `${from.file}: its pictures cannot be read: ${why || `ffmpeg ended with ${code}`}.`,
    {
      file: from.file,
    },
  );
}

/** A picture that is larger keeps its shape; a comma within an argument is escaped. */
const onCanvas = ({ width, height }: { width: number; height: number }): string =>
  `scale=w='min(iw\\,${width})':h='min(ih\\,${height})':force_original_aspect_ratio=decrease,pad=${width}:${height}:0:0,setsar=1`;

/** The first of ffmpeg's complaints, without who says it. */
function complaintsOf(log: string): string[] {
  const lines = log.split('\n').map((line) => line.replace(/^\[[^\]]*\] */, '').trim());
  return [...new Set(lines.filter((line) => line !== ''))].slice(0, 3).map((line) => line.slice(0, 200));
}

/** A small grey copy of a picture: one byte a pixel, valid until the next one comes; `size` of the picture itself, px. */
type GreyFrame = { pts: number; grey: Uint8Array; size: Size };
type Size = { width: number; height: number };

/** The size of the grey copies: at most 640 px wide, so that what compression does to single pixels is averaged away. */
export function greySize({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const wide = Math.min(640, width);
  return { width: wide, height: Math.max(1, Math.round((height * wide) / width)) };
}

/** Every picture in the order of time, small and grey. Pictures that cannot be decoded are passed over. */
export async function* greyFrames(
  ffmpeg: Tool,
  { file, demuxer, track }: VideoTrack,
  size: Size,
  signal?: AbortSignal,
): AsyncGenerator<GreyFrame> {
  const scale = `scale=${size.width}:${size.height}:flags=area,format=gray`;
  const args = [
    // showinfo tells each picture's time; it writes at the level `info`.
    ...['-loglevel', 'info', '-nostats', '-copyts', ...inputArgs(demuxer, file), '-map', `0:${track}`],
    ...['-vf', `showinfo=checksum=0,${scale}`, ...fpsModeArgs(ffmpeg), '-f', 'rawvideo', 'pipe:1'],
  ];
  const child = spawn(ffmpeg.path, args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  const abort = (): void => void child.kill('SIGKILL');
  signal?.addEventListener('abort', abort, { once: true });
  const times = shownTimes();
  child.stderr.on('data', (data: Buffer) => times.push(data.toString('latin1')));
  const ended = new Promise<void>((done, failed) => child.once('close', () => done()).once('error', failed));
  ended.catch(() => undefined);
  const bytes = size.width * size.height;
  let frame = new Uint8Array(bytes);
  let filled = 0;
  try {
    for await (const part of child.stdout as AsyncIterable<Buffer>) {
      for (let from = 0; from < part.length; ) {
        const n = Math.min(bytes - filled, part.length - from);
        frame.set(part.subarray(from, from + n), filled);
        filled += n;
        from += n;
        if (filled < bytes) continue;
        yield { ...(await times.next(ended)), grey: frame };
        frame = new Uint8Array(bytes);
        filled = 0;
      }
    }
    await ended;
    if (signal?.aborted) throw signal.reason;
  } finally {
    signal?.removeEventListener('abort', abort);
    child.kill('SIGKILL');
  }
}

/** Times and sizes out of showinfo's lines, in order. A picture may come through its pipe before its line comes through the other. */
function shownTimes() {
  const known: { pts: number; size: Size }[] = [];
  let rest = '';
  let wake: (() => void) | null = null;
  return {
    push(text: string): void {
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(-4096);
      for (const line of lines) {
        const pts = /^\[Parsed_showinfo_0 @ [^\]]*\] n: *\d+ pts: *(-?\d+) /.exec(line)?.[1];
        const size = / s:(\d{1,6})x(\d{1,6}) /.exec(line);
        if (pts !== undefined)
          known.push({ pts: Number(pts), size: { width: Number(size?.[1] ?? 0), height: Number(size?.[2] ?? 0) } });
      }
      wake?.();
    },
    async next(ended: Promise<void>): Promise<{ pts: number; size: Size }> {
      let over = false;
      while (known.length === 0 && !over) {
        await Promise.race([
          new Promise<void>((resolve) => {
            wake = resolve;
          }),
          ended.then(() => {
            over = true;
          }),
        ]);
      }
      const shown = known.shift();
      if (shown !== undefined) return shown;
      throw new StudioError('BAD_FILE', 'ffmpeg gave a picture without its time.', {});
    },
  };
}
