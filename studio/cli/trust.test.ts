import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { runHere } from './run-for-tests.ts';

/** An archive with a hostile recipe, from one account to another. */

const folders = temporaryFolders();
let archive: string;
let bait: string;
let dir: string;
const TASK = 'GIMP_1';
const EVENTS: RawEvent[] = [
  { type: 'down', t: 1_100_000, x: 100, y: 200, button: 'left' },
  { type: 'up', t: 1_200_000, x: 100, y: 200, button: 'left' },
];

const accountOf = (name: string): void => void vi.stubEnv('TRAJECTORY_STUDIO_HOME', join(dir, name));
const cli = async (...args: string[]) => {
  const { status, stdout } = await runHere([...args, '--json']);
  return { status, json: JSON.parse(stdout) };
};

beforeEach(async () => {
  dir = folders.make();
  archive = join(dir, 'team.tar');
  bait = join(dir, 'ran');
  const theirs = join(dir, 'theirs');
  openWorkspace(theirs, { create: true }).close();
  const task = { id: TASK, goal: 'Crop' };
  writeSample(join(theirs, 'recordings'), sampleRecording({ id: 'rec-a', task }), EVENTS);
  const recipe = {
    schema: 'trajectory-studio/recipe',
    version: 1,
    programs: [{ command: 'sh', args: ['-c', `touch ${bait}`] }],
    network: true,
  };
  const checks = {
    schema: 'trajectory-studio/checks',
    version: 1,
    checks: [{ id: 'there', kind: 'file', path: 'a.txt' }],
  };
  accountOf('mallory');
  await cli('recordings', '-w', theirs);
  for (const [role, made] of Object.entries({ recipe, checks })) {
    const file = join(dir, `${role}.json`);
    writeFileSync(file, JSON.stringify(made));
    expect(await cli('tasks', 'attach', TASK, file, '--role', role, '-w', theirs)).toMatchObject({ status: 0 });
  }
  // It is their own: they are not asked.
  expect(await cli('tasks', 'trust', TASK, '-w', theirs)).toMatchObject({ status: 0, json: { asked: [] } });
  expect(await cli('archive', 'export', '--out', archive, '-w', theirs)).toMatchObject({ status: 0 });
  accountOf('ada');
});
afterEach(() => {
  vi.unstubAllEnvs();
  folders.clean();
});

test('an import says which programs came with it, and no command runs one before it is agreed to', async () => {
  const mine = join(dir, 'mine');
  const { status, stdout } = await runHere(['archive', 'import', archive, '-w', mine]);
  expect(status).toBe(0);
  expect(stdout).toContain('Came with it; nothing of it is run before you agree (`tasks trust TASK`):');
  expect(stdout).toContain(`GIMP_1: The recipe starts sh -c 'touch ${bait}', may use the network.`);
  expect(stdout).toContain('GIMP_1: The checks look at 1 thing (file).');
  // What came before is told once; agreeing is still to be done.
  expect((await runHere(['archive', 'import', archive, '-w', mine])).stdout).not.toContain('Came with it');
  const script = join(dir, 'script.jsonl');
  writeFileSync(script, '{"kind":"wait","ms":1}\n');
  mkdirSync(join(dir, 'home'));
  const w = ['-w', mine];
  const commands = [
    ['play', 'rec-a'],
    ['verify', 'rec-a'],
    ['perform', script, '--task', TASK],
    ['stage', 'new', '--task', TASK],
    ['check', TASK, '--home', join(dir, 'home')],
  ];
  for (const command of commands) {
    const refused = await cli(...command, ...w);
    expect(refused, command[0]).toMatchObject({ status: 14, json: { error: { code: 'NOT_AGREED' } } });
    expect(refused.json.error.message).toMatch(/Nothing was run: .*--trust [0-9a-f]{16}/s);
  }
  expect(existsSync(bait)).toBe(false);
});

test('`tasks trust` shows it and takes its hashes; `--trust` takes one with the command', async () => {
  const w = ['-w', join(dir, 'mine')];
  await cli('archive', 'import', archive, ...w);
  const shown = await runHere(['tasks', 'trust', TASK, ...w]);
  expect(shown.status).toBe(1);
  expect(shown.stdout).toContain(`starts:\n  sh -c 'touch ${bait}'\n  its programs may use the network\n`);
  const { json } = await cli('tasks', 'trust', TASK, ...w);
  const [recipe, checks]: string[] = json.asked.map(({ hash }: { hash: string }) => hash);
  const home = join(dir, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'a.txt'), 'a');
  expect(await cli('check', TASK, '--home', home, '--trust', '0'.repeat(64), ...w)).toMatchObject({
    status: 2,
    json: { error: { code: 'USAGE', message: expect.stringContaining('may have been changed') } },
  });
  expect(await cli('check', TASK, '--home', home, '--trust', checks!.slice(0, 16), ...w)).toMatchObject({
    status: 0,
    json: { passed: true },
  });
  expect(await cli('check', TASK, '--home', home, ...w)).toMatchObject({ status: 0 });
  expect(await cli('tasks', 'trust', TASK, ...w)).toMatchObject({ status: 1, json: { asked: [{ kind: 'recipe' }] } });
  expect(await cli('tasks', 'trust', TASK, recipe!, ...w)).toMatchObject({ status: 0, json: { asked: [] } });
  accountOf('ben');
  expect(await cli('tasks', 'trust', TASK, ...w)).toMatchObject({ json: { asked: [{}, {}] } });
});
