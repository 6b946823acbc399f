import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { describeHolder } from '../files/process-id.ts';
import { attach } from '../store/attachments.ts';
import { ensureNotedTask } from '../store/made-task.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { sqlOf } from '../store/store.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import { importRecording } from './import-recording.ts';
import { beginImport, endBeginning, removeKilled, taskNoteOf } from './leftovers.ts';

const folders = temporaryFolders();
const closing: Workspace[] = [];
afterEach(() => {
  for (const workspace of closing.splice(0)) workspace.close();
  folders.clean();
});

const DAY = 24 * 3_600_000;
const id = (n: number): string => `.import-0000000${n}-0000-4000-8000-000000000000`;

function leave(dir: string, name: string, holder: object | string | null): void {
  mkdirSync(join(dir, name, 'keyframes'), { recursive: true });
  writeFileSync(join(dir, name, 'screen.mkv'), 'half of it');
  if (holder !== null)
    writeFileSync(join(dir, `${name}.holder`), typeof holder === 'string' ? holder : JSON.stringify(holder));
}
/** A process that has ended: its pid says nothing of anybody who runs. */
const dead = () => describeHolder('x', spawnSync(process.execPath, ['-e', '']).pid);

test('what a killed import left goes; what somebody works on, or may work on, stays', async () => {
  const workspace = openWorkspace(folders.make(), { create: true });
  closing.push(workspace);
  const dir = workspace.recordingsDir;
  leave(dir, id(1), dead());
  const mine = beginImport(dir);
  leave(dir, id(2), null);
  leave(dir, id(3), { ...describeHolder('x', 7), host: 'another-machine', machine: 'another-machine' });
  leave(dir, id(4), 'no holder');
  mkdirSync(join(dir, '.import-and-more'));
  mkdirSync(join(dir, 'a-recording'));
  writeFileSync(join(dir, `${id(5)}.holder`), JSON.stringify(dead()));
  expect(await removeKilled(workspace)).toBe(1);
  const left = readdirSync(dir);
  expect(left).not.toContain(id(1));
  expect(left.some((name) => name.startsWith(id(5)) || name === `${id(1)}.holder`)).toBe(false);
  for (const name of [id(2), id(3), id(4), '.import-and-more', 'a-recording']) expect(left).toContain(name);
  expect(existsSync(mine)).toBe(true);

  // After a day nobody works on what nobody can be asked about.
  for (const name of [id(2), id(3), id(4)]) utimesSync(join(dir, name), 1, 1);
  expect(await removeKilled(workspace)).toBe(3);
  expect(existsSync(mine)).toBe(true);
  expect(await removeKilled(workspace, Date.now() + 3 * DAY)).toBe(0);
  await endBeginning(mine);
  expect(readdirSync(dir).filter((name) => name.startsWith(mine))).toEqual([]);
});

test.runIf(process.platform !== 'win32')('a pipe in the place of who works on it is waited for by nobody', async () => {
  const workspace = openWorkspace(folders.make(), { create: true });
  closing.push(workspace);
  const dir = workspace.recordingsDir;
  leave(dir, id(1), null);
  execFileSync('mkfifo', [join(dir, `${id(1)}.holder`)]);
  expect(await removeKilled(workspace)).toBe(0);
});

test('the next import removes it, and leaves nothing of its own', async () => {
  const workspace = openWorkspace(folders.make(), { create: true });
  try {
    leave(workspace.recordingsDir, id(1), dead());
    const source = writeSample(folders.make(), sampleRecording({ id: 'from-afar' }));
    await importRecording(workspace, source, { signal: new AbortController().signal, report: () => undefined });
    expect(readdirSync(workspace.recordingsDir)).toEqual(['from-afar']);
    const refused = importRecording(workspace, source, {
      signal: new AbortController().signal,
      report: () => undefined,
    });
    await expect(refused).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    expect(readdirSync(workspace.recordingsDir)).toEqual(['from-afar']);
  } finally {
    workspace.close();
  }
});

