import { type afterAll, afterEach, type beforeAll, beforeEach } from 'vitest';
import { type NewWorkspace, newWorkspace } from './cli.ts';
import { startDisplay, type VirtualDisplay } from './display.ts';

type OnDisplay = { display: VirtualDisplay; workspace: NewWorkspace };

/**
 * Gives each test of the file a display and a workspace of its own; with the hooks `beforeAll` and `afterAll`, all tests of a
 * block share them. They are removed after what the file's own hooks do at the end.
 */
export function onDisplay(
  size: { width: number; height: number },
  give: (made: OnDisplay) => void,
  before: typeof beforeEach | typeof beforeAll = beforeEach,
  after: typeof afterEach | typeof afterAll = afterEach,
): void {
  let display: VirtualDisplay | null = null;
  let workspace: NewWorkspace | null = null;
  before(async () => {
    workspace = newWorkspace();
    display = await startDisplay(size);
    give({ display, workspace });
  });
  after(async () => {
    await display?.stop();
    workspace?.remove();
  });
}
