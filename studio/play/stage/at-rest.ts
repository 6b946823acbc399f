import { CARET_BLOCKS } from '../../../core/play/likeness.ts';
import { changedBlocks } from '../../../core/play/sight.ts';
import type { Hands } from '../../../native/platform/hands.ts';

/**
 * Waits until nothing but a caret has changed on the screen for `stillMs`, looking every `lookMs`; a screen that is never at rest is taken
 * as it is after `atMostMs`. Gives how long that took, ms.
 */
export async function screenAtRest(
  hands: Pick<Hands, 'look'>,
  screen: { x?: number; y?: number; width: number; height: number },
  { stillMs, lookMs, atMostMs }: { stillMs: number; lookMs: number; atMostMs: number },
): Promise<number> {
  const began = performance.now();
  const whole = { x: 0, y: 0, ...screen };
  let first = hands.look(whole);
  let since = began;
  while (performance.now() - since < stillMs && performance.now() - began < atMostMs) {
    await new Promise((done) => setTimeout(done, lookMs));
    const now = hands.look(whole);
    // Always against the picture since which it is still: what grows bit by bit is no caret.
    if (first && now && (changedBlocks(first, now)?.size ?? CARET_BLOCKS + 1) <= CARET_BLOCKS) continue;
    first = now;
    since = performance.now();
  }
  return Math.round(performance.now() - began);
}
