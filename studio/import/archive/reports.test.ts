import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '../../../schemas/api/models.ts';
import { startTestServer, type TestServer } from '../../api/server-for-tests.ts';
import { freezeVersion } from '../../datasets/freeze.ts';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { archiveReports, noted } from './reports.ts';

const folders = temporaryFolders();
let server: TestServer;
let ws: string;
let away: string;
let dir: string;
beforeAll(async () => {
  const root = folders.make();
  dir = join(root, 'data');
  const workspace = openWorkspace(dir, { create: true });
  for (const id of ['aaaa', 'bbbb']) await addRecording(workspace, { id, task: `GIMP_${id === 'aaaa' ? 1 : 2}` });
  await freezeVersion(workspace, { name: 'v1', changelog: '', filter: { tasks: ['GIMP_1'] } }, { toolVersion: '1' });
  workspace.close();
  server = await startTestServer(root);
  ({ id: ws } = await server.client.workspaces.open({ dir, create: false }));
  ({ id: away } = await server.client.workspaces.open({ dir: join(root, 'away'), create: true }));
});
afterAll(async () => {
  await server?.close();
  folders.clean();
});

async function over(of: string, job: Job): Promise<Job> {
  for (;;) {
    const now = (await server.client.jobs.list({ ws: of })).find(({ id }) => id === job.id);
    if (now && now.state !== 'waiting' && now.state !== 'running') return now;
    await new Promise((resume) => setTimeout(resume, 20));
  }
}

test('an archive is proposed, made and imported as jobs, and what came of each is kept', async () => {
  const { archives } = server.client;
  const { out } = await archives.suggest({ ws, version: 'v1' });
  expect(out).toBe(join(dir, 'exports', 'v1.tar'));
  expect((await over(ws, await archives.make({ ws, out, version: 'v1' }))).state).toBe('done');
  expect(existsSync(out)).toBe(true);
  expect((await archives.suggest({ ws, version: 'v1' })).out).toBe(join(dir, 'exports', 'v1-2.tar'));
  expect(await archives.list({ ws })).toMatchObject([
    { kind: 'made', file: out, version: 'v1', recordings: 1, error: null },
  ]);
  const job = await over(away, await archives.take({ ws: away, path: out }));
  expect(job).toMatchObject({
    state: 'done',
    message: expect.stringContaining('Imported 1 recording; the version v1'),
  });
  await over(away, await archives.take({ ws: away, path: out }));
  expect(await archives.list({ ws: away })).toMatchObject([
    { kind: 'taken', recordings: 0, known: 1, version: 'v1', versionKnown: true },
    { kind: 'taken', recordings: 1, known: 0, version: 'v1', versionKnown: false },
  ]);
});

test('the page of recordings imports it too, and it is told in the same place', async () => {
  const out = join(dir, 'all.tar');
  await over(ws, await server.client.archives.make({ ws, out, version: null }));
  expect((await over(away, await server.client.recordings.import({ ws: away, path: out }))).state).toBe('done');
  expect((await server.client.archives.list({ ws: away }))[0]).toMatchObject({ file: out, recordings: 1, known: 1 });
});

test('what is refused is told with its reason; a path that is none is refused at once', async () => {
  const none = join(dir, 'none.tar');
  writeFileSync(none, 'nothing');
  const { state } = await over(ws, await server.client.archives.take({ ws, path: none }));
  expect(state).toBe('failed');
  expect((await server.client.archives.list({ ws }))[0]).toMatchObject({
    kind: 'taken',
    error: { code: 'BAD_FILE', message: expect.stringContaining('no workspace archive') },
  });
  await expect(server.client.archives.take({ ws, path: 'none.tar' })).rejects.toMatchObject({ code: 'USAGE' });
  await expect(server.client.archives.make({ ws, out: 'all.tar', version: null })).rejects.toMatchObject({
    code: 'USAGE',
  });
});

test('the list has the last twenty', async () => {
  for (let n = 0; n < 21; n++)
    await over(ws, await server.client.archives.make({ ws, out: join(dir, 'x.zip'), version: null }));
  const list = await server.client.archives.list({ ws });
  expect(list).toHaveLength(20);
  expect(list.every(({ error }) => error?.code === 'USAGE')).toBe(true);
});

test('work that went on differently is told with the report, for who may choose', async () => {
  const report = { kind: 'taken', file: 'team.tar' } as const;
  const workspace = openWorkspace(join(folders.make(), 'forks'), { create: true });
  const forked = [{ recording: 'aaaa', here: 1, there: 2, did: 'kept' as const }];
  await noted(
    workspace,
    report,
    async () => null,
    () => ({ known: 1, forked, notes: [] }),
  );
  await noted(
    workspace,
    report,
    async () => null,
    () => ({ notes: [] }),
  );
  expect((await archiveReports(workspace)).map((one) => one.forked)).toEqual([undefined, forked]);
  workspace.close();
});
