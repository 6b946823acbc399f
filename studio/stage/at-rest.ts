import type { Hands } from '../../native/platform/hands.ts';

/**
 * Waits until nothing on the screen has changed for `stillMs`, looking every `lookMs`; a screen that is never at rest is taken
 * as it is after `atMostMs`. Gives how long that took, ms.
 */
export async function screenAtRest(
  hands: Pick<Hands, 'look'>,
  screen: { width: number; height: number },
  { stillMs, lookMs, atMostMs }: { stillMs: number; lookMs: number; atMostMs: number },
): Promise<number> {
  const began = performance.now();
  const whole = { x: 0, y: 0, ...screen };
  let last = hands.look(whole);
  let since = began;
  while (performance.now() - since < stillMs && performance.now() - began < atMostMs) {
    await new Promise((done) => setTimeout(done, lookMs));
    const now = hands.look(whole);
    if (last && now && Buffer.compare(last.rgb, now.rgb) === 0) continue;
    last = now;
    since = performance.now();
  }
  return Math.round(performance.now() - began);
}
