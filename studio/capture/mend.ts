import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { append } from '../../core/lists.ts';
import type { RawEvent, Rect } from '../../schemas/events.ts';
import type { Recording } from '../../schemas/recording.ts';
import { flushFile, flushFolder, writeFileAtomic } from '../files/atomic.ts';
import { checkMaster, type View } from '../recordings/segments.ts';
import {
  ELEMENTS_FILE,
  EVENTS_FILE,
  type FileWarning,
  FRAMES_FILE,
  type FrameEntry,
  readElements,
  readEvents,
  readFrameEntries,
  readWindows,
  WINDOWS_FILE,
} from '../store/recording-folder.ts';
import { linesOf } from './append.ts';
import { cutTornLine } from './torn.ts';

type Mended = {
  events: RawEvent[];
  master: Omit<Awaited<ReturnType<typeof checkMaster>>, 'missing' | 'rewrite'>;
  /** Missing files, in words. */
  missing: string[];
};

/** Grabbers whose frames' `t` and `pts` come from one reading of one clock: they agree to a millisecond. */
const ONE_CLOCK: ReadonlySet<string> = new Set(['x11-shm', 'portal']);
const TOLERANCE_US = 20_000;

/**
 * Makes the files of a recording sound again: torn last lines are cut, lines that cannot be read are put in order by what
 * is around them and by the master, so that everything that can be kept is kept and the folder can travel (an import
 * refuses bad lines). A file that changed for more than its torn end is kept as it was, as `.damaged-<name>`.
 */
export async function mendFolder(folder: string, draft: Recording): Promise<Mended> {
  const missing: string[] = [];
  const has = (name: string): boolean => existsSync(join(folder, name));
  const { entries, warnings: frameWarnings } = has(FRAMES_FILE) ? readFrameEntries(folder) : framesGone(folder);
  for (const name of [EVENTS_FILE, FRAMES_FILE, WINDOWS_FILE, ELEMENTS_FILE])
    if (cutTornLine(join(folder, name))) missing.push(`the last line of ${name}`);

  const { events, warnings } = has(EVENTS_FILE) ? readEvents(folder) : { events: [], warnings: [] };
  const { windows, warnings: windowWarnings } = readWindows(folder);
  const { elements, warnings: elementWarnings } = readElements(folder);
  const views = events.flatMap((e): View[] =>
    e.type === 'view' ? [{ t: e.t, view: e.view, segment: e.segment }] : [],
  );
  const master = await checkMaster(folder, {
    views,
    entries,
    fallback: placeOf(draft),
    privateUntil: pauseEnds(events, entries),
    toleranceUs: ONE_CLOCK.has(draft.capture.grabber) ? TOLERANCE_US : null,
  });
  missing.push(
    ...master.missing,
    ...damagedLines(EVENTS_FILE, warnings),
    ...damagedLines(WINDOWS_FILE, windowWarnings),
    ...damagedLines(ELEMENTS_FILE, elementWarnings),
  );
  if (!master.rewrite) append(missing, damagedLines(FRAMES_FILE, frameWarnings));

  if (warnings.length > 0 || master.views.length > 0) {
    // An event's line is its number: what is found out about a damaged one goes behind the last.
    for (const { t, view, segment } of master.views) events.push({ type: 'view', t, view, segment });
    await rewriteLines(folder, EVENTS_FILE, events);
  }
  if (windowWarnings.length > 0) await rewriteLines(folder, WINDOWS_FILE, windows);
  if (elementWarnings.length > 0) await rewriteLines(folder, ELEMENTS_FILE, elements);
  if (master.rewrite) await rewriteLines(folder, FRAMES_FILE, master.rewrite);
  return { events, master: { ...master, views: [...views, ...master.views] }, missing };
}

/**
 * The file is made at the begin, so it was lost. Each picture of the master had a line then, but those of pauses: they are known
 * only where every event can be read.
 */
function framesGone(folder: string): ReturnType<typeof readFrameEntries> {
  const known = existsSync(join(folder, EVENTS_FILE)) && readEvents(folder).warnings.length === 0;
  return { entries: known ? [{ unread: Number.MAX_SAFE_INTEGER, torn: false }] : [], warnings: [] };
}

/** The damaged lines of a file by number; a torn end is said otherwise. */
function damagedLines(name: string, warnings: readonly FileWarning[]): string[] {
  const lines = warnings.filter(({ code }) => code === 'BAD_LINE').map(({ line }) => line);
  if (lines.length === 0) return [];
  const some = lines.slice(0, 5).join(', ') + (lines.length > 5 ? ', …' : '');
  return [`${lines.length} damaged line(s) of ${name} (${some})`];
}

async function rewriteLines(folder: string, name: string, lines: readonly object[]): Promise<void> {
  const file = join(folder, name);
  const aside = join(folder, `.damaged-${name}`);
  if (existsSync(file) && !existsSync(aside)) {
    copyFileSync(file, aside);
    await flushFile(aside);
    flushFolder(folder);
  }
  writeFileAtomic(file, linesOf(lines));
}

/**
 * The end of the pause that a time lies in and that cut the pictures too (I6); the sync check's own is seen in them. A pause whose end cannot
 * be read ended before the next picture that has a line.
 */
function pauseEnds(events: readonly RawEvent[], entries: readonly FrameEntry[]): (t: number) => number | null {
  const times = entries.flatMap((entry) => ('frame' in entry ? [entry.frame.t] : [])).sort((a, b) => a - b);
  const spans: { from: number; to: number }[] = [];
  const close = (from: number, to: number | undefined): void => {
    spans.push({ from, to: to ?? times[countBelow(times, from + 1)] ?? Number.POSITIVE_INFINITY });
  };
  let from: number | null = null;
  for (const event of events) {
    if (event.type === 'pause' && from !== null) close(from, undefined);
    if (event.type === 'pause') from = event.reason === 'sync' ? null : event.t;
    if (event.type !== 'resume' || from === null) continue;
    close(from, event.t);
    from = null;
  }
  if (from !== null) close(from, undefined);
  spans.sort((a, b) => a.from - b.from);
  const starts = spans.map((span) => span.from);
  // Where damaged lines make pauses overlap, a time counts as paused until the last of them ends.
  const ends: number[] = [];
  for (const { to } of spans) ends.push(Math.max(to, ends.at(-1) ?? to));
  return (t) => {
    const end = ends[countBelow(starts, t + 1) - 1];
    return end !== undefined && t < end ? end : null;
  };
}

/** How many of the rising numbers are below `limit`. */
function countBelow(rising: readonly number[], limit: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where the capture began, as far as the draft knows. */
function placeOf({ capture: { target }, displays }: Recording): Rect | null {
  if (target.kind === 'region') return target.region;
  const known = displays[0]?.displays ?? [];
  if (target.kind === 'display') return known.find(({ id }) => id === target.display) ?? null;
  return null;
}
