import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { StudioError } from '../../../schemas/errors.ts';
import { homePathSchema } from '../../../schemas/names.ts';
import type { Recipe } from '../../../schemas/play.ts';
import { readBoundedIn } from '../../files/bounded.ts';
import { copyFrom } from '../../files/inside.ts';
import { readPacked } from '../../files/packed.ts';
import { processesOf, stageFolderName } from './processes.ts';

/** Gives where one of the task's files is by its name: a path inside a folder; null where there is none. */
export type FileOf = (name: string) => { root: string; path: string } | null;

/** The folder of a stage: a home that nothing but its programs knows, removed with it. */

const PREFIX = stageFolderName('');
const STATE = 'stage.json';
/** Where the display of a cage has its socket. */
const SOCKETS = 'x11';
/** Holds how far the programs' clock is from the machine's (clock.ts); they may only read it. */
export const CLOCK_FOLDER = 'clock';

/** The owner of a stage: a process, with which it ends; or nobody, until `stage end`. */
const stageState = z.object({
  id: z.string().regex(/^[0-9a-f]{12}$/),
  /** Empty while it is being set up. */
  display: z.string().regex(/^(?::\d+)?$/),
  width: z.int().positive(),
  height: z.int().positive(),
  env: z.record(z.string(), z.string()),
  /** The process that set it up and its start time (ticks since boot); null: it is kept. */
  owner: z.object({ pid: z.int().positive(), started: z.string() }).nullable(),
  /** The task that it was set up for, and the folder of its workspace: other workspaces have tasks of the same id. */
  task: z.string().nullable(),
  workspace: z.string().nullable().default(null),
});
export type StageState = z.infer<typeof stageState>;

export const stageFolder = (id: string): string => join(tmpdir(), stageFolderName(id));
export const homeOf = (id: string): string => join(stageFolder(id), 'home');

export const socketOf = (id: string, number: number): string => join(stageFolder(id), SOCKETS, `X${number}`);

/**
 * A stage's folder that is being made or removed has its process in its name: a kill in between leaves a folder that says nothing
 * else, and is removed by whoever comes next.
 */
const UNDER_WAY = /^([0-9a-f]{12})\.([1-9]\d{0,9})-(\d{1,20})$/;
const underWay = (folder: string): string => {
  const { pid, started } = thisProcess();
  return `${folder}.${pid}-${started}`;
};

/** A new stage's folder with what it is; its parts are the person's alone. Throws what the file system throws. */
export function makeStageFolder(state: Omit<StageState, 'id' | 'display' | 'env'>): StageState {
  const id = randomBytes(6).toString('hex');
  const folder = underWay(stageFolder(id));
  const made: StageState = { ...state, id, display: '', env: {} };
  mkdirSync(folder, { mode: 0o700 });
  try {
    makeParts(folder);
    writeState(made, folder);
    renameSync(folder, stageFolder(id));
  } catch (error) {
    // A full disk: nothing of it stays.
    removeAll(folder);
    throw error;
  }
  return made;
}

function makeParts(folder: string): void {
  for (const part of [
    'home',
    'home/.config',
    'home/.cache',
    'home/.local/share',
    'home/.local/state',
    'run',
    'log',
    CLOCK_FOLDER,
  ]) {
    mkdirSync(join(folder, part), { recursive: true, mode: 0o700 });
  }
  mkdirSync(join(folder, SOCKETS));
  // As X servers want it. Nobody else comes into the folder above.
  chmodSync(join(folder, SOCKETS), 0o1777);
}

/** When a recipe's files say they were changed last: dialogs show that, and a play must look like its demonstration. */
const CHANGED = new Date('2020-01-01T12:00:00Z');

/**
 * Puts a recipe's files into the home. `fileOf` gives the path of one of the task's files, or null. Throws UNKNOWN_FILE, and
 * BAD_FILE for an archive that cannot be unpacked.
 */
export async function putFiles(id: string, recipe: Recipe, fileOf: FileOf): Promise<void> {
  for (const file of recipe.files) {
    // The schema has looked at it: a plain path without "..", and the home is new, so nothing in it leads elsewhere.
    const target = join(homeOf(id), file.to);
    if ('folder' in file) {
      mkdirSync(target, { recursive: true, mode: 0o700 });
      continue;
    }
    if ('text' in file) {
      putText(target, file.text);
      continue;
    }
    const from = fileOf(file.attachment);
    if (from === null) {
      throw new StudioError(
        'UNKNOWN_FILE',
        `The recipe wants the file “${file.attachment}”, which the task does not have. Attach it to the task, or change the recipe.`,
        { file: file.attachment },
      );
    }
    if ('unpack' in file) {
      await unpack(readBoundedIn(from.root, from.path, MOST_PACKED), target, file.attachment);
      continue;
    }
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    copyFrom(from.root, from.path, target);
    utimesSync(target, CHANGED, CHANGED);
  }
}

