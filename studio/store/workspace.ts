import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';
import { findFolder } from '../files/inside.ts';
import { closeToOthers } from '../files/private.ts';
import { createDatabase, openDatabase } from './database.ts';
import { BUSY_MS, storeError, translate } from './errors.ts';
import { type ExportNote, noteExport } from './exports.ts';
import { lockRecorder, type RecorderLock, recorderPid } from './lock.ts';
import { MIGRATIONS } from './migrations/index.ts';
import {
  getRecording,
  indexRecording,
  listAll,
  listPlays,
  listRecordings,
  type RecordingEntry,
  resolveRecording,
  type SyncResult,
  syncIndex,
} from './recordings.ts';
import { addSoftware, findSoftware, listSoftware, type NewSoftware, type Software } from './software.ts';
import { Store } from './store.ts';
import { ensureTask, listTasks, type Task, taskById } from './tasks.ts';
import type { WorkQueue } from './work.ts';
import { DATABASE_FILE, ELSEWHERE_FILE, isElsewhere } from './workspace-file.ts';

/** An open workspace: a folder with studio.sqlite, recordings/ and exports/. */
export type Workspace = {
  /** Absolute paths. */
  dir: string;
  recordingsDir: string;
  exportsDir: string;
  /** Its database, for the functions of this room. */
  store: Store;
  /** Work for other processes; null where one process at a time works on it. */
  work: WorkQueue | null;

  listSoftware(): Promise<Software[]>;
  /** By id, name, prefix, alias or executable, in any case. Throws UNKNOWN_APP with the nearest. */
  findSoftware(query: string): Promise<Software>;
  /** Throws USAGE when taken. */
  addSoftware(entry: NewSoftware): Promise<Software>;

  listTasks(): Promise<(Task & { recordings: number })[]>;
  /** Throws UNKNOWN_TASK. */
  getTask(id: string): Promise<Task>;
  /** The task of this id, made when missing; without an id, the software's next free number. Throws USAGE. */
  ensureTask(wanted: { id?: string | undefined; software: Software; goal: string }): Promise<Task>;

  /** Makes the index follow recordings/. */
  syncIndex(): Promise<SyncResult>;
  /** Reads one folder (a path or a name inside recordings/) into the index. Throws BAD_FILE, FUTURE_VERSION. */
  indexRecording(folder: string): Promise<RecordingEntry>;
  /** The newest first, as the index has them; nothing is read anew. */
  indexedRecordings(): Promise<RecordingEntry[]>;
  /** Demonstrations, the newest first, after syncIndex. */
  listRecordings(): Promise<RecordingEntry[]>;
  /** Demonstrations and plays, the newest first, after syncIndex. */
  listAll(): Promise<RecordingEntry[]>;
  /** Plays, of one demonstration or of all, the newest first, after syncIndex. */
  listPlays(of?: string): Promise<RecordingEntry[]>;
  /** The one recording whose id starts so, after syncIndex. Throws UNKNOWN_RECORDING, AMBIGUOUS_ID. */
  resolveRecording(idPrefix: string): Promise<RecordingEntry>;
  /** The recording of exactly this id as the index has it; nothing is read anew. Throws UNKNOWN_RECORDING. */
  getRecording(id: string): Promise<RecordingEntry>;

  /** Notes what was exported where; gives the note's id. */
  noteExport(note: ExportNote): Promise<string>;

  /** The lock of store/lock.ts, asked for by `whileBusy`. Given back at close and at exit. */
  lockRecorder(): RecorderLock;
  /** The process that records into it now, or null. */
  recorderPid(): number | null;

  /** True once after another process has changed the database. */
  changedOutside(): boolean;
  close(): void;
};

const DATABASE_FILES = ['', '-wal', '-shm', '-journal'].map((suffix) => `${DATABASE_FILE}${suffix}`);
const RECORDINGS = 'recordings';
const EXPORTS = 'exports';
export type OpenOptions = {
  create: boolean;
  /** How long another program's lock is waited for while opening, with the whole process. Default: BUSY_MS. */
  busyMs?: number;
};

