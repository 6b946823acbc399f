import { closeSync, openSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createDucktrackReader, type DucktrackNotes } from '../../../core/import/ducktrack.ts';
import { elementOf } from '../../../core/import/elements.ts';
import { pauseClock } from '../../../core/import/pause-clock.ts';
import { keySystem } from '../../../core/import/virtual-keys.ts';
import { append } from '../../../core/lists.ts';
import { plural } from '../../../core/words.ts';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import type { ElementLine } from '../../../schemas/elements.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { WindowLine } from '../../../schemas/frames.ts';
import { type DucktrackMetadata, ducktrackEventSchema, elementTreeSchema } from '../../../schemas/import.ts';
import { ELEMENTS_FILE, EVENTS_FILE, FRAMES_FILE, WINDOWS_FILE, writeRecording } from '../../store/recording-folder.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { Building, Imported, ImportOptions } from '../land.ts';
import { readBoundedLines } from '../lines.ts';
import { factsOfFilm, lookAtFilm, type TakenFilm } from '../video/film.ts';
import { frameLines, lostOf, missingOf, writeLines } from '../video/import-video.ts';
import { displayOf, type ImportWishes, importedId, isoOf, landForeign, type Placed, recordingOf } from '../wishes.ts';
import { positionsOf } from './positions.ts';
import { type DucktrackFiles, ducktrackFiles, type Overview, overviewOf } from './read.ts';
import { type Start, startInWords, startReport } from './start.ts';
import { readTargetNames, writeTargetNames } from './target-names.ts';

type DucktrackOptions = ImportOptions & ImportWishes & { ffmpeg: FfmpegInfo };

/**
 * Takes a folder that DuckTrack or AgentNet recorded. Their input is taken event for event; where the video begins among
 * it is found in the pictures, and said with its error. Throws as landRecording; BAD_FILE for what is no such folder.
 */
export async function importDucktrack(
  workspace: Workspace,
  source: string,
  options: DucktrackOptions,
): Promise<Imported> {
  const files = ducktrackFiles(source);
  if (files === null) {
    throw new StudioError(
      'BAD_FILE',
      `${source} is no DuckTrack or AgentNet recording: it needs events.jsonl and metadata.json.`,
      {
        file: source,
      },
    );
  }
  return landForeign(workspace, source, options, async (building, place) => {
    const { limits, signal, report } = building;
    const overview = await overviewOf(files, limits, signal, (share) => report(0.15 * share, 'reading events'));
    const seen = files.video === null ? null : await lookAtVideo(files.video, building, options.ffmpeg);
    const plan = planOf(overview, seen);
    const found = { app: mostInFront(overview.windows, overview.last), goal: overview.goal ?? undefined };
    const placed = await place(found, plan.guessed);
    await writeFiles(source, files, building, { overview, seen, plan, placed, wishes: options });
  });
}

function lookAtVideo(file: string, building: Building, ffmpeg: FfmpegInfo): Promise<TakenFilm> {
  building.report(0.15, 'copying the video');
  return lookAtFilm(file, building, { ffmpeg, grid: true, from: 0.25, share: 0.5 });
}

/** How the two clocks and the two pictures of the screen fit together. */
type Plan = {
  display: { width: number; height: number; scale: number };
  /** Their points to px of the picture. */
  scale: { x: number; y: number };
  start: Start | null;
  /** The session's zero on their clock, µs. */
  zero: number;
  frameTime(pts: number): number;
  lost: string[];
  guessed: string[];
  missing: string[];
  end: number;
};

