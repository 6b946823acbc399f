import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StudioError } from '../../schemas/errors.ts';
import { writeKilled } from '../capture/killed-for-tests.ts';
import type { CaptureOrder } from '../capture/protocol.ts';
import { markLive, recoverRecording } from '../capture/recover.ts';
import { startRecording } from '../capture/start.ts';
import { describeHolder } from '../files/process-id.ts';
import { bareStage } from '../play/stage/folder-for-tests.ts';
import { homeOf, stageFolder } from '../play/stage/home.ts';
import { wantPlaybackCopy } from '../recordings/playback.ts';
import { openSession } from '../session/open-workspace.ts';
import { repairWorkspace } from '../session/recorder/prepare.ts';
import { recoverAll } from '../session/recorder/recover-all.ts';
import { readRecording } from '../store/recording-folder.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import { runHere } from './run-for-tests.ts';

/** `record`, with a capture process that the test plays: e2e records for real. */

vi.mock('../capture/start.ts', { spy: true });
vi.mock('../recordings/playback.ts', { spy: true });

const folders = temporaryFolders();
const children: ChildProcess[] = [];
let dir = '';
beforeEach(() => {
  dir = join(folders.make(), 'w');
  openWorkspace(dir, { create: true }).close();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  folders.clean();
});

const record = (...more: string[]) =>
  runHere(['record', '-w', dir, '--app', 'GIMP', '--goal', 'Crop it', '--json', '--no-sync-check', ...more]);

/** Plays the capture process: does `work` for the next order. */
function captured(work: (order: CaptureOrder) => Promise<void>): void {
  vi.mocked(startRecording).mockImplementationOnce((order) => ({
    send: () => undefined,
    result: work(order).then(() => readRecording(order.folder)),
  }));
}

async function whole({ id, folder, task }: CaptureOrder): Promise<void> {
  await writeKilled(folder, { id, task });
  await recoverRecording(folder);
}
const refused = () => Promise.reject(new StudioError('CAPTURE_FAILED', 'No screen.'));

async function look<T>(work: (workspace: Workspace) => Promise<T>): Promise<T> {
  const workspace = openWorkspace(dir, { create: false });
  try {
    return await work(workspace);
  } finally {
    workspace.close();
  }
}
const tasks = () =>
  look(async (workspace) => {
    await workspace.syncIndex();
    return (await workspace.listTasks()).map(({ id, goal, recordings }) => `${id}: ${goal}, ${recordings}`);
  });
const left = () => readdirSync(join(dir, 'recordings'));

test('what could not be made of a closed recording is said once, and given to a script', async () => {
  captured(whole);
  vi.mocked(wantPlaybackCopy).mockImplementationOnce(() => {
    throw new StudioError('WORKSPACE_BUSY', 'It is locked.');
  });
  const { stderr, stdout } = await record();
  const line = JSON.parse(stdout);
  expect(line.warnings).toEqual(['the playback copy: It is locked.']);
  expect(stderr.split('\n').filter((one) => one.includes('locked'))).toEqual([
    'warning: the playback copy: It is locked.',
  ]);
  expect(left()).toEqual([line.recording]);
});

test('pictures that cannot be cut are said once', async () => {
  captured(async (order) => {
    await whole(order);
    rmSync(join(order.folder, 'keyframes'), { recursive: true });
    writeFileSync(join(order.folder, 'keyframes'), 'no folder');
  });
  const { stderr, stdout } = await record('--no-playback');
  const { warnings } = JSON.parse(stdout);
  expect(warnings).toEqual([expect.stringContaining('keyframes: ')]);
  expect(stderr.split('\n').filter((one) => one.startsWith('warning: '))).toEqual([`warning: ${warnings[0]}`]);
});

