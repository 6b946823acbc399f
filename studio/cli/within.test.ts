import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Workspace } from '../store/workspace.ts';
import { inWorkspace, inWorkspaceOrNew } from './within.ts';

let parent: string;
let dir: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'trajectory-within-'));
  dir = join(parent, 'workspace');
});
afterEach(() => rmSync(parent, { recursive: true }));

it('a workspace that is missing is made only where that was asked for', async () => {
  await expect(inWorkspace(dir, async () => 'never')).rejects.toMatchObject({ code: 'NOT_A_WORKSPACE' });
  expect(await inWorkspaceOrNew(dir, async (workspace) => workspace.dir)).toBe(dir);
  expect(await inWorkspace(dir, async (workspace) => workspace.dir)).toBe(dir);
});

it('is closed after the work, also when the work fails, whose error comes through', async () => {
  let kept: Workspace | null = null;
  await inWorkspaceOrNew(dir, async (workspace) => {
    kept = workspace;
    expect(await workspace.listTasks()).toEqual([]);
  });
  await expect(kept!.listTasks()).rejects.toThrow();
  for (const inside of [inWorkspace, inWorkspaceOrNew]) {
    const failed = inside(dir, async (workspace) => {
      kept = workspace;
      throw new Error('the work failed');
    });
    await expect(failed).rejects.toThrow('the work failed');
    await expect(kept!.listTasks()).rejects.toThrow();
  }
});