function planOf(overview: Overview, seen: TakenFilm | null): Plan {
  const { metadata, first, last, pauses, acts } = overview;
  const width = seen?.video.width ?? Math.round(metadata.screen_width);
  const height = seen?.video.height ?? Math.round(metadata.screen_height);
  const [lost, guessed, missing]: [string[], string[], string[]] = [[], [], []];
  if (overview.stop) {
    const { keys, lines } = overview.stop;
    lost.push(
      `the last ${keys} (${plural(lines.size, 'key event')}): it is the shortcut that ended the recording, no step of the task`,
    );
  }
  if (overview.torn) lost.push('the last line of events.jsonl, which was cut off');
  if (seen) {
    append(lost, lostOf(seen.video));
    append(missing, missingOf(seen.video, seen.analysis));
  } else missing.push('the video');
  const { scale, start, ...said } = positionsOf(overview, { width, height }, seen?.analysis ?? null);
  append(lost, said.lost);
  append(guessed, said.guessed);
  append(missing, said.missing);
  if (start) guessed.push(startInWords(start));
  const clock = pauseClock(pauses);
  const zero = Math.min(first, start?.startUs ?? first);
  const frameTime = (pts: number): number => Math.round(clock.fromVideo((start?.startUs ?? 0) + pts * 1000) - zero);
  const frames = seen?.analysis.frames ?? [];
  const end = Math.max(last - zero, frames.length > 0 ? frameTime(frames.at(-1)!.pts) : 0);
  if (pauses.length > 0 && start) guessed.push(`${pauses.length} pause(s): the video is taken to stand still in each`);
  if (frames.length > 0) {
    const [from, to] = [frameTime(frames[0]!.pts) + zero, frameTime(frames.at(-1)!.pts) + zero + 1e6];
    const outside = acts.filter((t) => t < from || t > to).length;
    if (outside > 0)
      missing.push(
        `the pictures of ${outside} of ${acts.length} clicks, keys and wheel turns, which lie outside the video`,
      );
  }
  const display = { width, height, scale: Math.round(scale.x * 1e4) / 1e4 || 1 };
  return { display, scale, start, zero, frameTime, lost, guessed, missing, end: Math.round(end) };
}

type Parts = { overview: Overview; seen: TakenFilm | null; plan: Plan; placed: Placed; wishes: ImportWishes };

async function writeFiles(source: string, files: DucktrackFiles, building: Building, parts: Parts): Promise<void> {
  const { folder, limits, signal } = building;
  const { overview, seen, plan, placed, wishes } = parts;
  const added = await writeEvents(files, building, overview, plan);
  const frames = seen?.analysis.frames ?? [];
  writeLines(join(folder, FRAMES_FILE), frameLines(frames, plan.frameTime));
  if (overview.windows.length > 0) writeLines(join(folder, WINDOWS_FILE), windowLines(overview, plan.zero));
  if (files.elements) {
    const elements: ElementLine[] = [];
    await readBoundedLines(files.elements, elementTreeSchema, limits, signal, ({ time_stamp, a11y_tree: tree }) => {
      const element = elementOf(tree, Math.round(time_stamp * 1e6 - plan.zero), plan.scale);
      if (element) elements.push(element);
    });
    writeLines(join(folder, ELEMENTS_FILE), elements);
    plan.lost.push('what lies below an element in the accessibility tree');
  }
  const names = files.reduced
    ? await readTargetNames(files.reduced, (seconds) => Math.round(seconds * 1e6 - plan.zero), limits, signal)
    : [];
  if (names.length > 0)
    plan.guessed.push(`which step each of ${names.length} element names is of: the one at its time`);
  const { metadata } = overview;
  const startedAt = startOf(metadata, plan.guessed);
  writeRecording(
    folder,
    recordingOf({
      id: importedId(startedAt, files.video ? [files.events, files.video] : [files.events]),
      origin: { source: files.source, name: basename(source).slice(0, 300), lost: plan.lost, guessed: plan.guessed },
      placed,
      wishes,
      os: {
        platform: platformOf(metadata.system),
        release: metadata.release ?? '',
        arch: metadata.machine ?? '',
        session: 'import',
      },
      startedAt,
      span: { start: 0, end: plan.end },
      display: plan.display,
      ...factsOfFilm(seen, plan.display),
      events: overview.inputs + added,
      settings: metadata.scroll_direction === undefined ? {} : { naturalScroll: metadata.scroll_direction < 0 },
      sync: plan.start && startReport(plan.start),
      missing: plan.missing,
    }),
  );
  if (names.length > 0) writeTargetNames(folder, names, placed.task.goal);
}

/** Text is written out when so much of it has come together. */
const PIECE = 1 << 20;

