import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isInPicture, pictureRect, toPicture } from '../../core/annotate/picture.ts';
import { ACTION_RULES_VERSION, type Action } from '../../schemas/actions.ts';
import type { OpenedRecording, Step } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import { KEYFRAME_RULES_VERSION, type Recording, type Segment } from '../../schemas/recording.ts';
import { type Derived, derive } from '../keyframes/derive.ts';
import { writeFileAtomic } from '../store/atomic.ts';
import { EVENTS_FILE, FRAMES_FILE, RECORDING_FILE, readRecording, WINDOWS_FILE } from '../store/recording-folder.ts';

/** Of what is kept in derived/; raised when its shape or its making changes. */
const OPENED_VERSION = 1;
export const DERIVED_FOLDER = 'derived';
const FILE = 'opened.json';

/** What a page needs of a recording but its row in the library, and what cutting pictures needs beside it. */
export type Opened = {
  page: Omit<OpenedRecording, 'row'>;
  /** Presentation times (ms) of `page.frames`, in their order. */
  pts: number[];
  segments: Segment[];
  goal: string;
};

/** The raw files' sizes and times and the rules' versions: what is derived stands while this is the same. */
export function openedKey(folder: string): string {
  const files = [RECORDING_FILE, EVENTS_FILE, FRAMES_FILE, WINDOWS_FILE].map((name) => {
    const info = statSync(join(folder, name), { throwIfNoEntry: false, bigint: true });
    return info ? `${name}=${info.size}@${info.mtimeNs}` : `${name}=none`;
  });
  return [OPENED_VERSION, ACTION_RULES_VERSION, KEYFRAME_RULES_VERSION, ...files].join(' ');
}

/**
 * A recording's steps, frames and geometry: from derived/ when it was made of the same files by the same rules, else made
 * anew and kept there. Throws BAD_FILE, FUTURE_VERSION; USAGE for a recording that was not closed.
 */
export function openFolder(folder: string, key = openedKey(folder)): Opened {
  return keptFolder(folder, key) ?? makeAndKeep(folder, key);
}

/** `opened.page` with what comes and goes without a change of the raw files: the playback copy, the videos. */
export function pageOf(folder: string, { page, segments }: Opened): Opened['page'] {
  return {
    ...page,
    playback: page.playback && existsSync(join(folder, PLAYBACK)),
    warnings: [...page.warnings, ...missingVideos(folder, segments)],
  };
}

const PLAYBACK = 'screen.mp4';