test.runIf(process.platform === 'linux')(
  'on a stage it ends with whether the task is done, as its checks see it',
  async () => {
    const checks = (check: object) => {
      const file = join(folders.make(), 'checks.json');
      writeFileSync(file, JSON.stringify({ schema: 'trajectory-studio/checks', version: 1, checks: [check] }));
      return runHere(['tasks', 'attach', 'GIMP_1', file, '--role', 'checks', '-w', dir]);
    };
    await runHere(['tasks', 'add', '--app', 'GIMP', '--goal', 'Crop it', '--id', 'GIMP_1', '-w', dir]);
    await checks({ id: 'written', kind: 'text', path: 'note.txt', contains: ['Monday\nMilk'] });
    const stage = bareStage({ owner: null, task: 'GIMP_1', workspace: dir });
    const shown = async (...more: string[]) => {
      captured(whole);
      return record('--task', 'GIMP_1', '--stage', stage.id, '--no-playback', ...more);
    };
    try {
      writeFileSync(join(homeOf(stage.id), 'note.txt'), 'MondayMilk\n');
      const { stdout } = await shown();
      expect(JSON.parse(stdout).checks).toMatchObject({
        passed: false,
        checks: [{ why: 'the text lacks “Monday⏎Milk” (after “Monday” comes “Milk⏎”)' }],
      });
      captured(whole);
      const words = ['record', '-w', dir, '--app', 'GIMP', '--goal', 'Crop it', '--no-sync-check', '--no-playback'];
      const said = await runHere([...words, '--task', 'GIMP_1', '--stage', stage.id]);
      expect(said.stdout).toMatch(/NOT done, .*GIMP_1.*\n {4}written: the text lacks/);
      writeFileSync(join(homeOf(stage.id), 'note.txt'), 'Monday\nMilk\n');
      expect(JSON.parse((await shown()).stdout).checks).toMatchObject({ passed: true });
      await checks({ id: 'said', kind: 'answer', equals: '4' });
      captured(whole);
      const asked = await runHere([...words, '--task', 'GIMP_1', '--stage', stage.id]);
      expect(asked.stdout).toMatch(/not looked at: they look at an answer: `check GIMP_1 --answer TEXT`/);
    } finally {
      rmSync(stageFolder(stage.id), { recursive: true, force: true });
    }
    // Not on a stage nothing is looked at.
    captured(whole);
    expect(JSON.parse((await record('--task', 'GIMP_1', '--no-playback')).stdout).checks).toBeNull();
  },
);

