import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A virtual X server for a test, with what tests do to it. */
export type TestServer = {
  name: string;
  env: NodeJS.ProcessEnv;
  run(command: string, ...args: string[]): string;
  close(): Promise<void>;
};

/** Starts Xvfb on display `:number`; resolves when it answers. Needs Xvfb and setxkbmap (tests only). */
export async function startXvfb(number: number, size = '800x600x24'): Promise<TestServer> {
  const name = `:${number}`;
  // -noreset: the keymap must outlive the client that set it.
  const child = spawn('Xvfb', [name, '-screen', '0', size, '-noreset'], { stdio: 'ignore' });
  const socket = `/tmp/.X11-unix/X${number}`;
  const deadline = Date.now() + 10_000;
  while (!existsSync(socket)) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error(`Xvfb ${name} did not start`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const env = { ...process.env, DISPLAY: name };
  return {
    name,
    env,
    run: (command, ...args) => execFileSync(command, args, { env, encoding: 'utf8' }),
    close: () => ended(child),
  };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
