import { join, relative } from 'node:path';
import { readBoundedIn } from '../../files/bounded.ts';
import { entriesBelow } from '../../files/inside.ts';
import type { Packed } from '../../files/packed.ts';

/** A folder as an archive: what it holds, without what is hidden in it. */

const MOST_ENTRIES = 50_000;
const MOST_FILE = 32_000_000;

/** `top`: only what lies in it directly. Folders' names end with /. Links are no files. Throws for a folder of too much. */
export function packedFolder(root: string, top: boolean): Packed {
  const names: string[] = [];
  let entries = 0;
  for (const entry of entriesBelow(root)) {
    if (++entries > MOST_ENTRIES) throw new Error(`it holds more than ${MOST_ENTRIES} files`);
    const name = relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
    const parts = name.split('/');
    if ((top && parts.length > 1) || parts.some((part) => part.startsWith('.'))) continue;
    if (entry.isDirectory()) names.push(`${name}/`);
    else if (entry.isFile()) names.push(name);
  }
  return { names, read: async (name) => readBoundedIn(root, name, MOST_FILE) };
}
