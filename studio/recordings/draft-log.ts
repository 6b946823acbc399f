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
import { type NumberedLog, readLogLines, readNumberedLogs } from './log-lines.ts';

/** Logs of drafts in the folder of a recording; written by studio/agents/draft. */

const FORM = { schema: DRAFT_SCHEMA, newest: NEWEST_DRAFT_VERSION, line: draftLineSchema, of: 'a log of drafts' };
const REJECTED = { schema: 'trajectory-studio/rejected-drafts', newest: 1, line: rejectedLineSchema };
export type DraftLog = NumberedLog<DraftLine>;

/** The oldest first. A last line that a kill cut is passed over. Throws BAD_FILE, FUTURE_VERSION. */
export const readDraftLogs = (folder: string): DraftLog[] => readNumberedLogs(folder, DRAFT_FOLDER, FORM);

/** What people rejected, the oldest first. Throws as `readDraftLogs`. */
export function readRejected(folder: string): RejectedLine[] {
  const place = findFolder(folder, DRAFT_FOLDER);
  if (place === null || !hasFile(place, REJECTED_FILE)) return [];
  return readLogLines(place, REJECTED_FILE, { ...REJECTED, of: 'the file of rejected drafts' });
}
