import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { elementFinder } from '../../core/annotate/elements.ts';
import { pictureRect } from '../../core/annotate/picture.ts';
import type { PictureRef, PlatformName } from '../../core/export/model.ts';
import type { Action, ReduceWarning } from '../../schemas/actions.ts';
import type { RecordingNow, RecordingPage, Step } from '../../schemas/api/models.ts';
import type { ElementLine } from '../../schemas/elements.ts';
import type { RawEvent } from '../../schemas/events.ts';
import type { Frame, WindowLine } from '../../schemas/frames.ts';
import type { KeyframeIndex, Recording } from '../../schemas/recording.ts';
import type { Blobs } from '../files/blobs/blobs.ts';
import { findFolder, placeIn } from '../files/inside.ts';
import { hasBytes } from '../files/kept/list.ts';
import { readElements, readFrames, readRecording } from '../store/recording-folder.ts';
import { bytesOfRecording } from './bytes.ts';
import { derivedFolder, derivedKey, type Kept } from './derived.ts';
import { ATTACHMENTS_FOLDER, KEYFRAMES_FOLDER } from './folders.ts';
import { missingVideos } from './page.ts';
import { reduceRecording } from './reduce.ts';
import { framesPresent } from './segments.ts';

export type PageFile = { bytes: Uint8Array<ArrayBuffer>; tag: string };

function pageFileOf(page: RecordingPage): PageFile {
  const bytes = new TextEncoder().encode(JSON.stringify(page));
  return { bytes, tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) };
}

/**
 * A recording that is no longer being made: everything that can be asked of it. Nobody else reads its folder. What is
 * derived is as it was at the opening; files are looked for when they are asked for.
 */
export class ClosedRecording {
  readonly folder: string;
  readonly meta: Recording;
  /** The form for pages and annotations. */
  readonly page: RecordingPage;
  /** Presentation times (ms) of `frames`, in their order. */
  readonly pts: readonly number[];
  readonly #derived: Kept;
  #pageFile: PageFile | null = null;
  #elementAt: ((t: number) => ElementLine | null) | null = null;

  constructor(folder: string, meta: Recording, derived: Kept) {
    this.folder = folder;
    this.meta = meta;
    this.page = derived.page;
    this.pts = derived.pts;
    this.#derived = derived;
  }

  /** Its files as bytes, by their names in its folder. */
  get bytes(): Blobs {
    return bytesOfRecording(this.folder);
  }

  /** In full, with paths and raw indices. The first question reads them. */
  get actions(): readonly Action[] {
    return this.#derived.rest().actions;
  }

  /**
   * The raw events, with the runs of them that belong to no step: shortcuts of the recorder, and input in pauses. Nothing of
   * this is kept in derived/: each call reads the raw files again.
   */
  input(): {
    events: readonly RawEvent[];
    excluded: readonly (readonly [first: number, last: number])[];
    /** The window in front, one line a change. */
    windows: readonly WindowLine[];
  } {
    const events: RawEvent[] = [];
    const { result, windows } = reduceRecording(this.folder, {}, (event) => events.push(event));
    return { windows, events, excluded: [...result.conservation.own, ...result.conservation.paused] };
  }

  /**
   * The frames that are in the master, with how many pixels each changed. derived/ does not hold that either: each call reads the
   * raw file again.
   */
  changes(): Frame[] {
    return framesPresent(readFrames(this.folder).frames, this.meta.segments);
  }

  /** The program's word on the element where a step began; null where nothing is known. They are read at the first question. */
  elementOf({ kind, start: [, , t] }: Pick<Step, 'kind' | 'start'>): ElementLine | null {
    if (!POINTED_KINDS.has(kind)) return null;
    this.#elementAt ??= elementFinder(readElements(this.folder).elements);
    return this.#elementAt(t);
  }

  get warnings(): readonly ReduceWarning[] {
    return this.#derived.rest().warnings;
  }

  /** Chosen by today's rules; their stills may not be there (stills.ts). */
  get keyframes(): KeyframeIndex {
    return this.#derived.rest().keyframes;
  }

