import { spawn } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { makePlayback, playbackSegments } from '../../native/ffmpeg/jobs.ts';
import { WITH_BUILT_PACKAGES } from '../../native/process/with-built-packages.ts';
import { type ErrorBody, errorBody, isPassing, StudioError } from '../../schemas/errors.ts';
import { temporaryName, writeFileAtomic } from '../files/atomic.ts';
import type { LocalFile } from '../files/blobs/blobs.ts';
import { isFolderLocked, PREPARE_LOCK, withFolderLock } from '../files/folder-lock.ts';
import { hasFile, statOf } from '../files/inside.ts';
import { hasBytes } from '../files/kept/list.ts';
import { makePrivate } from '../files/private.ts';
import { readFrames, readRecording, writeRecording } from '../store/recording-folder.ts';
import { localVideo, WANTED_FILE } from './bytes.ts';
import { framesPresent } from './segments.ts';

const FILE = 'screen.mp4';
/** Notes that a playback copy is to be made, by whoever gets to it. */
export function wantPlaybackCopy(folder: string): void {
  writeFileAtomic(join(folder, WANTED_FILE), '');
}

/** Makes the copy in a process of its own, which goes on when this one ends. Gives its pid; null when it did not start. */
export function makeCopyBehind(folder: string): number | null {
  const main = fileURLToPath(new URL('./playback-main.ts', import.meta.url));
  const words = [...WITH_BUILT_PACKAGES, main, folder];
  const child = spawn(process.execPath, words, { detached: true, stdio: 'ignore', windowsHide: true });
  child.on('error', () => undefined);
  child.unref();
  return child.pid ?? null;
}

/** True when a playback copy is still to be made and nobody is at it. */
export function wantsPlaybackCopy(folder: string): boolean {
  return hasFile(folder, WANTED_FILE) && !isFolderLocked(folder, PREPARE_LOCK);
}

/** True when nobody came to make it for so long: whoever was to make it has ended, ms. */
export function isCopyLeft(folder: string, ms = 30_000): boolean {
  const wanted = statOf(folder, WANTED_FILE);
  return wanted !== null && Math.abs(Date.now() - wanted.mtimeMs) >= ms && wantsPlaybackCopy(folder);
}

/**
 * Makes the small playback copy of a closed recording (V3) and names it in recording.json. Never twice: of several that
 * want it one makes it, the others wait and find it. The recording is whole without it, so a copy that cannot be made is
 * told and nothing more. Gives what is in its way for now (a full disk): the copy stays wanted then. Throws what
 * `signal` says.
 */
export async function makePlaybackCopy(
  folder: string,
  ffmpeg: FfmpegInfo,
  progress: (text: string, share?: number) => void,
  signal?: AbortSignal,
): Promise<ErrorBody | null> {
  try {
    await withFolderLock(folder, PREPARE_LOCK, () => make(folder, ffmpeg, progress, signal), signal ? { signal } : {});
  } catch (error) {
    if (signal?.aborted) throw error;
    const body = errorBody(error);
    progress(`warning: no playback copy: ${body.message}`);
    if (isPassing(body.code)) return body;
  }
  await rm(join(folder, WANTED_FILE), { force: true });
  return null;
}

async function make(
  folder: string,
  ffmpeg: FfmpegInfo,
  progress: (text: string, share?: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const recording = readRecording(folder);
  if (recording.playback !== null && hasBytes(folder, recording.playback)) return;
  const frames = framesPresent(readFrames(folder).frames, recording.segments);
  const shown = playbackSegments(recording.segments, frames);
  if (shown.length === 0) return;
  progress('making the playback copy …');
  const endT = recording.span?.end;
  const output = temporaryName(join(folder, FILE), '.mp4');
  const videos: LocalFile[] = [];
  try {
    for (const { file } of shown) videos.push(await localVideo(folder, file, signal));
    const segments = shown.map((segment, at) => ({ ...segment, file: videos[at]!.path }));
    await makePlayback({
      ffmpeg,
      segments,
      frames: frames.length,
      output,
      onProgress: (share) => progress('making the playback copy …', share),
      ...(endT === undefined ? {} : { endT }),
      ...(signal && { signal }),
    });
    makePrivate(output);
    await rename(output, join(folder, FILE));
  } finally {
    for (const { release } of videos) await release();
    await rm(output, { force: true });
  }
  // Read as it is now: a recovery may have written it meanwhile.
  const now = readRecording(folder);
  if (now.state !== 'closed') throw new StudioError('BAD_FILE', 'The recording is not closed.', { folder });
  writeRecording(folder, { ...now, playback: FILE });
}
