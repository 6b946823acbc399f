import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ACTION_RULES_VERSION } from '../../schemas/actions.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { KEYFRAME_RULES_VERSION, type Keyframe, type KeyframeIndex } from '../../schemas/recording.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { createContext } from './context.ts';
import { createProgram } from './program.ts';
import { runHere } from './run-for-tests.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

const MAIN = join(import.meta.dirname, 'main.ts');

/** Runs the real command line in a process of its own, without a display. */
function apart(args: readonly string[], options: { uid?: number; cwd?: string } = {}) {
  const env = { ...process.env, DISPLAY: '', NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    env,
    encoding: 'utf8',
    ...options,
  });
  return { status, stdout, stderr };
}

beforeAll(() => {
  vi.stubEnv('DISPLAY', '');
  vi.stubEnv('NO_COLOR', '1');
});
afterAll(() => void vi.unstubAllEnvs());

/** A new workspace with these recordings. */
function workspaceWith(...ids: string[]): string {
  const dir = join(folders.make(), 'studio');
  openWorkspace(dir, { create: true }).close();
  for (const id of ids) writeSample(join(dir, 'recordings'), sampleRecording({ id }), EVENTS);
  return dir;
}

/** One left click at (100, 200). */
const EVENTS: RawEvent[] = [
  { type: 'move', t: 1_000_000, x: 100, y: 200 },
  { type: 'down', t: 1_100_000, x: 100, y: 200, button: 'left' },
  { type: 'up', t: 1_200_000, x: 100, y: 200, button: 'left' },
];

/** A workspace whose database is changed by `damage`. */
function damaged(damage: (file: string) => void): string {
  const dir = workspaceWith();
  damage(join(dir, 'studio.sqlite'));
  return dir;
}

const otherFolder = (): string => {
  const dir = folders.make();
  writeFileSync(join(dir, 'thesis.txt'), 'mine');
  return dir;
};

describe('the workspace', () => {
  test('comes from the environment where no option names it, and an option goes first', async () => {
    vi.stubEnv('STUDIO_WORKSPACE', workspaceWith('a1'));
    try {
      expect((await runHere(['recordings', '--json'])).stdout).toContain('a1');
      expect((await runHere(['recordings', '--json', '-w', workspaceWith('b2')])).stdout).not.toContain('a1');
    } finally {
      vi.stubEnv('STUDIO_WORKSPACE', undefined);
    }
  });

  test('is the current folder where that is one', () => {
    const { status, stdout } = apart(['recordings', '--json'], { cwd: workspaceWith('a1') });
    expect([status, stdout]).toEqual([0, expect.stringContaining('a1')]);
    expect(apart(['recordings'], { cwd: folders.make() }).status).toBe(2);
  });
});

