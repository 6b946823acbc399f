import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { runHere } from './run-for-tests.ts';

const folders = temporaryFolders();
afterAll(folders.clean);
const workspace = join(folders.make(), 'w');
const cli = (...args: string[]) => runHere(['compositions', ...args, '--workspace', workspace, '--json']);

beforeAll(async () => {
  openWorkspace(workspace, { create: true }).close();
  await runHere(['tasks', 'add', '--app', 'gimp', '--goal', 'x', '--id', 'GIMP_1', '--workspace', workspace]);
  await cli('new', 'two', '--tasks', 'GIMP_1');
});

test.each([
  [['instances'], { instances: [] }],
  [['runs', '--of'], { runs: [], unread: [] }],
  [['scores', '--of'], { tables: [], unread: [] }],
])('%s: a composition without any has none, and one that is not there is said', async (line, nothing) => {
  const none = await cli(...line, 'two');
  expect([none.status, JSON.parse(none.stdout)]).toEqual([0, nothing]);
  const unknown = await cli(...line, 'twu');
  expect([unknown.status, JSON.parse(unknown.stdout).error.code]).toEqual([4, 'UNKNOWN_COMPOSITION']);
});
