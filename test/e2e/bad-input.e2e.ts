import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ERROR_EXIT, type ErrorCode } from '../../schemas/errors.ts';
import { newWorkspace, type Said, startRecorder, studio, studioMust } from '../support/cli.ts';
import { startDisplay, type VirtualDisplay } from '../support/display.ts';
import { must } from '../support/process.ts';
import { findRecordings, readRecording } from '../support/recordings.ts';

/** Each bad input: a clear error with a stable code and exit status, nothing left behind (issue: bad input). */

let display: VirtualDisplay;
let workspace: ReturnType<typeof newWorkspace>;
// One for all: nothing here opens a window.
beforeAll(async () => {
  display = await startDisplay({ width: 800, height: 600 });
});
afterAll(() => display.stop());
beforeEach(() => {
  workspace = newWorkspace();
});
afterEach(() => workspace.remove());

const RECORD = ['record', '--app', 'gimp', '--goal', 'Nothing', '--duration', '2s', '--json'];

/** Every path under a folder with its size, to compare before and after. */
function contents(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return names.map((entry) => path.join(entry.parentPath, entry.name)).sort();
}

function expectError(said: Said, code: ErrorCode) {
  expect({ code: said.error?.code, status: said.status, signal: said.signal }).toEqual({
    code,
    status: ERROR_EXIT[code],
    signal: null,
  });
  // A sentence that says something, and no stack trace.
  expect(said.error?.message.length).toBeGreaterThan(20);
  expect(said.stdout + said.stderr).not.toMatch(/\n\s+at .+:\d+:\d+/);
}

/** Runs `record` on a new workspace and checks that nothing of it is left. */
async function expectRefused(args: string[], code: ErrorCode, env: NodeJS.ProcessEnv = display.env) {
  const before = contents(path.dirname(workspace.path));
  expectError(await studio([...RECORD, '--workspace', workspace.path, ...args], { env }), code);
  expect(findRecordings(workspace.path)).toEqual([]);
  // An empty workspace may have been made; a recording, a lock or a half-made file may not.
  const left = contents(path.dirname(workspace.path)).filter((file) => !before.includes(file));
  expect(left.filter((file) => /\.(lock|tmp|mkv|jsonl|pid|sock)$/.test(file))).toEqual([]);
}

describe('record refuses', () => {
  it('when there is no display', async () => {
    await expectRefused([], 'NO_DISPLAY', { ...display.env, DISPLAY: ':99999' });
  });

  it('when $DISPLAY is not set', async () => {
    const { DISPLAY: _, ...env } = display.env;
    await expectRefused([], 'NO_DISPLAY', env);
  });

  it('when FFMPEG_PATH names nothing', async () => {
    await expectRefused([], 'NO_FFMPEG', { ...display.env, FFMPEG_PATH: path.join(display.home, 'no-ffmpeg') });
  });

  it('when FFMPEG_PATH names a program that is not ffmpeg', async () => {
    const file = path.join(display.home, 'not-ffmpeg');
    fs.writeFileSync(file, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    await expectRefused([], 'NO_FFMPEG', { ...display.env, FFMPEG_PATH: file });
  });

  it('an unknown application', async () => {
    await expectRefused(['--app', 'no-such-application'], 'UNKNOWN_APP');
  });

  it('an unknown display', async () => {
    await expectRefused(['--display', '7'], 'UNKNOWN_DISPLAY');
  });

  it('an unknown window', async () => {
    await expectRefused(['--window', 'no window has this title'], 'UNKNOWN_WINDOW');
  });

  it.each(['0,0,-640,480', '0,0,0,480', '5000,5000,640,480', '-900,0,640,480'])('the region %s', async (region) => {
    await expectRefused([`--region=${region}`], 'BAD_REGION');
  });

  it.each([
    ['--fps', '0'],
    ['--fps', '1000'],
    ['--duration', 'soon'],
    ['--region', 'everything'],
    ['--no-such-flag', ''],
  ])('%s %s', async (flag, value) => {
    await expectRefused([flag, ...(value ? [value] : [])], 'USAGE');
  });
});

describe('a workspace', () => {
  it('that a file is in the way of cannot be written', async () => {
    fs.writeFileSync(workspace.path, 'I am a file');
    const said = await studio([...RECORD, '--workspace', workspace.path], { env: display.env });
    expect(['WORKSPACE_UNWRITABLE', 'NOT_A_WORKSPACE']).toContain(said.error?.code);
    expect(said.status).toBe(5);
    expect(fs.readFileSync(workspace.path, 'utf8')).toBe('I am a file');
  });

  it('on a read-only file system cannot be written', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('needs root to mount a read-only file system');
    fs.mkdirSync(workspace.path);
    await must('mount', ['-t', 'tmpfs', '-o', 'ro,size=1m', 'tmpfs', workspace.path]);
    try {
      expectError(
        await studio([...RECORD, '--workspace', workspace.path], { env: display.env }),
        'WORKSPACE_UNWRITABLE',
      );
    } finally {
      await must('umount', [workspace.path]);
    }
  });

  it('is not made of a folder with other things in it', async () => {
    fs.mkdirSync(workspace.path);
    fs.writeFileSync(path.join(workspace.path, 'holiday.jpg'), 'not ours');
    expectError(await studio([...RECORD, '--workspace', workspace.path], { env: display.env }), 'NOT_A_WORKSPACE');
    expect(fs.readdirSync(workspace.path)).toEqual(['holiday.jpg']);
  });

  it.each([['recordings'], ['recover'], ['actions', 'abc'], ['export', 'videogui', '--out', 'x']])(
    'that is not there is no workspace for %s',
    async (...command) => {
      const args = command.filter((word) => typeof word === 'string');
      expectError(await studio([...args, '--workspace', workspace.path, '--json']), 'NOT_A_WORKSPACE');
      expect(fs.existsSync(workspace.path)).toBe(false);
    },
  );

  it('takes one recorder at a time, and the second does not disturb the first', async () => {
    const recorder = await startRecorder(display, { workspace: workspace.path });
    expectError(await studio([...RECORD, '--workspace', workspace.path], { env: display.env }), 'WORKSPACE_BUSY');
    expect(findRecordings(workspace.path)).toHaveLength(1);
    const { line } = await recorder.stop();
    expect(readRecording(line.folder).verdict?.kind).toBe('complete');
  });
});

describe('a recording', () => {
  it('of a future schema version is refused, and left as it is', async () => {
    const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--duration', '1s'] });
    await recorder.ended();
    const file = path.join(recorder.folder, 'recording.json');
    const future = { ...readRecording(recorder.folder), version: 999 };
    fs.writeFileSync(file, JSON.stringify(future));
    const id = path.basename(recorder.folder);
    expectError(await studio(['actions', id, '--workspace', workspace.path, '--json']), 'FUTURE_VERSION');
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual(future);
  });

  it('that does not exist is named in the error', async () => {
    const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--duration', '1s'] });
    await recorder.ended();
    const said = await studio(['actions', 'zzzz', '--workspace', workspace.path, '--json']);
    expectError(said, 'UNKNOWN_RECORDING');
    expect(said.error?.message).toContain('zzzz');
  });
});

describe('other commands', () => {
  it('an unknown command and an unknown format are usage errors', async () => {
    expectError(await studio(['dance', '--json']), 'USAGE');
    await studioMust(['init', '--workspace', workspace.path]);
    const out = path.join(display.home, 'out');
    expectError(
      await studio(['export', 'no-such-format', '--workspace', workspace.path, '--out', out, '--json']),
      'UNKNOWN_FORMAT',
    );
    expect(fs.existsSync(out)).toBe(false);
  });
});
