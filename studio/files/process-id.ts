import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, told apart from a later one of the same pid, from those of other machines and of other containers. */
export type Holder = {
  /** The id of this one holding, so that a release never frees another's. */
  token: string;
  pid: number;
  /**
   * When the process started: the kernel's ticks since the machine's start (Linux), or ms since 1970; null where the system
   * does not tell.
   */
  started: string | null;
  /** The machine and, on Linux, its start: after a restart, or in a copied workspace, it is nobody's. */
  machine: string;
  /** The installation, which outlives a restart. Absent in what older versions wrote, as `space` is. */
  host?: string;
  /** The pid namespace: in another container the same pid is another process. */
  space?: string | null;
  since: string;
};

/** `unknown`: a process of another machine or container, of which a pid says nothing. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** The questions of this module to the operating system; tests play others. */
export type ProcessSystem = {
  platform: NodeJS.Platform;
  pid: number;
  hostname(): string;
  /** Null when it cannot be read. */
  readText(file: string): string | null;
  readLink(file: string): string | null;
  /** A program's output; null when it failed. */
  run(program: string, args: readonly string[]): string | null;
  /** The code of the error that `process.kill(pid, 0)` throws; null when it throws none. */
  probe(pid: number): string | null;
  now(): number;
  /** When this process started, ms since 1970. */
  startedAt: number;
};

/** A start is known to the second at best (`ps`), and a child's is noted by its parent a moment later, ms. */
const START_TOLERANCE_MS = 5000;

export function processIds(system: ProcessSystem) {
  const { platform } = system;
  const isLinux = platform === 'linux';

  const machine = (): string =>
    (isLinux ? system.readText('/proc/sys/kernel/random/boot_id')?.trim() : undefined) ?? system.hostname();
  const host = (): string => `${system.readText('/etc/machine-id')?.trim() ?? ''}/${system.hostname()}`;
  const space = (): string | null => (isLinux ? system.readLink('/proc/self/ns/pid') : null);

  /** Fields 3 and 22 of /proc/<pid>/stat; the name before them may hold spaces and brackets. */
  function stat(pid: number): { state: string; started: string } | null {
    const text = isLinux ? system.readText(`/proc/${pid}/stat`) : null;
    if (text === null) return null;
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '' };
  }

  /** When another process started, asked of the system where that is cheap enough for the few times that it matters. */
  function startOf(pid: number): string | null {
    if (isLinux) return stat(pid)?.started ?? null;
    const text =
      platform === 'win32'
        ? system.run('powershell.exe', [
            '-NoProfile',
            '-NonInteractive',
            '-Command',
            `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString('o')`,
          ])
        : system.run('ps', ['-o', 'lstart=', '-p', String(pid)]);
    if (!text?.trim()) return null;
    // `ps` is run in UTC and gives no zone.
    const ms = Date.parse(platform === 'win32' ? text.trim() : `${text.trim()} UTC`);
    return Number.isNaN(ms) ? null : String(ms);
  }

  function isSameStart(noted: string, found: string): boolean {
    if (isLinux) return noted === found;
    return Math.abs(Number(noted) - Number(found)) <= START_TOLERANCE_MS;
  }

  function runs(pid: number): boolean {
    // EPERM: it runs, under another user.
    const error = system.probe(pid);
    if (error !== null && error !== 'EPERM') return false;
    return stat(pid)?.state !== 'Z';
  }

  return {
    /** A running process of this machine: this one, or a child that was just started. */
    describeHolder(token: string, pid: number): Holder {
      const started = isLinux ? startOf(pid) : String(pid === system.pid ? system.startedAt : system.now());
      const since = new Date(system.now()).toISOString();
      return { token, pid, started, machine: machine(), host: host(), space: space(), since };
    },

    livenessOf(holder: Holder): Liveness {
      if (holder.machine !== machine()) {
        // The same installation after a restart: none of its processes is left.
        return isLinux && holder.host !== undefined && holder.host === host() ? 'dead' : 'unknown';
      }
      if (holder.space !== undefined && holder.space !== space()) return 'unknown';
      if (!runs(holder.pid)) return 'dead';
      if (holder.started === null) return 'alive';
      const found = startOf(holder.pid);
      return found === null || isSameStart(holder.started, found) ? 'alive' : 'dead';
    },

    /** True when it ended while this machine went on running. */
    endedHere(holder: Holder): boolean {
      const isHere = holder.machine === machine() && (holder.space === undefined || holder.space === space());
      return isHere && this.livenessOf(holder) === 'dead';
    },

    /** True when a process of this pid runs here whose arguments hold all of `words`, or hides them. */
    runsWith(pid: number, words: readonly string[]): boolean {
      if (!runs(pid)) return false;
      const line = isLinux ? system.readText(`/proc/${pid}/cmdline`) : null;
      return line === null || line === '' || words.every((word) => line.includes(word));
    },
  };
}

/** Null for what is no holder. */
export function parseHolder(text: unknown): Holder | null {
  if (typeof text !== 'string') return null;
  try {
    const value: unknown = JSON.parse(text);
    const isHolder =
      typeof value === 'object' &&
      value !== null &&
      Number.isInteger(Reflect.get(value, 'pid')) &&
      Number(Reflect.get(value, 'pid')) > 0 &&
      typeof Reflect.get(value, 'machine') === 'string';
    return isHolder ? (value as Holder) : null; // Written by `describeHolder`; what is judged by was looked at.
  } catch {
    return null;
  }
}

const quietly = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch {
    return null;
  }
};

const HERE: ProcessSystem = {
  platform: process.platform,
  pid: process.pid,
  hostname,
  readText: (file) => quietly(() => readFileSync(file, 'latin1')),
  readLink: (file) => quietly(() => readlinkSync(file)),
  run: (program, args) =>
    quietly(() =>
      execFileSync(program, [...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 10_000,
        windowsHide: true,
        env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      }),
    ),
  probe(pid) {
    try {
      process.kill(pid, 0);
      return null;
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : 'ESRCH';
    }
  },
  now: Date.now,
  startedAt: Math.round(performance.timeOrigin),
};

const here = processIds(HERE);
export const { describeHolder, livenessOf, runsWith } = here;
export const endedHere = (holder: Holder): boolean => here.endedHere(holder);

/** Nobody is kept waiting for what cannot be judged from here (another machine's, another container's). */
export const isAlive = (holder: Holder): boolean => livenessOf(holder) === 'alive';
