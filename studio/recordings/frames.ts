import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import { decodeFrames } from '../../native/ffmpeg/decode.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { fpsModeArgs } from '../../native/ffmpeg/master.ts';
import { type MkvBlock, readMkvIndex } from '../../native/mkv/read.ts';
import { STILL_PNG } from '../../native/screen/still-format.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Segment } from '../../schemas/recording.ts';
import { findFile, findFolder, folderIn } from '../files/inside.ts';
import { localVideo } from './bytes.ts';
import type { ClosedRecording } from './closed.ts';
import { fairTurns } from './fair-turns.ts';
import { DERIVED_FOLDER } from './folders.ts';

/** Pictures that pages asked for are in derived/frames/, up to this many bytes a recording; the longest unused go first. */
const CACHE_BYTES = 384 * 1024 * 1024;
/** Pictures encoded at the same time. */
const PARALLEL = 2;
/** Recordings whose pictures' places are remembered. */
const KEPT_MASTERS = 16;
const KEYFRAMES = 'keyframes';
const FRAMES = 'frames';

type FramePictures = {
  /**
   * The lossless PNG of the frame at place `at` of `opened.frames`: a still that is there, or cut now from the master
   * (K4). Pictures that are asked for while ffmpeg runs are cut by its next run, all of them together.
   * Throws BAD_FILE, RECORDING_DAMAGED, NO_FFMPEG, FFMPEG_UNSUITABLE, DISK_FULL; CANCELLED when `signal` aborts before.
   */
  get(folder: string, opened: ClosedRecording, at: number, asking?: PictureAsking): Promise<string>;
  close(): Promise<void>;
};

/** Who asks (a person's id or name), and what says that they no longer wait. */
export type PictureAsking = { asker?: string | undefined; signal?: AbortSignal | undefined };

type Wish = { at: number; asker: string; done(file: string): void; failed(error: unknown): void };
type Wishes = Map<number, Wish[]>;
type Queue = {
  folder: string;
  opened: ClosedRecording;
  wishes: Wishes;
  /** Askers who stand in line for this recording. */
  inLine: Set<string>;
  /** The pictures that are cut now. */
  batch: { wishes: Wishes; end: AbortController } | null;
};
type Master = { stamp: string; blocks: Promise<MkvBlock[]> };

/**
 * Runs of ffmpeg for pages at the same time, of all recordings and people together: pages that ask for pictures of a thousand
 * recordings would start a thousand. One person leaves a place for the others.
 */
const RUNS = Math.max(2, availableParallelism());
const TURNS = fairTurns(RUNS + 1, RUNS);