describe('bad input', () => {
  const cases: [what: string, args: () => string[], status: number, code: string, message: string][] = [
    ['no command', () => [], 2, 'USAGE', 'A command is missing'],
    ['an unknown command', () => ['recrod'], 2, 'USAGE', "unknown command 'recrod'"],
    ['an unknown flag', () => ['tasks', '--nope', '-w', 'x'], 2, 'USAGE', "unknown option '--nope'"],
    ['a missing option', () => ['recordings'], 2, 'USAGE', '--workspace'],
    ['a missing argument', () => ['actions', '-w', 'x'], 2, 'USAGE', "'id'"],
    ['too many arguments', () => ['tasks', 'x', '-w', 'x'], 2, 'USAGE', 'too many arguments'],
    ['a workspace that is not there', () => ['tasks', '-w', join(folders.make(), 'no')], 5, 'NOT_A_WORKSPACE', 'init'],
    ['a folder that is no workspace', () => ['recordings', '-w', otherFolder()], 5, 'NOT_A_WORKSPACE', 'init'],
    ['init on a folder in use', () => ['init', '-w', otherFolder()], 5, 'NOT_A_WORKSPACE', 'thesis.txt'],
    [
      'a damaged workspace',
      () => ['tasks', '-w', damaged((file) => truncateSync(file, 5000))],
      5,
      'WORKSPACE_DAMAGED',
      'backup',
    ],
    [
      'a workspace of a later version',
      () => ['tasks', '-w', damaged((file) => new Sqlite(file).exec("update meta set value = '2000'").close())],
      6,
      'FUTURE_VERSION',
      '2000',
    ],
    ['an unknown recording', () => ['actions', 'ffff', '-w', workspaceWith('a1')], 4, 'UNKNOWN_RECORDING', 'ffff'],
    ['an ambiguous id', () => ['actions', 'a', '-w', workspaceWith('a1', 'a2')], 4, 'AMBIGUOUS_ID', 'a1'],
    ['a number that is none', () => ['actions', 'a', '--hover', 'x', '-w', workspaceWith()], 2, 'USAGE', '--hover'],
    ['software that is there', () => ['software', 'add', 'GIMP', '-w', workspaceWith()], 2, 'USAGE', 'already GIMP'],
    [
      'an unknown format',
      () => ['export', 'avi', '--out', 'x', '-w', workspaceWith()],
      4,
      'UNKNOWN_FORMAT',
      'videogui',
    ],
    ['an unknown part', () => ['export', 'videogui', '--parts', 'a', '--out', 'x', '-w', 'x'], 2, 'USAGE', 'parquet'],
    [
      'nothing to export',
      () => ['export', 'videogui', '--out', join(folders.make(), 'x'), '-w', workspaceWith()],
      9,
      'NOTHING_TO_EXPORT',
      'Record one',
    ],
    [
      'an option that no format has',
      () => ['export', 'coco', '--set', 'a=b', '--out', 'x', '-w', 'x'],
      2,
      'USAGE',
      '"a"',
    ],
    [
      'an option without a value',
      () => ['export', 'coco', '--set', 'a', '--out', 'x', '-w', 'x'],
      2,
      'USAGE',
      'NAME=VALUE',
    ],
    ['a format to list that is none', () => ['formats', 'avi'], 4, 'UNKNOWN_FORMAT', 'agentnet'],
    ['a folder to validate that is none', () => ['validate', 'videogui', '/nowhere'], 6, 'BAD_FILE', '/nowhere'],
  ];

  test.each(cases)(
    '%s: a code, a message, an exit status, no stack trace',
    async (_what, args, status, code, message) => {
      const { status: ended, stdout, stderr } = await runHere([...args(), '--json']);
      expect(ended).toBe(status);
      expect(stderr).toMatch(new RegExp(`^error ${code}: .*`));
      expect(stderr).toContain(message);
      expect(stdout + stderr).not.toContain('    at ');
      expect(stdout.split('\n')).toHaveLength(2);
      const { error } = JSON.parse(stdout);
      expect(error).toMatchObject({ code, message: expect.stringContaining(message), details: expect.any(Object) });
    },
  );

  test('without --json an error goes to stderr alone', () => {
    expect(apart(['recrod'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error USAGE: .*\n$/),
    });
  });

  // Root may write everywhere, so the command runs as another user; without root, the mode alone forbids it.
  const asOther = process.getuid?.() === 0 ? { uid: 65534 } : {};

  test.skipIf(process.platform === 'win32')('an unwritable folder is refused, and nothing is left behind', () => {
    const place = folders.make();
    chmodSync(place, 0o555);
    expect(apart(['init', '-w', join(place, 'studio')], asOther)).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('error WORKSPACE_UNWRITABLE'),
    });
    expect(readdirSync(place)).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('an unwritable workspace is refused', () => {
    const dir = workspaceWith();
    chmodSync(join(dir, '..'), 0o755);
    for (const path of [join(dir, 'studio.sqlite'), dir]) chmodSync(path, path === dir ? 0o555 : 0o444);
    expect(apart(['tasks', '-w', dir], asOther)).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('error WORKSPACE_UNWRITABLE'),
    });
  });
});

