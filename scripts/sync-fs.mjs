import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

/**
 * Where studio waits for the disk with everything else: uses of Node's synchronous functions of files. Those of studio/files are
 * the seam, which looks and opens in one step; all others keep a server's one thread from other people's requests.
 *
 *     node scripts/sync-fs.mjs          how many each room of studio has
 *     node scripts/sync-fs.mjs api      each of this room, with file and line
 */

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Every use in studio, of neither a test nor a help for tests: `room`, `file` below studio, `line`, `name` of the function. */
export function syncUses(root = ROOT) {
  const studio = join(root, 'studio');
  return readdirSync(studio, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|-for-tests\.ts$/.test(file))
    .sort()
    .flatMap((file) => {
      const uses = syncUsesIn(file, readFileSync(join(studio, file), 'utf8'));
      return uses.map((use) => ({ room: file.split('/')[0], file, ...use }));
    });
}

/** The uses in a source text: of names that it takes from node:fs, however they are called there, and of the whole module's. */
export function syncUsesIn(file, source) {
  if (!/from 'node:fs'/.test(source)) return [];
  const { program } = parseSync(file, source);
  const named = new Map();
  const whole = new Set();
  for (const node of program.body) {
    if (node.type !== 'ImportDeclaration' || node.source.value !== 'node:fs') continue;
    for (const one of node.specifiers) {
      if (one.type !== 'ImportSpecifier') whole.add(one.local.name);
      else if (one.imported.name.endsWith('Sync')) named.set(one.local.name, one.imported.name);
    }
  }
  const found = [];
  const add = (node, name) => found.push({ line: source.slice(0, node.start).split('\n').length, name });
  walk(program, (node, parent) => {
    const isProperty = parent?.type === 'MemberExpression' && parent.property === node && !parent.computed;
    if (node.type === 'Identifier' && named.has(node.name) && !isProperty) add(node, named.get(node.name));
    else if (node.type === 'MemberExpression' && whole.has(node.object.name) && /Sync$/.test(node.property.name ?? ''))
      add(node, node.property.name);
  });
  return found;
}

function walk(node, look, parent = null) {
  if (Array.isArray(node)) {
    for (const one of node) walk(one, look, parent);
    return;
  }
  if (node === null || typeof node !== 'object') return;
  if (typeof node.type === 'string') {
    if (node.type === 'ImportDeclaration') return;
    look(node, parent);
  }
  for (const value of Object.values(node)) walk(value, look, typeof node.type === 'string' ? node : parent);
}

/** `[room, count]` of all but studio/files, the most first. */
export function outsideTheSeam(uses) {
  const rooms = new Map();
  for (const { room } of uses) if (room !== 'files') rooms.set(room, (rooms.get(room) ?? 0) + 1);
  return [...rooms].sort(([, a], [, b]) => b - a);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const uses = syncUses();
  const [wanted] = process.argv.slice(2);
  if (wanted) {
    for (const { room, file, line, name } of uses)
      if (room === wanted) process.stdout.write(`studio/${file}:${line} ${name}\n`);
  } else {
    const rooms = outsideTheSeam(uses);
    for (const [room, count] of rooms) process.stdout.write(`${String(count).padStart(5)}  studio/${room}\n`);
    const sum = rooms.reduce((total, [, count]) => total + count, 0);
    process.stdout.write(`${String(sum).padStart(5)}  outside studio/files, which has ${uses.length - sum}\n`);
  }
}
