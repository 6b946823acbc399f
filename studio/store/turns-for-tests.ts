import { vi } from 'vitest';

/** Longer than a piece of work may keep others waiting (breathe.ts), ms. */
const PIECE_MS = 20;
/** Never goes back, as no clock of this kind does. */
let now = 0;

/**
 * Turns of the loop while `work` goes on: how often others can be let in. Each look at the clock is late, so that every
 * pause that may be made is made, however fast this machine is.
 */
export async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const turn = (): void => {
    turns++;
    if (!over) setImmediate(turn);
  };
  now = Math.max(now, performance.now());
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += PIECE_MS;
    return now;
  });
  setImmediate(turn);
  try {
    await work();
  } finally {
    over = true;
    clock.mockRestore();
  }
  return turns;
}
