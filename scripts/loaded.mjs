import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { namedIn } from './imports.mjs';

/** Read once: many entries load the same files. */
const known = new Map();

/** Modules that a file of the tree at `root` imports before any of its code runs: no types, and none of an `import()`. */
export function importedFirst(root, file) {
  const place = join(root, file);
  const before = known.get(place);
  if (before) return before;
  const imported = namedIn(file, readFileSync(place, 'utf8'))
    .imports.filter(({ typeOnly, lazy }) => !typeOnly && !lazy)
    .map(({ to }) => to);
  known.set(place, imported);
  return imported;
}

/** All that a file loads in this way: our own files, itself among them, and the names of packages. */
export function loadedBy(root, file) {
  const files = new Set();
  const packages = new Set();
  const left = [file];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (files.has(next)) continue;
    files.add(next);
    for (const to of importedFirst(root, next)) {
      if (to.startsWith('.')) left.push(posix.join(posix.dirname(next), to));
      else if (!to.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to);
    }
  }
  return { files, packages };
}
