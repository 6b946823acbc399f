import {
  CANDIDATE_FOLDER,
  CANDIDATE_SCHEMA,
  CANDIDATES_SAID_FILE,
  type CandidateLine,
  type CandidateSaid,
  candidateLineSchema,
  candidateSaidSchema,
  NEWEST_CANDIDATE_VERSION,
} from '../../schemas/step-candidates.ts';
import { findFolder, hasFile } from '../files/inside.ts';
import { type NumberedLog, readLogLines, readNumberedLogs } from './log-lines.ts';

/** Logs of candidates of steps in the folder of a recording; written by studio/agents/candidates. */

const FORM = {
  schema: CANDIDATE_SCHEMA,
  newest: NEWEST_CANDIDATE_VERSION,
  line: candidateLineSchema,
  of: 'a log of candidates',
};
const SAID = { schema: 'trajectory-studio/candidates-said', newest: 1, line: candidateSaidSchema };

/** The oldest first. A last line that a kill cut is passed over. Throws BAD_FILE, FUTURE_VERSION. */
export const readCandidateLogs = (folder: string): NumberedLog<CandidateLine>[] =>
  readNumberedLogs(folder, CANDIDATE_FOLDER, FORM);

/** People's words on candidates, the oldest first. Throws as `readCandidateLogs`. */
export function readCandidatesSaid(folder: string): CandidateSaid[] {
  const place = findFolder(folder, CANDIDATE_FOLDER);
  if (place === null || !hasFile(place, CANDIDATES_SAID_FILE)) return [];
  return readLogLines(place, CANDIDATES_SAID_FILE, { ...SAID, of: 'the file of what is said of candidates' });
}
