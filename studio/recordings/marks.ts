import { join } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';
import type { MarkKind } from '../../schemas/events.ts';
import {
  MARKS_SCHEMA,
  MARKS_VERSION,
  type MarksFile,
  marksFileSchema,
  type RecordingMark,
} from '../../schemas/marks.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { withFolderLock } from '../files/folder-lock.ts';
import { hasFile } from '../files/inside.ts';
import { readVersioned } from '../files/versioned.ts';
import { markLines } from '../store/recording-folder.ts';

/** The words that people gave to marks, and which they took away. */
const MARKS_FILE = 'marks.json';
const MOST_BYTES = 64 << 20;

/** The marks of a recording in the order of time. Throws BAD_FILE, FUTURE_VERSION. */
export function listMarks(folder: string): RecordingMark[] {
  const said = new Map(readMarksFile(folder).marks.map((one) => [one.t, one]));
  return numbered(folder).flatMap((mark) => {
    const one = said.get(mark.t);
    return one?.removed ? [] : [{ ...mark, words: one?.words ?? '' }];
  });
}

/** Gives a mark words. Throws USAGE for a number that there is not, BAD_FILE, FUTURE_VERSION. */
export const nameMark = (folder: string, number: number, words: string): Promise<RecordingMark[]> =>
  change(folder, number, (one) => ({ ...one, words }));

/** Takes a mark away. Throws as nameMark. */
export const removeMark = (folder: string, number: number): Promise<RecordingMark[]> =>
  change(folder, number, (one) => ({ ...one, removed: true }));

type Said = MarksFile['marks'][number];

function change(folder: string, number: number, to: (one: Said) => Said): Promise<RecordingMark[]> {
  return withFolderLock(folder, 'marks', async () => {
    const marks = listMarks(folder);
    const mark = marks.find((one) => one.number === number);
    if (!mark) {
      const there = marks.map((one) => one.number).join(', ');
      const which = there === '' ? 'It has none.' : `It has ${there}.`;
      throw new StudioError('USAGE', `The recording has no mark ${number}. ${which}`, { number });
    }
    const file = readMarksFile(folder);
    const others = file.marks.filter(({ t }) => t !== mark.t);
    const all = [...others, to({ t: mark.t, words: mark.words })].sort((a, b) => a.t - b.t);
    writeFileAtomic(join(folder, MARKS_FILE), `${JSON.stringify({ ...file, marks: all }, null, 1)}\n`);
    return listMarks(folder);
  });
}

/** Two at the same microsecond are one: a key was held. */
function numbered(folder: string): Omit<RecordingMark, 'words'>[] {
  const kinds = new Map<number, MarkKind>();
  for (const { t, kind } of markLines(folder)) kinds.set(t, kind);
  return [...kinds].sort(([a], [b]) => a - b).map(([t, kind], at) => ({ number: at + 1, t, kind }));
}

function readMarksFile(folder: string): MarksFile {
  if (!hasFile(folder, MARKS_FILE)) return { schema: MARKS_SCHEMA, version: MARKS_VERSION, marks: [] };
  return readVersioned(folder, MARKS_FILE, { schema: marksFileSchema, newest: MARKS_VERSION, most: MOST_BYTES });
}
