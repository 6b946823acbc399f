import { basename, join } from 'node:path';
import { createDucktrackReader } from '../../../core/import/ducktrack.ts';
import { type OwaArea, owaArea, owaVideoStart } from '../../../core/import/owa.ts';
import { append } from '../../../core/lists.ts';
import { plural } from '../../../core/words.ts';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import type { RawEvent } from '../../../schemas/events.ts';
import type { WindowLine } from '../../../schemas/frames.ts';
import type { SyncReport } from '../../../schemas/recording.ts';
import { EVENTS_FILE, FRAMES_FILE, WINDOWS_FILE, writeRecording } from '../../store/recording-folder.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { Building, Imported, ImportOptions } from '../land.ts';
import { LIMITS } from '../limits.ts';
import { factsOfFilm, filmSync, lookAtFilm, type TakenFilm } from '../video/film.ts';
import { frameLines, lostOf, missingOf, writeLines } from '../video/import-video.ts';
import { displayOf, type ImportWishes, importedId, isoOf, landForeign, type Placed, recordingOf } from '../wishes.ts';
import { type OwaRecording, readOwamcap } from './read.ts';

type OwamcapOptions = ImportOptions & ImportWishes & { ffmpeg: FfmpegInfo };

/**
 * Takes a recording of open-world-agents: its input event for event, its windows, and the video beside it, whose pictures it
 * gives times of its own. Throws as landRecording; BAD_FILE for a file that is damaged.
 */
export async function importOwamcap(workspace: Workspace, source: string, options: OwamcapOptions): Promise<Imported> {
  const owa = await readOwamcap(source, options.limits ?? LIMITS, options.signal);
  return landForeign(workspace, source, options, async (building, place) => {
    const seen = owa.video?.path == null ? null : await lookAtVideo(owa.video.path, building, options.ffmpeg);
    const plan = planOf(owa, seen);
    const placed = await place({ app: mostInFront(owa) }, plan.guessed);
    write(source, owa, building, { seen, plan, placed, wishes: options });
  });
}

const lookAtVideo = (file: string, building: Building, ffmpeg: FfmpegInfo): Promise<TakenFilm> =>
  lookAtFilm(file, building, { ffmpeg, grid: false, from: 0.1, share: 0.7 });

type Plan = {
  picture: { width: number; height: number };
  area: OwaArea;
  /** µs of ours at the video's time 0; null when it is not known. */
  start: { startUs: number; errorUs: number } | null;
  /** Added to all times, so that none is before 0. */
  shift: number;
  frameTime(pts: number): number;
  lost: string[];
  guessed: string[];
  missing: string[];
};

/** Without a video nothing says how large the screen is: what holds all places. */
function sizeOfPlaces({ events }: OwaRecording): Plan['picture'] {
  let [width, height] = [1, 1];
  for (const event of events) {
    if (!('x' in event)) continue;
    width = Math.max(width, Math.ceil(event.x) + 1);
    height = Math.max(height, Math.ceil(event.y) + 1);
  }
  return { width: Math.min(width, 16_384), height: Math.min(height, 16_384) };
}

function planOf(owa: OwaRecording, seen: TakenFilm | null): Plan {
  const [lost, guessed, missing]: [string[], string[], string[]] = [[], [], []];
  const picture = seen ? { width: seen.video.width, height: seen.video.height } : sizeOfPlaces(owa);
  const windows = owa.windows.map(({ window }) => window);
  const area: OwaArea = seen ? owaArea(windows, picture) : { x: 0, y: 0, window: null };
  const start = seen ? owaVideoStart(owa.pictures) : null;
  if (seen) {
    append(lost, lostOf(seen.video));
    append(missing, missingOf(seen.video, seen.analysis));
    guessed.push(
      area.window === null
        ? 'that the pictures are of the whole screen at the top left of the desktop: nothing tells where they lie'
        : `that the pictures are of the window "${area.window.title.slice(0, 100)}" at (${area.x}, ${area.y}): its size is theirs, but for its invisible borders`,
    );
    guessed.push(
      start === null
        ? 'that the video begins with the first message: no picture says when it was made'
        : `the video's start: by ${plural(owa.pictures.length, 'picture')} and their times, ± ${(start.errorUs / 1000).toFixed(1)} ms`,
    );
  } else {
    missing.push(owa.video ? `the video (${owa.video.name}, which is not beside it)` : 'the video: it names none');
    guessed.push('how large the screen is: what holds every place of the pointer');
  }
  for (const [topic, count] of owa.others) lost.push(`${plural(count, 'message')} of "${topic}"`);
  const outside = owa.events.filter((event) => isPointed(event) && !holds(area, picture, event));
  if (outside.length > 0) {
    lost.push(
      `where ${plural(outside.length, 'press or wheel turn', 'presses and wheel turns')} were: outside of the pictures`,
    );
    missing.push(
      `the pictures of ${plural(outside.length, 'press or wheel turn', 'presses and wheel turns')} outside of them`,
    );
  }
  const startUs = start?.startUs ?? 0;
  const shift = Math.max(0, -startUs);
  const frameTime = (pts: number): number => Math.round(startUs + pts * 1000) + shift;
  return { picture, area, start, shift, frameTime, lost, guessed, missing };
}

