import { describe, it } from 'vitest';
import type { NewWorkspace } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { KILL_SEED, KILLS, killAndRecover } from '../support/kills.ts';
import { onDisplay } from '../support/on-display.ts';

/** Processes of a recording are killed at any time; the first of each kind is in kill-each.e2e.ts (D1, V4). */

let display: VirtualDisplay;
let workspace: NewWorkspace;
onDisplay({ width: 1280, height: 800 }, (made) => {
  ({ display, workspace } = made);
});

describe(`kill -9 (seed ${KILL_SEED}, another with KILL_SEED)`, () => {
  it.each(KILLS.slice(3))('$n: of the $victim process, $afterMs ms in', async ({ victim, afterMs }) => {
    await killAndRecover(display, workspace.path, { victim, afterMs, syncCheck: false, elements: false });
  });
});
