import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test, vi } from 'vitest';

/** Flushes and renames in the order in which they were asked of the system: what a power cut may find. */
const done = vi.hoisted(() => ({ steps: [] as { what: 'flush' | 'rename'; from: string; to: string }[] }));
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  return {
    ...fs,
    async open(...args: Parameters<typeof fs.open>) {
      const file = await fs.open(...args);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        await sync();
        done.steps.push({ what: 'flush', from: String(args[0]), to: String(args[0]) });
      };
      return file;
    },
    async rename(from: string, to: string) {
      await fs.rename(from, to);
      done.steps.push({ what: 'rename', from, to });
    },
  };
});

const { freezeVersion } = await import('../../datasets/freeze.ts');
const { addRecording } = await import('../../datasets/workspace-for-tests.ts');
const { attach, listAttachments } = await import('../../store/attachments.ts');
const { temporaryFolders } = await import('../../store/recording-for-tests.ts');
const { take, workspacesIn, write } = await import('./bench-for-tests.ts');

const folders = temporaryFolders();
const workspaces = workspacesIn(folders);
afterAll(async () => {
  await workspaces.close();
  folders.clean();
});

test('what an archive brings is on the disk before it gets its name: recordings, files of tasks, the version', async () => {
  const home = workspaces.open();
  await addRecording(home.workspace, { id: 'rec-a' });
  const [task] = await home.workspace.listTasks();
  const body = Readable.from([Buffer.from('hello')]);
  await attach(home.workspace, { task: task!.id, role: 'material', name: 'notes.txt', body });
  await freezeVersion(home.workspace, { name: 'v1', changelog: 'first', filter: {} }, { toolVersion: '1' });
  const out = join(folders.make(), 'w.tar');
  await write(home, out, { dataset: 'v1' });
  const here = workspaces.open();
  done.steps.length = 0;
  await take(here, out);
  expect(await listAttachments(here.workspace.store, task!.id)).toHaveLength(1);
  const named = done.steps
    .filter(({ what }) => what === 'rename')
    .map(({ to }) => to.slice(here.workspace.dir.length))
    // What is unpacked aside has no name of its own yet.
    .filter((to) => !to.startsWith('/recordings/.archive-'));
  expect(named).toEqual([expect.stringContaining('/attachments/'), '/recordings/rec-a', '/versions/v1']);
  for (const place of ['/attachments/', '/recordings/rec-a', '/versions/v1']) {
    const at = done.steps.findIndex(
      ({ what, to }) => what === 'rename' && to.slice(here.workspace.dir.length).startsWith(place),
    );
    const { from } = done.steps[at]!;
    const before = done.steps.slice(0, at).filter(({ what, to }) => what === 'flush' && to.startsWith(from));
    expect(before.length, place).toBeGreaterThan(0);
  }
});
