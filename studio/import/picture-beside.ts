import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { safeParts } from '../files/names.ts';

/** A folder's levels that a picture's path may go down. */
const DEPTH = 6;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * A picture that a run's file names, in that file's folder or below it. Null when it is not there, or an address: nothing is fetched.
 * Throws what `bad` makes for a path that leaves the folder, and for links.
 */
export function pictureBeside(file: string, name: string, bad: (why: string) => Error): string | null {
  if (ADDRESS.test(name)) return null;
  let parts: string[];
  try {
    parts = safeParts(name.replace(/^\.\//, ''), { depth: DEPTH });
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/ Nothing was kept\.$/, '') : name;
    throw bad(`its picture ${why}`);
  }
  const folder = dirname(file);
  for (let depth = 1; depth <= parts.length; depth++) {
    const info = lstatSync(join(folder, ...parts.slice(0, depth)), { throwIfNoEntry: false });
    if (!info) return null;
    const wanted = depth === parts.length ? info.isFile() : info.isDirectory();
    if (!wanted)
      throw bad(`its picture "${name.slice(0, 200)}" is ${info.isSymbolicLink() ? 'a link' : 'no plain file'}`);
  }
  return join(folder, ...parts);
}
