import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createReleaseLook, type LostReleases } from '../../../core/import/lost-releases.ts';
import { type PauseSpan, pausesOf } from '../../../core/import/pause-clock.ts';
import { createStopLook, type StopShortcut } from '../../../core/import/stop-shortcut.ts';
import { type Impulse, impulsesOf } from '../../../core/import/video-start.ts';
import { append } from '../../../core/lists.ts';
import { plural } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import {
  type DucktrackEvent,
  type DucktrackMetadata,
  ducktrackEventSchema,
  ducktrackMetadataSchema,
  taskNameSchema,
  topWindowSchema,
} from '../../../schemas/import.ts';
import type { ImportLimits } from '../limits.ts';
import { readBoundedJson, readBoundedLines } from '../lines.ts';

/** The files of a DuckTrack or AgentNet folder, by their full paths; what is not there is null. */
export type DucktrackFiles = {
  source: 'ducktrack' | 'agentnet';
  events: string;
  metadata: string;
  video: string | null;
  windows: string | null;
  elements: string | null;
  /** Element names of AgentNet's annotators. */
  reduced?: string | null;
  taskName: string | null;
  readme: string | null;
};

const VIDEO = /\.(mp4|mkv|mov|webm|m4v)$/i;

/** Null when the folder is none of the two. Throws BAD_FILE for links, and for several videos of which none is `video.mp4`. */
export function ducktrackFiles(folder: string): DucktrackFiles | null {
  const names = readdirSync(folder);
  if (!names.includes('events.jsonl') || !names.includes('metadata.json') || names.includes('recording.json'))
    return null;
  const path = (name: string): string | null => (names.includes(name) ? plain(join(folder, name), name) : null);
  const videos = names.filter((name) => VIDEO.test(name)).sort();
  const video = videos.includes('video.mp4') ? 'video.mp4' : videos[0];
  if (videos.length > 1 && video !== 'video.mp4') {
    throw new StudioError(
      'BAD_FILE',
      `${folder} holds ${plural(videos.length, 'video')} (${videos.slice(0, 3).join(', ')}). Leave the one that was recorded with it.`,
      { file: folder },
    );
  }
  const own = ['top_window.jsonl', 'element.jsonl', 'task_name.json', 'reduced_events_complete.jsonl'];
  return {
    source: own.some((name) => names.includes(name)) ? 'agentnet' : 'ducktrack',
    events: plain(join(folder, 'events.jsonl'), 'events.jsonl'),
    metadata: plain(join(folder, 'metadata.json'), 'metadata.json'),
    video: video === undefined ? null : plain(join(folder, video), video),
    windows: path('top_window.jsonl'),
    elements: path('element.jsonl'),
    reduced: path('reduced_events_vis.jsonl') ?? path('reduced_events.jsonl') ?? path('reduced_events_complete.jsonl'),
    taskName: path('task_name.json'),
    readme: path('README.md'),
  };
}

function plain(path: string, name: string): string {
  const info = lstatSync(path);
  if (info.isFile()) return path;
  const what = info.isSymbolicLink() ? 'a link' : 'no plain file';
  throw new StudioError('BAD_FILE', `"${name}" is ${what}; only plain files are taken. Nothing was kept.`, {
    file: name,
  });
}

/** The result of a first pass through the whole recording. Times in µs of the recorder's own clock. */
export type Overview = {
  metadata: DucktrackMetadata;
  lines: number;
  /** Events that are a person's: all but pauses, and what stopped the recorder. */
  inputs: number;
  torn: boolean;
  first: number;
  last: number;
  altGr: boolean;
  pauses: PauseSpan[];
  impulses: Impulse[];
  /** Times of presses, keys and wheel turns, ascending as they come. */
  acts: number[];
  windows: { t: number; name: string }[];
  goal: string | null;
  /** AgentNet's shortcut that ended the recording: no step of the task. */
  stop: StopShortcut | null;
  /** Modifiers whose release the file does not have. */
  lostReleases: LostReleases;
  /** Where something was pressed or turned, in their points. */
  places: { x: number; y: number }[];
};

const MOST_EVENTS = 10_000_000;

