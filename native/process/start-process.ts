import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { logPlace } from '../log/log.ts';
import { type Started, supervise, tailOf, type Wishes } from './supervise.ts';
import { WITH_BUILT_PACKAGES } from './with-built-packages.ts';

type ProcessWishes<Out> = Wishes<Out> & {
  env?: NodeJS.ProcessEnv;
  args?: readonly string[];
  /** The most memory for its objects, MB. */
  memoryMb?: number;
  /** Messages are cloned, bytes and all, and not turned into JSON. */
  isCloned?: boolean;
  /** An open file for what it writes, in place of the tail that `RunEnding` has. */
  output?: number;
  /** It outlives this process, and `kill` leaves alone what it has started. */
  isApart?: boolean;
};

/** How long the last messages and lines of a process may take to come in when it is gone, ms. */
const SETTLE_MS = 4000;

/** POSIX: a process leads a group, so that whatever it has started can be ended with it. */
const HAS_GROUPS = process.platform !== 'win32';

/**
 * Starts a Node process of this program, with a channel to it; `entry` speaks through serve.ts. It is reached by no Ctrl+C of a
 * terminal, and ends when this process does, unless it is apart.
 */
export function startProcess<In extends object, Out>(entry: URL, wishes: ProcessWishes<Out>): Started<In> {
  const { env, args = [], memoryMb, output, isCloned = false, isApart = false } = wishes;
  const child = fork(entry, [...args], {
    ...((env || isApart) && { env: { ...(env ?? process.env), ...(isApart && logPlace()) } }),
    execArgv: [...WITH_BUILT_PACKAGES, ...(memoryMb === undefined ? [] : [`--max-old-space-size=${memoryMb}`])],
    serialization: isCloned ? 'advanced' : 'json',
    detached: HAS_GROUPS || isApart,
    stdio: ['ignore', output ?? 'ignore', output ?? 'pipe', 'ipc'],
  });
  const tail = tailOf();
  child.stderr?.on('data', tail.add);

  function killGroup(): void {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // There is none any more.
    }
  }
  const kill = (): void => {
    if (HAS_GROUPS && !isApart && child.pid !== undefined) killGroup();
    child.kill('SIGKILL');
  };
  const run = supervise(basename(entry.pathname, '.ts'), wishes, { kill, last: tail.text });

  child.on('message', run.received);
  // It is also told for each message that did not reach a process which has just ended; that end is told by itself.
  child.on('error', (error) => {
    if (child.pid === undefined) run.gone({ why: 'unstarted', status: null, signal: null, error });
  });
  child.once('exit', async (status, signal) => {
    if (HAS_GROUPS && !isApart) killGroup();
    // Its last words may still be on their way when the process is gone.
    const { stderr } = child;
    const words = [child.connected && once(child, 'disconnect'), stderr && !stderr.closed && once(stderr, 'close')];
    await Promise.race([Promise.all(words), new Promise((done) => setTimeout(done, SETTLE_MS).unref())]);
    run.gone({ why: 'ended', status, signal });
  });
  return {
    pid: child.pid,
    ended: run.ended,
    send(message) {
      if (child.connected) child.send(message, () => undefined);
    },
    hold(isHeld) {
      if (isHeld) child.ref();
      else child.unref();
      if (isHeld) child.channel?.ref();
      else child.channel?.unref();
    },
    kill: run.kill,
  };
}
