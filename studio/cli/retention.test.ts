import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { setStateForTests, temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { runHere } from './run-for-tests.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

test('retention lists first, and deletes when it is told to', async () => {
  const dir = folders.make();
  const workspace = openWorkspace(dir, { create: true });
  for (const id of ['one', 'two']) await addRecording(workspace, { id });
  await workspace.syncIndex();
  await setStateForTests(workspace, 'two', 'rejected');
  await workspace.close();
  const left = (): string[] => readdirSync(join(dir, 'recordings')).sort();

  const usage = await runHere(['retention', '--workspace', dir]);
  expect([usage.status, usage.stderr]).toEqual([2, expect.stringContaining('--older-than DAYS')]);
  expect((await runHere(['retention', '--rejected', '0', '--workspace', dir])).status).toBe(2);
  const listed = await runHere(['retention', '--rejected', '1', '--workspace', dir]);
  expect(listed.stdout).toContain('two');
  expect(listed.stdout).toContain('Nothing was deleted');
  expect(left()).toEqual(['one', 'two']);
  const done = await runHere(['retention', '--rejected', '1', '--delete', '--workspace', dir, '--json']);
  expect(JSON.parse(done.stdout)).toMatchObject({
    deleted: true,
    expired: [{ id: 'two', why: 'rejected' }],
    list: expect.stringMatching(/^retention\//),
    failed: [],
  });
  expect(left()).toEqual(['one']);
});
