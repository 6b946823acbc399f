import { createReadStream, existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { StudioError } from '../../schemas/errors.ts';
import { rawEventSchema } from '../../schemas/events.ts';
import { frameSchema, windowLineSchema } from '../../schemas/frames.ts';
import { keyframeIndexSchema, type Recording } from '../../schemas/recording.ts';
import { EVENTS_FILE, FRAMES_FILE, RECORDING_FILE, readRecording, WINDOWS_FILE } from '../store/recording-folder.ts';
import { ANNOTATION_FILE, annotationFileSchema } from './annotation-file.ts';
import { type ImportLimits, MOST_PROBLEMS } from './limits.ts';

/** What an id may be: it names the folder and stands in addresses. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export type Checked = {
  recording: Recording;
  /** What is missing but does not make it worthless (its video, its playback copy). */
  warnings: string[];
};

/**
 * Checks a whole recording folder from a stranger: recording.json, every line of every .jsonl, every file that one of
 * them names. Throws BAD_FILE with up to 20 problems, each with file and line; FUTURE_VERSION.
 */
export async function checkRecording(
  folder: string,
  limits: ImportLimits,
  signal: AbortSignal,
  report: (share: number) => void,
): Promise<Checked> {
  checkSize(folder, RECORDING_FILE, limits);
  const recording = readRecording(folder);
  const problems: string[] = [];
  if (!ID.test(recording.id) || /[.]$/.test(recording.id)) {
    problems.push(`${RECORDING_FILE}: field \`id\`: "${recording.id.slice(0, 60)}" cannot be a folder's name`);
  }
  const warnings = checkNames(folder, recording, problems);
  const isOpen = recording.state === 'recording';
  const lines: [name: string, schema: z.ZodType, must: boolean][] = [
    [EVENTS_FILE, rawEventSchema, true],
    [FRAMES_FILE, frameSchema, true],
    [WINDOWS_FILE, windowLineSchema, false],
  ];
  for (const [i, [name, schema, must]] of lines.entries()) {
    const file = join(folder, name);
    if (!existsSync(file)) {
      if (must) problems.push(`${name}: the file is missing`);
      continue;
    }
    await checkLines(file, schema, limits, signal, {
      // A crash cuts the last line; closing the recording leaves it out.
      problem: (line, why, torn) => {
        if (!(torn && isOpen)) problems.push(`${name} line ${line}: ${why}`);
      },
      share: (share) => report((i + share) / lines.length),
    });
  }
  checkJson(folder, 'keyframes/index.json', keyframeIndexSchema, limits, problems, ({ keyframes }) => {
    const odd = keyframes.find(({ file }) => !/^-?\d+\.png$/.test(file));
    return odd ? `"${odd.file.slice(0, 100)}" is not a name that a still may have` : null;
  });
  checkJson(folder, ANNOTATION_FILE, annotationFileSchema, limits, problems, () => null);
  if (problems.length === 0) return { recording, warnings };
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  throw new StudioError('BAD_FILE', `It is no sound recording: ${first}${more}. Nothing was kept.`, {
    problems: problems.slice(0, MOST_PROBLEMS),
    count: problems.length,
  });
}

/** Files that recording.json names: plain names of this folder, nothing else. */
function checkNames(folder: string, recording: Recording, problems: string[]): string[] {
  const warnings: string[] = [];
  const named = recording.segments.map(({ file }): [string, RegExp] => [file, /^screen(-\d{1,6})?\.mkv$/]);
  if (recording.playback !== null) named.push([recording.playback, /^[\w-]{1,60}\.mp4$/]);
  for (const [file, form] of named) {
    if (!form.test(file))
      problems.push(`${RECORDING_FILE}: "${file.slice(0, 100)}" is not a name that a video of it may have`);
    else if (!existsSync(join(folder, file))) warnings.push(`${file} is missing: steps have no picture from it`);
  }
  return warnings;
}

/** A JSON file that may be there, by its schema and what else `odd` finds. */
function checkJson<T>(
  folder: string,
  name: string,
  schema: z.ZodType<T>,
  limits: ImportLimits,
  problems: string[],
  odd: (value: T) => string | null,
): void {
  const file = join(folder, name);
  if (!existsSync(file)) return;
  checkSize(folder, name, limits);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    problems.push(`${name}: it is not JSON`);
    return;
  }
  const result = schema.safeParse(value);
  const issue = result.error?.issues[0];
  const why = result.success ? odd(result.data) : `field \`${issue?.path.join('.')}\`: ${issue?.message}`;
  if (why !== null) problems.push(`${name}: ${why}`);
}

function checkSize(folder: string, name: string, { jsonBytes }: ImportLimits): void {
  const file = join(folder, name);
  if (!existsSync(file)) {
    throw new StudioError('BAD_FILE', `It is no recording: it holds no ${name}. Nothing was kept.`, { file: name });
  }
  if (lstatSync(file).size <= jsonBytes) return;
  throw new StudioError('BAD_FILE', `${name} is larger than ${jsonBytes / 1e6} MB. Nothing was kept.`, { file: name });
}

type LineReport = { problem(line: number, why: string, torn: boolean): void; share(share: number): void };

/**
 * Each line against its schema. Reads in small pieces and gives way between them, so that the studio answers meanwhile:
 * a million events take about half a minute.
 */
async function checkLines(
  file: string,
  schema: z.ZodType,
  limits: ImportLimits,
  signal: AbortSignal,
  { problem, share }: LineReport,
): Promise<void> {
  const all = statSync(file).size || 1;
  let done = 0;
  let number = 0;
  let found = 0;
  let rest = Buffer.alloc(0);
  const look = (bytes: Buffer, torn: boolean): void => {
    number++;
    const why = bytes.length > limits.lineBytes ? tooLong(limits) : problemOf(bytes, schema);
    if (why === null) return;
    found++;
    problem(number, why, torn);
  };
  for await (const chunk of createReadStream(file, { highWaterMark: 64 * 1024, signal })) {
    // A stream without an encoding gives Buffers.
    const bytes = chunk as Buffer;
    done += bytes.length;
    let data = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
      look(data.subarray(0, end), false);
      data = data.subarray(end + 1);
    }
    rest = Buffer.from(data);
    if (rest.length > limits.lineBytes) {
      problem(number + 1, tooLong(limits), false);
      return;
    }
    // What is wrong from end to end need not be counted to its end.
    if (found >= 1000) return;
    share(done / all);
  }
  if (rest.length > 0) look(rest, true);
}

const tooLong = ({ lineBytes }: ImportLimits): string => `the line is longer than ${lineBytes} bytes`;

function problemOf(bytes: Buffer, schema: z.ZodType): string | null {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return 'it is not JSON';
  }
  const result = schema.safeParse(value);
  if (result.success) return null;
  const issue = result.error.issues[0];
  return `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'does not fit'}`;
}
