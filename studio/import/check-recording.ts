import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { difference, type Records } from '../../core/annotate/document.ts';
import { MOST_LINE_VALUES, parseShallow } from '../../core/json-depth.ts';
import { append } from '../../core/lists.ts';
import { stepByHandSchema } from '../../schemas/annotation.ts';
import { elementLineSchema } from '../../schemas/elements.ts';
import { errorBody, StudioError, whyNot } from '../../schemas/errors.ts';
import { rawEventSchema } from '../../schemas/events.ts';
import { frameSchema, windowLineSchema } from '../../schemas/frames.ts';
import { curationFileSchema } from '../../schemas/history.ts';
import { keyframeIndexSchema, type Recording } from '../../schemas/recording.ts';
import { pathExists } from '../files/folder.ts';
import { hasBytes } from '../files/kept/list.ts';
import {
  BY_HAND_FILE,
  ELEMENTS_FILE,
  EVENTS_FILE,
  FRAMES_FILE,
  RECORDING_FILE,
  readRecording,
  WINDOWS_FILE,
} from '../store/recording-folder.ts';
import { ANNOTATION_FILE, annotationFileSchema } from './annotation-file.ts';
import { oddStills } from './check-stills.ts';
import { CURATION_FILE } from './curation-file.ts';
import { checkHistory, HISTORY_FILE } from './history-file.ts';
import { type ImportLimits, LIMITS, MOST_PROBLEMS } from './limits.ts';
import { boundedLines, parseLine, tooLong } from './lines.ts';

/** The form of an id: it names the folder and is part of addresses. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

type Checked = {
  recording: Recording;
  /** Missing files without which it can still be used (its video, its playback copy). */
  warnings: string[];
};

/**
 * Checks a whole recording folder from a stranger: recording.json, every line of every .jsonl, every file that one of
 * them names. `said`: where the annotation and history that go with it lie, when not in the folder itself; null: nowhere.
 * Throws BAD_FILE with up to 20 problems, each with file and line; FUTURE_VERSION.
 */
