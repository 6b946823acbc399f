import type { Act } from '../../core/evaluate/keys/acts.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import type { StageDisplay } from '../play/stage/display.ts';

/** A stage's display in memory: each act that is done changes its picture. */

/** `rested`: how many acts were done each time when its rest was waited for. */
export type FakeDisplay = StageDisplay & { done: Act[]; rested: number[] };

export const FAKE_SCREEN = { width: 100, height: 70 };

export function fakeDisplay(onAct: (act: Act, n: number) => void = () => undefined): FakeDisplay {
  const done: Act[] = [];
  const rested: number[] = [];
  return {
    done,
    rested,
    layout: async () => usLayout(),
    async do(act) {
      done.push(act);
      onAct(act, done.length);
      return null;
    },
    answered: async () => true,
    async rest() {
      rested.push(done.length);
      return 0;
    },
    async look({ width, height }) {
      const rgb = new Uint8Array(width * height * 3);
      // A row a act, so that each screen is another one.
      rgb.fill(255, 0, Math.min(rgb.length, done.length * width * 3));
      return { width, height, rgb };
    },
    titles: async () => ['A window'],
    screen: async () => ({ x: 0, y: 0, ...FAKE_SCREEN }),
    release: async () => undefined,
    close: async () => undefined,
  };
}
