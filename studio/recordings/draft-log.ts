import { readdirSync } from 'node:fs';
import {
  DRAFT_FOLDER,
  DRAFT_SCHEMA,
  type DraftLine,
  draftLineSchema,
  NEWEST_DRAFT_VERSION,
  REJECTED_FILE,
  type RejectedLine,
  rejectedLineSchema,
} from '../../schemas/draft.ts';
import { findFolder, hasFile } from '../files/inside.ts';
import { readLogLines } from './log-lines.ts';

/** Logs of drafts in the folder of a recording; written by studio/agents/draft. */

const NAME = /^(\d{4,6})\.jsonl$/;
const FORM = { schema: DRAFT_SCHEMA, newest: NEWEST_DRAFT_VERSION, line: draftLineSchema, of: 'a log of drafts' };
const REJECTED = { schema: 'trajectory-studio/rejected-drafts', newest: 1, line: rejectedLineSchema };
/** The file of the drafting with this number. */
export const draftFile = (number: number): string => `${String(number).padStart(4, '0')}.jsonl`;

export type DraftLog = { number: number; lines: DraftLine[] };

/** The oldest first. A last line that a kill cut is passed over. Throws BAD_FILE, FUTURE_VERSION. */
export function readDraftLogs(folder: string): DraftLog[] {
  const place = findFolder(folder, DRAFT_FOLDER);
  if (place === null) return [];
  const numbers = readdirSync(place).flatMap((name) => {
    const number = NAME.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return numbers
    .sort((a, b) => a - b)
    .map((number) => ({ number, lines: readLogLines(place, draftFile(number), FORM) }));
}

/** What people rejected, the oldest first. Throws as `readDraftLogs`. */
export function readRejected(folder: string): RejectedLine[] {
  const place = findFolder(folder, DRAFT_FOLDER);
  if (place === null || !hasFile(place, REJECTED_FILE)) return [];
  return readLogLines(place, REJECTED_FILE, { ...REJECTED, of: 'the file of rejected drafts' });
}