export async function checkRecording(
  folder: string,
  limits: ImportLimits,
  signal: AbortSignal,
  report: (share: number) => void,
  said: string | null = folder,
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
    [ELEMENTS_FILE, elementLineSchema, false],
    [BY_HAND_FILE, stepByHandSchema, false],
  ];
  for (const [i, [name, schema, must]] of lines.entries()) {
    const file = join(folder, name);
    if (!(await pathExists(file))) {
      if (must) problems.push(`${name}: the file is missing`);
      continue;
    }
    let presses = 0;
    await checkLines(file, schema, limits, signal, {
      sound: (value) => {
        if (name === EVENTS_FILE && isPress(value)) presses++;
        return presses <= limits.presses ? null : `it has more than ${limits.presses} presses of keys and buttons`;
      },
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
  append(problems, await oddStills(folder, recording.segments, signal));
  if (said !== null) await checkSaid(said, recording.id, limits, signal, problems);
  if (problems.length === 0) return { recording, warnings };
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  throw new StudioError('BAD_FILE', `It is no sound recording: ${first}${more}. Nothing was kept.`, {
    problems: problems.slice(0, MOST_PROBLEMS),
    count: problems.length,
  });
}

async function checkSaid(
  folder: string,
  id: string,
  limits: ImportLimits,
  signal: AbortSignal,
  problems: string[],
): Promise<void> {
  let said: Records | null = null;
  checkJson(folder, ANNOTATION_FILE, annotationFileSchema, limits, problems, ({ records }) => {
    said = new Map(records.map((record) => [record.id, record]));
    return said.size === records.length ? null : 'a record stands in it twice';
  });
  checkJson(folder, CURATION_FILE, curationFileSchema, limits, problems, () => null);
  if (!(await pathExists(join(folder, HISTORY_FILE)))) return;
  const why = await oddHistory(folder, id, said, limits, signal);
  if (why !== null) problems.push(why);
}

type Leaving = { id: string; said: string | null; signal: AbortSignal; report(share: number): void };

/**
 * Why no import would take a recording that is here, with file and line and what is to be done; null when one would. Throws
 * what is no fault of the recording.
 */
export async function whyUntakeable(folder: string, { id, said, signal, report }: Leaving): Promise<string | null> {
  try {
    const { recording } = await checkRecording(folder, LIMITS, signal, report, said);
    return recording.id === id ? null : `${RECORDING_FILE} says that it is ${recording.id}`;
  } catch (error) {
    const { code, message, details } = errorBody(error);
    if (code !== 'BAD_FILE' && code !== 'FUTURE_VERSION') throw error;
    const { problems, count } = details;
    if (!Array.isArray(problems)) return message;
    const more = typeof count === 'number' && count > 1 ? ` (and ${count - 1} more)` : '';
    return `${String(problems[0])}${more}, which no import takes; put the file back from a copy, or correct it in ${folder}`;
  }
}

/** The first fault in its history, with file and line; null when it leads to the annotation that came with it. */
export async function oddHistory(
  folder: string,
  id: string,
  /** The annotation that came with it; undefined: it came alone. */
  said: Records | null | undefined,
  limits: ImportLimits,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const told = await checkHistory(join(folder, HISTORY_FILE), id, limits, signal);
    if (said === undefined) return null;
    const same = told && said ? difference(told, said).length === 0 : told === said;
    return same ? null : `${HISTORY_FILE}: it does not lead to what ${ANNOTATION_FILE} says`;
  } catch (error) {
    const { code, message } = errorBody(error);
    if (code !== 'BAD_FILE') throw error;
    return message;
  }
}

/** Files that recording.json names: plain names of this folder, nothing else. */
function checkNames(folder: string, recording: Recording, problems: string[]): string[] {
  const warnings: string[] = [];
  const named = recording.segments.map(({ file }): [string, RegExp] => [file, /^screen(-\d{1,6})?\.mkv$/]);
  if (recording.playback !== null) named.push([recording.playback, /^[\w-]{1,60}\.mp4$/]);
  for (const [file, form] of named) {
    if (!form.test(file))
      problems.push(`${RECORDING_FILE}: "${file.slice(0, 100)}" is not a name that a video of it may have`);
    else if (!hasBytes(folder, file)) warnings.push(`${file} is missing: steps have no picture from it`);
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
    value = parseShallow(readFileSync(file, 'utf8'));
  } catch (error) {
    problems.push(`${name}: ${error instanceof SyntaxError ? 'it is not JSON' : whyNot(error)}`);
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

type LineReport = {
  problem(line: number, why: string, torn: boolean): void;
  /** Why no line more is read, behind one that is sound; null: go on. */
  sound(value: unknown): string | null;
  share(share: number): void;
};

const isPress = (event: unknown): boolean => {
  const type: unknown = Reflect.get(Object(event), 'type');
  return type === 'down' || type === 'keydown';
};

/**
 * Each line against its schema. Reads in small pieces and gives way between them, so that the studio answers meanwhile:
 * a million events take about half a minute.
 */
async function checkLines(
  file: string,
  schema: z.ZodType,
  limits: ImportLimits,
  signal: AbortSignal,
  { problem, sound, share }: LineReport,
): Promise<void> {
  let found = 0;
  for await (const line of boundedLines(file, limits, signal, share)) {
    if ('tooLong' in line) {
      problem(line.number, tooLong(limits), false);
      return;
    }
    const parsed = parseLine(line.bytes, schema, MOST_LINE_VALUES);
    if ('value' in parsed) {
      const why = sound(parsed.value);
      if (why === null) continue;
      problem(line.number, why, false);
      return;
    }
    problem(line.number, parsed.why, line.torn);
    // A file that is wrong from end to end need not be counted to its end.
    if (++found >= 1000) return;
  }
}
