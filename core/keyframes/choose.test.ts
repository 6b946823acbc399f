import { describe, expect, test } from 'vitest';
import type { Action } from '../../schemas/actions.ts';
import type { Frame } from '../../schemas/frames.ts';
import { chooseKeyframes, type KeyframeOptions, pressStepOf } from './choose.ts';
import { actionFrom, framesAt } from './example-for-tests.ts';

const PIXELS = 100_000;
const OPTIONS: KeyframeOptions = { fps: 30, syncErrorUs: 0, pressStepUs: 1000, screenPixels: PIXELS, end: 60_000_000 };

/** The chosen frames' times in ms: [before, after] an action. */
function chosen(actions: Action[], frames: Frame[], options: Partial<KeyframeOptions> = {}): [number, number][] {
  const choices = chooseKeyframes(actions, frames, { ...OPTIONS, ...options });
  return actions.map((action) => {
    const [before, after] = choices.filter((each) => each.action === action.id);
    expect([before?.role, after?.role]).toEqual(['before', 'after']);
    return [before!.t / 1000, after!.t / 1000];
  });
}

describe('K1 before', () => {
  test('is the frame on the screen one frame interval before the press', () => {
    // 1000 - 33.3 = 966.7: the frame of 960 stands then, the one of 970 does not yet.
    expect(chosen([actionFrom('a', 1000, 1050)], framesAt(0, 500, 960, 970, 1100))[0]![0]).toBe(960);
  });

  test('steps back by the sync error when that is larger than the interval', () => {
    expect(chosen([actionFrom('a', 1000, 1050)], framesAt(0, 500, 960, 970), { syncErrorUs: 100_000 })[0]![0]).toBe(
      500,
    );
  });

  test('steps back by one frame interval when the sync error is smaller', () => {
    expect(chosen([actionFrom('a', 1000, 1050)], framesAt(0, 905, 950), { syncErrorUs: 5000, fps: 10 })[0]![0]).toBe(0);
  });

  test('is a frame however old while nothing changed since', () => {
    expect(chosen([actionFrom('a', 30_000, 30_050)], framesAt(0, 2000, 30_100))[0]![0]).toBe(2000);
  });

  describe('in the middle of painting', () => {
    /** By a grabber that says when it looked: each frame's place was looked at a millisecond before. */
    const seenAt = (...at: number[]): Frame[] => framesAt(...at).map((frame) => ({ ...frame, seen: frame.t - 1000 }));
    const shownBefore = (frames: Frame[], options: Partial<KeyframeOptions> = {}): number =>
      chosen([actionFrom('a', 1000, 1050)], frames, { fps: 10, ...options })[0]![0];

    test('is what had taken its place by the press', () => {
      // The one of 800 stood for 149 ms, and was the screen one interval before the press.
      expect(shownBefore(seenAt(0, 800, 949, 1060))).toBe(949);
      expect(shownBefore(seenAt(0, 800, 920, 970, 1060))).toBe(970);
    });

    test('is never what came at the press or after it, nor within the error of its time', () => {
      expect(shownBefore(seenAt(0, 800, 999))).toBe(999);
      expect(shownBefore(seenAt(0, 800, 999.5))).toBe(800);
      const pressStepUs = pressStepOf('win32');
      expect(shownBefore(seenAt(0, 800, 984), { pressStepUs })).toBe(984);
      expect(shownBefore(seenAt(0, 800, 985), { pressStepUs })).toBe(800);
      expect(shownBefore(seenAt(0, 800, 1000, 1001))).toBe(800);
      expect(shownBefore(seenAt(0, 800, 949), { syncErrorUs: 51_000 })).toBe(949);
      expect(shownBefore(seenAt(0, 800, 949), { syncErrorUs: 52_000 })).toBe(800);
    });

    test('is a frame that passed by only where the press came while it was shown', () => {
      /** At which milliseconds of a press the frame of 149 ms is taken, where the system's times of input are so exact. */
      const takenAt = (platform: string): number[] =>
        Array.from({ length: 400 }, (_, n) => 700 + n).filter((press) => {
          const options = { fps: 10, pressStepUs: pressStepOf(platform) };
          return chosen([actionFrom('a', press, press + 50)], seenAt(0, 700, 849), options)[0]![0] === 700;
        });
      expect(takenAt('linux')).toEqual(Array.from({ length: 50 }, (_, n) => 800 + n));
      expect(takenAt('win32')).toEqual(Array.from({ length: 65 }, (_, n) => 800 + n));
      expect(takenAt('unknown')).toEqual(takenAt('win32'));
    });

    test('stays what had stood for 300 ms', () => {
      expect(shownBefore(seenAt(0, 620, 921))).toBe(620);
      expect(shownBefore(seenAt(0, 622, 921))).toBe(921);
    });

    test('stays where frames are of a grabber that does not say when it looked, or were made anew', () => {
      expect(shownBefore(framesAt(0, 800, 949))).toBe(800);
      expect(shownBefore(seenAt(0, 800, 949).map((frame) => ({ ...frame, rebuilt: true as const })))).toBe(800);
    });

    test('stays where the other is one of a pause', () => {
      expect(shownBefore(seenAt(0, 800, 949), { pauses: [{ start: 940_000, end: 960_000 }] })).toBe(800);
    });

    test('is the end of the action before it, too', () => {
      const actions = [actionFrom('a', 500, 510), actionFrom('b', 1000, 1050)];
      expect(chosen(actions, seenAt(0, 800, 949, 1060), { fps: 10 })).toEqual([
        [0, 949],
        [949, 1060],
      ]);
    });
  });

  test('is the first frame when none is as early', () => {
    expect(chosen([actionFrom('a', 20, 60)], framesAt(10, 500))[0]![0]).toBe(10);
  });

  test('takes a frame exactly one interval before the press', () => {
    expect(chosen([actionFrom('a', 1000, 1050)], framesAt(0, 900, 901), { fps: 10 })[0]![0]).toBe(900);
  });
});

