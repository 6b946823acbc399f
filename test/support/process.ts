import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { until } from './until.ts';

/** Child processes of the tests: output kept, an end that can be awaited, and none left behind. */

export type Started = {
  pid: number;
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when it has ended and its output is read to the end. Never rejects. */
  exited: Promise<Exit>;
  /** The end, once it came. */
  exit(): Exit | null;
  /** SIGTERM, then SIGKILL after `graceMs`. Resolves when it is gone; does nothing when it already is. */
  stop(graceMs?: number): Promise<Exit>;
};
export type Exit = { status: number | null; signal: NodeJS.Signals | null };

export type StartOptions = {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  stdin?: string;
  /** Its own process group, so that a terminal's Ctrl+C or a group kill does not reach it. */
  detached?: boolean;
};

const living = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

/** Listeners that grow, of which Node warns: a defect that no assertion sees. */
const WARNING = /^\(node:\d+\) MaxListenersExceededWarning: .*$/m;

/** Throws when a program of ours was warned by Node. */
export function mustNotWarn({ stderr }: Pick<Started, 'stderr'>): void {
  const [warning] = WARNING.exec(stderr()) ?? [];
  if (warning !== undefined) throw new Error(`Node warned: ${warning}`);
}

/** Starts a program. Throws when it cannot be started (not installed). */
export async function start(command: string, args: readonly string[], options: StartOptions = {}): Promise<Started> {
  const child = spawn(command, args, {
    env: options.env ?? process.env,
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: options.detached ?? false,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  let ended: Exit | null = null;
  const { promise: exited, resolve } = Promise.withResolvers<Exit>();
  child.on('close', (status, signal) => {
    living.delete(child);
    ended = { status, signal };
    resolve(ended);
  });
  await new Promise<void>((begun, failed) => {
    child.once('spawn', begun);
    child.once('error', (error) => failed(new Error(`${command} could not be started: ${error.message}`)));
  });
  living.add(child);
  if (options.stdin !== undefined) {
    // The program may end without reading its input; that is its exit status's business.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.stdin);
  }
  const started: Started = {
    // Set once 'spawn' was emitted.
    pid: child.pid as number,
    child,
    stdout: () => out,
    stderr: () => err,
    exited,
    exit: () => ended,
    async stop(graceMs = 5000) {
      if (ended) return ended;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      const exit = await exited;
      clearTimeout(timer);
      return exit;
    },
  };
  return started;
}

export type Ran = Exit & { stdout: string; stderr: string };

type RunOptions = StartOptions & { timeoutMs?: number };

/** Runs a program to its end, whatever its status; killed after `timeoutMs` (default 120 s). */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const started = await start(command, args, options);
  const timer = setTimeout(() => started.child.kill('SIGKILL'), options.timeoutMs ?? 120_000);
  const exit = await started.exited;
  clearTimeout(timer);
  return { ...exit, stdout: started.stdout(), stderr: started.stderr() };
}

/** Like `run`, but throws with the program's own words when its status is not 0. */
export async function must(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const ran = await run(command, args, options);
  if (ran.status !== 0) {
    const end = ran.signal ? `signal ${ran.signal}` : `status ${ran.status}`;
    throw new Error(`${command} ${args.join(' ')} ended with ${end}: ${ran.stderr.trim() || ran.stdout.trim()}`);
  }
  return ran.stdout;
}

export type ProcessInfo = { pid: number; parent: number; state: string; command: string; ticks: number };

/**
 * One process from /proc; null when it is gone or a zombie. `ticks`: user and system time in clock ticks, with that of its
 * children that have ended, so that a sum over a tree loses nothing when one of them ends.
 */
export function processInfo(pid: number): ProcessInfo | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces and brackets itself: fields start after the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0] ?? '';
    if (state === 'Z' || state === 'X') return null;
    const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    return { pid, parent: Number(fields[1]), state, command, ticks };
  } catch {
    return null;
  }
}

/** `pid` and all its living descendants, parents before children. */
export function processTree(pid: number): ProcessInfo[] {
  const all = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processInfo(Number(name)))
    .filter((info) => info !== null);
  const tree: ProcessInfo[] = all.filter((info) => info.pid === pid);
  for (let i = 0; i < tree.length; i++) tree.push(...all.filter((info) => info.parent === tree[i]?.pid));
  return tree;
}

/** The descendants of `pid` whose command line holds `part`. */
export const descendants = (pid: number, part: string): ProcessInfo[] =>
  processTree(pid).filter((info) => info.pid !== pid && info.command.includes(part));

/**
 * Counts from now on how long the threads of a process want to run and get no turn, because the machine has other work (the
 * second number of schedstat, Linux). The function that it gives waits until the first thread has just had its turn, since a
 * wait is counted only when it ends, and says for the two that waited longest how long that was together, µs: as much later
 * than on an idle machine may something be written that one of them hears and the other one writes.
 */
export function watchWaiting(pid: number): () => Promise<number> {
  const threads = (): Map<string, { waitedNs: number; turns: number }> =>
    new Map(
      fs.readdirSync(`/proc/${pid}/task`).flatMap((tid) => {
        try {
          const [, waitedNs, turns] = fs
            .readFileSync(`/proc/${pid}/task/${tid}/schedstat`, 'utf8')
            .split(' ')
            .map(Number);
          return [[tid, { waitedNs: waitedNs ?? 0, turns: turns ?? 0 }] as const];
        } catch {
          return []; // It ended meanwhile.
        }
      }),
    );
  const before = threads();
  return async () => {
    const turns = (): number => threads().get(String(pid))?.turns ?? 0;
    const now = turns();
    await until('a turn of the process', () => turns() > now, { everyMs: 1 });
    const waits = [...threads()].map(([tid, { waitedNs }]) => waitedNs - (before.get(tid)?.waitedNs ?? 0));
    const [first = 0, second = 0] = waits.toSorted((a, b) => b - a);
    return Math.round((first + second) / 1000);
  };
}
