import { describe, expect, it } from 'vitest';
import { watchMotion } from './motion.ts';

const PIXELS = 1000;
const [LITTLE, MUCH] = [50, 700];
const frame = (t: number, changed: number) => ({ i: 0, pts: 0, t, changed });

/** A screen that is filmed at 30 fps into a file: `run` gives what the watch says after each picture. */
function filming() {
  let written = 0;
  const watch = watchMotion(PIXELS, 30, () => written);
  const one = (t: number, changed: number, bytes: number) => {
    written += bytes;
    return watch.see(frame(t, changed));
  };
  const run = (from: number, count: number, changed: number, bytes: number, every = 33_333) =>
    Array.from({ length: count }, (_, i) => one(from + i * every, changed, bytes));
  return { watch, one, run };
}

describe('watchMotion (V2)', () => {
  it('stays with the codec for small changes while one types, however long', () => {
    expect(new Set(filming().run(0, 500, 10, LITTLE))).toEqual(new Set(['calm']));
  });

  it('changes over when pictures have been large for a third of a second', () => {
    expect(filming().run(0, 20, 100, MUCH).indexOf('busy')).toBe(12);
  });

  it('stays while all of the screen moves, but the encoder finds it again', () => {
    expect(new Set(filming().run(0, 500, 900, LITTLE))).toEqual(new Set(['calm']));
  });

  it('changes over when what it found again at first is new later', () => {
    const { run } = filming();
    expect(run(0, 30, 900, LITTLE)).not.toContain('busy');
    expect(run(1_000_000, 30, 900, MUCH)).toContain('busy');
  });

  it('does not change over for wheel notches with rests between them', () => {
    expect(filming().run(0, 50, 900, MUCH, 200_000)).not.toContain('busy');
  });

  it('stays over while motion goes on, and goes back after five seconds of calm, not before', () => {
    const { watch, run, one } = filming();
    expect(run(0, 900, 100, MUCH).slice(12)).not.toContain('calm');
    const last = 899 * 33_333;
    expect(one(last + 4_500_000, 10, LITTLE)).toBe('busy');
    expect(watch.idle(last + 5_100_000)).toBe('calm');
  });

  it('goes back although the screen changes now and then', () => {
    const { run } = filming();
    run(0, 20, 900, MUCH);
    expect(run(1_000_000, 20, 900, MUCH, 1_000_000).at(-1)).toBe('calm');
  });

  it('needs motion that lasts to change over again', () => {
    const { watch, run, one } = filming();
    run(0, 20, 800, MUCH);
    watch.idle(60_000_000);
    expect(one(61_000_000, 900, MUCH)).toBe('calm');
  });
});
