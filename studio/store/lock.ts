import { randomUUID } from 'node:crypto';
import type Sqlite from 'better-sqlite3';
import { StudioError } from '../../schemas/errors.ts';
import { describeHolder, type Holder, isAlive, parseHolder } from '../files/process-id.ts';
import { lockedError, translate } from './errors.ts';

/** Held by the one process that may record into a workspace. */
export type RecorderLock = {
  /** Makes another process of this machine the holder: the lock then lives exactly as long as that process. */
  handOver(pid: number): void;
  /** Gives it back; a second call, or one after the lock was lost, does nothing. */
  release(): void;
};

type LockedDatabase = {
  sqlite: Sqlite.Database;
  file: string;
  /** Throws where a newer program has changed the database. */
  refuseNewer(): void;
};

const NAME = 'recorder';
/** How long the process stands still for another program's lock, ms; who can wait longer does so by `whileBusy`. */
const BUSY_AT_ONCE_MS = 50;

/**
 * Takes the workspace's recorder lock, over from a holder that no longer runs (its pid dead, or used again by a process
 * that started at another time). One transaction looks and takes, so of two that try at once, one gets it.
 * Throws WORKSPACE_BUSY with the holder's pid, or, for `whileBusy`, when the database is locked just now.
 */
export function lockRecorder({ sqlite, file, refuseNewer }: LockedDatabase, pid: number = process.pid): RecorderLock {
  const token = randomUUID();
  const read = sqlite.prepare('select holder from locks where name = ?').pluck();
  const write = sqlite.prepare(
    'insert into locks (name, holder) values (?, ?) on conflict (name) do update set holder = excluded.holder',
  );
  const remove = sqlite.prepare('delete from locks where name = ?');
  const current = (): Holder | null => parseHolder(read.get(NAME));

  const take = sqlite.transaction((): void => {
    refuseNewer();
    const holder = current();
    if (holder && isAlive(holder)) throw busy(file, holder);
    write.run(NAME, JSON.stringify(describeHolder(token, pid)));
  });
  atOnce(sqlite, file, () => take.immediate());

  const ifMine = (work: () => void): void => {
    const change = sqlite.transaction(() => {
      refuseNewer();
      if (current()?.token === token) work();
    });
    atOnce(sqlite, file, () => change.immediate());
  };
  return {
    // Under a token of its own: this process can then no longer give it back.
    handOver: (to) => ifMine(() => write.run(NAME, JSON.stringify(describeHolder(randomUUID(), to)))),
    release: () => ifMine(() => remove.run(NAME)),
  };
}

/**
 * A transaction in one piece, on the connection that the studio's others use too. Inside one of those it would stand and fall
 * with it, so it is refused like another program's lock.
 */
function atOnce(sqlite: Sqlite.Database, file: string, work: () => void): void {
  if (sqlite.inTransaction) throw lockedError(file);
  sqlite.pragma(`busy_timeout = ${BUSY_AT_ONCE_MS}`);
  try {
    translate(file, work);
  } finally {
    sqlite.pragma('busy_timeout = 0');
  }
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
