import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** A virtual X server for a test, with what tests do to it. */
export type TestServer = {
  name: string;
  env: NodeJS.ProcessEnv;
  run(command: string, ...args: string[]): string;
  close(): Promise<void>;
};

/** Starts Xvfb on a display that is free; resolves when it answers. Needs Xvfb and setxkbmap (tests only). `within`: words before it. */
export async function startXvfb(size = '800x600x24', within: readonly string[] = []): Promise<TestServer> {
  // -noreset: the keymap must outlive the client that set it. -displayfd: another test may start one at the same time.
  const [program = '', ...args] = [...within, 'Xvfb', '-displayfd', '3', '-screen', '0', size, '-noreset'];
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const name = await new Promise<string>((resolve, reject) => {
    let said = '';
    const pipe = child.stdio[3] as Readable; // asked for as a pipe
    pipe.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      if (said.endsWith('\n')) resolve(`:${said.trim()}`);
    });
    child.once('error', reject);
    child.once('exit', (status) => reject(new Error(`Xvfb did not start (status ${status})`)));
  });
  const env = { ...process.env, DISPLAY: name };
  return {
    name,
    env,
    run: (command, ...args) => execFileSync(command, args, { env, encoding: 'utf8' }),
    // What waits for another program passes SIGTERM over.
    close: () => ended(child, within.length > 0 ? 'SIGKILL' : 'SIGTERM'),
  };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