/** Where a person pointed: a press, whose release is the same act, or a turn of the wheel. */
const isPointed = (
  event: OwaRecording['events'][number],
): event is Extract<typeof event, { action: 'click' | 'scroll' }> =>
  event.action === 'scroll' || (event.action === 'click' && event.pressed);

const holds = (area: OwaArea, { width, height }: Plan['picture'], { x, y }: { x: number; y: number }): boolean =>
  x >= area.x - 2 && y >= area.y - 2 && x < area.x + width + 2 && y < area.y + height + 2;

type Writing = { seen: TakenFilm | null; plan: Plan; placed: Placed; wishes: ImportWishes };

function write(source: string, owa: OwaRecording, { folder }: Building, { seen, plan, placed, wishes }: Writing): void {
  const { picture, area, shift, frameTime, lost, guessed, missing } = plan;
  const time = (seconds: number): number => Math.round(seconds * 1e6) + shift;
  const reader = createDucktrackReader({
    time: (seconds) => time(seconds),
    scale: { x: 1, y: 1 },
    altGr: false,
    system: 'windows',
    picture,
  });
  const display = { ...picture, scale: 1 };
  const head: RawEvent[] = [
    { type: 'displays', t: 0, displays: [displayOf(display)] },
    { type: 'view', t: 0, view: { x: 0, y: 0, ...picture }, segment: 0 },
  ];
  const events: RawEvent[] = [];
  for (const event of owa.events) {
    append(events, reader.take('x' in event ? { ...event, x: event.x - area.x, y: event.y - area.y } : event));
  }
  writeLines(join(folder, EVENTS_FILE), [...head, ...events]);
  const frames = seen?.analysis.frames ?? [];
  writeLines(join(folder, FRAMES_FILE), frameLines(frames, frameTime));
  if (owa.windows.length > 0) writeLines(join(folder, WINDOWS_FILE), windowLines(owa, area, time));
  const { unknownKeys, otherButtons, atEdge } = reader.notes();
  guessed.push('the letters: it names keys, which are read as on a US keyboard');
  if (unknownKeys > 0)
    lost.push(`which key it was, of ${plural(unknownKeys, 'press or release', 'presses and releases')}`);
  if (otherButtons > 0)
    lost.push(`which mouse button it was, of ${plural(otherButtons, 'press or release', 'presses and releases')}`);
  if (atEdge > 0) guessed.push(`${plural(atEdge, 'position')} a point or two beside the pictures: taken to their edge`);
  const startedAt = isoOf(new Date(owa.startedMs));
  const last = Math.max(events.at(-1)?.t ?? 0, frames.length > 0 ? frameTime(frames.at(-1)!.pts) : 0);
  writeRecording(
    folder,
    recordingOf({
      id: importedId(startedAt, owa.video?.path == null ? [source] : [source, owa.video.path]),
      origin: { source: 'owamcap', name: basename(source).slice(0, 300), lost, guessed },
      placed,
      wishes,
      // Its recorder runs on Windows alone.
      os: { platform: 'win32', release: '', arch: '', session: 'import' },
      startedAt,
      span: { start: 0, end: Math.max(1, last) },
      display,
      ...factsOfFilm(seen, picture),
      events: events.filter(({ type }) => type !== 'layout' && type !== 'locks').length,
      sync: seen && syncOf(plan),
      missing,
    }),
  );
}

const UNKNOWN_ERROR_US = 300_000;

function syncOf({ start }: Plan): SyncReport {
  if (!start) return filmSync(UNKNOWN_ERROR_US, { known: false, message: 'nothing says when the video began.' });
  const message = `the times of its pictures, ± ${(start.errorUs / 1000).toFixed(1)} ms.`;
  return filmSync(start.errorUs, { known: true, message });
}

/** A line a change: it tells the window in front each second. */
function windowLines({ windows }: OwaRecording, area: OwaArea, time: (seconds: number) => number): WindowLine[] {
  const lines: WindowLine[] = [];
  for (const { t, window } of windows) {
    const [left, top, right, bottom] = window.rect.map(Math.round) as [number, number, number, number]; // A tuple of four.
    const bounds =
      right > left && bottom > top
        ? { x: left - area.x, y: top - area.y, width: right - left, height: bottom - top }
        : null;
    const line = { t: time(t), title: window.title, app: appOf(window.title), pid: 0, id: '', bounds };
    const before = lines.at(-1);
    if (before?.title === line.title && JSON.stringify(before.bounds) === JSON.stringify(bounds)) continue;
    lines.push(line);
  }
  return lines;
}

/** Windows ends a title with the program's name: "test.txt - Notepad". */
const appOf = (title: string): string =>
  title
    .split(/\s[-–—]\s/)
    .at(-1)
    ?.trim()
    .slice(0, 100) ?? '';

function mostInFront({ windows }: OwaRecording): string | undefined {
  const times = new Map<string, number>();
  for (const [at, { t, window }] of windows.entries()) {
    const app = appOf(window.title);
    times.set(app, (times.get(app) ?? 0) + ((windows[at + 1]?.t ?? t + 1) - t));
  }
  return [...times].sort((a, b) => b[1] - a[1])[0]?.[0] || undefined;
}
