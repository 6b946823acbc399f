import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../schemas/actions.ts';
import type { Frame } from '../../schemas/frames.ts';
import { chooseKeyframes, type KeyframeChoice, type KeyframeOptions } from './choose.ts';
import { actionFrom } from './example-for-tests.ts';

const FPS = 30;
const PIXELS = 10_000;
const END = 20_000_000;

const framesArbitrary = fc
  .uniqueArray(
    fc.record({ t: fc.integer({ min: 0, max: END }), changed: fc.option(fc.nat(PIXELS), { nil: undefined }) }),
    {
      selector: ({ t }) => t,
      minLength: 1,
      maxLength: 60,
    },
  )
  .map((list): Frame[] =>
    list
      .sort((a, b) => a.t - b.t)
      .map(({ t, changed }, i) => ({ i, pts: Math.floor(t / 1000), t, ...(changed === undefined ? {} : { changed }) })),
  );

/** One after another, as most recordings are: no action begins before the last one ended. */
const actionsArbitrary = fc
  .array(fc.record({ wait: fc.integer({ min: 0, max: 900 }), length: fc.integer({ min: 0, max: 500 }) }), {
    maxLength: 20,
  })
  .map((list) => {
    let ms = 0;
    return list.map(({ wait, length }, index): Action => {
      const start = ms + wait;
      ms = start + length;
      return actionFrom(`a${index}`, start, ms);
    });
  });

const sync = fc.integer({ min: 0, max: 200_000 });

function choose(actions: Action[], frames: Frame[], more: Partial<KeyframeOptions> = {}) {
  const choices = chooseKeyframes(actions, frames, {
    fps: FPS,
    syncErrorUs: 0,
    pressStepUs: 1000,
    screenPixels: PIXELS,
    end: END + 1,
    ...more,
  });
  const of = (role: KeyframeChoice['role']) => choices.filter((each) => each.role === role);
  return { before: of('before'), after: of('after') };
}

describe('laws of K1 and K2', () => {
  test('before is at least the lead before the press, or the first frame, and no later frame would do', () => {
    fc.assert(
      fc.property(actionsArbitrary, framesArbitrary, sync, (actions, frames, syncErrorUs) => {
        const lead = Math.max(syncErrorUs, 1e6 / FPS);
        choose(actions, frames, { syncErrorUs }).before.forEach(({ frame, t }, index) => {
          const latest = actions[index]!.start.t - lead;
          if (frame > 0) expect(t).toBeLessThanOrEqual(latest);
          const following = frames[frame + 1];
          if (following) expect(following.t).toBeGreaterThan(latest);
        });
      }),
    );
  });

  test('after is at or after the end, unless the next before or the last frame caps it', () => {
    fc.assert(
      fc.property(actionsArbitrary, framesArbitrary, sync, (actions, frames, syncErrorUs) => {
        const { before, after } = choose(actions, frames, { syncErrorUs });
        after.forEach(({ frame, t }, index) => {
          const cap = before[index + 1]?.frame ?? frames.length - 1;
          expect(frame).toBeLessThanOrEqual(cap);
          if (frame < cap) expect(t).toBeGreaterThanOrEqual(actions[index]!.end.t);
        });
      }),
    );
  });

  test('below the cap, the screen stays still for 300 ms after it and did not after any earlier frame since the end', () => {
    fc.assert(
      fc.property(actionsArbitrary, framesArbitrary, (actions, frames) => {
        const { before, after } = choose(actions, frames);
        const still = (from: Frame) =>
          !frames.some(
            ({ t, changed }) =>
              t > from.t && t < from.t + 300_000 && (changed === undefined || changed >= PIXELS / 1000),
          );
        after.forEach(({ frame }, index) => {
          const cap = before[index + 1]?.frame ?? frames.length - 1;
          if (frame < cap) expect(still(frames[frame]!)).toBe(true);
          for (const earlier of frames.slice(0, frame)) {
            if (earlier.t >= actions[index]!.end.t) expect(still(earlier)).toBe(false);
          }
        });
      }),
    );
  });

  test('frames never go back: before, after, next before', () => {
    fc.assert(
      fc.property(actionsArbitrary, framesArbitrary, sync, (actions, frames, syncErrorUs) => {
        const { before, after } = choose(actions, frames, { syncErrorUs });
        const walk = before.flatMap(({ frame }, index) => [frame, after[index]!.frame]);
        expect(walk).toEqual(walk.toSorted((a, b) => a - b));
      }),
    );
  });

  test('overlapping actions in any order get two frames each that were recorded, after never before before', () => {
    const loose = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 3000 }), fc.boolean()), {
        maxLength: 20,
      })
      .map((list) =>
        list.map(([start, length, duringDrag], index) =>
          actionFrom(`a${index}`, start, start + length, { duringDrag }),
        ),
      );
    const pause = fc.tuple(fc.integer({ min: 0, max: END }), fc.integer({ min: 0, max: 5_000_000 }));
    fc.assert(
      fc.property(loose, framesArbitrary, fc.array(pause, { maxLength: 4 }), (actions, frames, list) => {
        const pauses = list.map(([start, length]) => ({ start, end: start + length }));
        const { before, after } = choose(actions, frames, { pauses });
        expect(before.map(({ action }) => action)).toEqual(actions.map(({ id }) => id));
        before.forEach(({ frame, t }, index) => {
          expect(frames[frame]).toMatchObject({ i: frame, t });
          expect(after[index]!.frame).toBeGreaterThanOrEqual(frame);
        });
      }),
    );
  });

  test('no frame of a pause is chosen where a frame outside would do', () => {
    fc.assert(
      fc.property(actionsArbitrary, framesArbitrary, fc.integer({ min: 0, max: END }), (actions, frames, pauseEnd) => {
        const { before } = choose(actions, frames, { pauses: [{ start: 0, end: pauseEnd }] });
        before.forEach(({ t }, index) => {
          const avoidable = frames.some((frame) => frame.t >= pauseEnd && frame.t <= actions[index]!.start.t);
          if (avoidable) expect(t).toBeGreaterThanOrEqual(pauseEnd);
        });
      }),
    );
  });
});