/** Gives how many releases were added. */
async function writeEvents(
  { events }: DucktrackFiles,
  { folder, limits, signal, report }: Building,
  { altGr, lines, stop, metadata, lostReleases }: Overview,
  { display, scale, zero, guessed, lost }: Plan,
): Promise<number> {
  const time = (seconds: number): number => Math.round(seconds * 1e6 - zero);
  const system = keySystem(metadata.system);
  const reader = createDucktrackReader({ time, scale, altGr, system, picture: display });
  const view = { x: 0, y: 0, width: display.width, height: display.height };
  let text = `${JSON.stringify({ type: 'displays', t: 0, displays: [displayOf(display)] })}\n`;
  text += `${JSON.stringify({ type: 'view', t: 0, view, segment: 0 })}\n`;
  const letGo = new Set<string>();
  const target = openSync(join(folder, EVENTS_FILE), 'wx');
  try {
    let done = 0;
    await readBoundedLines(events, ducktrackEventSchema, limits, signal, (event, number) => {
      for (const code of lostReleases.before.get(number) ?? []) {
        for (const line of reader.letGo(code, event.time_stamp)) {
          text += `${JSON.stringify(line)}\n`;
          letGo.add(code);
        }
      }
      if (stop?.lines.has(number)) return;
      for (const line of reader.take(event)) text += `${JSON.stringify(line)}\n`;
      if (text.length >= PIECE) {
        writeSync(target, text);
        text = '';
      }
      if (++done % 4096 === 0) report(0.8 + (0.2 * done) / lines, 'writing events');
    });
    writeSync(target, text);
  } finally {
    closeSync(target);
  }
  const notes = reader.notes();
  const open = stop === null ? lostReleases.open : [];
  append(guessed, guessesOf(notes, [...letGo], open));
  const { unknownKeys, otherButtons } = notes;
  if (unknownKeys > 0) lost.push(`which key it was, of ${unknownKeys} key presses and releases`);
  if (otherButtons > 0) lost.push(`which mouse button it was, of ${otherButtons} presses and releases`);
  return notes.letGo;
}

function guessesOf(notes: DucktrackNotes, letGo: readonly string[], open: readonly string[]): string[] {
  const guessed = [
    'the keys: their tool names characters, not keys; they are read as on a US keyboard where it makes them',
  ];
  const { characterKeys, guessedCaps, guessedSystem, atEdge } = notes;
  if (characterKeys > 0)
    guessed.push(`${characterKeys} character(s) that a US keyboard does not make so: kept as keys of their own`);
  if (guessedCaps > 0) guessed.push(`CapsLock, from the letters, ${guessedCaps} time(s)`);
  if (guessedSystem > 0)
    guessed.push(
      `${plural(guessedSystem, 'key event')} by number alone: nothing tells of which system the numbers are; read as those of Windows or X11`,
    );
  if (notes.letGo > 0)
    guessed.push(
      `the release of a modifier, ${plural(notes.letGo, 'time')} (${letGo.join(', ')}): the file has none, as where a lock screen takes it; taken to be let go after its shortcut`,
    );
  if (open.length > 0) guessed.push(`that ${open.join(', ')} was held until the end: the file has no release of it`);
  if (atEdge > 0) guessed.push(`${plural(atEdge, 'position')} a point or two beside the screen: taken to its edge`);
  return guessed;
}

function windowLines({ windows }: Overview, zero: number): WindowLine[] {
  return windows.map(({ t, name }) => {
    // Their tool tells the application alone.
    return { t: Math.round(t - zero), title: '', app: name, pid: 0, id: '', bounds: null };
  });
}

/** The application that was in front for the longest. */
function mostInFront(windows: Overview['windows'], last: number): string | undefined {
  const times = new Map<string, number>();
  for (const [at, { t, name }] of windows.entries()) {
    times.set(name, (times.get(name) ?? 0) + Math.max(0, (windows[at + 1]?.t ?? last) - t));
  }
  return [...times].sort((a, b) => b[1] - a[1])[0]?.[0];
}

const PLATFORMS: Readonly<Record<string, string>> = { Darwin: 'darwin', Windows: 'win32', Linux: 'linux' };
const platformOf = (system: string | undefined): string =>
  (system !== undefined && Object.hasOwn(PLATFORMS, system) ? PLATFORMS[system] : undefined) ?? 'unknown';

/** `2023-10-20 17:19:53` of nobody knows which time zone. */
function startOf({ start_time: told }: DucktrackMetadata, guessed: string[]): string {
  const at =
    told && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(told) ? Date.parse(`${told.replace(' ', 'T')}Z`) : Number.NaN;
  if (Number.isNaN(at)) {
    guessed.push('when it was recorded: nothing tells it');
    return isoOf(new Date(0));
  }
  guessed.push('the time zone of its date: read as UTC');
  return new Date(at).toISOString();
}
