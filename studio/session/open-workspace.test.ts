import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { type OpenWorkspace, openSession } from './open-workspace.ts';

/** A folder that is put into an open workspace shows, whatever the timing (docs/recording-folder.md). */

const folders = temporaryFolders();
let open: OpenWorkspace;
let dir: string;
/** How often the folders were looked at. */
let looks = 0;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  dir = folders.make();
  open = await openSession(dir, { create: true });
  const { syncIndex } = open.workspace;
  looks = 0;
  open.workspace.syncIndex = () => {
    looks++;
    return syncIndex();
  };
});
afterEach(async () => {
  await open.close();
  vi.useRealTimers();
  folders.clean();
});

/** The events of a page that shows the list, and the list that it then reads. */
function page() {
  const heard: string[] = [];
  const gone = new AbortController();
  const follow = async (): Promise<void> => {
    for await (const { what } of open.changes.subscribe(gone.signal)) heard.push(what);
  };
  const ended = follow();
  const leave = (): Promise<void> => {
    gone.abort();
    return ended;
  };
  return { heard, list: ids, leave };
}
const ids = async (): Promise<string[]> => (await open.workspace.indexedRecordings()).map(({ id }) => id);
/** Time passes in the steps of the timer, with room for the reading in between. */
async function pass(ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 350) {
    const before = looks;
    vi.advanceTimersByTime(350);
    await open.workspace.indexedRecordings();
    await new Promise((done) => setImmediate(done));
    // The clock stands still until the look that has begun is over: it takes a disk's time, not this clock's. What was looked
    // at just now is not looked at again.
    if (looks > before) await open.refresh();
  }
}

test.each([0, 1, 400, 2999, 3001, 60_000])('%d ms after the list was read', async (ms) => {
  const shown = page();
  await open.refresh();
  expect(await shown.list()).toEqual([]);
  await pass(ms);
  writeSample(open.workspace.recordingsDir, sampleRecording());
  await pass(5000);
  expect(shown.heard).toEqual(expect.arrayContaining(['tasks', 'recordings']));
  expect(await shown.list()).toEqual(['3f2a9c1e']);
  await shown.leave();
});

test('in pieces, as a copy comes, and when it goes again', async () => {
  const shown = page();
  const away = writeSample(folders.make(), sampleRecording());
  const folder = join(open.workspace.recordingsDir, '3f2a9c1e');
  mkdirSync(folder);
  await pass(5000);
  writeFileSync(join(folder, 'recording.json'), '{"schema": "traj');
  await pass(5000);
  expect(await shown.list()).toEqual([]);
  cpSync(away, folder, { recursive: true });
  await pass(5000);
  expect(await shown.list()).toEqual(['3f2a9c1e']);
  const before = shown.heard.length;
  rmSync(folder, { recursive: true });
  await pass(5000);
  expect(await shown.list()).toEqual([]);
  expect(shown.heard.length).toBeGreaterThan(before);
  await shown.leave();
});

test('to a page that read its list just before and followed just after', async () => {
  const list = await ids();
  writeSample(open.workspace.recordingsDir, sampleRecording());
  // Another page's question finds the folder before this page follows.
  await open.refresh({ now: true });
  const shown = page();
  await pass(1000);
  expect(list).toEqual([]);
  expect(shown.heard.toSorted()).toEqual(['people', 'recordings', 'software', 'tasks']);
  await shown.leave();
  const later = page();
  await pass(40_000);
  await later.leave();
  const latest = page();
  await pass(1000);
  expect(latest.heard).toEqual([]);
  await latest.leave();
});

test('nobody looks into the folders while no list is shown', async () => {
  const looks = vi.spyOn(open.workspace, 'syncIndex');
  await pass(20_000);
  expect(looks).not.toHaveBeenCalled();
});

test('a recording that came a moment ago is there for whoever asks for it, also while the folders are looked at', async () => {
  await open.refresh();
  // Begun before the folder came, and over after it.
  const look = open.refresh({ now: true });
  writeSample(open.workspace.recordingsDir, sampleRecording());
  const asked = await Promise.all(Array.from({ length: 20 }, () => open.workspace.getRecording('3f2a9c1e')));
  await look;
  expect(new Set(asked.map(({ id }) => id))).toEqual(new Set(['3f2a9c1e']));
  // The first look, the one under way, and one more for all who asked.
  expect(looks).toBeLessThanOrEqual(3);
});

test('a recording that is asked for by its id is told to the lists', async () => {
  const shown = page();
  await open.refresh();
  await shown.list();
  writeSample(open.workspace.recordingsDir, sampleRecording());
  await open.workspace.getRecording('3f2a9c1e');
  await new Promise((done) => setImmediate(done));
  expect(shown.heard).toEqual(expect.arrayContaining(['tasks', 'recordings']));
  await shown.leave();
});

test('for an id without a folder nobody looks through the folders', async () => {
  await open.refresh();
  looks = 0;
  for (const id of ['nothing', '../recordings', '.', ''])
    await expect(open.workspace.getRecording(id)).rejects.toMatchObject({ code: 'UNKNOWN_RECORDING' });
  expect(looks).toBe(0);
});