describe('K2 after', () => {
  test('is the first frame after the end from which nothing changes for 300 ms', () => {
    const frames = framesAt(0, 1100, 1200, 1350, 1700);
    expect(chosen([actionFrom('a', 1000, 1050)], frames)[0]![1]).toBe(1350);
  });

  test('lets a change below 0.1 % of the pixels pass', () => {
    const frames = framesAt(0, 1100, [1200, 99], [1300, 99]);
    expect(chosen([actionFrom('a', 1000, 1050)], frames)[0]![1]).toBe(1100);
  });

  test('takes a change of exactly 0.1 % for a change', () => {
    const frames = framesAt(0, 1100, [1200, 100]);
    expect(chosen([actionFrom('a', 1000, 1050)], frames)[0]![1]).toBe(1200);
  });

  test('allows a change exactly 300 ms later', () => {
    expect(chosen([actionFrom('a', 1000, 1050)], framesAt(0, 1100, 1400))[0]![1]).toBe(1100);
  });

  test('is the effect of a slow command, however late it begins', () => {
    expect(chosen([actionFrom('a', 1000, 1050)], framesAt(0, 3000, 3100))[0]![1]).toBe(3100);
  });

  test('takes a frame of the very moment of the end', () => {
    expect(chosen([actionFrom('a', 1000, 1050)], framesAt(0, 1050))[0]![1]).toBe(1050);
  });

  test('is the next before while the screen never rests', () => {
    const playing = framesAt(...Array.from({ length: 200 }, (_, index) => index * 100));
    expect(chosen([actionFrom('a', 1000, 1050), actionFrom('b', 3000, 3050)], playing)).toEqual([
      [900, 2900],
      [2900, 19_900],
    ]);
  });

  test('is the next before when nothing changed in between', () => {
    const frames = framesAt(0, 500, 4000);
    expect(chosen([actionFrom('a', 1000, 1050), actionFrom('b', 3000, 3050)], frames)).toEqual([
      [500, 500],
      [500, 4000],
    ]);
  });

  test('of the last action is the last frame before the end, not the closing sync check', () => {
    const frames = framesAt(0, 1100, 1200, 1300, 1400);
    expect(chosen([actionFrom('a', 1000, 1050)], frames, { end: 1_300_000 })[0]![1]).toBe(1200);
  });

  test('of a drag lies after its release though a key was pressed and the wheel turned in the middle', () => {
    const drag = actionFrom('drag', 1000, 3000, { kind: 'drag' });
    const key = actionFrom('key', 1500, 1550, { kind: 'press', keys: ['Escape'] });
    const wheel = actionFrom('wheel', 2000, 2200, { kind: 'scroll', duringDrag: true });
    const [first] = chosen([drag, key, wheel], framesAt(0, 1200, 1800, 2500, 3100));
    expect(first).toEqual([0, 3100]);
  });

  test('of a drag is not capped by a wheel turn in it that goes on past the release', () => {
    const drag = actionFrom('drag', 1000, 3000, { kind: 'drag' });
    const wheel = actionFrom('wheel', 2900, 3050, { kind: 'scroll', duringDrag: true });
    expect(chosen([drag, wheel], framesAt(0, 2500, 3020))[0]).toEqual([0, 3020]);
  });

  test('is capped by an action of one moment that begins when this one ends', () => {
    const actions = [actionFrom('a', 1000, 1050), actionFrom('b', 1050, 1050)];
    expect(chosen(actions, framesAt(0, 1010, 1200))).toEqual([
      [0, 1010],
      [1010, 1200],
    ]);
  });

  test('is the next before even when the next press comes before this end', () => {
    const typed = actionFrom('type', 1000, 2000, { kind: 'type', text: 'hi' });
    const enter = actionFrom('enter', 1950, 2050, { kind: 'press', keys: ['Enter'] });
    expect(chosen([typed, enter], framesAt(0, 1500, 1980, 2100))).toEqual([
      [0, 1500],
      [1500, 2100],
    ]);
  });
});

