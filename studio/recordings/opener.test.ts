import { appendFileSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addClicks, errorOf } from '../documents/clicks-for-tests.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { openFolder } from './closed.ts';
import { derivedKey, isKept } from './derived.ts';
import { type FolderOpener, folderOpener } from './opener.ts';

let workspace: Workspace;
/** Every recording is long for this one, so all go to the thread. */
let opener: FolderOpener;

freshWorkspaces((made) => {
  workspace = made;
});
beforeEach(() => {
  opener = folderOpener(0);
});
afterEach(async () => {
  await opener.close();
});

const keptFile = (folder: string): string => join(folder, 'derived', 'recording.jsonl');
const forget = (folder: string): void => rmSync(keptFile(folder), { force: true });

test('what a thread derives is what is derived here, and is kept in derived/', async () => {
  const folder = addClicks(workspace);
  const here = openFolder(folder);
  forget(folder);
  expect(await opener.open(folder, derivedKey(folder))).toEqual(here);
  expect(existsSync(keptFile(folder))).toBe(true);
});

test('asked for twice at once it is derived once', async () => {
  const folder = addClicks(workspace);
  const key = derivedKey(folder);
  const [first, second] = [opener.open(folder, key), opener.open(folder, key)];
  expect(second).toBe(first);
  expect((await first).page.steps).toHaveLength(4);
});

test('what is wrong with a recording crosses with its code, its words and the file', async () => {
  const folder = addClicks(workspace);
  rmSync(join(folder, 'frames.jsonl'));
  const error = await errorOf(opener.open(folder, derivedKey(folder)));
  expect(error).toMatchObject({ code: 'BAD_FILE', message: expect.stringContaining('frames.jsonl') });
  expect(error.details.file).toContain('frames.jsonl');
});

test('prepared recordings stand in derived/ before anybody opens them; one that cannot be read is passed over', async () => {
  const [broken, sound] = [addClicks(workspace, 'broken'), addClicks(workspace, 'sound')];
  writeFileSync(join(broken, 'recording.json'), '{}');
  await opener.prepare([broken, join(broken, 'nowhere'), sound]);
  expect([existsSync(keptFile(broken)), existsSync(keptFile(sound))]).toEqual([false, true]);
});

test('what is prepared already is not derived again, what was changed since is', async () => {
  const folder = addClicks(workspace);
  await opener.prepare([folder]);
  const first = statSync(keptFile(folder)).mtimeMs;
  expect(isKept(folder, derivedKey(folder))).toBe(true);
  await opener.prepare([folder]);
  expect(statSync(keptFile(folder)).mtimeMs).toBe(first);
  appendFileSync(join(folder, 'events.jsonl'), '\n');
  expect(isKept(folder, derivedKey(folder))).toBe(false);
});

test('short recordings are neither given to a thread nor prepared', async () => {
  const folder = addClicks(workspace);
  const usual = folderOpener();
  await usual.prepare([folder]);
  expect(existsSync(keptFile(folder))).toBe(false);
  expect((await usual.open(folder, derivedKey(folder))).page.steps).toHaveLength(4);
  await usual.close();
});

test('a workspace that is closed meanwhile says so', async () => {
  const folder = addClicks(workspace);
  const asked = errorOf(opener.open(folder, derivedKey(folder)));
  await opener.close();
  expect((await asked).code).toBe('CANCELLED');
});
