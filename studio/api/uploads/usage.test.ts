import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { KEPT_FILES_SCHEMA, KEPT_VERSION } from '../../../schemas/kept-files.ts';
import { KEPT_LIST, writeKept } from '../../files/kept/list.ts';
import { folderBytes } from '../../files/kept/size.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../../store/recording-for-tests.ts';
import { noteSender } from '../../store/senders.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { heldIn } from './held.ts';
import { openUploads, UPLOAD_LIMITS } from './uploads.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

async function* bytes() {
  yield Buffer.alloc(3000);
}

test('a quota bounds what a workspace holds, also in another place, and what is on its way', async () => {
  const dir = folders.make();
  const recording = join(dir, 'recordings', 'rec-a');
  mkdirSync(recording, { recursive: true });
  writeFileSync(join(recording, 'screen.mkv'), Buffer.alloc(2000));
  const quota = { ...UPLOAD_LIMITS, workspaceBytes: 6000 };
  const uploads = openUploads(dir, quota);
  const wishes = { owner: 'a', manifest: '', whole: false };
  expect(await uploads.used()).toBe(2000);
  expect(await openUploads(dir).used()).toBe(null);
  await expect(uploads.begin({ ...wishes, bytes: 4001 })).rejects.toMatchObject({
    code: 'DISK_FULL',
    message: expect.stringMatching(/may hold \d+ kB.*A manager removes recordings, .*--quota/),
  });
  const first = await uploads.begin({ ...wishes, bytes: 3000 });
  // What is on its way is not counted twice, as a file and as a promise.
  await uploads.append(first, 0, bytes());
  await expect(uploads.begin({ ...wishes, bytes: 1001 })).rejects.toMatchObject({ code: 'DISK_FULL' });
  const last = await uploads.begin({ ...wishes, bytes: 1000 });
  writeFileSync(join(recording, 'more.bin'), Buffer.alloc(3000));
  for (const one of [first, last]) uploads.end(one, { state: 'refused', code: 'BAD_FILE', message: 'x' });
  expect(await uploads.used()).toBe(5000);
  // Films in a bucket count as well.
  const far = { path: 'film.mkv', sha256: 'a'.repeat(64), bytes: 900, at: new Date().toISOString() };
  const head = {
    schema: KEPT_FILES_SCHEMA,
    version: KEPT_VERSION,
    place: randomUUID(),
    where: 's3://films',
  } as const;
  writeKept(recording, { ...head, files: [far] });
  const list = statSync(join(recording, KEPT_LIST)).size;
  expect(await openUploads(dir, quota).used()).toBe(5900 + list);
});

test('what a member has sent bounds what they may send, and nobody else', async () => {
  const dir = folders.make();
  const workspace = openWorkspace(dir, { create: true });
  const sent = ['rec-1', 'rec-2', 'rec-3'].map((id) => writeSample(workspace.recordingsDir, sampleRecording({ id })));
  await workspace.syncIndex();
  await noteSender(workspace.store, ['rec-1', 'rec-2', 'rec-gone'], 'ana');
  // Sent again by somebody else it stays hers.
  await noteSender(workspace.store, ['rec-2', 'rec-3'], 'ben');
  writeFileSync(join(sent[0]!, 'screen.mkv'), Buffer.alloc(40_000));
  const bytes = (await Promise.all(sent.slice(0, 2).map((folder) => folderBytes(folder)))).reduce(
    (sum, n) => sum + n,
    0,
  );
  const limits = { ...UPLOAD_LIMITS, personBytes: bytes + 5000 };
  const uploads = openUploads(dir, limits, Date.now, heldIn(workspace));
  const wishes = { manifest: '', whole: false };
  await expect(uploads.begin({ ...wishes, owner: 'ana', bytes: 5001 })).rejects.toMatchObject({
    code: 'DISK_FULL',
    message: expect.stringMatching(
      /^Each member may have .* 2 recordings that you sent hold .*--person-quota.*stays where it is/,
    ),
  });
  const first = await uploads.begin({ ...wishes, owner: 'ana', bytes: 3000 });
  await expect(uploads.begin({ ...wishes, owner: 'ana', bytes: 2001 })).rejects.toThrow('are on their way');
  await uploads.begin({ ...wishes, owner: 'ben', bytes: 5001 });
  // A recording that has arrived is counted at once.
  writeFileSync(join(sent[1]!, 'more.bin'), Buffer.alloc(3000));
  uploads.end(first, { state: 'refused', code: 'BAD_FILE', message: 'x' });
  await expect(uploads.begin({ ...wishes, owner: 'ana', bytes: 2001 })).rejects.toMatchObject({ code: 'DISK_FULL' });
  await uploads.begin({ ...wishes, owner: 'ana', bytes: 2000 });
  await workspace.close();
});