/** Made when they are needed; a workspace that lost its database may hold them too. */
const ATTACHMENTS = 'attachments';
const TRASH = 'trash';
const VERSIONS = 'versions';

/**
 * Opens a workspace; with `create`, makes one of a missing or empty folder, or of a folder that lost only its database.
 * Throws NOT_A_WORKSPACE, WORKSPACE_UNWRITABLE, WORKSPACE_DAMAGED, FUTURE_VERSION, WORKSPACE_BUSY, DISK_FULL;
 * what it made itself is gone then.
 */
export function openWorkspace(path: string, { create, busyMs = BUSY_MS }: OpenOptions): Workspace {
  const dir = resolve(path);
  const file = join(dir, DATABASE_FILE);
  if (isElsewhere(dir)) throw inPostgres(dir);
  const undo: (() => void)[] = [];
  try {
    if (!existsSync(file)) {
      if (!create) throw notAWorkspace(dir);
      createFolders(dir, undo);
      if (createDatabase(file)) undo.push(() => removeDatabase(file));
    }
    return open(dir, file, busyMs);
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw storeError(error, dir);
  }
}

function open(dir: string, file: string, busyMs: number): Workspace {
  // SQLite would open what it may not write, and fail at the first change only.
  for (const path of [dir, file]) accessSync(path, constants.W_OK);
  const database = openDatabase(file, MIGRATIONS, busyMs);
  const { sqlite } = database;
  const store = new Store(database.db);
  try {
    makeFolders(dir);
  } catch (error) {
    database.close();
    throw error;
  }
  const locks = new Set<RecorderLock>();
  // SQLite raises it on this connection when another one has committed.
  const dataVersion = (): unknown => translate(file, () => sqlite.pragma('data_version', { simple: true }));
  let seen = dataVersion();
  const releaseAll = (): void => {
    for (const lock of locks) {
      try {
        lock.release();
      } catch {
        // Held by nobody any more once this process has ended.
      }
    }
    locks.clear();
  };
  return workspaceOver(dir, store, {
    work: null,
    lockRecorder() {
      const lock = lockRecorder(database);
      if (locks.size === 0) process.once('exit', releaseAll);
      locks.add(lock);
      return lock;
    },
    recorderPid: () => recorderPid(sqlite),
    changedOutside() {
      const before = seen;
      seen = dataVersion();
      return seen !== before;
    },
    close() {
      process.off('exit', releaseAll);
      releaseAll();
      database.close();
    },
  });
}

/** The folders of a workspace that is there, closed to other users of this machine. */
export function makeFolders(dir: string): void {
  for (const name of [RECORDINGS, EXPORTS]) mkdirSync(join(dir, name), { recursive: true });
  closeToOthers(dir, [...DATABASE_FILES, RECORDINGS, EXPORTS, ATTACHMENTS, TRASH, VERSIONS]);
}

/** A workspace of this folder over a store; `engine`: what its engine does in a way of its own. */
export function workspaceOver(
  dir: string,
  store: Store,
  engine: Pick<Workspace, 'work' | 'lockRecorder' | 'recorderPid' | 'changedOutside' | 'close'>,
): Workspace {
  const recordingsDir = join(dir, RECORDINGS);
  const place = { store, root: recordingsDir };
  return {
    dir,
    recordingsDir,
    exportsDir: join(dir, EXPORTS),
    store,
    listSoftware: () => listSoftware(store),
    findSoftware: (query) => findSoftware(store, query),
    addSoftware: (entry) => addSoftware(store, entry),
    listTasks: () => listTasks(store),
    getTask: (id) => taskById(store, id),
    ensureTask: (wanted) => ensureTask(store, wanted),
    syncIndex: () => syncIndex(place),
    indexRecording: (folder) => indexRecording(place, nameInside(recordingsDir, folder)),
    indexedRecordings: () => listRecordings(place),
    listRecordings: async () => {
      await syncIndex(place);
      return listRecordings(place);
    },
    listAll: async () => {
      await syncIndex(place);
      return listAll(place);
    },
    listPlays: async (of) => {
      await syncIndex(place);
      return listPlays(place, of);
    },
    resolveRecording: async (idPrefix) => {
      await syncIndex(place);
      return resolveRecording(place, idPrefix);
    },
    getRecording: (id) => getRecording(place, id),
    noteExport: (note) => noteExport(store, note),
    ...engine,
  };
}

