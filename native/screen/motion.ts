import type { Frame } from '../../schemas/frames.ts';
import type { MasterCodec } from '../ffmpeg/master.ts';

/**
 * Which codec suits what the screen does now (V2). What tells is how much the encoder for calm screens writes: a page that
 * scrolls by may be found again in the picture before, which costs little, while a terminal that prints without end is new
 * each time. A switch costs a start of ffmpeg and a file, so it comes only when motion has lasted, and goes back only when
 * it has been calm for long: a wheel turned a few notches changes nothing.
 */
type MotionWatch = {
  /** Takes each recorded frame; the codec for those that follow. */
  see(frame: Frame): MasterCodec;
  /** Asked now and then while nothing changes: `t` is the time now, µs. */
  idle(t: number): MasterCodec;
};

/**
 * More bytes for each of the screen's pixels than this: a picture by itself would be as small and quicker to make. (A full
 * HD picture of 0.8 MB; docs/decisions.md says where the two codecs meet.)
 */
const DEAR = 0.4;
/** So many pictures, each within three frames of the one before, are motion that lasts. */
const BUSY_AFTER = 12;
/** More than this share of the pixels changed: the motion goes on. */
const BIG_SHARE = 0.03;
const CALM_AFTER_US = 5_000_000;

/** `written`: how large the file is that the pictures go into, bytes. Asked once in `BUSY_AFTER` pictures. */
export function watchMotion(pixels: number, fps: number, written: () => number): MotionWatch {
  let codec: MasterCodec = 'calm';
  let run = 0;
  let before = 0;
  let last = Number.NEGATIVE_INFINITY;
  /** Times of the newest big changes, at most `BUSY_AFTER`. */
  let big: number[] = [];
  let busySince = 0;
  const near = (3 * 1_000_000) / fps;

  const idle = (t: number): MasterCodec => {
    if (codec === 'calm' || t - busySince < CALM_AFTER_US) return codec;
    big = big.filter((at) => t - at < CALM_AFTER_US);
    if (big.length < BUSY_AFTER) {
      codec = 'calm';
      run = 0;
    }
    return codec;
  };
  const grow = (t: number): MasterCodec => {
    run = run > 0 && t - last <= near ? run + 1 : 1;
    last = t;
    // The first picture of a run is what the others are measured from.
    if (run === 1) before = written();
    if (run <= BUSY_AFTER) return codec;
    const now = written();
    if (now - before > DEAR * pixels * (run - 1)) {
      codec = 'busy';
      busySince = t;
    }
    run = 1;
    before = now;
    return codec;
  };
  return {
    idle,
    see(frame) {
      if (frame.changed !== undefined && frame.changed > pixels * BIG_SHARE)
        big = [...big.slice(1 - BUSY_AFTER), frame.t];
      return codec === 'calm' ? grow(frame.t) : idle(frame.t);
    },
  };
}
