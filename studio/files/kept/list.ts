import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { type FarFile, KEPT_VERSION, type KeptFiles, keptFilesSchema } from '../../../schemas/kept-files.ts';
import { writeFileAtomic } from '../atomic.ts';
import { hasFile, statOf } from '../inside.ts';
import { readVersioned } from '../versioned.ts';

/** Which files of a folder are in another place (place.ts). Hidden, so that no import, export or archive carries it along. */
export const KEPT_LIST = '.kept.json';
const FORM = { schema: keptFilesSchema, newest: KEPT_VERSION, most: 64 << 20 };

type Known = { stamp: string; list: KeptFiles; byPath: ReadonlyMap<string, FarFile> };
const known = new LRUCache<string, Known>({ max: 2000 });

function read(folder: string): Known | null {
  const info = statOf(folder, KEPT_LIST);
  if (info === null) return null;
  const stamp = `${info.ino} ${info.mtimeMs} ${info.size}`;
  const before = known.get(folder);
  if (before?.stamp === stamp) return before;
  const list = readVersioned(folder, KEPT_LIST, FORM);
  const now = { stamp, list, byPath: new Map(list.files.map((file) => [file.path, file])) };
  known.set(folder, now);
  return now;
}

/** The whole list; null where all files of the folder are in it. Throws BAD_FILE, FUTURE_VERSION. */
export const keptList = (folder: string): KeptFiles | null => read(folder)?.list ?? null;

/** A file that is in the other place; null where it is not. Throws BAD_FILE, FUTURE_VERSION. */
export const keptFile = (folder: string, path: string): FarFile | null => read(folder)?.byPath.get(path) ?? null;

/** Whether a file is there, here or in the other place. Never throws: reading it says why. */
export function hasBytes(folder: string, path: string): boolean {
  if (hasFile(folder, path)) return true;
  try {
    return keptFile(folder, path) !== null;
  } catch {
    return false;
  }
}

/** It is on the disk when this returns. */
export function writeKept(folder: string, list: KeptFiles): void {
  writeFileAtomic(join(folder, KEPT_LIST), `${JSON.stringify(list)}\n`);
}
