import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { programsInside } from './processes.ts';

/**
 * Stops the programs of a stage for a moment, so that its files belong together: a database and its log are those of one moment.
 * A shell does it, which lets them go on when it is told to, and also when this process is killed: its input ends then.
 */

const HALT = 'kill -STOP "$@" 2>/dev/null; echo; read -r _; kill -CONT "$@" 2>/dev/null';
/** Programs may start others while they are being stopped. */
const ROUNDS = 4;
const STOPPED_MS = 1000;
const LOOK_MS = 5;

/** Gives how they go on; to be called whatever happens. A stage without a cage is not stopped: its programs cannot be told from others. */
export async function haltPrograms(id: string): Promise<() => Promise<void>> {
  const halted = new Set<number>();
  const goOn: (() => Promise<void>)[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const found = programsInside(id).filter((pid) => !halted.has(pid));
    if (found.length === 0) break;
    for (const pid of found) halted.add(pid);
    goOn.push(await halt(found));
    const until = performance.now() + STOPPED_MS;
    while (!found.every(isStopped) && performance.now() < until) await sleep(LOOK_MS);
  }
  return async () => void (await Promise.all(goOn.map((one) => one())));
}

async function halt(pids: readonly number[]): Promise<() => Promise<void>> {
  // In a group of its own: what stops this process at its terminal must not end the shell before it let them go on.
  const shell = spawn('sh', ['-c', HALT, 'sh', ...pids.map(String)], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const over = new Promise<void>((done) => {
    shell.once('exit', () => done());
    shell.once('error', () => done());
  });
  shell.stdin.on('error', () => undefined); // It has ended, which is all that is wanted.
  await Promise.race([new Promise((done) => shell.stdout.once('data', done)), over]);
  return () => {
    shell.stdin.end();
    return over;
  };
}

/** Also one that has ended meanwhile. */
function isStopped(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return /^[TtZX]$/.test(stat.charAt(stat.lastIndexOf(')') + 2));
  } catch {
    return true;
  }
}
