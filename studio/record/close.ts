import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { isInput, type RawEvent } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { Recording, SyncReport, Verdict } from '../../schemas/recording.ts';
import {
  EVENTS_FILE,
  FRAMES_FILE,
  readEvents,
  readFrames,
  readRecording,
  WINDOWS_FILE,
  writeRecording,
} from '../store/recording-folder.ts';
import { RESERVE_FILE } from './disk-reserve.ts';
import { measureSync } from './measure-sync.ts';
import { pictureWarnings } from './outside.ts';
import { checkSegments, framesPresent, type View } from './segments.ts';
import { type Paint, syncReport } from './sync.ts';
import { cutTornLine } from './torn.ts';

/** What only the capture process knows when it closes a recording; a recovery knows less (null). */
export type Ending = {
  endedBy: string;
  span: { start: number; end: number } | null;
  counts: { dropped: number; late: number; black: number; ticks: number } | null;
  mode: string | null;
  /** Of pictures that were handed over; null where they were taken here. */
  pictures?: { cursor: boolean | null; lossless: boolean } | null;
  paints: Paint[][] | null;
  /** Pictures dropped while `paints` were painted; absent: nobody counted. */
  droppedInChecks?: number;
  ffmpeg: FfmpegInfo | null;
};

/**
 * Closes a recording folder: looks at what is really there (D3), cuts torn last lines (D1), counts, checks the clock
 * against the screen (C4) and writes recording.json with its verdict. The same for a recording that ended well and for
 * one that is recovered. Throws BAD_FILE when recording.json itself is unreadable.
 */
export async function closeRecording(folder: string, ending: Ending): Promise<Recording> {
  const draft = readRecording(folder);
  const missing: string[] = [];
  const warnings = [...draft.warnings];
  for (const file of [EVENTS_FILE, FRAMES_FILE, WINDOWS_FILE])
    if (cutTornLine(join(folder, file))) missing.push(`the last line of ${file}`);
  rmSync(join(folder, RESERVE_FILE), { force: true });
  for (const name of keyframeLeftovers(folder)) rmSync(name, { force: true });

  const events = existsSync(join(folder, EVENTS_FILE)) ? readEvents(folder).events : [];
  const frames = existsSync(join(folder, FRAMES_FILE)) ? readFrames(folder).frames : [];
  const views = events.flatMap((e): View[] =>
    e.type === 'view' ? [{ t: e.t, view: e.view, segment: e.segment }] : [],
  );
  const { segments, indexes, lost } = checkSegments(folder, views, frames);
  missing.push(...lost);
  const present = framesPresent(frames, segments);
  const restarts = events.filter((e) => e.type === 'notice' && e.code === 'encoder-restarted').length;
  if (restarts > 0 && lost.length === 0) missing.push(`at most some pictures at ${restarts} restart(s) of the encoder`);

  const span = ending.span ?? spanOf(events, present);
  if (ending.span === null) missing.push('what happened after the last line that was written');
  else if (!WELL_ENDED.has(ending.endedBy))
    missing.push(`everything after ${(span.end / 1e6).toFixed(2)} s (${ending.endedBy})`);
  const sync =
    ending.paints && ending.ffmpeg
      ? await measureSync(
          folder,
          segments,
          indexes,
          present,
          views,
          ending.paints,
          ending.ffmpeg,
          ending.pictures?.lossless ?? true,
          ending.droppedInChecks === undefined
            ? null
            : { dropped: ending.droppedInChecks, shared: Boolean(ending.pictures) },
        )
      : null;
  if (sync?.verdict === 'warn' || sync?.verdict === 'failed')
    warnings.push({ code: `sync-${sync.verdict}`, message: sync.message });
  if (ending.pictures) warnings.push(...pictureWarnings(ending.pictures));
  for (const event of events) if (event.type === 'notice') warnings.push({ code: event.code, message: event.message });

  const recording: Recording = {
    ...draft,
    state: 'closed',
    span,
    displays: events.flatMap((e) => (e.type === 'displays' ? [{ t: e.t, displays: e.displays }] : [])),
    capture: { ...draft.capture, mode: ending.mode ?? draft.capture.mode, ...drawn(ending.pictures ?? null) },
    segments,
    counts: {
      frames: present.length,
      dropped: (ending.counts?.dropped ?? 0) + (frames.length - present.length),
      late: ending.counts?.late ?? 0,
      black: ending.counts?.black ?? 0,
      ticks: ending.counts?.ticks ?? 0,
      events: events.filter(isInput).length,
    },
    sync: sync ?? skipped(),
    verdict: verdictOf(ending.endedBy, missing, present.length, events.length),
    warnings,
  };
  dropEmptyLog(folder);
  if (recording.displays.length === 0) recording.displays = draft.displays;
  writeRecording(folder, recording);
  return recording;
}

/** A pointer that may be in the pictures counts as being in them. */
const drawn = (pictures: Ending['pictures'] | null): Partial<Recording['capture']> =>
  pictures ? { cursor: pictures.cursor !== false, lossless: pictures.lossless } : {};

const skipped = (): SyncReport => syncReport([]);

function verdictOf(endedBy: string, missing: string[], frames: number, events: number): Verdict {
  if (frames === 0 || events === 0) {
    const what = frames === 0 ? 'every picture' : 'every event';
    return { kind: 'damaged', missing: [what, ...missing], endedBy };
  }
  return { kind: missing.length === 0 && WELL_ENDED.has(endedBy) ? 'complete' : 'recovered', missing, endedBy };
}
/** Endings after which nothing is missing; every other one says what is. */
const WELL_ENDED: ReadonlySet<string> = new Set([
  'duration',
  'sharing-ended',
  'shortcut',
  'signal',
  'studio',
  'studio-gone',
  'window-closed',
]);

/** What the capture process wrote to its error output; kept when there is anything in it. */
export const CAPTURE_LOG = 'capture.log';
function dropEmptyLog(folder: string): void {
  const file = join(folder, CAPTURE_LOG);
  try {
    if (statSync(file).size === 0) rmSync(file, { force: true });
  } catch {
    // Not there, or still open where that forbids removal: an empty file more does no harm.
  }
}

function keyframeLeftovers(folder: string): string[] {
  const dir = join(folder, 'keyframes');
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => name.endsWith('.part'))
    .map((name) => join(dir, name));
}

/** Without the capture process's word: from the first resume (or the first input) to the last thing that was written. */
function spanOf(events: readonly RawEvent[], frames: readonly Frame[]): { start: number; end: number } {
  const resumed = events.find((e) => e.type === 'resume' && e.reason === 'sync')?.t;
  const stopped = events.findLast((e) => e.type === 'pause' && e.reason === 'sync')?.t;
  const last = Math.max(events.at(-1)?.t ?? 0, frames.at(-1)?.t ?? 0);
  const start = resumed ?? events.find(isInput)?.t ?? last;
  return { start, end: stopped !== undefined && stopped > start ? stopped : last };
}
