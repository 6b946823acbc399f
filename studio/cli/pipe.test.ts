import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';

const folders = temporaryFolders();
const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  folders.clean();
});

const MAIN = join(import.meta.dirname, 'main.ts');
const TOKEN = 'a'.repeat(40);

const pipeIn = (home: string): string =>
  process.platform === 'win32' ? `\\\\.\\pipe\\studio-test-${Date.now()}` : join(home, 's');

/** `serve --pipe` in a process of its own, once it has said its line. */
async function serve(env: NodeJS.ProcessEnv = {}) {
  const home = folders.make();
  const pipe = pipeIn(home);
  const child = spawn(process.execPath, [MAIN, 'serve', '--pipe', pipe, '--no-build', '--json'], {
    env: { ...process.env, TRAJECTORY_STUDIO_HOME: home, ...env },
  });
  running.add(child);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let out = '';
  let said = '';
  child.stdout.on('data', (text: Buffer) => {
    out += text;
  });
  // Its words stand in the message when it does not say where it listens.
  child.stderr.on('data', (text: Buffer) => {
    said += text;
  });
  await expect.poll(() => out || said, { timeout: 45_000 }).toMatch(/^\{.*\n/);
  return { child, ended, pipe, home, line: JSON.parse(out) as Record<string, unknown> };
}

const health = (pipe: string, token: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { host: 'app', authorization: `Bearer ${token}` };
    httpRequest({ socketPath: pipe, path: '/health', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

// Each starts the real program.
describe('the studio behind a pipe, as a process', { timeout: 60_000 }, () => {
  test('takes the secret of who started it, says it nowhere, and ends with its input', async () => {
    const { child, ended, pipe, line } = await serve({ TRAJECTORY_STUDIO_TOKEN: TOKEN });
    expect(line).toEqual({ pipe, pid: child.pid, version: '0.1.0', workspace: null });
    expect(await health(pipe, TOKEN)).toBe(200);
    expect(await health(pipe, 'b'.repeat(40))).toBe(403);
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(existsSync(pipe)).toBe(false);
  });

  test('is no server for others to be found: it writes no note of itself', async () => {
    const { child, ended, home, line } = await serve();
    expect(String(line.token)).toMatch(/^[\w-]{43}$/);
    expect(existsSync(join(home, 'server.json'))).toBe(false);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('hears that it is to end before it says that it is there', () => {
    const home = folders.make();
    const code = `import { runOnPipe } from ${JSON.stringify(new URL('./pipe.ts', import.meta.url).href)};
      const result = () => console.log(process.listenerCount('SIGTERM'));
      const context = { version: '9.9.9', json: () => true, result, progress() {}, setStatus() {} };
      await runOnPipe({ path: ${JSON.stringify(pipeIn(home))}, build: false }, context);`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
      input: '',
      env: { ...process.env, TRAJECTORY_STUDIO_HOME: home },
    });
    expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: '1\n' });
  });

  test('opens no port, so it takes none', () => {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'serve', '--pipe', 'x', '--port', '0'], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining('--pipe opens no port')]);
  });
});
