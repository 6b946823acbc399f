import { protocol } from '../../native/process/supervise.ts';
import type { PlayedStep } from '../../schemas/play.ts';
import { runOnDisplay } from './display-process.ts';
import type { FromPlayer, PlayOrder } from './protocol.ts';

/** How a play ended: the steps that were played, where it stopped and why, and how long it took, ms. */
export type Ended = { steps: PlayedStep[]; stopped: { step: string; why: string } | null; took: number };

/** The player in a process of its own on the stage's display. Throws CAPTURE_FAILED when that display is gone. */
export function runPlayer(
  order: PlayOrder,
  env: NodeJS.ProcessEnv,
  { onBegan, onStep }: { onBegan(step: string): void; onStep(step: PlayedStep): void },
  signal: AbortSignal,
): Promise<Ended> {
  let played = 0;
  return runOnDisplay<FromPlayer>({
    entry: new URL('./play-main.ts', import.meta.url),
    order,
    env,
    accepts: protocol<FromPlayer>({ began: true, played: true, ended: true, failed: true }),
    signal,
    // The longest step says something before this.
    mostSilentMs: 2 * order.patienceMs + longest(order) + 30_000,
    failure: (why) =>
      `The play could not go on at step ${Math.min(played + 1, order.parts.length)} of ${order.parts.length}: ${why.replace(/(?<![.\s])[.\s]+$/, '')}. Play it again; if it happens again, look at what ends the display.`,
    onMessage: (message) => {
      if (message.type === 'began') onBegan(message.step);
      if (message.type !== 'played') return;
      played++;
      onStep(message.step);
    },
  });
}

/** The longest that a step takes by itself, ms. */
const longest = ({ parts, pace }: PlayOrder): number =>
  parts.reduce((most, { events, gapMs, settleMs }) => {
    const length = ((events.at(-1)?.t ?? 0) - (events[0]?.t ?? 0)) / 1000;
    return Math.max(most, length + 3 * settleMs + (pace === 'recorded' ? gapMs : 0));
  }, 0);