export function framePictures(
  ffmpeg: () => Promise<FfmpegInfo>,
  { cacheBytes = CACHE_BYTES, turns = TURNS } = {},
): FramePictures {
  const queues = new Map<string, Queue>();
  const running = new Set<Promise<void>>();
  const masters = new LRUCache<string, Master>({ max: KEPT_MASTERS });
  let closed = false;
  const film: Film = { ffmpeg, masters, isClosed: () => closed };

  /** Waits for this person's turn, and cuts what is wished for then, by whomever. */
  function standInLine(queue: Queue, asker: string): void {
    if (queue.inLine.has(asker)) return;
    queue.inLine.add(asker);
    const whenTurn = async (): Promise<void> => {
      const release = await turns.take(asker);
      try {
        // While others cut pictures of this recording, what is wished for meanwhile comes after.
        if (queue.batch === null && queue.wishes.size > 0) await work(queue, asker);
        else queue.inLine.delete(asker);
      } finally {
        release();
        if (queue.batch === null) goOn(queue);
      }
    };
    void whenTurn();
  }

  function goOn(queue: Queue): void {
    for (const wishes of queue.wishes.values()) for (const wish of wishes) standInLine(queue, wish.asker);
    if (queue.wishes.size === 0 && queues.get(queue.folder) === queue) queues.delete(queue.folder);
  }

  async function work(queue: Queue, asker: string): Promise<void> {
    const end = new AbortController();
    queue.batch = { wishes: new Map(), end };
    const cutting = cutBatch(queue, queue.batch, asker);
    running.add(cutting);
    try {
      await cutting;
    } finally {
      running.delete(cutting);
      queue.batch = null;
    }
  }

  async function cutBatch(queue: Queue, batch: NonNullable<Queue['batch']>, asker: string): Promise<void> {
    // Requests that a page sends together arrive within a moment of each other.
    await new Promise((resume) => setTimeout(resume, 4));
    const { wishes } = batch;
    for (const [at, some] of queue.wishes) wishes.set(at, some);
    queue.wishes = new Map();
    queue.inLine.delete(asker);
    for (const segment of queue.opened.meta.segments) {
      const own = [...wishes.keys()].filter((at) => queue.opened.frames[at]?.[2] === segment.index);
      await cut(queue, segment, own, batch);
    }
    for (const some of wishes.values()) for (const wish of some) wish.failed(notThere(queue.folder, wish.at));
    try {
      await evict(findFolder(queue.folder, `${DERIVED_FOLDER}/${FRAMES}`), cacheBytes);
    } catch {
      // A file that cannot be removed now stays until the next time.
    }
  }

  /** Somebody no longer waits; when nobody does, ffmpeg ends. */
  function giveUp(queue: Queue, wish: Wish): void {
    for (const wishes of [queue.wishes, queue.batch?.wishes]) {
      const some = wishes?.get(wish.at);
      if (!wishes || !some?.includes(wish)) continue;
      const left = some.filter((one) => one !== wish);
      if (left.length > 0) wishes.set(wish.at, left);
      else wishes.delete(wish.at);
      wish.failed(notWaitedFor());
      if (wishes === queue.batch?.wishes && wishes.size === 0) queue.batch.end.abort();
    }
  }

  /** Cuts pictures of one segment; those that are done or have failed are no longer in `batch` then. */
  async function cut(queue: Queue, segment: Segment, wanted: number[], batch: NonNullable<Queue['batch']>) {
    const { wishes } = batch;
    if (!wanted.some((at) => wishes.has(at))) return;
    const settle = (at: number, how: (wish: Wish) => void): void => {
      for (const wish of wishes.get(at) ?? []) how(wish);
      wishes.delete(at);
    };
    try {
      const { signal } = batch.end;
      await decode(film, queue, segment, wanted, { signal, done: (at, file) => settle(at, (wish) => wish.done(file)) });
    } catch (error) {
      const left = wanted.filter((at) => wishes.has(at));
      // One bad place must not take the pictures around it along.
      if (wanted.length > 1 && !closed) for (const at of left) await cut(queue, segment, [at], batch);
      else for (const at of left) settle(at, (wish) => wish.failed(pictureError(error, queue.folder, segment.file)));
    }
  }

  return {
    get(folder, opened, at, { asker = '', signal } = {}) {
      try {
        const found = existing(folder, nameOf(opened, at));
        if (found) return Promise.resolve(found);
      } catch (error) {
        return Promise.reject(error);
      }
      if (closed) return Promise.reject(workspaceClosed());
      if (signal?.aborted) return Promise.reject(notWaitedFor());
      const queue = queues.get(folder) ?? { folder, opened, wishes: new Map(), inLine: new Set<string>(), batch: null };
      queues.set(folder, queue);
      queue.opened = opened;
      return new Promise<string>((done, failed) => {
        const leave = (): void => giveUp(queue, wish);
        const over = (): void => signal?.removeEventListener('abort', leave);
        const wish: Wish = {
          at,
          asker,
          done(file) {
            over();
            done(file);
          },
          failed(error) {
            over();
            failed(error);
          },
        };
        signal?.addEventListener('abort', leave, { once: true });
        queue.wishes.set(at, [...(queue.wishes.get(at) ?? []), wish]);
        standInLine(queue, asker);
      });
    },
    async close() {
      closed = true;
      for (const queue of queues.values()) {
        for (const wishes of queue.wishes.values()) for (const wish of wishes) wish.failed(workspaceClosed());
        queue.wishes.clear();
      }
      await Promise.allSettled(running);
    },
  };
}

/** The tools that all pictures are cut with. */
type Film = { ffmpeg(): Promise<FfmpegInfo>; masters: LRUCache<string, Master>; isClosed(): boolean };

type Cutting = { signal: AbortSignal; done(at: number, file: string): void };

async function decode(film: Film, queue: Queue, segment: Segment, wanted: number[], tools: Cutting): Promise<void> {
  const { folder } = queue;
  const { path: file, release } = await localVideo(folder, segment.file, tools.signal);
  try {
    await decodeFile(film, queue, { ...segment, file }, wanted, tools);
  } finally {
    await release();
  }
}

