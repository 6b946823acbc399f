import { type FfmpegInfo, findFfmpeg } from '../../native/ffmpeg/find.ts';
import { type ErrorBody, errorBody, isPassing } from '../../schemas/errors.ts';
import type { Recording } from '../../schemas/recording.ts';
import { hasFile } from '../files/inside.ts';
import { hasBytes } from '../files/kept/list.ts';
import { readRecording } from '../store/recording-folder.ts';
import type { Workspace } from '../store/workspace.ts';
import { cutKeyframes } from './cut.ts';
import { makePlaybackCopy, wantPlaybackCopy } from './playback.ts';

type FinishOptions = {
  ffmpeg: FfmpegInfo;
  /** `behind`: it is only noted that the copy is wanted; whoever called has it made when the person need not wait. */
  playback: 'now' | 'behind' | 'none';
  /** The work that goes on, in words; `share` of the whole, 0 to 1. */
  progress(text: string, share: number): void;
  signal?: AbortSignal;
};

/**
 * The work that follows a closed recording, from the command line and from the page alike: into the index, keyframes, the
 * playback copy. The recording is whole without them, so what cannot be made is told in `warnings`, which the caller shows,
 * and nothing more. Gives how many actions there are (null when keyframes could not be cut), whether the copy is still to be
 * made, and what is in the way of something for now (`waits`: a full disk), so that it is worth trying again.
 */
export async function finishRecording(
  workspace: Workspace,
  folder: string,
  { ffmpeg, playback, progress, signal }: FinishOptions,
): Promise<{ actions: number | null; warnings: string[]; copyBehind: boolean; waits: ErrorBody | null }> {
  const warnings: string[] = [];
  let waits: ErrorBody | null = null;
  const wanted = playback !== 'none' && wantsCopy(readRecording(folder));
  /** It is in the way for now, and keeps nobody from the rest. */
  const tellOf = (what: string, error: unknown): void => {
    const body = errorBody(error);
    if (!isPassing(body.code)) throw error;
    waits ??= body;
    warnings.push(`${what}: ${body.message}`);
  };
  try {
    if (wanted) wantPlaybackCopy(folder);
  } catch (error) {
    tellOf('the playback copy', error);
  }
  // The index follows the folders by itself: a locked database keeps nobody from the pictures.
  const index = (): Promise<void> =>
    workspace.indexRecording(folder).then(
      () => undefined,
      (error: unknown) => tellOf('the list of recordings', error),
    );
  await index();
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
    const body = errorBody(error);
    if (isPassing(body.code)) waits = body;
    warnings.push(`keyframes: ${body.message}`);
  }
  if (playback === 'now' && wanted) {
    const tell = (text: string, share = 0): void => {
      if (text.startsWith('warning: ')) warnings.push(text.slice('warning: '.length));
      else progress(text, 0.75 + 0.25 * share);
    };
    const stopped = await makePlaybackCopy(folder, ffmpeg, tell, signal);
    waits ??= stopped;
    await index();
  }
  return { actions, warnings, copyBehind: wanted && playback === 'behind', waits };
}

const wantsCopy = ({ playback, segments }: Recording): boolean => playback === null && segments.length > 0;

/** True when a closed recording has its master but no keyframes yet: a crash came before them, or it was copied in so. */
export function wantsKeyframes(folder: string): boolean {
  try {
    const { state, segments } = readRecording(folder);
    if (state !== 'closed' || segments.length === 0) return false;
    return !hasFile(folder, 'keyframes/index.json') && segments.every(({ file }) => hasBytes(folder, file));
  } catch {
    return false; // It says what is wrong where it is opened.
  }
}

/** Everything that follows a closed recording, as a job reports it. */
export async function finishWhole(
  workspace: Workspace,
  folder: string,
  { signal, report }: { signal: AbortSignal; report(share: number, message: string): void },
): Promise<{ warnings: string[]; waits: ErrorBody | null }> {
  const progress = (text: string, share: number): void => report(share, text);
  return finishRecording(workspace, folder, { ffmpeg: await findFfmpeg(), playback: 'now', signal, progress });
}
