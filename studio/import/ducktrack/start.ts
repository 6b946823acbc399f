import { pauseClock } from '../../../core/import/pause-clock.ts';
import { findVideoStart, type VideoStart } from '../../../core/import/video-start.ts';
import type { DucktrackMetadata } from '../../../schemas/import.ts';
import type { SyncReport } from '../../../schemas/recording.ts';
import type { Analysis } from '../video/analyse.ts';
import { filmSync } from '../video/film.ts';
import type { Overview } from './read.ts';

/** Where the video's time 0 is on the recorder's clock, how sure that is, and where it comes from. µs. */
export type Start = {
  startUs: number;
  errorUs: number;
  found: VideoStart;
  /** The recorder's own word, and by what it gave it. */
  told: { us: number; by: string } | null;
};

/** How far a recorder's own start time may be off, where the pictures do not show it (C3: 283 ms were measured), µs. */
const UNKNOWN_ERROR = 300_000;
/** How far around the recorder's word the start is looked for, µs. */
const SEARCH = 5_000_000;

const OBS = ['OBS_WEBSOCKET_OUTPUT_STARTED', 'OBS_WEBSOCKET_OUTPUT_STARTING'] as const;

/** The recorder's own word for its video's start. */
function toldStart(metadata: DucktrackMetadata): Start['told'] {
  const { video_start_timestamp: told, obs_record_state_timings: timings } = metadata;
  if (told !== undefined) return { us: told * 1e6, by: 'video_start_timestamp' };
  for (const name of OBS) {
    const first = timings && Object.hasOwn(timings, name) ? timings[name]?.[0] : undefined;
    if (first !== undefined) return { us: first * 1e6, by: name };
  }
  return null;
}

/**
 * The start by the pictures, else by the recorder's word, else the first event. `scale`: their points to px of the picture;
 * `frames` in ms of the video. Pauses are taken out: the video stands still in them.
 */
export function findStart(
  { metadata, impulses, pauses, first, last }: Overview,
  { frames, grid }: Pick<Analysis, 'frames' | 'grid'>,
  picture: { width: number; height: number },
  scale: { x: number; y: number },
): Start {
  const told = toldStart(metadata);
  const clock = pauseClock(pauses);
  const times = frames.slice(0, grid.frames).map(({ pts }) => pts * 1000);
  const end = times.at(-1) ?? 0;
  const found = findVideoStart(
    impulses.map(({ t, kind, place }) => {
      return { t: clock.toVideo(t), kind, place: place && { x: place.x * scale.x, y: place.y * scale.y } };
    }),
    { times, cells: grid.cells, columns: grid.columns, rows: grid.rows, ...picture },
    told
      ? { from: clock.toVideo(told.us) - SEARCH, to: clock.toVideo(told.us) + SEARCH }
      : { from: Math.max(first - end, first - 600_000_000), to: Math.min(clock.toVideo(last), first + 600_000_000) },
  );
  if (found.known) return { startUs: found.startUs, errorUs: found.errorUs, found, told };
  return { startUs: told?.us ?? first, errorUs: UNKNOWN_ERROR, found, told };
}

const ms = (us: number): string => (us / 1000).toFixed(us % 1000 === 0 ? 0 : 1);

/** In words, for `origin.guessed`. */
export function startInWords({ startUs, errorUs, found, told }: Start): string {
  const off = told ? Math.round(startUs - told.us) : 0;
  const against = told
    ? `${ms(Math.abs(off))} ms ${off < 0 ? 'before' : 'after'} ${told.by}`
    : 'with nothing told of it';
  if (!found.known) {
    const used = told ? told.by : 'the first event';
    return `the video's start cannot be known from its pictures (${found.why}); ${used} is taken for it, which may be ${ms(UNKNOWN_ERROR)} ms off`;
  }
  const { by, agree, of, answerUs } = found;
  const evidence =
    by === 'pointer'
      ? `${agree} of ${of} movements of the pointer are seen`
      : `${agree} of ${of} clicks and keys are seen to change the picture; how long the application took to answer is in it`;
  const answer = answerUs === null ? '' : `; clicks and keys show ${ms(Math.max(0, answerUs))} ms later`;
  return `the video's start: ${against}, ± ${ms(errorUs)} ms (${evidence}${answer})`;
}

export function startReport({ errorUs, found }: Start): SyncReport {
  if (!found.known) {
    const message = `the video's start is not known (${found.why}); it may be ${ms(errorUs)} ms off.`;
    return filmSync(errorUs, { known: false, message });
  }
  const message = `the video's start was estimated, ± ${ms(errorUs)} ms.`;
  return filmSync(errorUs, { known: true, message, seen: { of: found.of, found: found.agree } });
}
