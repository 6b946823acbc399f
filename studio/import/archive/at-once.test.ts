import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { addClicks } from '../../documents/clicks-for-tests.ts';
import { openDocuments } from '../../documents/documents.ts';
import { reviewGate } from '../../documents/review/gate.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { type Both, calm, take, workspacesIn, write } from './bench-for-tests.ts';
import { checkArchive } from './read-archive.ts';

/** Two programs at one archive: the studio and the command line, or two of either. */

const folders = temporaryFolders();
const workspaces = workspacesIn(folders);
afterEach(async () => {
  await workspaces.close();
  folders.clean();
});

const IDS = ['rec-a', 'rec-b', 'rec-c'];
const videoOf = (at: number): Buffer => Buffer.alloc(3_000_000, at + 1);

async function filled(): Promise<Both> {
  const home = workspaces.open();
  for (const [at, id] of IDS.entries()) writeFileSync(join(addClicks(home.workspace, id), 'screen.mkv'), videoOf(at));
  await home.workspace.syncIndex();
  for (const id of IDS) await home.documents.get(id);
  return home;
}

test('two imports of it: one takes everything, the other finds it here', async () => {
  const out = join(folders.make(), 'w.tar');
  await write(await filled(), out);
  const first = workspaces.open();
  const workspace = openWorkspace(first.workspace.dir, { create: false });
  const second = { workspace, documents: openDocuments(workspace, reviewGate()) };
  const waited: string[] = [];
  const report = (_share: number, text: string): void => void waited.push(text);
  const done = await Promise.all([first, second].map((both) => take(both, out, { report })));
  await second.documents.close();
  workspace.close();
  expect(done.map(({ recordings, known }) => [recordings.length, known.length]).sort()).toEqual([
    [0, 3],
    [3, 0],
  ]);
  expect(done.flatMap(({ warnings }) => warnings)).toEqual([]);
  expect(waited).toContain('waiting for another archive that is being imported into this workspace');
  const { recordingsDir } = first.workspace;
  expect(readdirSync(recordingsDir).sort()).toEqual(IDS);
  for (const [at, id] of IDS.entries())
    expect(readFileSync(join(recordingsDir, id, 'screen.mkv')).equals(videoOf(at))).toBe(true);
});

test('two that write it: one does, whole, and the other is told that it is there', async () => {
  const home = await filled();
  const dir = folders.make();
  const out = join(dir, 'w.tar');
  const [one, other] = await Promise.allSettled([write(home, out), write(home, out)]);
  expect(one.status).toBe('fulfilled');
  expect(other).toMatchObject({ status: 'rejected', reason: { code: 'TARGET_EXISTS' } });
  expect((await checkArchive(out, calm)).recordings).toEqual(IDS);
  expect(readdirSync(dir)).toEqual(['w.tar']);
});
