import { randomUUID } from 'node:crypto';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { attach, listAttachments } from './attachments.ts';
import { temporaryFolders } from './recording-for-tests.ts';
import { findSoftware } from './software.ts';
import { ensureTask } from './tasks.ts';
import { openWorkspace } from './workspace.ts';

const folders = temporaryFolders();
afterAll(folders.clean);
afterEach(() => void vi.useRealTimers());

test('files that are attached within one millisecond, or while the clock goes back, are listed in their order', async () => {
  const workspace = openWorkspace(join(folders.make(), 'workspace'), { create: true });
  const software = await findSoftware(workspace.store, 'gimp');
  const { id } = await ensureTask(workspace.store, { software, goal: 'Crop' });
  const names = Array.from({ length: 8 }, (_, n) => `${n}.bin`);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-05-04T10:00:00.000Z') });
  for (const [n, name] of names.entries()) {
    if (n === 5) vi.setSystemTime(Date.now() - 60_000);
    await attach(workspace, { task: id, role: 'material', name, body: Readable.from([Buffer.from(name)]) });
  }
  expect((await listAttachments(workspace.store, id)).map((one) => one.name)).toEqual(names);
  workspace.close();
});

test('what a killed program had half received goes with the next file; what still comes stays', async () => {
  const workspace = openWorkspace(join(folders.make(), 'workspace'), { create: true });
  const software = await findSoftware(workspace.store, 'gimp');
  const { id } = await ensureTask(workspace.store, { software, goal: 'Crop' });
  const folder = join(workspace.dir, 'attachments', id);
  const one = (name: string) =>
    attach(workspace, { task: id, role: 'material', name, body: Readable.from([Buffer.from(name)]) });
  await one('first.bin');
  const [left, older, coming] = ['.tmp', '.part', '.tmp'].map((ending) => `.${randomUUID()}${ending}`) as [
    string,
    string,
    string,
  ];
  for (const name of [left, older, coming]) writeFileSync(join(folder, name), 'half');
  for (const name of [left, older]) utimesSync(join(folder, name), 1, 1);
  await one('second.bin');
  const names = readdirSync(folder);
  expect(names.filter((name) => name.startsWith('.'))).toEqual([coming]);
  expect(names).toHaveLength(3);
  workspace.close();
});
