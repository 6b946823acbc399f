import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isInput, type RawEvent, rawEventSchema } from '../../schemas/events.ts';
import { type Frame, frameSchema } from '../../schemas/frames.ts';
import { type Recording, recordingSchema } from '../../schemas/recording.ts';
import { must } from './process.ts';

/** Reads a recording folder by its contract alone (schemas/), as another program would, and decodes its master. */

/** Folders of a workspace's recordings, oldest name first; none while there is no workspace. */
export function findRecordings(workspace: string): string[] {
  const parent = path.join(workspace, 'recordings');
  if (!fs.existsSync(parent)) return [];
  const names = fs.readdirSync(parent).filter((name) => fs.existsSync(path.join(parent, name, 'recording.json')));
  return names.sort().map((name) => path.join(parent, name));
}

/** Throws what is wrong with recording.json. */
export function readRecording(folder: string): Recording {
  return recordingSchema.parse(JSON.parse(fs.readFileSync(path.join(folder, 'recording.json'), 'utf8')));
}

type Torn = 'whole' | 'torn-end-allowed';

/** Every line checked by its schema; throws with file and line. While recording, the last line may be half there. */
function readLines<T>(file: string, check: (value: unknown) => T, torn: Torn): T[] {
  if (torn === 'torn-end-allowed' && !fs.existsSync(file)) return [];
  const text = fs.readFileSync(file, 'utf8');
  if (torn === 'whole' && text !== '' && !text.endsWith('\n')) throw new Error(`${file} ends in a torn line`);
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line, i) => {
    try {
      return check(JSON.parse(line));
    } catch (error) {
      throw new Error(`${path.basename(file)} line ${i + 1}: ${line.slice(0, 200)}: ${String(error)}`);
    }
  });
}

export const readEvents = (folder: string, torn: Torn = 'whole'): RawEvent[] =>
  readLines(path.join(folder, 'events.jsonl'), (value) => rawEventSchema.parse(value), torn);
export const readFrames = (folder: string, torn: Torn = 'whole'): Frame[] =>
  readLines(path.join(folder, 'frames.jsonl'), (value) => frameSchema.parse(value), torn);

/** Session time of a reading of CLOCK_MONOTONIC in µs, and back: recording.json's clock (C5). */
export const sessionUs = (recording: Recording, monotonic: number): number =>
  monotonic - Number(BigInt(recording.clock.startNs) / 1000n);

/** Presentation times of a video's frames, ms, by ffprobe. */
export async function frameTimes(file: string): Promise<number[]> {
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', file];
  const text = await must('ffprobe', args, { timeoutMs: 600_000 });
  const times = text.split('\n').map((line) => line.replace(/,$/, '').trim());
  return times.filter((line) => line !== '').map((line) => Math.round(Number(line) * 1000));
}

export type Crop = { x: number; y: number; width: number; height: number };

/**
 * Decodes a video and hands over the RGB bytes of each frame's `crop`, in order. Throws what ffmpeg says is wrong;
 * `maybe-cut-short`: but for an end in the middle of the file, which is all that a crash may do to it (V4).
 */
export async function decode(
  file: string,
  crop: Crop | null,
  each: (rgb: Buffer, index: number) => void,
  end: 'whole' | 'maybe-cut-short' = 'whole',
): Promise<number> {
  const size = crop ?? (await videoSize(file));
  const bytes = size.width * size.height * 3;
  const filter = crop ? ['-vf', `crop=${crop.width}:${crop.height}:${crop.x}:${crop.y}:exact=1`] : [];
  // Milliseconds, as in the master: coarser times would make frames fall together, which ffmpeg complains about.
  const out = ['-fps_mode', 'passthrough', '-enc_time_base', '1:1000', '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'];
  const child = spawn('ffmpeg', ['-v', 'error', '-i', file, ...filter, ...out], { stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  child.stderr.on('data', (data: Buffer) => {
    words += data.toString();
  });
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  const frame = Buffer.alloc(bytes);
  let filled = 0;
  let count = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.copy(frame, filled, at);
      filled += taken;
      at += taken;
      if (filled < bytes) continue;
      each(frame, count++);
      filled = 0;
    }
  }
  const status = await closed;
  if (end === 'maybe-cut-short') words = words.replace(/^.*File ended prematurely.*$/m, '');
  if (status !== 0 || words.trim() !== '') throw new Error(`ffmpeg on ${file} ended with ${status}: ${words.trim()}`);
  return count;
}

