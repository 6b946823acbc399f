import { setTimeout as sleep } from 'node:timers/promises';
import { beginRest, isRestOver, type RestTimes, restAfter } from '../../../core/play/at-rest.ts';
import type { Hands } from '../../../native/platform/hands.ts';

/** Waits until the screen is at rest (core/play/at-rest.ts); gives how long that took, ms. */
export async function screenAtRest(
  hands: Pick<Hands, 'look'>,
  screen: { x?: number; y?: number; width: number; height: number },
  times: RestTimes,
): Promise<number> {
  const whole = { x: 0, y: 0, ...screen };
  let rest = beginRest(performance.now(), hands.look(whole));
  while (!isRestOver(rest, performance.now(), times)) {
    await sleep(times.lookMs);
    const picture = hands.look(whole);
    rest = restAfter(rest, performance.now(), picture);
  }
  return Math.round(performance.now() - rest.began);
}
