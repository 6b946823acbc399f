import { createHash } from 'node:crypto';
import { errorBody, isPassing } from '../../schemas/errors.ts';
import { type VerifyReport, verifyReportSchema } from '../../schemas/verify.ts';
import { readBoundedIn } from '../files/bounded.ts';
import { hashInside } from '../files/hash.ts';
import { hasFile } from '../files/inside.ts';
import { isOwnMark, ownMark } from './own-mark.ts';
import { MOST_TASK_FILE_BYTES } from './task-files.ts';
import type { Workspace } from './workspace.ts';

/**
 * What a proof rests on: the plays that this workspace has, as they were when the verdict was reached. A verdict that came from
 * elsewhere, or whose plays are gone, is what somebody says.
 */

type Place = Pick<Workspace, 'store' | 'recordingsDir'>;

/** The verdict of `verify`, in the folder of the demonstration; a play's report, in the folder of its own recording. */
export const VERIFY_FILE = 'verify.json';
export const PLAY_FILE = 'play.json';

/** The report with what it rests on. Throws where a play of it is not there. */
export async function withEvidence(place: Place, report: VerifyReport, checks: string): Promise<VerifyReport> {
  const plays: { played: string; sha256: string }[] = [];
  for (const played of playedIn(report)) {
    plays.push({ played, sha256: await hashInside(place.recordingsDir, `${played}/${PLAY_FILE}`) });
  }
  const mark = await ownMark(place.store, aboutOf(report, checks, plays));
  return { ...report, evidence: { plays, mark } };
}

/** Whether this workspace can show the proof of a demonstration: it was reached here, and every play of it is still there. */
export async function isShown(
  place: Place,
  { id, folder, verified }: { id: string; folder: string; verified: { at: string; checks: string } },
): Promise<boolean> {
  try {
    const text = readBoundedIn(folder, VERIFY_FILE, MOST_TASK_FILE_BYTES).toString('utf8');
    const report = verifyReportSchema.parse(JSON.parse(text));
    const { evidence } = report;
    if (!evidence || !report.proven || report.recording !== id || report.at !== verified.at) return false;
    const named = playedIn(report);
    if (named.length === 0 || named.join() !== evidence.plays.map(({ played }) => played).join()) return false;
    if (!(await isOwnMark(place.store, aboutOf(report, verified.checks, evidence.plays), evidence.mark))) return false;
    for (const { played, sha256 } of evidence.plays) {
      const path = `${played}/${PLAY_FILE}`;
      if (!hasFile(place.recordingsDir, path) || (await hashInside(place.recordingsDir, path)) !== sha256) return false;
    }
    return true;
  } catch (error) {
    // A disk or a lock that fails for a moment takes no proof away.
    if (isPassing(errorBody(error).code)) throw error;
    return false; // Nothing that could be shown.
  }
}

const playedIn = ({ plays, without }: VerifyReport): string[] =>
  [...plays, ...without].flatMap(({ played }) => (played === null ? [] : [played]));

/** Everything that the verdict says, and what it was reached by. */
function aboutOf(report: VerifyReport, checks: string, plays: readonly object[]): string {
  // As it is read back: with the fields in the schema's order.
  const { evidence: _evidence, ...said } = verifyReportSchema.parse(report);
  const hash = createHash('sha256')
    .update(JSON.stringify([said, checks, plays]))
    .digest('hex');
  return `proof ${hash}`;
}
