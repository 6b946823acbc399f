import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { homeOf } from './home.ts';
import { isolate } from './isolation.ts';
import {
  failed,
  type Program,
  START_MS,
  type StagePlace,
  type StartedOnStage,
  serverEnded,
  serverLate,
  withLog,
} from './place.ts';

/** The place of programs on a system without cages: a home and, where it can be, no network; else they are as free as the person. */
export function openUncaged(id: string, { network, keep }: { network: boolean; keep: boolean }): StagePlace {
  const isolation = isolate(id, network);
  const start = ({ command, args, env, log }: Program, prefix: readonly string[], extra?: 'pipe'): ChildProcess => {
    // Last, because a change of rights takes the wish to end with this process away.
    const own = keep ? [] : ['setpriv', '--pdeathsig', 'KILL'];
    const [program = command, ...rest] = [...prefix, ...own, command, ...args];
    return withLog(id, log, (out) => {
      const child = spawn(program, rest, {
        cwd: homeOf(id),
        env,
        detached: true,
        stdio: ['ignore', out, out, ...(extra ? [extra] : [])],
      });
      child.on('error', () => undefined); // Seen by what waits for it.
      child.unref();
      return child;
    });
  };
  return {
    caged: false,
    pid: null,
    home: isolation.home,
    notes: isolation.notes,
    startServer: async ({ env, args }) => {
      const all = [...args, '-displayfd', '3'];
      return displayOf(id, start({ command: 'Xvfb', args: all, env, log: 'Xvfb' }, [], 'pipe'));
    },
    run: (program) => runningOf(start(program, isolation.prefix)),
  };
}

/** Resolves with the display's name. The server chooses a free number itself. */
async function displayOf(id: string, server: ChildProcess): Promise<string> {
  const answer = server.stdio[3] as Readable; // Opened as a pipe above.
  const number = await new Promise<string>((done, fail) => {
    let said = '';
    const timer = setTimeout(() => fail(serverLate()), START_MS);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      act();
    };
    answer.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1');
      if (said.includes('\n')) settle(() => done(said.trim()));
    });
    server.once('exit', () => settle(() => fail(serverEnded(id))));
    server.once('error', (error) => settle(() => fail(failed(`Xvfb could not be started: ${error.message}`))));
  });
  answer.destroy();
  return `:${number}`;
}

function runningOf(child: ChildProcess): StartedOnStage {
  let how: string | null = null;
  let over = false;
  // One that ends well may have handed its window over to another process.
  child.once('exit', (status, signal) => {
    over = true;
    if (status !== 0) how = signal === null ? `status ${status}` : `signal ${signal}`;
  });
  child.once('error', (error) => {
    over = true;
    how = error.message;
  });
  return { failed: () => how, ended: () => over };
}
