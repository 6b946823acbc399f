import { describe, expect, it } from 'vitest';
import { watchMotion } from './motion.ts';

const PIXELS = 1000;
const frame = (t: number, changed: number) => ({ i: 0, pts: 0, t, changed });
/** `count` frames at 30 fps from `from` µs on, each changing `changed` pixels. */
function run(watch: ReturnType<typeof watchMotion>, from: number, count: number, changed: number) {
  return Array.from({ length: count }, (_, i) => watch.see(frame(from + i * 33_333, changed)));
}

describe('watchMotion (V2)', () => {
  it('stays with the codec for small changes while one types, however long', () => {
    expect(new Set(run(watchMotion(PIXELS, 30), 0, 500, 100))).toEqual(new Set(['calm']));
  });

  it('changes over when most of the screen has moved for a third of a second', () => {
    const codecs = run(watchMotion(PIXELS, 30), 0, 20, 800);
    expect(codecs.indexOf('busy')).toBe(11);
  });

  it('does not change over for wheel notches with rests between them', () => {
    const watch = watchMotion(PIXELS, 30);
    const codecs = Array.from({ length: 50 }, (_, i) => watch.see(frame(i * 200_000, 900)));
    expect(codecs).not.toContain('busy');
  });

  it('goes back after five seconds of calm, and not before', () => {
    const watch = watchMotion(PIXELS, 30);
    run(watch, 0, 20, 800);
    const last = 19 * 33_333;
    expect(watch.see(frame(last + 4_900_000, 10))).toBe('busy');
    expect(watch.idle(last + 5_100_000)).toBe('calm');
  });

  it('needs motion that lasts to change over again', () => {
    const watch = watchMotion(PIXELS, 30);
    run(watch, 0, 20, 800);
    watch.idle(60_000_000);
    expect(watch.see(frame(61_000_000, 900))).toBe('calm');
  });
});