describe('a recording that does not come', () => {
  test('takes its task along; one that was there stays as it was', async () => {
    await look(async (workspace) => {
      const software = await workspace.findSoftware('GIMP');
      await workspace.ensureTask({ id: 'GIMP_7', software, goal: '' });
      await workspace.ensureTask({ id: 'GIMP_8', software, goal: 'Draw' });
    });
    for (const more of [[], ['--task', 'GIMP_3'], ['--task', 'GIMP_7'], ['--task', 'GIMP_8']]) {
      captured(refused);
      expect((await record(...more)).stderr).toContain('CAPTURE_FAILED');
    }
    expect(await tasks()).toEqual(['GIMP_7: , 0', 'GIMP_8: Draw, 0']);
    expect(left()).toEqual([]);
    captured(whole);
    await record('--task', 'GIMP_7', '--no-playback');
    expect(await tasks()).toEqual(['GIMP_7: Crop it, 1', 'GIMP_8: Draw, 0']);
  });

  test('keeps its task where something of it is there', async () => {
    captured(async (order) => {
      await whole(order);
      throw new StudioError('CAPTURE_FAILED', 'It cannot be closed.');
    });
    expect((await record()).stderr).toContain('CAPTURE_FAILED');
    expect(await tasks()).toEqual(['GIMP_1: Crop it, 1']);
  });

  /** A `record` that is killed by itself while its recording is still to come. */
  async function killed(...more: string[]): Promise<void> {
    const args = ['record', '-w', dir, '--app', 'GIMP', '--goal', 'Crop it', '--no-sync-check', ...more];
    const script = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { mkdirSync } = fs;
      fs.mkdirSync = (path, ...more) => {
        if (/recordings.\\d{8}-\\d{6}-\\w+$/.test(path)) process.kill(process.pid, 'SIGKILL');
        return mkdirSync(path, ...more);
      };
      syncBuiltinESMExports();
      const { runCli } = await import(${JSON.stringify(new URL('./program.ts', import.meta.url).href)});
      await runCli(${JSON.stringify(args)}, '1', { out: () => undefined, err: () => undefined });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    expect((await once(child, 'exit'))[1]).toBe(process.platform === 'win32' ? null : 'SIGKILL');
  }

  async function opened(): Promise<void> {
    const open = await openSession(dir, { create: false });
    await repairWorkspace(open);
    await open.close();
  }

  test('because it was killed takes its task along at the next recording', async () => {
    await killed();
    expect(await tasks()).toEqual(['GIMP_1: Crop it, 0']);
    captured(whole);
    await record('--no-playback');
    expect(await tasks()).toEqual(['GIMP_1: Crop it, 1']);
    expect(left()).toHaveLength(1);
  });

  test('because it was killed takes its task along at the opening, and leaves one that was there without a goal', async () => {
    await look(async (workspace) => {
      await workspace.ensureTask({ id: 'GIMP_7', software: await workspace.findSoftware('GIMP'), goal: '' });
    });
    await killed('--task', 'GIMP_7');
    await killed();
    // The second has taken back what the first had done.
    expect(await tasks()).toEqual(['GIMP_7: , 0', 'GIMP_8: Crop it, 0']);
    await opened();
    expect(await tasks()).toEqual(['GIMP_7: , 0']);
    expect(left()).toEqual([]);
  });

  test('because it was killed as its folder was made takes that along, too', async () => {
    await killed();
    const [note = ''] = left().filter((name) => name.endsWith('.task'));
    const folder = join(dir, 'recordings', note.slice('.record-'.length, -'.task'.length));
    mkdirSync(folder);
    writeFileSync(join(folder, '..capture.pid.1.0123abcd.tmp'), '{"to');
    await opened();
    expect(left()).toEqual([]);
  });

  test('is said to be live while whoever makes its folder is there, and has written nothing in it', async () => {
    await killed();
    const [note = ''] = left().filter((name) => name.endsWith('.task'));
    const id = note.slice('.record-'.length, -'.task'.length);
    const holder = join(dir, 'recordings', `.record-${id}.holder`);
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    children.push(child);
    writeFileSync(holder, JSON.stringify(describeHolder('x', child.pid!)));
    mkdirSync(join(dir, 'recordings', id));
    const recovered = () => look((workspace) => recoverAll(workspace, () => undefined));
    expect(await recovered()).toEqual({ recovered: [], live: [id], failed: [] });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await recovered()).toEqual({ recovered: [], live: [], failed: [] });
    expect(left()).toEqual([]);
  });

  test('keeps its task while its capture process goes on', async () => {
    await killed();
    const [note = ''] = left().filter((name) => name.endsWith('.task'));
    const folder = join(dir, 'recordings', note.slice('.record-'.length, -'.task'.length));
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    children.push(child);
    mkdirSync(folder);
    markLive(folder, child.pid!);
    await opened();
    expect(await tasks()).toEqual(['GIMP_1: Crop it, 0']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await opened();
    expect(await tasks()).toEqual([]);
    expect(left()).toEqual([]);
  });
});

test('a folder whose process was killed before it wrote anything goes; one that says something stays', async () => {
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  const root = join(dir, 'recordings');
  for (const name of ['empty', 'said', 'copied']) {
    mkdirSync(join(root, name, 'keyframes'), { recursive: true });
    if (name !== 'copied') markLive(join(root, name), dead);
    writeFileSync(join(root, name, 'capture.log'), 'No display.');
    writeFileSync(join(root, name, 'events.jsonl'), name === 'said' ? '{"t":0}\n' : '');
  }
  mkdirSync(join(root, 'copying'));
  mkdirSync(join(root, 'nothing'));
  utimesSync(join(root, 'nothing'), 1, 1);
  const { failed } = await look((workspace) => recoverAll(workspace, () => undefined));
  expect(failed.map(({ code }) => code)).toEqual(['BAD_FILE', 'BAD_FILE', 'BAD_FILE']);
  expect(existsSync(join(root, 'empty'))).toBe(false);
  expect(left().sort()).toEqual(['copied', 'copying', 'said']);
});
