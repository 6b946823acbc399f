import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StudioError } from '../../schemas/errors.ts';
import { temporaryFolders } from './recording-for-tests.ts';
import { sqlOf } from './store.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const folders = temporaryFolders();
let workspace: Workspace;
const children: ChildProcess[] = [];
beforeEach(() => {
  workspace = openWorkspace(folders.make(), { create: true });
});
afterEach(() => {
  workspace.close();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  folders.clean();
});

const lockError = (): StudioError => {
  try {
    workspace.lockRecorder();
  } catch (error) {
    if (error instanceof StudioError) return error;
  }
  throw new Error('the lock was free');
};

/** A process that takes the lock, tells so (or its error's code), and then does `then`. */
async function other(then: string): Promise<{ child: ChildProcess; said: string }> {
  const module = join(import.meta.dirname, 'workspace.ts');
  const code = `
    const { openWorkspace } = await import(${JSON.stringify(module)});
    const workspace = openWorkspace(${JSON.stringify(workspace.dir)}, { create: false });
    try { workspace.lockRecorder(); console.log('locked'); } catch (error) { console.log(error.code); }
    ${then}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [said] = await once(child.stdout!, 'data'); // Piped, as asked for above.
  return { child, said: String(said).trim() };
}

const WAIT = 'setInterval(() => {}, 1000);';

describe("the recorder's lock", () => {
  test('a second recorder is refused with the pid of the first', () => {
    workspace.lockRecorder();
    const error = lockError();
    expect(error.code).toBe('WORKSPACE_BUSY');
    expect(error.details).toMatchObject({ pid: process.pid });
    expect(error.message).toContain(String(process.pid));
  });

  test('it is free again after a release, which may be called twice', () => {
    const lock = workspace.lockRecorder();
    lock.release();
    const second = workspace.lockRecorder();
    lock.release();
    expect(lockError().code).toBe('WORKSPACE_BUSY');
    second.release();
    expect(workspace.recorderPid()).toBeNull();
  });

  test('another process that runs holds it', async () => {
    const { child, said } = await other(WAIT);
    expect(said).toBe('locked');
    expect(lockError().details).toMatchObject({ pid: child.pid });
    expect(workspace.recorderPid()).toBe(child.pid);
  });

  test('it is taken over from a process that was killed', async () => {
    const { child } = await other(WAIT);
    child.kill('SIGKILL');
    await once(child, 'exit');
    workspace.lockRecorder();
    expect(workspace.recorderPid()).toBe(process.pid);
  });

  test('a process that ends without a word gives it back', async () => {
    const { child } = await other('');
    if (child.exitCode === null) await once(child, 'exit');
    expect(await sqlOf(workspace.store).selectFrom('locks').selectAll().execute()).toEqual([]);
  });

  test('it is taken over when its pid belongs to a process that started at another time', async () => {
    workspace.lockRecorder();
    const row = await sqlOf(workspace.store).selectFrom('locks').selectAll().executeTakeFirstOrThrow();
    const holder = JSON.stringify({ ...JSON.parse(row.holder), started: '1' });
    await sqlOf(workspace.store).updateTable('locks').set({ holder }).execute();
    expect(workspace.recorderPid()).toBeNull();
    workspace.lockRecorder();
    expect(workspace.recorderPid()).toBe(process.pid);
  });

  test('in a copied workspace, or after a restart of the machine, it is free', async () => {
    workspace.lockRecorder();
    const row = await sqlOf(workspace.store).selectFrom('locks').selectAll().executeTakeFirstOrThrow();
    const holder = JSON.stringify({ ...JSON.parse(row.holder), machine: 'another' });
    await sqlOf(workspace.store).updateTable('locks').set({ holder }).execute();
    workspace.lockRecorder();
    expect(workspace.recorderPid()).toBe(process.pid);
  });

  test('handed over, it lives as long as the other process and is not given back by this one', async () => {
    const lock = workspace.lockRecorder();
    const child = spawn('sleep', ['60']);
    children.push(child);
    lock.handOver(child.pid!);
    lock.release();
    expect(lockError().details).toMatchObject({ pid: child.pid });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(workspace.recorderPid()).toBeNull();
  });

  test('of several that try at once, one gets it', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => other(WAIT)));
    expect(all.map(({ said }) => said).sort()).toEqual([
      'WORKSPACE_BUSY',
      'WORKSPACE_BUSY',
      'WORKSPACE_BUSY',
      'locked',
    ]);
  });
});
