import type { ScreenOptions, ScreenRecorder } from '../contract.ts';
import { wallPtsClock } from './pts-clock.ts';
import { ffmpegRecorder } from './recorder.ts';

/** ffmpeg's x11grab of an X display (`:0`): the fallback on Linux where the own grabber cannot run. */
export function x11grabRecorder(options: ScreenOptions, displayName: string): ScreenRecorder {
  return ffmpegRecorder(options, {
    grabber: () => 'x11grab',
    source: displayName,
    ptsClock: () => wallPtsClock(options.clock),
  });
}
