/**
 * The recorder's own ear for an X server, in a process that can be stopped: each line of stdin is answered by what was heard since
 * the last, as one line of JSON. First line: `{"ready":true}`.
 *
 *     node test/support/x11-listener.ts
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { startX11Input } from '../../native/linux/input.ts';

export type HeardByListener = { text: string; keys: number; buttons: number; lost: number };
const NOTHING: HeardByListener = { text: '', keys: 0, buttons: 0, lost: 0 };

export type X11Listener = {
  /** Stops the process, as a machine does that has no time for it. */
  freeze(): void;
  thaw(): void;
  heard(): Promise<HeardByListener>;
  close(): void;
};

/** Starts it, and resolves when it listens. */
export async function startX11Listener(env: NodeJS.ProcessEnv): Promise<X11Listener> {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, [import.meta.filename], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => (await lines.next()).value ?? '{}';
  await next();
  return {
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async heard() {
      child.stdin.write('\n');
      return { ...NOTHING, ...JSON.parse(await next()) };
    },
    close: () => void child.kill('SIGKILL'),
  };
}

if (import.meta.main) {
  let heard = { ...NOTHING };
  await startX11Input((event) => {
    if (event.type === 'keydown' || event.type === 'keyup') heard.keys++;
    if (event.type === 'down' || event.type === 'up') heard.buttons++;
    if (event.type === 'lost') heard.lost++;
    if (event.type === 'keydown') heard.text += event.made?.text ?? '';
  });
  const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  say({ ready: true });
  createInterface({ input: process.stdin }).on('line', () => {
    say(heard);
    heard = { ...NOTHING };
  });
}
