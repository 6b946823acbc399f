import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reduceResultSchema } from '../../schemas/actions.ts';
import { startDisplay } from '../support/display.ts';
import { click, handsFor, perform } from '../support/person.ts';
import { run } from '../support/process.ts';
import { sleep, until } from '../support/until.ts';

/** The package for npm, installed in an empty folder and used from there: start, record, export. */

const ROOT = path.join(import.meta.dirname, '..', '..');
const MOST_BYTES = 40e6;
let folder: string;

/** The oldest Node that package.json allows, and the one that the project is made with. */
const OLDEST = '20.9.0';
const NODES = [OLDEST, process.version.slice(1)];
let oldest: string;
const nodeOf = (version: string) => (version === OLDEST ? oldest : process.execPath);

const bin = () => path.join(folder, 'node_modules', 'trajectory-studio', 'studio', 'cli', 'bin.mjs');
const studio = (words: readonly string[], node = oldest) =>
  run(node, [bin(), ...words], { env: process.env, timeoutMs: 120_000 });
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'studio npm '));
  const packed = spawnSync(process.execPath, [path.join(ROOT, 'scripts', 'pack.mjs')], { cwd: ROOT, encoding: 'utf8' });
  const tarball = packed.stdout.trim().split('\n').at(-1) ?? '';
  expect(packed.status, packed.stderr).toBe(0);
  const { size } = fs.statSync(tarball);
  expect(size).toBeLessThan(MOST_BYTES);
  fs.writeFileSync(path.join(folder, 'package.json'), '{}');
  const words = ['install', tarball, '--no-audit', '--no-fund', '--prefer-offline'];
  const installed = await run('npm', words, { env: process.env, cwd: folder, timeoutMs: 240_000 });
  expect(installed.status, installed.stderr).toBe(0);
  // Node itself, as npm has it: nothing of the machine's own.
  const place = path.join(folder, 'node of old');
  fs.mkdirSync(place);
  fs.writeFileSync(path.join(place, 'package.json'), '{}');
  const name = `node-${process.platform}-${process.arch}`;
  const fetched = await run('npm', ['install', `${name}@${OLDEST}`, '--no-audit', '--no-fund', '--prefer-offline'], {
    env: process.env,
    cwd: place,
    timeoutMs: 240_000,
  });
  expect(fetched.status, fetched.stderr).toBe(0);
  oldest = path.join(place, 'node_modules', name, 'bin', 'node');
  expect(spawnSync(oldest, ['--version'], { encoding: 'utf8' }).stdout.trim()).toBe(`v${OLDEST}`);
  process.stderr.write(`The package has ${(size / 1e6).toFixed(1)} MB; it runs with Node ${NODES.join(' and ')}.\n`);
  // As long as the two installations may take, each with a limit of its own.
}, 600_000);
afterAll(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

it('names itself as it is typed there, and says its version', async () => {
  const version = await studio(['--version']);
  expect(version.stdout.trim()).toBe(JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')).version);
  const help = await studio(['record', '--help']);
  expect(help.stdout).toContain('npx trajectory-studio record');
  expect(help.stdout).not.toContain('npm run studio');
});

it.each(NODES)('is found by its name, with Node %s', async (version) => {
  const [bins, own] = [path.join(folder, 'node_modules', '.bin'), path.dirname(nodeOf(version))];
  const env = { ...process.env, PATH: [bins, own, process.env.PATH].join(path.delimiter) };
  const said = await run('trajectory-studio', ['doctor', '--json'], { env, cwd: folder, timeoutMs: 120_000 });
  const { checks } = JSON.parse(said.stdout) as { checks: { id: string; status: string }[] };
  // An older Node starts the one that the package brings, which is what doctor sees.
  expect(checks.find(({ id }) => id === 'node')).toMatchObject({ status: 'ok' });
});

it('is started by npx', async () => {
  const how = { env: process.env, cwd: folder, timeoutMs: 120_000 };
  const said = await run('npx', ['--no-install', 'trajectory-studio', 'record', '--help'], how);
  expect(said.stdout).toContain('npx trajectory-studio record');
});

it.each(NODES)('opens the studio with its pages, with Node %s', async (version) => {
  const home = path.join(folder, `home of ${version}`);
  const env = { ...process.env, TRAJECTORY_STUDIO_HOME: home, DISPLAY: '', WAYLAND_DISPLAY: '' };
  const child = spawn(nodeOf(version), [bin(), '--no-open', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  try {
    const { url, origin, token } = await until('the studio to say its address', () => {
      const line = said.split('\n').find((one) => one.includes('"url"'));
      return line === undefined ? null : (JSON.parse(line) as { url: string; origin: string; token: string });
    });
    const health = await fetch(`${origin}/health`, { headers: { authorization: `Bearer ${token}` } });
    expect(await health.json()).toMatchObject({ name: 'trajectory-studio' });
    // The pages' own name is known to browsers alone; asked by number, whoever shows a code is led on to it.
    const { port, search } = new URL(url);
    const page = await fetch(`http://127.0.0.1:${port}/${search}`, { redirect: 'manual' });
    expect(page.status).toBe(200);
    expect(await page.text()).toMatch(/http:\/\/studio-[0-9a-f]+\.localhost:/);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toBe(0);
});

it.each(NODES)('records a real screen and exports it, with Node %s', async (version) => {
  const node = nodeOf(version);
  const display = await startDisplay({ width: 800, height: 600 });
  const workspace = path.join(folder, `a workspace of ${version}`);
  try {
    const env = { ...process.env, ...display.env };
    const words = ['record', '--workspace', workspace, '--app', 'gimp', '--goal', 'Click twice', '--json'];
    const child = spawn(node, [bin(), ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let told = '';
    child.stderr.on('data', (bytes: Buffer) => {
      told += bytes.toString();
    });
    let said = '';
    child.stdout.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
    const ended = new Promise<number | null>((done) => child.once('close', done));
    await until('the recording to begin', () => /^recording\b/m.test(told), { timeoutMs: 60_000, seen: () => told });
    await perform(display, await handsFor(display, 'human'), [click(200, 200)]);
    await sleep(1000);
    await perform(display, await handsFor(display, 'human'), [click(400, 300)]);
    child.kill('SIGINT');
    expect(await ended, told).toBe(0);
    const { recording } = JSON.parse(said.trim().split('\n').at(-1) ?? '{}') as { recording: string };
    const actions = await studio(['actions', recording, '--workspace', workspace, '--json'], node);
    const kinds = reduceResultSchema.parse(JSON.parse(actions.stdout)).actions.map(({ kind }) => kind);
    expect(kinds).toEqual(['click', 'click']);
    const out = path.join(folder, `out of ${version}`);
    const exported = await studio(['export', 'agentnet', '--workspace', workspace, '--out', out, '--all'], node);
    expect(exported.status, exported.stderr).toBe(0);
    expect((await studio(['validate', 'agentnet', out], node)).status).toBe(0);
  } finally {
    await display.stop();
  }
});
