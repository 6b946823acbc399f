import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** Processes of their own: Node keeps what it compiles from the first call to the end of a process. */
const CODE = `
import { Worker } from 'node:worker_threads';
const { environmentOfOthers, keepCompiled } = await import(${JSON.stringify(new URL('./compiled.ts', import.meta.url).href)});
keepCompiled();
const inThread = new Worker("import { parentPort } from 'node:worker_threads'; import { getCompileCacheDir } from 'node:module'; parentPort.postMessage(getCompileCacheDir() ?? null)", { eval: true });
const thread = await new Promise((done) => inThread.once('message', done));
const others = environmentOfOthers({ ...process.env, MORE: 'kept' });
console.log(JSON.stringify({ here: process.env.NODE_COMPILE_CACHE ?? null, thread, others: others.NODE_COMPILE_CACHE ?? null, more: others.MORE }));
`;
type Told = { here: string | null; thread: string | null; others: string | null; more: string };

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'studio-compiled-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function told(env: NodeJS.ProcessEnv): Told {
  const { NODE_COMPILE_CACHE: _, ...rest } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', CODE], {
    env: { ...rest, ...env },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('what is compiled is kept where nobody else can write, for processes and threads too, and not for others', () => {
  const { here, thread, others, more } = told({ TRAJECTORY_STUDIO_HOME: home });
  expect(here).toBe(join(home, 'cache', 'compiled'));
  expect(thread?.startsWith(here!)).toBe(true);
  expect([others, more]).toEqual([null, 'kept']);
  if (process.platform !== 'win32') expect(statSync(here!).mode & 0o777).toBe(0o700);
});

test('a folder that somebody chose stays, for others too; without one that can be written nothing is kept', () => {
  const chosen = join(home, 'chosen');
  expect(told({ TRAJECTORY_STUDIO_HOME: home, NODE_COMPILE_CACHE: chosen })).toMatchObject({
    here: chosen,
    others: chosen,
  });
  const file = join(home, 'a-file');
  writeFileSync(file, '');
  expect(told({ TRAJECTORY_STUDIO_HOME: file })).toMatchObject({ here: null, thread: null, others: null });
});
