import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The plain files of a stage's home, by path, with a mark that another content changes. */
export type HomeFiles = ReadonlyMap<string, string>;

/** A program may fill its home: no more than these are looked at. */
const MOST_FILES = 5000;
const DEEPEST = 12;
/** More are not kept as what a play wrote. */
const MOST_WRITTEN = 200;

/** Settings and caches, which programs write by themselves, begin with a dot; links are not followed. */
export function homeFiles(home: string): HomeFiles {
  const found = new Map<string, string>();
  const look = (folder: string, depth: number): void => {
    for (const entry of entriesOf(join(home, folder))) {
      if (found.size >= MOST_FILES || entry.name.startsWith('.')) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && depth < DEEPEST) look(path, depth + 1);
      else if (entry.isFile()) found.set(path, markOf(join(home, path)));
    }
  };
  look('', 0);
  return found;
}

/** The files made or changed between the two looks, by name. null: nobody looked. */
export function writtenSince(before: HomeFiles | null, now: HomeFiles | null): string[] {
  if (!before || !now) return [];
  return [...now]
    .filter(([path, mark]) => before.get(path) !== mark)
    .map(([path]) => path)
    .sort()
    .slice(0, MOST_WRITTEN);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Gone since, or closed by its program.
  }
}

function markOf(file: string): string {
  try {
    const { size, mtimeMs, ino } = lstatSync(file);
    return `${size} ${mtimeMs} ${ino}`;
  } catch {
    return 'gone';
  }
}
