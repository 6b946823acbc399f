import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentLine, UserQuestion } from '../../schemas/agents.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { ModelReply } from '../../schemas/model-requests.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { readIn } from '../files/inside.ts';
import { readRgb } from '../files/picture.ts';

/**
 * A run that was broken off, gone on with on a stage that is new: what it did there is gone with the old stage, so its answers are
 * done again, unpaid. That is sound while the screen is what it was: each is looked at, and where one is not, the run ends.
 */

export type Replay = {
  /** Whether answers are left. */
  answers(): boolean;
  /** The next answer, where the request is the same. Throws CONFLICT where it is not. Null: none is left. */
  answer(
    hash: string,
  ): { reply: ModelReply; tookMs: number; cost: number | null; question?: UserQuestion | undefined } | null;
  /** The screen that was seen then, where it is as good as the same now. Throws CONFLICT where it is not. */
  screen(look: () => Promise<RgbImage | null>, stop: AbortSignal): Promise<{ png: Buffer; titles: string[] } | null>;
};

/** A caret, a clock: so much of the screen may differ, as a share of its pixels. */
const MOST_DIFFERENT = 0.002;
/** It is waited for so long until it is the same, looked at so often, ms. */
const WAIT_MS = 10_000;
const LOOK_MS = 250;

export function replayOf(folder: string, lines: readonly AgentLine[]): Replay {
  const answers = lines.filter((line) => line.type === 'answered');
  const hashes = new Map(lines.flatMap((line) => (line.type === 'asked' ? [[line.n, line.hash] as const] : [])));
  const last = lines.findLastIndex((line) => line.type === 'answered');
  const screens = lines.slice(0, last + 1).filter((line) => line.type === 'seen');
  let [answered, seen] = [0, 0];
  return {
    answers: () => answered < answers.length,
    answer(hash) {
      const next = answers[answered];
      if (!next) return null;
      if (hashes.get(next.n) !== hash)
        throw conflict(`its request ${next.n} would be another one now. This version of the program asks otherwise`);
      answered++;
      const { reply, tookMs, cost, question } = next;
      return { reply, tookMs, cost, question };
    },
    async screen(look, stop) {
      const wanted = screens[seen];
      if (!wanted) return null;
      seen++;
      const png = readIn(folder, wanted.file);
      const before = await readRgb(png);
      const until = performance.now() + WAIT_MS;
      for (;;) {
        const now = await look();
        if (now && shareDifferent(before, now) <= MOST_DIFFERENT) return { png, titles: wanted.titles };
        if (performance.now() > until)
          throw conflict(`the screen before its request ${answered + 1} is not what it was then. Begin a new run`);
        await sleep(LOOK_MS, null, { signal: stop });
      }
    },
  };
}

const conflict = (why: string): StudioError =>
  new StudioError('CONFLICT', `The run cannot be gone on with: ${why}.`, {});

/** The share of the pixels that are not the same; 1 where the sizes differ. */
function shareDifferent(a: RgbImage, b: RgbImage): number {
  if (a.width !== b.width || a.height !== b.height) return 1;
  let different = 0;
  for (let i = 0; i < a.rgb.length; i += 3)
    if (a.rgb[i] !== b.rgb[i] || a.rgb[i + 1] !== b.rgb[i + 1] || a.rgb[i + 2] !== b.rgb[i + 2]) different++;
  return different / Math.max(1, a.width * a.height);
}
