import type { OpenedRecording } from '../../../schemas/api/models.ts';

/**
 * Frames by their own list (C3, V2): a frame is on the screen from its time until the next one's. Nothing here
 * multiplies a time by a frame rate.
 */
export type FrameList = OpenedRecording['frames'];

/** Seconds of the playback copy at which the frame at `place` is surely the one shown: inside its stretch, not its edge. */
export function playbackSeconds(frames: FrameList, place: number, playbackStart: number): number {
  const t = frames[place]?.[1] ?? playbackStart;
  const until = frames[place + 1]?.[1] ?? t + 2_000;
  const within = Math.min((until - t) / 2, 1_000);
  return Math.max((t + within - playbackStart) / 1e6, 0);
}

/** The recording's time (µs) at a second of the playback copy. */
export function recordingTime(seconds: number, playbackStart: number): number {
  return Math.round(seconds * 1e6) + playbackStart;
}

/** `1:02.345`, or `1:02:03.4` past an hour: minutes, seconds, milliseconds of a time from `origin` (µs). */
export function clock(t: number, origin = 0): string {
  const ms = Math.max(Math.round((t - origin) / 1000), 0);
  const rest = String(ms % 1000).padStart(3, '0');
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}.${rest}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}.${rest}`;
}
