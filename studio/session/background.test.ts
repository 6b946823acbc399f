import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StudioError } from '../../schemas/errors.ts';
import { previewOf } from '../datasets/export/exports.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { derive } from '../recordings/derive.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import { sqlOf } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Background, openBackground } from './background.ts';

vi.mock('../recordings/derive.ts', { spy: true });

let workspace: Workspace;
let background: Background;
const folders = freshWorkspaces((made) => {
  workspace = made;
});
beforeEach(async () => {
  background = openBackground(workspace.dir);
  await addRecording(workspace, { id: 'rec-a', task: 'GIMP_1' });
  await addRecording(workspace, { id: 'rec-b', task: 'GIMP_2' });
  vi.mocked(derive).mockClear();
});
afterEach(async () => {
  await background.close();
});

const wishes = {
  source: { kind: 'filter' as const, filter: {} },
  formats: [{ name: 'videogui' }, { name: 'agentnetbench' }],
  all: true,
};
const errorOf = (work: Promise<unknown>): Promise<StudioError> =>
  work.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => {
      if (error instanceof StudioError) return error;
      throw error;
    },
  );

test('a preview is the same as one made here, and nothing of it happens on this thread', async () => {
  const there = JSON.parse(new TextDecoder().decode(await background.run('preview', wishes)));
  expect(there).toMatchObject({ tasks: 2, actions: 4 });
  expect(vi.mocked(derive)).not.toHaveBeenCalled();
  expect(there).toEqual(await previewOf(workspace, wishes));
  // The thread kept what it derived.
  expect(vi.mocked(derive)).not.toHaveBeenCalled();
});

test('a freeze, a search and an export leave in the workspace what they leave otherwise, and say how far they are', async () => {
  const said: string[] = [];
  const report = (_share: number, message: string): void => void said.push(message);
  const input = { wishes: { name: 'v1', changelog: '', filter: {} }, toolVersion: '0' };
  const { counts } = await background.run('freeze', input, { alone: true, report });
  expect(counts).toEqual({ tasks: 2, recordings: 2, subtasks: 2, actions: 4 });
  expect(said.length).toBeGreaterThan(0);
  expect((await background.run('version', { name: 'v1' })).rows).toHaveLength(2);
  const search = { goals: 0.8, screens: 6, filter: {} };
  expect(await background.run('duplicates', search, { alone: true })).toMatchObject({ screens: 2 });
  const out = join(folders.make(), 'out');
  await background.run('export', { wishes, out, toolVersion: '0' }, { alone: true });
  expect(existsSync(join(out, 'videogui', 'manifest.json'))).toBe(true);
  expect(await sqlOf(workspace.store).selectFrom('exports').select('format').execute()).toHaveLength(2);
  expect(background.hasWorked()).toBe(true);
  expect(background.hasWorked()).toBe(false);
});

test('what goes wrong crosses with its code, its words and its details', async () => {
  const error = await errorOf(background.run('version', { name: 'v9' }));
  expect(error.code).toBe('UNKNOWN_FILE');
  expect(error.message).toContain('v9');
  rmSync(workspace.recordingsDir, { recursive: true });
  const input = { wishes: { name: 'v1', changelog: '', filter: {} }, toolVersion: '0' };
  expect(await errorOf(background.run('freeze', input, { alone: true }))).toMatchObject({
    code: 'NOTHING_TO_EXPORT',
    details: { recordings: 0 },
  });
});

test('what was stopped, or asked for when the workspace is closed, says so; closing waits for nobody', async () => {
  const control = new AbortController();
  const stopped = errorOf(background.run('preview', wishes, { signal: control.signal }));
  control.abort();
  expect((await stopped).code).toBe('CANCELLED');
  const running = errorOf(background.run('preview', wishes));
  const closed = background.close();
  expect((await running).code).toBe('CANCELLED');
  await closed;
  expect((await errorOf(background.run('preview', wishes))).code).toBe('CANCELLED');
});

test('a thread without work goes after a while, and the next request begins another', async () => {
  const short = openBackground(workspace.dir, 1);
  await short.run('count', {});
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await short.run('count', {})).toEqual({ uncounted: 0 });
  await short.close();
});
