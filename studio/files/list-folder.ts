import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { type FolderList, MOST_LISTED } from '../../schemas/api/folders.ts';
import { StudioError, whyNot } from '../../schemas/errors.ts';

/** Entries that are looked at, whatever the folder holds: some 0.2 s. */
const MOST_LOOKED = 200_000;
/** Links that are followed to see what they lead to. */
const MOST_LINKS = 2000;
/** Entries that are read at once. */
const AT_ONCE = 512;

type Entry = FolderList['entries'][number];
type Wanted = {
  /** The beginning of the names, in any case; a dot first shows hidden ones. */
  starts: string;
  /** Ends of the names of files (`.tar`), in small letters; none: folders alone. */
  endings: readonly string[];
  /** Default: as the house sets it; smaller in tests. */
  mostLooked?: number;
};

/**
 * The entries of a folder, which is named from the root on; nothing is opened but the folder itself. Links count as what they lead
 * to, and those that lead nowhere are left out. Throws UNKNOWN_FILE, BAD_FILE or NO_PERMISSION with what to do.
 */
export async function listFolder(dir: string, wanted: Wanted): Promise<FolderList> {
  const { starts, endings, mostLooked = MOST_LOOKED } = wanted;
  const begins = starts.toLowerCase();
  const withHidden = starts.startsWith('.');
  let first: Entry[] = [];
  let [fitting, hidden, untypable, looked, links] = [0, 0, 0, 0, 0];
  let whole = true;
  try {
    // Closed by the loop, also where it is left.
    for await (const found of await opendir(dir, { bufferSize: AT_ONCE })) {
      looked += 1;
      if (looked > mostLooked) {
        whole = false;
        break;
      }
      const { name } = found;
      if (!name.toLowerCase().startsWith(begins)) continue;
      const isFile = endings.some((ending) => name.toLowerCase().endsWith(ending));
      // Most of a folder of files goes here, before anything is asked of the disk.
      if (found.isFile() && !isFile) continue;
      if (found.isSymbolicLink()) {
        links += 1;
        if (links > MOST_LINKS) {
          whole = false;
          continue;
        }
      }
      const kind = await kindOf(dir, found);
      if (kind === null || (kind === 'file' && !isFile)) continue;
      if (name.startsWith('.') && !withHidden) hidden += 1;
      else if (!isTypable(name)) untypable += 1;
      else {
        fitting += 1;
        first.push({ name, kind, link: found.isSymbolicLink() });
        // Now and then, so that others are let in between.
        if (first.length === 2 * MOST_LISTED) first = inOrder(first);
      }
    }
  } catch (error) {
    throw unreadable(dir, error);
  }
  const parent = dirname(dir);
  return {
    dir: closed(dir),
    parent: parent === dir ? null : closed(parent),
    home: closed(homedir()),
    entries: inOrder(first),
    fitting,
    whole,
    hidden,
    untypable,
  };
}

/** The folder itself where it can be listed, else the nearest one above that is a folder; the root at last. */
export async function nearestFolder(dir: string): Promise<string> {
  const isFolder = await stat(dir).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const parent = dirname(dir);
  return isFolder || parent === dir ? dir : nearestFolder(parent);
}

const closed = (dir: string): string => (dir.endsWith(sep) ? dir : dir + sep);

/** The kind of an entry, or of what its link leads to; null for what is neither a folder nor a file, and for a link that leads nowhere. */
async function kindOf(dir: string, found: Dirent): Promise<Entry['kind'] | null> {
  const what = found.isSymbolicLink() ? await stat(join(dir, found.name)).catch(() => null) : found;
  if (what === null) return null;
  return what.isDirectory() ? 'folder' : what.isFile() ? 'file' : null;
}

/** Fields of a page drop line ends, and paths are read without spaces around them. U+FFFD stands for bytes that are no letter. */
const isTypable = (name: string): boolean => name === name.trim() && !/[\p{Cc}\uFFFD]/u.test(name);

const IN_ORDER = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const inOrder = (entries: readonly Entry[]): Entry[] => entries.toSorted(byKindAndName).slice(0, MOST_LISTED);
const byKindAndName = (a: Entry, b: Entry): number =>
  a.kind === b.kind ? IN_ORDER.compare(a.name, b.name) || (a.name < b.name ? -1 : 1) : a.kind === 'folder' ? -1 : 1;

function unreadable(dir: string, error: unknown): StudioError {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  const details = { dir };
  if (code === 'ENOENT') {
    return new StudioError(
      'UNKNOWN_FILE',
      `There is no folder ${dir}. Check how it is written, or choose another one.`,
      details,
    );
  }
  if (code === 'EACCES' || code === 'EPERM') {
    const message = `This user may not look into ${dir}. Choose another folder, or give yourself the permission to read it.`;
    return new StudioError('NO_PERMISSION', message, details);
  }
  return new StudioError('BAD_FILE', `${dir} cannot be listed: ${whyNot(error)}. Choose another folder.`, details);
}
