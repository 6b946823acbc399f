import { join } from 'node:path';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import type { SyncReport } from '../../../schemas/recording.ts';
import type { Building } from '../land.ts';
import type { ImportedFacts } from '../wishes.ts';
import type { Analysis } from './analyse.ts';
import type { TakenVideo } from './master.ts';
import { takeAndAnalyse } from './take-and-analyse.ts';

/** The video that another recorder made beside its log of the input. */

/** The master of a video, in the recording's folder. */
export const MASTER = 'screen.mkv';

/** The master and what is seen in it. */
export type TakenFilm = { video: TakenVideo; analysis: Analysis };

/** `grid`: as analyseVideo takes it. `from`, `share`: at which share of the whole import it begins, and how much of it this takes. */
type Look = { ffmpeg: FfmpegInfo; grid: boolean; from: number; share: number };

/** Makes the master of the video `file` and looks at every picture of it. */
export function lookAtFilm(file: string, { folder, limits, signal, report }: Building, look: Look): Promise<TakenFilm> {
  const { ffmpeg, grid, from, share } = look;
  return takeAndAnalyse(
    {
      ffmpeg,
      source: file,
      master: join(folder, MASTER),
      sample: null,
      grid,
      report: (part) => report(from + share * part, 'looking at the pictures'),
    },
    { limits, signal },
  );
}

/**
 * Such a film as recording.json describes it; null: there is none. `size`: of the whole picture, px. Its recorder draws the pointer
 * unless it is told otherwise, and codes the pictures with loss.
 */
export function factsOfFilm(
  film: TakenFilm | null,
  { width, height }: { width: number; height: number },
): Pick<ImportedFacts, 'fps' | 'encoder' | 'cursor' | 'lossless' | 'segments' | 'frames'> {
  const shown = { cursor: true, lossless: false };
  if (film === null) return { fps: 30, encoder: 'none', ...shown, segments: [], frames: 0 };
  const { video, analysis } = film;
  const frames = analysis.frames.length;
  return {
    fps: 1000 / analysis.intervalMs,
    encoder: video.how === 'encode' ? 'libx264' : (video.codec ?? 'none'),
    ...shown,
    segments: [{ index: 0, file: MASTER, width, height, firstFrame: 0, frames }],
    frames,
  };
}

/**
 * In the form of a sync report (C4), so that keyframes keep clear of the error (K1): how far its pictures may be off its input, µs.
 * `known`: whether anything says so. `seen`: of how many inputs the picture shows how many.
 */
export function filmSync(
  errorUs: number,
  {
    known,
    message,
    seen = { of: 0, found: 0 },
  }: { known: boolean; message: string; seen?: { of: number; found: number } },
): SyncReport {
  return {
    verdict: known ? 'warn' : 'failed',
    paints: seen.of,
    found: seen.found,
    exact: 0,
    maxErrorUs: errorUs,
    offsetUs: 0,
    jitterUs: errorUs,
    message: `Imported: ${message}`,
    detail: [],
  };
}