/** Whether something stands in derived/ under this key: its beginning says so. */
export function isKept(folder: string, key: string): boolean {
  // As makeAndKeep writes it.
  const beginning = `{"key":${JSON.stringify(key)},`;
  try {
    const file = openSync(join(folder, DERIVED_FOLDER, FILE), 'r');
    try {
      const head = Buffer.alloc(Buffer.byteLength(beginning));
      return readSync(file, head, 0, head.length, 0) === head.length && head.toString('utf8') === beginning;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

/** What stands in derived/ under this key; null when nothing does. */
export function keptFolder(folder: string, key: string): Opened | null {
  try {
    const kept: unknown = JSON.parse(readFileSync(join(folder, DERIVED_FOLDER, FILE), 'utf8'));
    // Written whole by writeFileAtomic under this very key, so it has this shape.
    const cached = kept as { key?: unknown; opened?: Opened };
    return cached.key === key && cached.opened ? cached.opened : null;
  } catch {
    return null; // Not there, or spoilt: it is made again.
  }
}

function makeAndKeep(folder: string, key: string): Opened {
  const opened = make(folder);
  try {
    mkdirSync(join(folder, DERIVED_FOLDER), { recursive: true });
    writeFileAtomic(join(folder, DERIVED_FOLDER, FILE), JSON.stringify({ key, opened }));
  } catch {
    // A folder that cannot be written (read-only, disk full) is opened all the same, only not as fast the next time.
  }
  return opened;
}

function make(folder: string): Opened {
  const { id, state, segments } = readRecording(folder);
  // A folder may come from anywhere; what it names must lie in it.
  const stray = segments.find(({ file }) => basename(file) !== file || file === '..' || file.includes('\\'));
  if (stray) {
    throw new StudioError(
      'BAD_FILE',
      `${join(folder, RECORDING_FILE)}: field \`segments.file\`: "${stray.file}" is not a file name inside the recording's folder.`,
      { file: join(folder, RECORDING_FILE), field: 'segments' },
    );
  }
  if (state !== 'closed') {
    throw new StudioError(
      'USAGE',
      `Recording ${id} was not closed: stop it first, or run \`recover\` when its recorder is gone.`,
      { recording: id },
    );
  }
  return openedFrom(derive(folder));
}

/** What was derived, as pages take it. Pure. */
export function openedFrom({ recording, actions, warnings, frames, views, marks, keyframes }: Derived): Opened {
  const at = new Map(frames.map(({ i }, place) => [i, place]));
  const chosen = new Map(
    keyframes.keyframes.map(({ action, role, frame }) => [`${role} ${action}`, at.get(frame) ?? -1]),
  );
  const steps = actions.map((action) => stepOf(action, chosen));
  const geometry = {
    frames: frames.map(({ i, t, seg }): [number, number, number] => [i, t, seg ?? 0]),
    views: views.map(({ t, segment, view }) => ({ t, segment, rect: view })),
  };
  const end = Math.max(frames.at(-1)?.t ?? 0, actions.at(-1)?.end.t ?? 0);
  return {
    page: {
      steps,
      ...geometry,
      span: recording.span ?? { start: 0, end },
      marks,
      displays: recording.displays[0]?.displays ?? [],
      capture: recording.capture,
      sync: recording.sync,
      verdict: recording.verdict,
      playback: recording.playback !== null,
      playbackStart: frames[0]?.t ?? 0,
      warnings: [
        ...originWarnings(recording),
        ...recording.warnings,
        ...warnings.map(({ code, message }) => ({ code, message })),
      ],
      misfit: misfitOf(recording, steps, geometry),
    },
    pts: frames.map(({ pts }) => pts),
    segments: recording.segments,
    goal: recording.task.goal,
  };
}

/** What an import lost and guessed stands where every warning of a recording stands. */
function originWarnings({ origin }: Recording): OpenedRecording['warnings'] {
  if (!origin) return [];
  return [
    ...origin.lost.map((what) => ({ code: 'IMPORT_LOST', message: `Not taken from ${origin.name}: ${what}.` })),
    ...origin.guessed.map((what) => ({
      code: 'IMPORT_GUESSED',
      message: `Not told by ${origin.name}, concluded: ${what}.`,
    })),
  ];
}

function stepOf(action: Action, chosen: ReadonlyMap<string, number>): Step {
  const { id, kind, button, modifiers, text, keys, count, holdMs, incomplete, scroll, window } = action;
  return {
    id,
    kind,
    button,
    modifiers,
    start: [action.start.x, action.start.y, action.start.t],
    end: [action.end.x, action.end.y, action.end.t],
    text,
    keys,
    count,
    scroll: scroll && { dx: scroll.dx, dy: scroll.dy, unit: scroll.unit },
    holdMs,
    incomplete,
    window: window && (window.title || window.app),
    before: chosen.get(`before ${id}`) ?? -1,
    after: chosen.get(`after ${id}`) ?? -1,
  };
}

const POINTED: ReadonlySet<Step['kind']> = new Set(['click', 'drag', 'scroll', 'hover']);

/** Why picture and coordinates do not fit each other (pattern 11), in words; null when they do. */
function misfitOf(
  { segments, capture }: Recording,
  steps: readonly Step[],
  geometry: Pick<OpenedRecording, 'frames' | 'views'>,
): string | null {
  for (const { index, width, height } of segments) {
    const view = geometry.views.find(
      ({ segment, rect }) => segment === index && (rect.width !== width || rect.height !== height),
    );
    if (!view) continue;
    const { rect } = view;
    return `The video is ${width} x ${height}, but shows ${rect.width} x ${rect.height} px of the desktop: marks may stand at a wrong place.`;
  }
  // A window or a region may well be left by the pointer, a display may not.
  if (capture.target.kind !== 'display') return null;
  const pointed = steps.filter(({ kind, before }) => POINTED.has(kind) && before >= 0);
  const outside = pointed.filter(({ start: [x, y], before }) => {
    const rect = pictureRect(geometry, before);
    return rect && !isInPicture(toPicture({ x, y }, rect), rect);
  });
  if (outside.length === 0 || outside.length * 2 < pointed.length) return null;
  return `${outside.length} of ${pointed.length} steps lie outside of the picture: the recorded display may not be the one that was worked on, or its scale was not known.`;
}

function missingVideos(folder: string, segments: readonly Segment[]): OpenedRecording['warnings'] {
  return segments
    .filter(({ file }) => !existsSync(join(folder, file)))
    .map(({ file }) => ({
      code: 'NO_VIDEO',
      message: `${file} is missing from the recording's folder: only pictures that were cut before can be shown. Put the file back.`,
    }));
}
