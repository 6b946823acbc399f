import type { Frame } from '../../schemas/frames.ts';
import type { MasterCodec } from '../ffmpeg/master.ts';

/**
 * Which codec suits what the screen does now (V2). A switch costs a start of ffmpeg and a file, so it comes only when
 * motion has lasted, and goes back only when it has been calm for long: a wheel turned a few notches changes nothing.
 */
type MotionWatch = {
  /** Takes each recorded frame; the codec for those that follow. */
  see(frame: Frame): MasterCodec;
  /** Asked now and then while nothing changes: `t` is the time now, µs. */
  idle(t: number): MasterCodec;
};

/** More than this share of the pixels changed: prediction has little to hold on to. */
const BIG_SHARE = 0.15;
/** So many big changes, each within three frames of the one before, are motion that lasts. */
const BUSY_AFTER = 12;
const CALM_AFTER_US = 5_000_000;

export function watchMotion(pixels: number, fps: number): MotionWatch {
  let codec: MasterCodec = 'calm';
  let run = 0;
  let lastBig = Number.NEGATIVE_INFINITY;
  const near = (3 * 1_000_000) / fps;
  const idle = (t: number): MasterCodec => {
    if (codec === 'busy' && t - lastBig > CALM_AFTER_US) {
      codec = 'calm';
      run = 0;
    }
    return codec;
  };
  return {
    idle,
    see(frame) {
      const big = frame.changed !== undefined && frame.changed > pixels * BIG_SHARE;
      if (!big) return idle(frame.t);
      run = frame.t - lastBig <= near ? run + 1 : 1;
      lastBig = frame.t;
      if (run >= BUSY_AFTER) codec = 'busy';
      return codec;
    },
  };
}