async function videoSize(file: string): Promise<{ width: number; height: number }> {
  const args = [
    '-v',
    'error',
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=width,height',
    '-of',
    'csv=p=0',
    file,
  ];
  const [width, height] = (await must('ffprobe', args)).trim().split(',').map(Number);
  if (!width || !height) throw new Error(`${file} has no picture`);
  return { width, height };
}

/**
 * Problems of a closed recording, found from its files alone: what its contract says and its files do not keep.
 * An empty list means that it is valid and that its verdict's counts are true.
 */
export async function problemsOf(folder: string): Promise<string[]> {
  const problems: string[] = [];
  const recording = readRecording(folder);
  const events = readEvents(folder);
  const frames = readFrames(folder);
  if (recording.state !== 'closed') problems.push(`state is ${recording.state}`);
  if (!recording.verdict) problems.push('no verdict');
  // counts.events counts what the person did (schemas/events.ts, isInput), not the recorder's own lines.
  const inputs = events.filter(isInput).length;
  if (recording.counts.events !== inputs) {
    problems.push(`counts.events ${recording.counts.events}, events.jsonl has ${inputs} of input`);
  }
  // `segments[].frames` is the truth about what is in the master: frames.jsonl is never edited, so after a crash it may
  // name pictures that a killed encoder never wrote, and the master may hold one whose line was never flushed.
  const present = frames.filter((frame) => {
    const segment = recording.segments.find(({ index }) => index === (frame.seg ?? 0));
    return segment !== undefined && frame.i < segment.firstFrame + segment.frames;
  });
  const whole = recording.verdict?.kind === 'complete';
  if (recording.counts.frames !== present.length) {
    problems.push(`counts.frames ${recording.counts.frames}, of frames.jsonl ${present.length} are in the segments`);
  }
  if (present.length < frames.length && !recording.verdict?.missing.some((words) => words.includes('picture'))) {
    problems.push(`${frames.length - present.length} frames are not in the master, and the verdict does not say so`);
  }
  for (const [at, frame] of frames.entries()) {
    const before = frames[at - 1];
    if (frame.i !== at) problems.push(`frame ${at} says i ${frame.i}`);
    if (before && frame.t <= before.t) problems.push(`frame ${at}: t ${frame.t} after ${before.t}`);
    const earliest = before?.seen ?? Number.NEGATIVE_INFINITY;
    if (frame.seen !== undefined && (frame.seen > frame.t || frame.seen < earliest)) {
      problems.push(`frame ${at}: seen ${frame.seen} is not between the frame before's ${earliest} and t ${frame.t}`);
    }
  }
  if (recording.verdict?.kind === 'damaged') return problems;
  for (const segment of recording.segments) {
    const own = present.filter((frame) => (frame.seg ?? 0) === segment.index);
    const file = path.join(folder, segment.file);
    const decoded = await decode(file, null, () => {}, whole ? 'whole' : 'maybe-cut-short');
    if (segment.frames !== own.length || decoded < own.length || (whole && decoded > own.length)) {
      problems.push(
        `${segment.file}: ${decoded} frames decode, frames.jsonl has ${own.length}, recording.json ${segment.frames}`,
      );
      continue;
    }
    const times = await frameTimes(file);
    const wrong = own.findIndex((frame, i) => frame.pts !== times[i]);
    if (wrong >= 0)
      problems.push(`${segment.file} frame ${wrong}: pts ${times[wrong]}, frames.jsonl ${own[wrong]?.pts}`);
  }
  return problems;
}
