import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeHolder } from '../files/process-id.ts';
import { recoverAll } from '../session/recorder/recover-all.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { closeRecording } from './close.ts';
import { type KilledRecording, writeKilled } from './killed-for-tests.ts';
import { isLive, markLive, recoverRecording } from './recover.ts';
import { INPUT_LOST } from './say-lost.ts';

const folders = temporaryFolders();
const children: ChildProcess[] = [];
let killed: KilledRecording;
beforeAll(async () => {
  killed = await writeKilled(join(folders.make(), 'killed'));
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  folders.clean();
});

function copy(): string {
  const folder = join(folders.make(), 'copy');
  cpSync(killed.folder, folder, { recursive: true });
  return folder;
}

/** A process that runs; nothing more. */
function other(): ChildProcess & { pid: number } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  children.push(child);
  if (child.pid === undefined) throw new Error('It did not start.');
  return Object.assign(child, { pid: child.pid });
}

const RECOVER = `
  const { isLive } = await import(${JSON.stringify(join(import.meta.dirname, 'recover.ts'))});
  console.log(isLive(process.argv[1]));`;

test('keys that the system lost make a recording incomplete, and its verdict says when', async () => {
  const folder = copy();
  const message = '1 press or release of keys or buttons at 2.00 s, which the system lost on a busy machine';
  appendFileSync(
    join(folder, 'events.jsonl'),
    `${JSON.stringify({ t: 2_000_000, type: 'notice', code: INPUT_LOST, message })}\n`,
  );
  const closed = await closeRecording(folder, {
    endedBy: 'shortcut',
    span: { start: 0, end: 14_000_000 },
    counts: null,
    mode: null,
    paints: null,
    ffmpeg: null,
  });
  expect(closed.verdict).toMatchObject({ kind: 'recovered', endedBy: 'shortcut' });
  expect(closed.verdict?.missing).toContain(message);
  expect(closed.warnings).toContainEqual({ code: INPUT_LOST, message });
});

describe('a live recording', () => {
  test('is left alone until its process is gone', async () => {
    const folder = copy();
    const child = other();
    markLive(folder, child.pid);
    expect(isLive(folder)).toBe(true);
    expect(await recoverRecording(folder)).toBeNull();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isLive(folder)).toBe(false);
    expect((await recoverRecording(folder))?.state).toBe('closed');
    expect(existsSync(join(folder, '.capture.pid'))).toBe(false);
  });

  test('is not what another program makes of its pid later', async () => {
    const folder = copy();
    const noted = describeHolder('t', other().pid);
    writeFileSync(join(folder, '.capture.pid'), JSON.stringify({ ...noted, started: '1' }));
    expect(isLive(folder)).toBe(false);
    // As an older version left it: this is no capture process.
    writeFileSync(join(folder, '.capture.pid'), String(other().pid));
    // A program that is only just being started has no arguments to show yet.
    await expect.poll(() => isLive(folder)).toBe(process.platform !== 'linux');
  });

  test.runIf(process.platform === 'linux')('is seen from another pid namespace by what it writes', () => {
    const folder = copy();
    markLive(folder, other().pid);
    const { stdout, status } = spawnSync(
      'unshare',
      ['-Urpf', '--mount-proc', process.execPath, '--input-type=module', '-e', RECOVER, folder],
      { encoding: 'utf8' },
    );
    if (status !== 0) return; // This machine lets nobody make namespaces; process-id.test.ts plays it.
    expect(stdout.trim()).toBe('true');
  });

  test('of another machine lives as long as lines come', () => {
    const folder = copy();
    const noted = { ...describeHolder('t', 1), machine: 'another', host: 'another' };
    writeFileSync(join(folder, '.capture.pid'), JSON.stringify(noted));
    expect(isLive(folder)).toBe(true);
    const long = new Date(Date.now() - 600_000);
    utimesSync(join(folder, 'events.jsonl'), long, long);
    expect(isLive(folder)).toBe(false);
  });
});