describe('commands', () => {
  const all = ['start', 'serve', 'doctor', 'init', 'record', 'recordings', 'actions', 'keyframes', 'sync-check'];
  const more = [
    'recover',
    'import',
    'export',
    'validate',
    'formats',
    'software list',
    'software add',
    'tasks',
    'people list',
  ];

  test.each([...all, ...more])('%s --help shows examples', async (name) => {
    const { status, stdout } = await runHere([...name.split(' '), '--help']);
    expect(status).toBe(0);
    expect(stdout).toContain('Examples:\n  # ');
    expect(stdout).toContain(`  npm run studio -- ${name}`);
  });

  test('--help lists every command, --version the version', () => {
    const { status, stdout } = apart(['--help']);
    expect(status).toBe(0);
    for (const name of all) expect(stdout).toContain(`\n  ${name}`);
    expect(apart(['--version'])).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
  });

  test('the version loads no command, which takes a second', async () => {
    const streams = { out: () => undefined, err: () => undefined };
    const context = createContext(
      '9.9.9',
      streams,
      () => false,
      () => undefined,
    );
    expect((await createProgram(['-V'], context, streams)).commands).toEqual([]);
    expect((await runHere(['-V'], '9.9.9')).stdout).toBe('9.9.9\n');
  });

  test('doctor without a display says what to do and ends with status 3', async () => {
    const { status, stdout } = await runHere(['doctor', '--json']);
    expect(status).toBe(3);
    const { checks } = JSON.parse(stdout);
    expect(checks.find((check: { id: string }) => check.id === 'display')).toMatchObject({ status: 'fail' });
    expect(checks.find((check: { id: string }) => check.id === 'node')).toMatchObject({ status: 'ok', fix: null });
  });

  test('recordings lists what is there, for people and for scripts', async () => {
    const dir = workspaceWith('3f2a9c1e');
    expect((await runHere(['recordings', '-w', dir])).stdout).toMatch(/3f2a9c1e +GIMP_1 +gimp +recorded +complete/);
    const { recordings } = JSON.parse((await runHere(['--json', 'recordings', '-w', dir])).stdout);
    expect(recordings).toMatchObject([{ id: '3f2a9c1e', task: 'GIMP_1', verdict: 'complete' }]);
  });

  test('a recording that cannot be read is a warning on stderr, not an error', async () => {
    const dir = workspaceWith('a1', 'b2');
    writeFileSync(join(dir, 'recordings', 'b2', 'recording.json'), '{');
    const { status, stdout, stderr } = await runHere(['recordings', '-w', dir, '--json']);
    expect(status).toBe(0);
    expect(stderr).toContain('warning BAD_FILE');
    expect(JSON.parse(stdout).recordings).toHaveLength(1);
  });

  test('actions reduces the raw events of a recording, its id shortened', async () => {
    const dir = workspaceWith('3f2a9c1e');
    const { recording, rulesVersion, actions, warnings } = JSON.parse(
      (await runHere(['actions', '3f', '-w', dir, '--json'])).stdout,
    );
    expect([recording, rulesVersion, warnings]).toEqual(['3f2a9c1e', ACTION_RULES_VERSION, []]);
    expect(actions).toMatchObject([
      { kind: 'click', button: 'left', count: 1, start: { x: 100, y: 200, t: 1_100_000 } },
    ]);
    expect((await runHere(['actions', '3f', '-w', dir])).stdout).toMatch(/1 +0:01\.100 +click +Click at \(100, 200\)/);
  });

  test('an unknown program is told with the command that adds it, to be copied as it is', async () => {
    const dir = workspaceWith('3f2a9c1e');
    const { status, stderr } = await runHere([
      'record',
      '-w',
      dir,
      '--app',
      'leafpaad',
      '--goal',
      'x',
      '--duration',
      '1s',
    ]);
    expect(status).not.toBe(0);
    expect(stderr).toContain(`software add "leafpaad" --prefix ABC --workspace ${dir}\``);
  });

  test('a torn last line of events is dropped and told', async () => {
    const dir = workspaceWith('a1');
    writeFileSync(join(dir, 'recordings', 'a1', 'events.jsonl'), '{"type":"move","t":1,"x":1,"y":1}\n{"ty');
    const { warnings } = JSON.parse((await runHere(['actions', 'a1', '-w', dir, '--json'])).stdout);
    expect(warnings).toMatchObject([{ code: 'TORN_LINE', event: 1 }]);
  });

  test('software that was added is there afterwards', async () => {
    const dir = workspaceWith();
    expect((await runHere(['software', 'add', 'Krita', '--prefix', 'KR', '--alias', 'paint', '-w', dir])).status).toBe(
      0,
    );
    expect((await runHere(['software', 'list', '-w', dir])).stdout).toMatch(/krita +KR +Krita/);
  });

  test('tasks shows the tasks of recordings, and how many each has', async () => {
    const { tasks } = JSON.parse((await runHere(['tasks', '-w', workspaceWith('a1', 'b2'), '--json'])).stdout);
    expect(tasks).toMatchObject([{ id: 'GIMP_1', software: 'gimp', recordings: 2, goal: 'Crop the picture' }]);
  });

  test('a failed export leaves no folder', async () => {
    const out = join(folders.make(), 'data');
    expect(await runHere(['export', 'videogui', '--out', out, '-w', workspaceWith('a1')])).toMatchObject({
      status: 9,
      stderr: expect.stringContaining('--all'),
    });
    expect(existsSync(out)).toBe(false);
  });

  test('what export writes, validate finds sound; what was changed since, it finds wrong with status 10', async () => {
    const dir = workspaceWith('a1');
    await writeStills(join(dir, 'recordings', 'a1'), 'a1');
    const out = join(folders.make(), 'data');
    const exported = await runHere(['export', 'videogui', '--all', '--out', out, '-w', dir, '--json']);
    expect(exported.status).toBe(0);
    expect(JSON.parse(exported.stdout)).toMatchObject({
      counts: { tasks: 1, subtasks: 1, actions: 1 },
      leftOut: [{ from: 'VideoGUI-High-Plan' }, { from: 'videogui/pixels' }],
    });

    const several = await runHere([
      'export',
      'agentnet,ms-swift',
      '--all',
      '--out',
      `${out}2`,
      '-w',
      dir,
      '--set',
      'samples=step',
    ]);
    expect([several.status, several.stdout]).toEqual([0, expect.stringContaining('messages.jsonl: 2')]);
    expect(await runHere(['validate', 'ms-swift', join(`${out}2`, 'ms-swift')])).toMatchObject({ status: 0 });

    const sound = await runHere(['validate', 'videogui', out, '--json']);
    expect([sound.status, JSON.parse(sound.stdout)]).toMatchObject([0, { ok: true, problems: [] }]);
    writeFileSync(join(out, 'README.md'), 'changed');
    const changed = await runHere(['validate', 'videogui', out]);
    expect([changed.status, changed.stdout]).toEqual([10, expect.stringContaining('FILE_CHANGED')]);
  });
});

