import { describe, it } from 'vitest';
import type { NewWorkspace } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { KILL_SEED, KILLS, killAndRecover } from '../support/kills.ts';
import { onDisplay } from '../support/on-display.ts';

/** Each process of a recording is killed once, with the clock checked as a user has it; kills.e2e.ts has more (D1, V4). */

let display: VirtualDisplay;
let workspace: NewWorkspace;
onDisplay({ width: 1280, height: 800 }, (made) => {
  ({ display, workspace } = made);
});

describe(`kill -9 (seed ${KILL_SEED}, another with KILL_SEED)`, () => {
  it.each(KILLS.slice(0, 3))('$n: of the $victim process, $afterMs ms in', async ({ victim, afterMs }) => {
    await killAndRecover(display, workspace.path, { victim, afterMs, syncCheck: true, elements: true });
  });
});
