import { join } from 'node:path';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { makePlayback, playbackSegments } from '../../native/ffmpeg/jobs.ts';
import { framesPresent } from '../record/segments.ts';
import { readFrames, readRecording, writeRecording } from '../store/recording-folder.ts';

const FILE = 'screen.mp4';

/**
 * Makes the small playback copy of a closed recording (V3) and names it in recording.json. The recording is whole
 * without it, so a copy that cannot be made is told and nothing more.
 */
export async function makePlaybackCopy(
  folder: string,
  ffmpeg: FfmpegInfo,
  progress: (text: string) => void,
): Promise<void> {
  const recording = readRecording(folder);
  const frames = framesPresent(readFrames(folder).frames, recording.segments);
  const segments = playbackSegments(recording.segments, frames).map((s) => ({ ...s, file: join(folder, s.file) }));
  if (segments.length === 0) return;
  progress('making the playback copy …');
  try {
    const endT = recording.span?.end;
    await makePlayback({
      ffmpeg,
      segments,
      frames: frames.length,
      output: join(folder, FILE),
      ...(endT === undefined ? {} : { endT }),
    });
    writeRecording(folder, { ...recording, playback: FILE });
  } catch (error) {
    progress(`warning: no playback copy: ${error instanceof Error ? error.message : String(error)}`);
  }
}
