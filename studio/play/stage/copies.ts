import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import { type HomeCopy, type HomeEntry, homeCopySchema, homeEntrySchema } from '../../../schemas/home-copy.ts';
import { openIn, readIn } from '../../files/inside.ts';
import { partsInside } from '../../files/names.ts';
import { homeOf, startOfProcess, thisProcess } from './home.ts';
import { identityOf, writeSeen } from './seen.ts';

/** The copies of homes that a workspace keeps, each in a folder of its own until somebody removes it. */

export const COPY_FILE = 'copy.json';
export const ENTRIES_FILE = 'entries.jsonl';
/** The files themselves; links and rights are in the entries alone. */
export const FILES = 'files';

const ID = /^[0-9a-f]{12}$/;
/** Half a copy, or one that is being removed, says in its name whose it is. */
const HALF = /^\.half-[0-9a-f]{12}-(\d+)-(\d*)$/;
const MOST_ENTRIES_BYTES = 128 << 20;

/** Where a workspace keeps them. */
export const copiesOf = (workspace: string): string => join(workspace, 'home-copies');

export const homeCopyFolder = (root: string, id: string): string => join(root, id);

export const nameInMaking = (id: string): string => `.half-${id}-${thisProcess().pid}-${thisProcess().started}`;

/** Makes the folder of copies, and removes from it what processes left half that are gone. */
export function makeRoot(root: string): void {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(root)) {
    const [, pid, started] = HALF.exec(name) ?? [];
    if (pid === undefined || startOfProcess(Number(pid)) === started) continue;
    rmSync(join(root, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The newest first; what is no copy is passed over. */
export function listCopies(root: string): HomeCopy[] {
  let names: string[];
  try {
    names = readdirSync(root).filter((name) => ID.test(name));
  } catch {
    return []; // There never was one.
  }
  return names
    .flatMap((name) => {
      try {
        return [readCopy(root, name)];
      } catch {
        return []; // Being removed, or of a newer version, which `findCopy` says.
      }
    })
    .sort((a, b) => b.at.localeCompare(a.at));
}

/** A copy by its id or the beginning of it. Throws USAGE when it is none or not one alone, BAD_FILE, FUTURE_VERSION. */
export function findCopy(root: string, id: string): HomeCopy {
  makeRoot(root);
  const found = readdirSync(root).filter((name) => ID.test(name) && name.startsWith(id));
  const [name, more] = found;
  if (name !== undefined && more === undefined) return readCopy(root, name);
  throw new StudioError(
    'USAGE',
    `${found.length === 0 ? 'No' : 'More than one'} copy of a home is called “${id.slice(0, 40)}”. \`stage copies\` shows them.`,
    { id },
  );
}

function readCopy(root: string, name: string): HomeCopy {
  const folder = homeCopyFolder(root, name);
  const data = readJson(readIn(folder, COPY_FILE).toString('utf8'), join(folder, COPY_FILE));
  const version = typeof data === 'object' && data !== null && 'version' in data ? Number(data.version) : 0;
  if (version > 1) {
    const message = `The copy ${name} of a home was made by a newer version of this program. Update it, then try again.`;
    throw new StudioError('FUTURE_VERSION', message, { file: folder, version });
  }
  const read = homeCopySchema.safeParse(data);
  if (read.success && read.data.id === name) return read.data;
  throw damaged(join(folder, COPY_FILE), 'it is not as this program writes it');
}

function readJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(file, whyNot(error));
  }
}

const damaged = (file: string, why: string): StudioError =>
  new StudioError(
    'BAD_FILE',
    `${file} cannot be read: ${why}. Put it back, or remove the copy (\`stage remove-copy\`).`,
    {
      file,
    },
  );

/** Removes a copy; the files that other copies have too stay theirs. */
export function removeCopy(root: string, id: string): void {
  makeRoot(root);
  const half = join(root, nameInMaking(id));
  // From here on it is none any more, whenever this is killed.
  renameSync(homeCopyFolder(root, id), half);
  rmSync(half, { recursive: true, force: true, maxRetries: 5 });
}

/** Fills the empty home of a new stage with a copy. Throws BAD_FILE. */
export async function fillHome(stage: string, root: string, id: string): Promise<void> {
  const copy = homeCopyFolder(root, id);
  const home = homeOf(stage);
  const seen = new Map<string, string>();
  const folders: (HomeEntry & { kind: 'folder' })[] = [];
  const made = new Set<string>(['.']);
  for (const entry of entriesOf(copy)) {
    // What is put into a folder is in one of the home's own, not in one that a link leads to.
    if (!made.has(dirname(entry.path)))
      throw damaged(join(copy, ENTRIES_FILE), `“${entry.path.slice(0, 200)}” is in no folder`);
    const target = join(home, ...partsInside(entry.path));
    if (entry.kind === 'folder') {
      // Some are in every home.
      if (!lstatSync(target, { throwIfNoEntry: false })?.isDirectory()) mkdirSync(target, { mode: 0o700 });
      folders.push(entry);
      made.add(entry.path);
    } else if (entry.kind === 'link') symlinkSync(entry.to, target);
    else seen.set(entry.path, await putFile(copy, entry, target));
  }
  // Their rights and times at last: what was put into them changed both.
  for (const { path, mode, changed } of folders.reverse()) {
    utimesSync(join(home, path), changed / 1000, changed / 1000);
    chmodSync(join(home, path), mode);
  }
  writeSeen(stage, { root, copy: id, files: seen });
}

async function putFile(copy: string, { path, mode, changed }: HomeEntry, target: string): Promise<string> {
  const opened = openIn(join(copy, FILES), path);
  try {
    // Never the copy's own file: programs write into it.
    await copyFile(`/proc/self/fd/${opened}`, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  } finally {
    closeSync(opened);
  }
  chmodSync(target, mode);
  utimesSync(target, changed / 1000, changed / 1000);
  return identityOf(lstatSync(target, { bigint: true }));
}

function* entriesOf(copy: string): Generator<HomeEntry> {
  const file = join(copy, ENTRIES_FILE);
  for (const line of readIn(copy, ENTRIES_FILE, MOST_ENTRIES_BYTES).toString('utf8').split('\n')) {
    if (line === '') continue;
    const read = homeEntrySchema.safeParse(readJson(line, file));
    if (!read.success) throw damaged(file, 'a line of it is not as this program writes it');
    yield read.data;
  }
}