test('the task that was made for it goes too, unless somebody has done anything with it', async () => {
  const workspace = openWorkspace(folders.make(), { create: true });
  closing.push(workspace);
  const { store, recordingsDir: dir } = workspace;
  const software = await workspace.findSoftware('GIMP');
  /** An import that made a task and was killed. */
  const killed = async (n: number, goal: string, asks: { id?: string } = {}): Promise<string> => {
    leave(dir, id(n), dead());
    const task = await ensureNotedTask(store, taskNoteOf(join(dir, id(n))), { ...asks, software, goal });
    return task.id;
  };
  const mine = (await workspace.ensureTask({ software, goal: '' })).id;
  const left = [await killed(1, ''), await killed(2, 'Crop it')];
  const named = await killed(3, 'Draw', { id: mine });
  expect(named).toBe(mine);
  const worded = await killed(4, '');
  await sqlOf(store).updateTable('tasks').set({ goal: 'Turn it' }).where('id', '=', worded).execute();
  const answered = await killed(5, '');
  await sqlOf(store).updateTable('tasks').set({ answer: 'Ada' }).where('id', '=', answered).execute();
  const given = await killed(6, '');
  await attach(workspace, { task: given, role: 'material', name: 'a.txt', body: Readable.from([Buffer.from('a')]) });
  // Its recording has its name, and was not told to the index.
  const landed = await killed(7, 'Whole');
  writeSample(dir, sampleRecording({ id: 'landed', task: { id: landed, goal: 'Whole' } }));
  writeFileSync(join(dir, `${id(8)}.task`), '{"createdAt":');
  writeFileSync(join(dir, `${id(8)}.holder`), JSON.stringify(dead()));
  const running = beginImport(dir);
  const needed = await ensureNotedTask(store, taskNoteOf(running), { software, goal: '' });

  expect(await removeKilled(workspace)).toBe(7);
  const stay = [mine, worded, answered, given, landed, needed.id];
  expect((await workspace.listTasks()).map((task) => task.id)).toEqual(stay);
  expect(left.filter((task) => stay.includes(task))).toEqual([]);
  expect(readdirSync(dir).filter((name) => !name.startsWith(basename(running)))).toEqual(['landed']);
});

test('a task that was there and had no goal has none again, unless a recording of it says the same', async () => {
  // All of it in one millisecond, as on a fast machine.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const workspace = openWorkspace(folders.make(), { create: true });
  closing.push(workspace);
  const { store, recordingsDir: dir } = workspace;
  const software = await workspace.findSoftware('GIMP');
  /** An import into a task of one's own that was killed. */
  const killed = async (n: number, own: string, here = ''): Promise<string> => {
    leave(dir, id(n), dead());
    await workspace.ensureTask({ id: own, software, goal: here });
    return (await ensureNotedTask(store, taskNoteOf(join(dir, id(n))), { id: own, software, goal: 'Crop it' })).goal;
  };
  expect(await killed(1, 'GIMP_1')).toBe('Crop it');
  expect(await killed(2, 'GIMP_2')).toBe('Crop it');
  writeSample(dir, sampleRecording({ id: 'landed', task: { id: 'GIMP_2', goal: 'Crop it' } }));
  expect(await killed(3, 'GIMP_3', 'Crop it')).toBe('Crop it');
  expect(await killed(4, 'GIMP_4')).toBe('Crop it');
  await sqlOf(store).updateTable('tasks').set({ goal: 'Turn it' }).where('id', '=', 'GIMP_4').execute();
  expect(await removeKilled(workspace)).toBe(4);
  expect((await workspace.listTasks()).map((task) => [task.id, task.goal])).toEqual([
    ['GIMP_1', ''],
    ['GIMP_2', 'Crop it'],
    ['GIMP_3', 'Crop it'],
    ['GIMP_4', 'Turn it'],
  ]);
});

test('a task that somebody made in the millisecond before stays', async () => {
  const workspace = openWorkspace(folders.make(), { create: true });
  closing.push(workspace);
  const { store, recordingsDir: dir } = workspace;
  const software = await workspace.findSoftware('GIMP');
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  const mine = await workspace.ensureTask({ software, goal: 'Crop it' });
  leave(dir, id(1), dead());
  const noted = ensureNotedTask(store, taskNoteOf(join(dir, id(1))), { software, goal: 'Crop it' });
  setTimeout(() => vi.setSystemTime(now + 1), 20);
  expect((await noted).id).not.toBe(mine.id);
  await removeKilled(workspace);
  expect((await workspace.listTasks()).map((task) => task.id)).toEqual([mine.id]);
});

test('a task that a busy database does not let go is not forgotten', async () => {
  const workspace = openWorkspace(folders.make(), { create: true });
  closing.push(workspace);
  const { store, recordingsDir: dir } = workspace;
  const software = await workspace.findSoftware('GIMP');
  leave(dir, id(1), dead());
  await ensureNotedTask(store, taskNoteOf(join(dir, id(1))), { software, goal: '' });
  await sql`create trigger stays before delete on tasks begin select raise(abort, 'busy'); end`.execute(sqlOf(store));
  await removeKilled(workspace);
  expect(readdirSync(dir)).toEqual([`${id(1)}.holder`, `${id(1)}.task`]);
  await sql`drop trigger stays`.execute(sqlOf(store));
  await removeKilled(workspace);
  expect(readdirSync(dir)).toEqual([]);
  expect(await workspace.listTasks()).toEqual([]);
});
