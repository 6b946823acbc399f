import { afterEach, beforeEach } from 'vitest';
import { newWorkspace } from './cli.ts';
import { startDisplay, type VirtualDisplay } from './display.ts';

export type Desk = { display: VirtualDisplay; workspace: ReturnType<typeof newWorkspace> };

/** Gives each test of the file a display whose programs speak of their elements, and a workspace; both go with the test. */
export function deskForEach(use: (desk: Desk) => void): void {
  let desk: Desk | null = null;
  beforeEach(async () => {
    const workspace = newWorkspace();
    desk = { workspace, display: await startDisplay({ width: 1280, height: 800, accessibility: true }) };
    use(desk);
  });
  afterEach(async () => {
    await desk?.display.stop();
    desk?.workspace.remove();
    desk = null;
  });
}