function putText(target: string, text: string | Buffer): void {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  writeFileSync(target, text, { mode: 0o600 });
  utimesSync(target, CHANGED, CHANGED);
}

/** The largest archive that is unpacked, bytes. */
const MOST_PACKED = 200_000_000;

/** Puts the plain files of an archive into a folder; its links and rights are left out. All names are looked at before the first file is made. */
async function unpack(bytes: Buffer, folder: string, name: string): Promise<void> {
  const bad = (why: string, cause?: unknown): StudioError =>
    new StudioError('BAD_FILE', `The archive “${name}” cannot be unpacked: ${why}.`, { file: name }, { cause });
  try {
    const archive = await readPacked(bytes);
    const outside = archive.names.find((one) => !homePathSchema.safeParse(one).success);
    if (outside !== undefined)
      throw bad(`it holds “${outside.slice(0, 100)}”, which is no plain path below its folder`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const one of archive.names) putText(join(folder, one), await archive.read(one));
  } catch (error) {
    if (error instanceof StudioError) throw error;
    throw bad(error instanceof Error ? error.message : String(error), error);
  }
}

export function writeState(state: StageState, folder = stageFolder(state.id)): void {
  writeFileSync(join(folder, STATE), JSON.stringify(state), { mode: 0o600 });
}

/**
 * This person's stages. Everybody may write into the temporary folder, so a folder that somebody else made, or whose state
 * names another stage, is none.
 */
export function listStages(): StageState[] {
  return readdirSync(tmpdir()).flatMap((name) => {
    if (!name.startsWith(PREFIX)) return [];
    const folder = join(tmpdir(), name);
    try {
      if (!isOwnFolder(folder)) return [];
      const state = stageState.parse(JSON.parse(readFileSync(join(folder, STATE), 'utf8')));
      return stageFolder(state.id) === folder ? [state] : [];
    } catch {
      return []; // Being removed.
    }
  });
}

/**
 * Removes a stage's folder, also folders in it that a program took the right to write from. What cannot be removed all the same
 * stays a stage, which the next sweep tries again. Gives why, in words; null when nothing is left.
 */
export function removeStageFolder(state: StageState, folder = stageFolder(state.id)): string | null {
  const going = underWay(folder);
  try {
    if (existsSync(folder)) renameSync(folder, going);
    removeAll(going);
    return null;
  } catch (error) {
    try {
      if (existsSync(going)) renameSync(going, folder);
      writeState(state, folder);
    } catch {
      // Its name says whose it was.
    }
    return `The folder of the stage cannot be removed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function removeAll(folder: string): void {
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    remove();
  } catch {
    allow(folder);
    remove();
  }
}

/** Removes this person's folders of stages that were being made or removed by a process that was killed. */
export function removeHalfStages(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, , pid, started] = UNDER_WAY.exec(name.startsWith(PREFIX) ? name.slice(PREFIX.length) : '') ?? [];
    if (pid === undefined || startOfProcess(Number(pid)) === started) continue;
    try {
      const folder = join(tmpdir(), name);
      if (isOwnFolder(folder)) removeAll(folder);
    } catch {
      // Somebody else removes it; otherwise it is tried again the next time.
    }
  }
}

function isOwnFolder(folder: string): boolean {
  const at = lstatSync(folder);
  return at.isDirectory() && at.uid === process.getuid?.();
}

/** Gives this person all rights to a folder and those in it. */
function allow(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) allow(join(folder, entry.name));
}

/** This process, so that one of the same number that comes later is not taken for it. */
export const thisProcess = (): { pid: number; started: string } => ({
  pid: process.pid,
  started: startOfProcess(process.pid) ?? '',
});

/** Whether whoever set a stage up is still there; true for a stage that is kept and has processes. */
export function isOwned({ id, owner }: StageState): boolean {
  if (owner === null) return processesOf(id).length > 0;
  return startOfProcess(owner.pid) === owner.started;
}

/** When a process began, in ticks since the machine's start; null when there is none. */
export function startOfProcess(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in brackets may hold blanks and brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
