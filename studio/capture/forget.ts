import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { cutMkv } from '../../native/mkv/cut.ts';
import type { ElementLine } from '../../schemas/elements.ts';
import { StudioError } from '../../schemas/errors.ts';
import { FORGOTTEN_VERSION } from '../../schemas/recording.ts';
import { flushFolder, removeTemporary, temporaryName, writeFileAtomic } from '../files/atomic.ts';
import { findFile, readIn } from '../files/inside.ts';
import { cutVoice } from '../recordings/voice-file.ts';
import {
  ELEMENTS_FILE,
  EVENTS_FILE,
  FRAMES_FILE,
  readElements,
  readEvents,
  readFrames,
  readRecording,
  readWindows,
  WINDOWS_FILE,
  writeRecording,
} from '../store/recording-folder.ts';
import { linesOf } from './append.ts';
import { countsOf, type Forgetting, forgetEvents } from './forget-lines.ts';

/**
 * Forgetting in a recording folder. A marker says from when on everything is to be forgotten, and is on the disk before
 * anything is removed; it goes last. Whoever finds one finishes the work, so a stop at any moment ends as none.
 */
export const FORGET_MARKER = '.forget.json';

export type Forgot = {
  /** Lines that each file has now. */
  lines: { events: number; frames: number; windows: number; elements: number };
  inputs: number;
  marks: number;
  /** Pictures that are left, and the number of the next segment. */
  frames: number;
  segments: number;
  renumber(line: number): number | null;
};

/**
 * `ended`: no encoder writes into the folder any more. `unknown`: one may have outlived the process that is gone, so a
 * segment that stays in part is made anew beside it.
 */
export type Encoders = 'ended' | 'unknown';

/** Promises the forgetting: from now on it is done, whatever happens. Throws what the file system throws. */
export function markForgetting(folder: string, forgetting: Forgetting): void {
  writeFileAtomic(join(folder, FORGET_MARKER), JSON.stringify(forgetting));
}

/**
 * Does what a marker says; null where there is none. Done again from the beginning after a stop: each step leaves nothing
 * more to do for itself. Throws what the file system throws (the marker then stays), and BAD_FILE for a marker that cannot
 * be read.
 */
export async function finishForgetting(folder: string, encoders: Encoders): Promise<Forgot | null> {
  const marker = readMarker(folder);
  if (!marker) return null;
  const steps = forgettingSteps(folder, marker, encoders);
  for (let step = await steps.next(); ; step = await steps.next()) if (step.done) return step.value;
}

/** One step after another; a test stops after each. What needs most room is removed first, so that a full disk has some. */
export async function* forgettingSteps(
  folder: string,
  forgetting: Forgetting,
  encoders: Encoders,
): AsyncGenerator<string, Forgot> {
  const isKept = ({ t }: { t: number }): boolean => t < forgetting.from;
  removeTemporary(folder);
  removeStills(folder, forgetting.from);
  yield 'stills';

  const frames = findFile(folder, FRAMES_FILE) === null ? [] : readFrames(folder).frames.filter(isKept);
  const lastOf = new Map(frames.map(({ seg = 0, pts }) => [seg, pts]));
  let segments = 0;
  for (const { index, name } of segmentsIn(folder)) {
    const last = lastOf.get(index);
    if (last !== undefined && (await shorten(folder, name, last, encoders)) > 0)
      segments = Math.max(segments, index + 1);
    // A picture without a line from before is not known to be from before.
    else rmSync(join(folder, name), { force: true });
    yield name;
  }
  flushFolder(folder);

  const events = findFile(folder, EVENTS_FILE) === null ? [] : readEvents(folder).events;
  const left = forgetEvents(events, forgetting);
  writeFileAtomic(join(folder, EVENTS_FILE), linesOf(left.events));
  yield EVENTS_FILE;
  const windows = readWindows(folder).windows.filter(isKept);
  writeFileAtomic(join(folder, WINDOWS_FILE), linesOf(windows));
  yield WINDOWS_FILE;
  const elements = readElements(folder).elements.filter((line) => isKept(line) && isKept({ t: knownAt(line) }));
  if (findFile(folder, ELEMENTS_FILE) !== null) writeFileAtomic(join(folder, ELEMENTS_FILE), linesOf(elements));
  yield ELEMENTS_FILE;
  cutVoice(folder, forgetting.from);
  yield 'voice';
  // After the segments, which are cut by it.
  writeFileAtomic(join(folder, FRAMES_FILE), linesOf(frames));
  yield FRAMES_FILE;
  // Programs that know no such pause are told that they are too old, instead of finding lines that they cannot read.
  const recording = readRecording(folder);
  if (recording.version < FORGOTTEN_VERSION) writeRecording(folder, { ...recording, version: FORGOTTEN_VERSION });
  yield 'version';
  rmSync(join(folder, FORGET_MARKER), { force: true });
  flushFolder(folder);
  return {
    lines: { events: left.events.length, frames: frames.length, windows: windows.length, elements: elements.length },
    ...countsOf(left.events),
    frames: frames.length === 0 ? 0 : frames[frames.length - 1]!.i + 1,
    segments,
    renumber: left.renumber,
  };
}

/** When the answer was there. */
const knownAt = ({ t, asked, took }: ElementLine): number => (asked ?? t) + (took ?? 0);

const markerSchema = z.object({ from: z.int(), to: z.int() });

/** The request of a marker in the folder; null where there is none. */
export function readMarker(folder: string): Forgetting | null {
  const file = findFile(folder, FORGET_MARKER);
  if (file === null) return null;
  const text = readIn(folder, FORGET_MARKER).toString('utf8');
  const read = markerSchema.safeParse(jsonOf(text));
  if (read.success) return read.data;
  // It is written whole or not at all: this was somebody else, and guessing from when on would keep or lose too much.
  throw new StudioError(
    'BAD_FILE',
    `${file} says that something of this recording is to be forgotten, but not from when on. Write {"from": …, "to": …} into it (microseconds of the recording), or remove the recording.`,
    { file },
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function removeStills(folder: string, from: number): void {
  const stills = join(folder, 'keyframes');
  let names: string[];
  try {
    names = readdirSync(stills);
  } catch {
    return;
  }
  for (const name of names) {
    const t = /^(-?\d+)\.png/.exec(name)?.[1];
    // A file that is not named by a time was still being written; a still that is missing is cut from the master.
    if (t === undefined || !name.endsWith('.png') || Number(t) >= from) rmSync(join(stills, name), { force: true });
  }
  flushFolder(stills);
}

function segmentsIn(folder: string): { index: number; name: string }[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const match = /^screen(?:-(\d{1,6}))?\.mkv$/.exec(name);
      return match ? [{ index: Number(match[1] ?? 0), name }] : [];
    })
    .sort((a, b) => a.index - b.index);
}

/** Gives how many pictures are left. */
function shorten(folder: string, name: string, last: number, encoders: Encoders): Promise<number> {
  const path = join(folder, name);
  const keep = (pts: number): boolean => pts <= last;
  return cutMkv(path, encoders === 'ended' ? { keep } : { keep, anewAs: temporaryName(path) });
}