/** `segment.file`: its whole path. */
async function decodeFile(
  film: Film,
  { folder, opened }: Queue,
  segment: Segment,
  wanted: number[],
  { signal, done }: Cutting,
) {
  const { file } = segment;
  const blocks = await blocksOf(film.masters, file, opened.pts.length);
  const info = await film.ffmpeg();
  const target = folderIn(folder, `${DERIVED_FOLDER}/${FRAMES}`);
  const byPts = new Map(wanted.toSorted((a, b) => a - b).map((at) => [opened.pts[at]!, at]));
  const running = new Set<Promise<void>>();
  let broken: { error: unknown } | null = null;
  await decodeFrames(
    { path: info.path, fpsMode: fpsModeArgs(info) },
    { file, blocks, width: segment.width, height: segment.height },
    [...byPts.keys()],
    async ({ pts, rgb, width, height }) => {
      const at = byPts.get(pts);
      if (at === undefined) return;
      // An error that is thrown here ends ffmpeg: its output is no longer read.
      if (film.isClosed()) throw workspaceClosed();
      const png = join(target, nameOf(opened, at));
      const job = writePng(png, rgb, width, height)
        .then(() => done(at, png))
        .catch((error: unknown) => {
          broken ??= { error };
        })
        .finally(() => running.delete(job));
      running.add(job);
      if (running.size >= PARALLEL) await Promise.race(running);
    },
    signal,
  ).finally(() => Promise.all(running));
  if (broken) throw (broken as { error: unknown }).error; // Set in a callback, which the compiler does not follow.
}

/** Stills are named by frame time (architecture.md, "Data on disk"). */
const nameOf = ({ frames }: ClosedRecording, at: number): string => `${frames[at]?.[1]}.png`;

function existing(folder: string, name: string): string | null {
  const still = findFile(folder, `${KEYFRAMES}/${name}`);
  if (still !== null) return still;
  const cut = findFile(folder, `${DERIVED_FOLDER}/${FRAMES}/${name}`);
  if (cut === null) return null;
  const now = new Date();
  // Where it fails, only how long ago it was used is lost.
  utimes(cut, now, now).catch(() => undefined);
  return cut;
}

/** The pictures' places in the master, read again when the file is another. `named`: how many the recording names. */
async function blocksOf(masters: LRUCache<string, Master>, file: string, named: number): Promise<MkvBlock[]> {
  const { size, mtimeMs } = await stat(file);
  const stamp = `${size}@${mtimeMs}`;
  const known = masters.get(file);
  const blocks = known?.stamp === stamp ? known.blocks : readMkvIndex(file, { named }).then((index) => index.blocks);
  masters.set(file, { stamp, blocks });
  blocks.catch(() => masters.delete(file));
  return await blocks;
}

async function writePng(file: string, rgb: Buffer, width: number, height: number): Promise<void> {
  const temporary = `${file}.${process.pid}.part`;
  await sharp(rgb, { raw: { width, height, channels: 3 } })
    .png(STILL_PNG)
    .toFile(temporary);
  await rename(temporary, file);
}

/** Removes the longest unused pictures until at most nine tenths of `most` bytes are left; rests of killed runs too. */
async function evict(folder: string | null, most: number): Promise<void> {
  if (folder === null) return;
  const files: { path: string; bytes: number; used: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const info = await stat(path).catch(() => null);
    if (info && name.endsWith('.part') && Math.abs(Date.now() - info.mtimeMs) > 3_600_000)
      await rm(path, { force: true });
    else if (info) files.push({ path, bytes: info.size, used: info.mtimeMs });
  }
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= most) return;
  files.sort((a, b) => a.used - b.used);
  for (const { path, bytes } of files) {
    if (total <= most * 0.9) return;
    await rm(path, { force: true });
    total -= bytes;
  }
}

const notWaitedFor = (): StudioError => new StudioError('CANCELLED', 'Nobody waits for this picture any more.');
const workspaceClosed = (): StudioError => new StudioError('CANCELLED', 'The workspace was closed.');

function notThere(folder: string, at: number): StudioError {
  return new StudioError(
    'RECORDING_DAMAGED',
    `Frame ${at} is in none of the video files (screen.mkv, …) of ${folder}: they are damaged or were cut short. Put the files back from a copy; the step can be annotated all the same.`,
    { folder, frame: at },
  );
}

/** An error of ffmpeg or the file system, as something a person can act on. */
function pictureError(error: unknown, folder: string, file: string): unknown {
  const isMissing = error instanceof StudioError && error.details.missing === true;
  if (error instanceof StudioError && !isMissing) return error;
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOSPC') {
    return new StudioError('DISK_FULL', `The disk that holds ${folder} is full. Free some space and try again.`, {
      folder,
    });
  }
  const why = isMissing || code === 'ENOENT' ? 'it is missing' : error instanceof Error ? error.message : String(error);
  return new StudioError(
    'RECORDING_DAMAGED',
    `The picture cannot be cut from ${join(folder, file)}: ${why}. Put the file back, or annotate without it.`,
    { folder, file },
    { cause: error },
  );
}