describe('pauses', () => {
  test('before is a frame taken after the opening sync check where there is one', () => {
    const pauses = [{ start: 0, end: 1_000_000 }];
    // 1020 - 33.3 lies inside the check, whose frame of 900 shows the patch.
    expect(chosen([actionFrom('a', 1020, 1050)], framesAt(0, 900, 1010, 1500), { pauses })[0]![0]).toBe(1010);
  });

  test('before is the last frame of the check when nothing was taken since', () => {
    const pauses = [{ start: 0, end: 1_000_000 }];
    expect(chosen([actionFrom('a', 5000, 5050)], framesAt(0, 900, 5500), { pauses })[0]![0]).toBe(900);
  });

  test('after is taken before a pause that follows', () => {
    const pauses = [{ start: 1_500_000, end: 9_000_000 }];
    const frames = framesAt(0, 1100, 1300, 1490, 1600, 9100);
    expect(chosen([actionFrom('a', 1000, 1050)], frames, { pauses })[0]![1]).toBe(1490);
  });

  test('a frame of the moment a pause begins belongs to it', () => {
    const pauses = [{ start: 1_490_000, end: 9_000_000 }];
    expect(chosen([actionFrom('a', 1000, 1050)], framesAt(0, 1300, 1490, 9100), { pauses })[0]![1]).toBe(1300);
  });

  test('an action closed by a pause (A12) takes what stood when it began', () => {
    const pauses = [{ start: 2_000_000, end: 3_000_000 }];
    const held = actionFrom('a', 1000, 2000, { kind: 'drag' });
    expect(chosen([held], framesAt(0, 1900, 2100, 3100), { pauses })[0]).toEqual([0, 1900]);
  });

  test('an action that ends inside a pause takes what stood when the pause began', () => {
    const pauses = [{ start: 2_000_000, end: 3_000_000 }];
    const held = actionFrom('a', 1000, 2010, { kind: 'drag' });
    expect(chosen([held], framesAt(0, 1900, 2100, 3100), { pauses })[0]).toEqual([0, 1900]);
  });

  test('a pause inside another does not end it', () => {
    const pauses = [
      { start: 0, end: 5_000_000 },
      { start: 1_000_000, end: 2_000_000 },
    ];
    expect(chosen([actionFrom('a', 6000, 6050)], framesAt(0, 3000, 5980), { pauses })[0]![0]).toBe(5980);
  });
});

describe('the choice', () => {
  test('names frames by index and time', () => {
    expect(chooseKeyframes([actionFrom('a', 1000, 1050)], framesAt(0, 1100), OPTIONS)).toEqual([
      { action: 'a', role: 'before', frame: 0, t: 0 },
      { action: 'a', role: 'after', frame: 1, t: 1_100_000 },
    ]);
  });

  test('is empty without frames and without actions', () => {
    expect(chooseKeyframes([actionFrom('a', 1, 2)], [], OPTIONS)).toEqual([]);
    expect(chooseKeyframes([], framesAt(0), OPTIONS)).toEqual([]);
  });

  test('refuses a frame rate or a size that cannot be', () => {
    expect(() => chooseKeyframes([], [], { ...OPTIONS, fps: 0 })).toThrow('fps');
    expect(() => chooseKeyframes([], [], { ...OPTIONS, screenPixels: 0 })).toThrow('screenPixels');
  });
});