/** Keyframes before and after the one action of a recording, as today's rules would have cut them. */
async function writeStills(folder: string, recording: string): Promise<void> {
  mkdirSync(join(folder, 'keyframes'));
  const { actions } = JSON.parse(
    (await runHere(['actions', recording, '-w', join(folder, '..', '..'), '--json'])).stdout,
  );
  const still = (role: 'before' | 'after', t: number): Keyframe => ({
    action: actions[0].id,
    role,
    frame: 0,
    t,
    file: `${t}.png`,
    width: 1280,
    height: 720,
    origin: { x: 0, y: 0 },
  });
  const keyframes = [still('before', 1_000_000), still('after', 1_300_000)];
  for (const { file } of keyframes) {
    const picture = { create: { width: 1280, height: 720, channels: 3, background: 'navy' } } as const;
    await sharp(picture)
      .png()
      .toFile(join(folder, 'keyframes', file));
  }
  const index: KeyframeIndex = {
    schema: 'trajectory-studio/keyframes',
    version: 1,
    recording,
    actionRulesVersion: ACTION_RULES_VERSION,
    keyframeRulesVersion: KEYFRAME_RULES_VERSION,
    keyframes,
  };
  writeFileSync(join(folder, 'keyframes', 'index.json'), JSON.stringify(index));
}

/** A folder may be called otherwise than its recording (it was copied or renamed): every command finds it by its id (L13). */
test('a recording whose folder has another name', async () => {
  const dir = workspaceWith('rec-a');
  renameSync(join(dir, 'recordings', 'rec-a'), join(dir, 'recordings', 'best take'));
  const out = join(folders.make(), 'frames');
  for (const line of [
    ['recordings'],
    ['actions', 'rec-a'],
    ['elements', 'rec-a'],
    ['keyframes', 'rec-a', '--out', out],
    ['annotate', 'get', 'rec-a'],
    ['recordings', 'export', 'rec-a', '--out', join(folders.make(), 'copy')],
    ['recover'],
  ]) {
    const { status, stderr } = await runHere([...line, '--workspace', dir]);
    expect({ line, status, stderr: status === 0 ? '' : stderr }).toEqual({ line, status: 0, stderr: '' });
  }
  expect(readdirSync(out)).toContain('index.json');
});
