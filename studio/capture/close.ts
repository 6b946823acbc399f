import { existsSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { append } from '../../core/lists.ts';
import { withheldWords } from '../../core/withheld-words.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { displaySchema, isInput, type RawEvent } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import {
  ARRIVED_VERSION,
  MARKED_VERSION,
  type Recording,
  type SyncReport,
  type Verdict,
  WITHHELD_VERSION,
} from '../../schemas/recording.ts';
import { flushFolder, flushTree, removeTemporary } from '../files/atomic.ts';
import { refuseStrangers } from '../files/inside.ts';
import { makeTreePrivate } from '../files/private.ts';
import { closeVoice } from '../recordings/voice-file.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import { RESERVE_FILE } from './disk-reserve.ts';
import { type Encoders, finishForgetting } from './forget.ts';
import { measureSync } from './measure-sync.ts';
import { mendFolder } from './mend.ts';
import { pictureWarnings } from './outside.ts';
import { INPUT_LOST } from './say-lost.ts';
import { type Paint, syncReport } from './sync.ts';
import { unknownKeys } from './unknown-keys.ts';

/** Facts that only the capture process knows when it closes a recording; a recovery knows fewer (null). */
export type Ending = {
  endedBy: string;
  span: { start: number; end: number } | null;
  counts: { dropped: number; late: number; black: number; ticks: number } | null;
  mode: string | null;
  /** About pictures that another process handed over; null where they were taken here. */
  pictures?: { cursor: boolean | null; lossless: boolean } | null;
  paints: Paint[][] | null;
  /** Pictures dropped while `paints` were painted; absent: nobody counted. */
  droppedInChecks?: number;
  ffmpeg: FfmpegInfo | null;
  /** Whether an encoder may still write, which a forgetting that is still to be finished must know. Absent: `unknown`. */
  encoders?: Encoders;
};

/**
 * Closes a recording folder: looks at what is really there (D3), cuts torn last lines (D1), counts, checks the clock
 * against the screen (C4) and writes recording.json with its verdict. The same for a recording that ended well and for
 * one that is recovered. Throws BAD_FILE when recording.json itself is unreadable.
 */
export async function closeRecording(folder: string, ending: Ending): Promise<Recording> {
  // Torn lines are cut and leftovers removed below: nothing of that may reach a file elsewhere.
  refuseStrangers(folder);
  await finishForgetting(folder, ending.encoders ?? 'unknown');
  const draft = readRecording(folder);
  const warnings = [...draft.warnings];
  rmSync(join(folder, RESERVE_FILE), { force: true });
  if (existsSync(join(folder, 'keyframes'))) removeTemporary(join(folder, 'keyframes'));

  const { events, master, missing } = await mendFolder(folder, draft);
  const { segments, indexes, present, views } = master;
  const restarts = events.filter((e) => e.type === 'notice' && e.code === 'encoder-restarted').length;
  if (restarts > 0 && master.absent === 0)
    missing.push(`at most some pictures at ${restarts} restart(s) of the encoder`);

  for (const event of events) if (event.type === 'notice' && event.code === INPUT_LOST) missing.push(event.message);

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
  if (ending.pictures) append(warnings, pictureWarnings(ending.pictures));
  const withheld = withheldWords(events.flatMap((event) => (event.type === 'withheld' ? [event] : [])));
  if (withheld !== null) warnings.push({ code: 'keys-withheld', message: `${withheld}.` });
  for (const event of events) if (event.type === 'notice') warnings.push({ code: event.code, message: event.message });
  const unknown = unknownKeys(events);
  if (unknown) warnings.push(unknown);

  const voice = closeVoice(folder);
  const recording: Recording = {
    ...draft,
    ...(voice && { voice }),
    ...(events.some(({ type }) => type === 'withheld') && { version: WITHHELD_VERSION }),
    ...(events.some(({ type }) => type === 'text') && { version: ARRIVED_VERSION }),
    ...(events.some((event) => event.type === 'mark' && event.kind === 'moment') && { version: MARKED_VERSION }),
    state: 'closed',
    span,
    displays: displaysOf(events),
    capture: { ...draft.capture, mode: ending.mode ?? draft.capture.mode, ...drawn(ending.pictures ?? null) },
    segments,
    counts: {
      frames: present.length,
      dropped: (ending.counts?.dropped ?? 0) + master.absent,
      late: ending.counts?.late ?? 0,
      black: ending.counts?.black ?? 0,
      ticks: ending.counts?.ticks ?? 0,
      events: events.filter(isInput).length,
    },
    sync: sync ?? skipped(),
    verdict: verdictOf(ending.endedBy, missing, present.length, events),
    warnings,
  };
  dropEmptyLog(folder);
  if (recording.displays.length === 0) recording.displays = draft.displays;
  await makeTreePrivate(folder);
  // A verdict is a promise: everything that it speaks of is on the disk before it (M11).
  await flushTree(folder);
  flushFolder(dirname(folder));
  writeRecording(folder, recording);
  return recording;
}

/** Lines whose kind could be read may still hold a display that cannot be one. */
const displaysOf = (events: readonly RawEvent[]): Recording['displays'] =>
  events.flatMap((e) =>
    e.type === 'displays' && e.displays.every((display) => displaySchema.safeParse(display).success)
      ? [{ t: e.t, displays: e.displays }]
      : [],
  );

/** A pointer that may be in the pictures counts as being in them. */
const drawn = (pictures: Ending['pictures'] | null): Partial<Recording['capture']> =>
  pictures ? { cursor: pictures.cursor !== false, lossless: pictures.lossless } : {};

const skipped = (): SyncReport => syncReport([]);

function verdictOf(endedBy: string, missing: string[], frames: number, events: readonly RawEvent[]): Verdict {
  if (frames === 0 || events.length === 0) {
    const wished = events.some((e) => e.type === 'pause' && e.reason === 'forgotten');
    const what =
      frames > 0
        ? 'every event'
        : wished
          ? 'every picture: all of it was forgotten, as was asked for'
          : 'every picture';
    return { kind: 'damaged', missing: [what, ...missing], endedBy };
  }
  return { kind: missing.length === 0 && WELL_ENDED.has(endedBy) ? 'complete' : 'recovered', missing, endedBy };
}
/** Endings after which nothing is missing; every other one says what is. */
export const WELL_ENDED: ReadonlySet<string> = new Set([
  'display-gone',
  'duration',
  'sharing-ended',
  'shortcut',
  'signal',
  'studio',
  'studio-gone',
  'window-closed',
]);

/** The capture process's error output; kept when there is anything in it. */
export const CAPTURE_LOG = 'capture.log';
function dropEmptyLog(folder: string): void {
  const file = join(folder, CAPTURE_LOG);
  try {
    if (statSync(file).size === 0) rmSync(file, { force: true });
  } catch {
    // Not there, or still open where that forbids removal: an empty file more does no harm.
  }
}

/** Without the capture process's word: from the first resume (or the first input) to the last thing that was written. */
function spanOf(events: readonly RawEvent[], frames: readonly Frame[]): { start: number; end: number } {
  const resumed = events.find((e) => e.type === 'resume' && e.reason === 'sync')?.t;
  const stopped = events.findLast((e) => e.type === 'pause' && e.reason === 'sync')?.t;
  const last = Math.max(events.at(-1)?.t ?? 0, frames.at(-1)?.t ?? 0);
  const start = resumed ?? events.find(isInput)?.t ?? last;
  return { start, end: stopped !== undefined && stopped > start ? stopped : last };
}
