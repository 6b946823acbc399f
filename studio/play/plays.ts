import { playedPictures } from '../../core/play/pictures.ts';
import type { OpenedRecording } from '../../schemas/api/models.ts';
import type { OpenedPlay, PlayRow } from '../../schemas/api/play.ts';
import { type PlayReport, playReportSchema } from '../../schemas/play.ts';
import { hasFile, placeIn } from '../files/inside.ts';
import { PLAY_FILE } from '../store/evidence.ts';
import { readTaskFile } from '../store/json-file.ts';
import type { RecordingEntry } from '../store/recordings.ts';

/** Plays of a demonstration, as they are found again: each is a recording with its report. */

const REPORT = { schema: playReportSchema, version: 1, word: 'report', again: 'open the play' };

/** Null for a play that was ended in the middle, and for a script that was performed. Throws BAD_FILE, FUTURE_VERSION. */
function reportOf(folder: string): PlayReport | null {
  return hasFile(folder, PLAY_FILE) ? readTaskFile(placeIn(folder, PLAY_FILE), REPORT) : null;
}

/** A line of the list of plays; a report that cannot be read is told where the play is opened. */
export function playRow({ id, startedAt, folder }: Pick<RecordingEntry, 'id' | 'startedAt' | 'folder'>): PlayRow {
  try {
    const report = reportOf(folder);
    if (!report) return { id, startedAt, report };
    const { steps: _steps, checks: _checks, ...head } = report;
    return { id, startedAt, report: head };
  } catch {
    return { id, startedAt, report: null };
  }
}

/** Who opens recordings, and keeps the last of them. */
type Opener = { open(recording: string): Promise<Pick<OpenedRecording, 'frames' | 'capture'>> };

/** A play with its pictures. Throws BAD_FILE, FUTURE_VERSION, and what opening its recording throws. */
export async function openPlay(
  { id, startedAt, folder }: Pick<RecordingEntry, 'id' | 'startedAt' | 'folder'>,
  recordings: Opener,
): Promise<OpenedPlay> {
  const report = reportOf(folder);
  if (!report) return { id, startedAt, report, pictures: [] };
  const { frames, capture } = await recordings.open(id);
  return { id, startedAt, report, pictures: playedPictures(report.steps, frames, capture.fps) };
}