/** The name of a folder that is directly in `parent`, given as a path or as that name. */
function nameInside(parent: string, folder: string): string {
  const name = basename(folder);
  if (resolve(parent, folder) === join(parent, name) && findFolder(parent, name)) return name;
  throw new StudioError('BAD_FILE', `${folder} does not lie in ${parent}; copy it there first.`, { file: folder });
}

/** Makes the folder and its two sub-folders, and says in `undo` how to take back what was made here. */
function createFolders(dir: string, undo: (() => void)[]): void {
  if (existsSync(dir)) checkMayBecomeWorkspace(dir);
  for (const folder of [dir, join(dir, RECORDINGS), join(dir, EXPORTS)]) {
    const made = makeFolder(folder);
    if (made === undefined) continue;
    // The parents that were made on the way go too; a folder that another program has filled since stays.
    undo.push(() => removeEmpty(folder, made));
  }
}

/** mkdir -p; on a read-only file system Node says ENOENT for it, which would read as if the path were wrong. */
function makeFolder(folder: string): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true });
  } catch (error) {
    let parent = resolve(folder, '..');
    while (!existsSync(parent) && resolve(parent, '..') !== parent) parent = resolve(parent, '..');
    accessSync(parent, constants.W_OK);
    throw error;
  }
}

function removeEmpty(folder: string, highest: string): void {
  if (basename(folder) !== RECORDINGS && basename(folder) !== EXPORTS) {
    for (const name of listed(folder)) if (isLeftover(name)) rmSync(join(folder, name), { force: true });
  }
  for (let current = folder; ; current = resolve(current, '..')) {
    try {
      rmdirSync(current);
    } catch {
      return;
    }
    if (current === highest) return;
  }
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

/** Temporary files of a creation that was killed. */
const isLeftover = (name: string): boolean => name.startsWith(`${DATABASE_FILE}.new-`);

/**
 * The names that a workspace without its database may hold. Not a `-wal` or `-shm`: SQLite would mix them into the new
 * database.
 */
const isOurs = (name: string): boolean =>
  [RECORDINGS, EXPORTS, ATTACHMENTS, TRASH, VERSIONS].includes(name) || name.startsWith(`${DATABASE_FILE}.`);

function listed(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/** Recording and what else needs a database in the folder. */
const inPostgres = (dir: string): StudioError =>
  new StudioError(
    'USAGE',
    `The database of the workspace ${dir} is in PostgreSQL (${ELSEWHERE_FILE}), which this does not work with. Record into another folder, and bring the recording here as an archive.`,
    { dir },
  );

/** A folder that holds something else becomes no workspace. Throws NOT_A_WORKSPACE. */
export function refuseOtherFolder(dir: string): void {
  if (existsSync(dir)) checkMayBecomeWorkspace(dir);
}

/** An empty folder may; so may one that holds only folders of ours: it lost its database. */
function checkMayBecomeWorkspace(dir: string): void {
  if (!statSync(dir).isDirectory()) throw notAWorkspace(dir);
  const others = readdirSync(dir).filter((name) => !isOurs(name));
  if (others.length > 0) throw notAWorkspace(dir, others);
}

function notAWorkspace(dir: string, others: string[] = []): StudioError {
  const state = !existsSync(dir)
    ? `There is no folder ${dir}.`
    : `${dir} is not a workspace: it holds no ${DATABASE_FILE}${others.length > 0 ? `, but ${others.slice(0, 3).join(', ')}` : ''}.`;
  return new StudioError(
    'NOT_A_WORKSPACE',
    `${state} Give a workspace's folder, or make a new one in an empty or missing folder: \`npm run studio -- init --workspace DIR\`.`,
    { dir },
  );
}
