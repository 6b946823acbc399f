import type { RgbImage } from '../../schemas/picture.ts';
import type { Eyes } from './eyes.ts';
import type { PlayPart } from './part.ts';

/** A step of keys whose pictures show the rectangle `view`, and of which nothing else is known. */
export function plainPart(view: { x: number; y: number; width: number; height: number }): PlayPart {
  return {
    step: 'a1',
    types: false,
    at: null,
    window: null,
    windows: { before: [], after: [], later: [] },
    element: null,
    events: [],
    gapMs: 0,
    settleMs: 0,
    before: { file: '', ...view },
    after: { file: '', ...view },
    rests: false,
    away: null,
    settling: null,
    later: null,
    laterMs: 0,
    written: { since: 0, from: 0, to: 0 },
    caret: null,
  };
}

/** Eyes that see what `look` gives and find nothing else; their clock is `clock.now`, ms, which waits move. */
export function eyesWith(look: () => RgbImage | null): { eyes: Eyes; clock: { now: number } } {
  const clock = { now: 0 };
  const eyes: Eyes = {
    now: () => clock.now,
    date: () => clock.now,
    wait: async (ms) => {
      clock.now += ms;
    },
    answered: async () => true,
    look,
    pointer: () => ({ x: 0, y: 0 }),
    move: () => undefined,
    approach: async () => undefined,
    seeker: { seek: async () => ({ why: 'nobody answers' }) },
    times: { timesIn: async () => null },
    since: 0,
    clock: [],
    windows: null,
  };
  return { eyes, clock };
}