  /** [i, t, segment] of the frames that are in the master, in order; t in µs. */
  get frames(): RecordingPage['frames'] {
    return this.page.frames;
  }

  get views(): RecordingPage['views'] {
    return this.page.views;
  }

  /** When the person marked the end of a subtask, µs. */
  get marks(): readonly number[] {
    return this.page.marks;
  }

  get steps(): Step[] {
    return this.page.steps;
  }

  /** `page` as JSON in UTF-8 and a tag of its content, made at the first question. */
  get pageFile(): PageFile {
    this.#pageFile ??= pageFileOf(this.page);
    return this.#pageFile;
  }

  /** The files that come and go without a change of the raw files: the playback copy, the videos. */
  now(): Omit<RecordingNow, 'row'> {
    const { folder, meta } = this;
    return {
      playback: readRecording(folder).playback !== null && hasBytes(folder, PLAYBACK),
      warnings: missingVideos(folder, meta.segments),
    };
  }

  /** The frame at a place of `frames`, as cutting takes it. Undefined where there is none. */
  frameAt(place: number): Frame | undefined {
    const [frame, pts] = [this.frames[place], this.pts[place]];
    return frame && pts !== undefined ? { i: frame[0], t: frame[1], seg: frame[2], pts } : undefined;
  }

  /**
   * The lossless still of the frame at a place of `frames`: where it is or would be, px, and its corner on the desktop. Null
   * where no view says what the frame shows. Throws BAD_FILE for a still that leads elsewhere.
   */
  picture(place: number): PictureRef | null {
    const rect = pictureRect(this, place);
    const frame = this.frames[place];
    if (!rect || !frame) return null;
    const path = placeIn(this.folder, `${KEYFRAMES_FOLDER}/${frame[1]}.png`);
    return { path, width: rect.width, height: rect.height, origin: { x: rect.x, y: rect.y } };
  }

  /** Names of its files that are there, relative to its folder. */
  files(): {
    /** The playback copy, or the master while there is none. */
    video: string | null;
    segments: string[];
    /** Names in attachments/, sorted. */
    attachments: string[];
  } {
    const { folder, meta } = this;
    const there = (name: string): boolean => hasBytes(folder, name);
    const videos = [meta.playback, meta.segments[0]?.file].filter((name) => typeof name === 'string');
    return {
      video: videos.find(there) ?? null,
      segments: meta.segments.map(({ file }) => file).filter(there),
      attachments: attachmentsOf(folder),
    };
  }

  /** The system that recorded; null for one that no format knows. */
  get platform(): PlatformName | null {
    return PLATFORMS.get(this.meta.os.platform) ?? null;
  }

  /** Size of its first video, px; of the display where it has none. */
  get resolution(): { width: number; height: number } {
    const { segments, displays } = this.meta;
    const { width, height } = segments[0] ?? displays[0]?.displays[0] ?? { width: 0, height: 0 };
    return { width, height };
  }
}

const PLAYBACK = 'screen.mp4';

/** Steps that begin with a press or a turn of the wheel: these have an element. */
const POINTED_KINDS: ReadonlySet<Step['kind']> = new Set(['click', 'drag', 'scroll']);

/** Node's name of the system that recorded. */
const PLATFORMS: ReadonlyMap<string, PlatformName> = new Map([
  ['linux', 'linux'],
  ['win32', 'windows'],
  ['darwin', 'macos'],
]);

/**
 * Opens a closed recording: what is derived of it from derived/, or made now and kept there (derived.ts). Blocks for about a
 * second a million events that were not reduced yet; pages open through opener.ts, which takes a thread for that.
 * Throws BAD_FILE, FUTURE_VERSION; USAGE for a recording that was not closed.
 */
export function openFolder(folder: string, key = derivedKey(folder)): ClosedRecording {
  const derived = derivedFolder(folder, key);
  return new ClosedRecording(folder, readRecording(folder), derived);
}

function attachmentsOf(folder: string): string[] {
  const place = findFolder(folder, ATTACHMENTS_FOLDER);
  if (place === null) return [];
  // A link among them is refused where it would be read, not passed over without a word.
  const files = readdirSync(place, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
  return files.map(({ name }) => name).sort();
}