test('of several recoveries at once one speaks, and says all that is missing', async () => {
  const folder = copy();
  appendFileSync(join(folder, 'frames.jsonl'), '{"i":13,"pts":99');
  const answers = await Promise.all([1, 2, 3].map(() => recoverRecording(folder)));
  expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
  expect(readRecording(folder).verdict?.missing).toContain('the last line of frames.jsonl');
});

describe('a recording that an older version closed after a damaged line', () => {
  /** As the first versions did: the pictures behind the line are left out. */
  function closedBadly(parent: string): string {
    const folder = join(parent, 'old');
    cpSync(killed.folder, folder, { recursive: true });
    const lines = readFileSync(join(folder, 'frames.jsonl'), 'utf8').split('\n');
    lines[2] = '{"i":2,';
    writeFileSync(join(folder, 'frames.jsonl'), lines.join('\n'));
    const missing = ['10 picture(s) from 1.11 s to 13.42 s (screen.mkv)', 'the last line of events.jsonl'];
    writeRecording(folder, {
      ...readRecording(folder),
      id: 'old',
      state: 'closed',
      span: { start: 1_030_000, end: 13_500_000 },
      segments: [{ index: 0, file: 'screen.mkv', width: 48, height: 32, firstFrame: 0, frames: 2 }],
      counts: { frames: 2, dropped: 10, late: 0, black: 0, ticks: 0, events: 5 },
      verdict: { kind: 'recovered', missing, endedBy: 'killed' },
    });
    return folder;
  }

  test('gets them back by the command `recover`, and once', async () => {
    const workspace = openWorkspace(join(folders.make(), 'w'), { create: true });
    try {
      const folder = closedBadly(workspace.recordingsDir);
      expect((await recoverAll(workspace, () => undefined)).recovered).toEqual([]);
      const { recovered, failed } = await recoverAll(workspace, () => undefined, { again: true });
      expect(failed).toEqual([]);
      expect(recovered.map(({ recording }) => recording)).toEqual(['old']);
      const recording = readRecording(folder);
      expect(recording.counts).toMatchObject({ frames: killed.frames.length, dropped: 0 });
      expect(recording.segments.map(({ frames }) => frames)).toEqual([8, 5]);
      expect(recording.verdict?.missing).toEqual([
        expect.stringContaining('the lines of 1 picture(s)'),
        'the last line of events.jsonl',
      ]);
      expect((await recoverAll(workspace, () => undefined, { again: true })).recovered).toEqual([]);
    } finally {
      workspace.close();
    }
  });

  test('stays as it is where it is frozen in a version', async () => {
    const workspace = openWorkspace(join(folders.make(), 'w'), { create: true });
    try {
      closedBadly(workspace.recordingsDir);
      mkdirSync(join(workspace.dir, 'versions', 'v1'), { recursive: true });
      writeFileSync(join(workspace.dir, 'versions', 'v1', 'snapshot.jsonl'), '{"id":"old"}\n');
      expect((await recoverAll(workspace, () => undefined, { again: true })).recovered).toEqual([]);
    } finally {
      workspace.close();
    }
  });
});

test.runIf(process.platform !== 'win32')(
  'pipes in a workspace of somebody else’s are waited for by nobody',
  async () => {
    const workspace = openWorkspace(folders.make(), { create: true });
    const folder = join(workspace.recordingsDir, 'old');
    cpSync(killed.folder, folder, { recursive: true });
    mkdirSync(join(workspace.dir, 'versions', 'v1'), { recursive: true });
    for (const pipe of [join(folder, '.close.lock'), join(workspace.dir, 'versions', 'v1', 'snapshot.jsonl')]) {
      spawnSync('mkfifo', [pipe]);
      utimesSync(pipe, 1, 1);
    }
    const { recovered, failed } = await recoverAll(workspace, () => undefined, { again: true });
    // The lock is found to be nobody's; anything else that is no plain file makes a recording unreadable.
    expect([recovered.map(({ recording }) => recording), failed]).toEqual([['3f2a9c1e'], []]);
    workspace.close();
  },
);