export async function overviewOf(
  files: DucktrackFiles,
  limits: ImportLimits,
  signal: AbortSignal,
  report: (share: number) => void,
): Promise<Overview> {
  const metadata = readBoundedJson(files.metadata, ducktrackMetadataSchema, limits);
  const look = createLook(files.source === 'agentnet' ? createStopLook(metadata.system) : null);
  const { lines, torn } = await readBoundedLines(files.events, ducktrackEventSchema, limits, signal, look.take, report);
  const windows: Overview['windows'] = [];
  if (files.windows) {
    await readBoundedLines(files.windows, topWindowSchema, limits, signal, ({ time_stamp, top_window_name }) => {
      windows.push({ t: time_stamp * 1e6, name: top_window_name });
    });
  }
  const { first, last, ...seen } = look.finish();
  if (lines === 0)
    throw new StudioError('BAD_FILE', 'events.jsonl holds no event. Nothing was kept.', { file: 'events.jsonl' });
  const pauses = pausesOf(seen.marks, last);
  return { metadata, lines, torn, first, last, ...seen, pauses, windows, goal: goalOf(files, limits) };
}

function createLook(stopLook: ReturnType<typeof createStopLook> | null) {
  const simple: { type: string; t: number; x?: number; y?: number }[] = [];
  const marks: { action: string; t: number }[] = [];
  const acts: number[] = [];
  const impulses: Impulse[] = [];
  const releases = createReleaseLook();
  const places: Overview['places'] = [];
  let [first, last, inputs, altGr] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, false];
  const flush = (): void => {
    append(impulses, impulsesOf(simple));
    simple.length = 0;
  };
  return {
    take(event: DucktrackEvent, line: number): void {
      if (line > MOST_EVENTS) {
        throw new StudioError('BAD_FILE', `events.jsonl has more than ${MOST_EVENTS} lines. Nothing was kept.`, {});
      }
      const t = event.time_stamp * 1e6;
      first = Math.min(first, t);
      last = Math.max(last, t);
      stopLook?.take(event, line, t);
      releases.take(event, line, t);
      const type = TYPES[event.action];
      if (type === null) {
        marks.push({ action: event.action, t });
        return;
      }
      inputs++;
      if ('name' in event && event.name === 'alt_gr') altGr = true;
      if (type === 'up' || (event.action === 'click' && !event.pressed)) return;
      if (type !== 'move') acts.push(t);
      if (event.action === 'click' || event.action === 'scroll') places.push({ x: event.x, y: event.y });
      simple.push('x' in event ? { type, t, x: event.x, y: event.y } : { type, t });
      // Held in pieces: what stands at a seam between two of them does little to a vote of many.
      if (simple.length >= 200_000) flush();
    },
    finish() {
      flush();
      const stop = stopLook?.finish() ?? null;
      const own = stop === null ? acts : acts.filter((t) => !stop.presses.has(t));
      const more = { impulses, stop, lostReleases: releases.finish(), places };
      return { first, last, inputs: inputs - (stop?.lines.size ?? 0), altGr, marks, acts: own, ...more };
    },
  };
}

const TYPES: Readonly<Record<DucktrackEvent['action'], 'move' | 'down' | 'wheel' | 'keydown' | 'up' | null>> = {
  move: 'move',
  click: 'down',
  scroll: 'wheel',
  press: 'keydown',
  release: 'up',
  pause: null,
  resume: null,
};

const MOST_README = 1_000_000;

/** AgentNet's task_name.json, or what a person wrote into DuckTrack's README.md. */
function goalOf({ taskName, readme }: DucktrackFiles, limits: ImportLimits): string | null {
  if (taskName) {
    const { task_name: name, description } = readBoundedJson(taskName, taskNameSchema, limits);
    const more = description?.trim() ?? '';
    return more === '' || more === name.trim() ? name.trim() : `${name.trim()}: ${more}`;
  }
  if (!readme || lstatSync(readme).size > MOST_README) return null;
  return readFileSync(readme, 'utf8').replace(/\s+/g, ' ').trim().slice(0, 10_000) || null;
}
