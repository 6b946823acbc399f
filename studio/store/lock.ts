import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type Sqlite from 'better-sqlite3';
import { StudioError } from '../../schemas/errors.ts';
import { translate } from './database.ts';

/** Held by the one process that may record into a workspace. */
export type RecorderLock = {
  /** Makes another process of this machine the holder: the lock then lives exactly as long as that process. */
  handOver(pid: number): void;
  /** Gives it back; a second call, or one after the lock was lost, does nothing. */
  release(): void;
};

/** A process of this machine, told apart from a later one of the same pid. */
type Holder = {
  /** Of this one locking, so that a release never frees another's. */
  token: string;
  pid: number;
  /** When the process started, in the kernel's ticks; null where /proc does not tell. */
  started: string | null;
  /** The machine and its start: after a restart, or in a copied workspace, the lock is nobody's. */
  machine: string;
  since: string;
};

const NAME = 'recorder';

/**
 * Takes the workspace's recorder lock, over from a holder that no longer runs (its pid dead, or used again by a process
 * that started at another time). One transaction looks and takes, so of two that try at once, one gets it.
 * Throws WORKSPACE_BUSY with the holder's pid.
 */
export function lockRecorder(sqlite: Sqlite.Database, file: string, pid: number = process.pid): RecorderLock {
  const token = randomUUID();
  const read = sqlite.prepare('select holder from locks where name = ?').pluck();
  const write = sqlite.prepare(
    'insert into locks (name, holder) values (?, ?) on conflict (name) do update set holder = excluded.holder',
  );
  const remove = sqlite.prepare('delete from locks where name = ?');
  const current = (): Holder | null => parseHolder(read.get(NAME));

  const take = sqlite.transaction((): void => {
    const holder = current();
    if (holder && isAlive(holder)) throw busy(file, holder);
    write.run(NAME, JSON.stringify(describeHolder(token, pid)));
  });
  translate(file, () => take.immediate());

  const ifMine = (work: () => void): void => {
    const change = sqlite.transaction(() => {
      if (current()?.token === token) work();
    });
    translate(file, () => change.immediate());
  };
  return {
    // Under a token of its own: this process can then no longer give it back.
    handOver: (to) => ifMine(() => write.run(NAME, JSON.stringify(describeHolder(randomUUID(), to)))),
    release: () => ifMine(() => remove.run(NAME)),
  };
}

/** The pid of the process that records into this workspace now, or null. */
export function recorderPid(sqlite: Sqlite.Database): number | null {
  const holder = parseHolder(sqlite.prepare('select holder from locks where name = ?').pluck().get(NAME));
  return holder && isAlive(holder) ? holder.pid : null;
}

function busy(file: string, holder: Holder): StudioError {
  return new StudioError(
    'WORKSPACE_BUSY',
    `Process ${holder.pid} has been recording into this workspace since ${holder.since}. Stop that recording first (its stop shortcut, or \`kill ${holder.pid}\`), or record into another workspace.`,
    { file, pid: holder.pid, since: holder.since },
  );
}

export const describeHolder = (token: string, pid: number): Holder => ({
  token,
  pid,
  started: startOf(pid),
  machine: machine(),
  since: new Date().toISOString(),
});

export function parseHolder(text: unknown): Holder | null {
  return typeof text === 'string' ? JSON.parse(text) : null; // Written by `describeHolder` alone.
}

export function isAlive(holder: Holder): boolean {
  if (holder.machine !== machine() || !runs(holder.pid)) return false;
  const started = startOf(holder.pid);
  return started === null || holder.started === null || started === holder.started;
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return stat(pid)?.state !== 'Z';
}

const startOf = (pid: number): string | null => stat(pid)?.started ?? null;

/** Fields 3 and 22 of /proc/<pid>/stat; the name before them may hold spaces and brackets. */
function stat(pid: number): { state: string; started: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '' };
  } catch {
    return null;
  }
}

function machine(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return hostname();
  }
}
