import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { errorBody } from '../../schemas/errors.ts';
import { cutKeyframes } from '../keyframes/cut.ts';
import { makePlaybackCopy } from '../keyframes/playback.ts';
import { readRecording } from '../store/recording-folder.ts';
import type { Workspace } from '../store/workspace.ts';

type FinishOptions = {
  ffmpeg: FfmpegInfo;
  playback: boolean;
  /** What is done, in words; `share` of the whole, 0 to 1. */
  progress(text: string, share: number): void;
  signal?: AbortSignal;
};

/**
 * What follows a closed recording, from the command line and from the page alike: into the index, keyframes, the playback
 * copy. The recording is whole without them, so what cannot be made is told and nothing more. Gives how many actions
 * there are; null when keyframes could not be cut.
 */
export async function finishRecording(
  workspace: Workspace,
  folder: string,
  { ffmpeg, playback, progress, signal }: FinishOptions,
): Promise<{ actions: number | null; warnings: string[] }> {
  const warnings: string[] = [];
  await workspace.indexRecording(folder);
  progress('cutting keyframes …', 0);
  let actions: number | null = null;
  try {
    const options = {
      onProgress: (done: number, all: number) => progress(`keyframes: ${done} of ${all}`, (0.7 * done) / all),
      ...(signal && { signal }),
    };
    actions = (await cutKeyframes(folder, ffmpeg, options)).actions.length;
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    warnings.push(`keyframes: ${errorBody(error).message}`);
    progress(`warning: keyframes: ${errorBody(error).message}`, 0.7);
  }
  if (playback && readRecording(folder).playback === null) {
    await makePlaybackCopy(folder, ffmpeg, (text) => {
      if (text.startsWith('warning: ')) warnings.push(text.slice('warning: '.length));
      progress(text, 0.75);
    });
    await workspace.indexRecording(folder);
  }
  return { actions, warnings };
}

/** True when a closed recording has its master but no keyframes yet: a crash came before them, or it was copied in so. */
export function wantsKeyframes(folder: string): boolean {
  try {
    const { state, segments } = readRecording(folder);
    if (state !== 'closed' || segments.length === 0) return false;
    return (
      !existsSync(join(folder, 'keyframes', 'index.json')) &&
      segments.every(({ file }) => existsSync(join(folder, file)))
    );
  } catch {
    return false; // It says what is wrong where it is opened.
  }
}
