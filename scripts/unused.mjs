import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseSync } from 'vite';

/** Exports that nothing needs, so that code goes when its last user goes, and its tests with it. */

const SOURCES = '{schemas,core,native,studio,renderer,electron,test,scripts}/**/*.{ts,tsx,mjs}';
const TEST = /\.test\.tsx?$|-for-tests\.tsx?$|^test\//;
const FOR_TESTS = /-for-tests\.tsx?$|^test\/|^scripts\//;
/** Lists of examples beside the code that reads them, for its tests. */
const EXAMPLES = /^[A-Z]+_(?:FORMS|WORDS)$/;
/** Loaded by name from a configuration: Vite, Vitest and its reporters take the default export. */
const CONFIGURED = new Set([
  'renderer/vite.config.ts',
  'vitest.config.ts',
  'scripts/durations.mjs',
  'test/support/built-desktop.ts',
  'test/support/many-runs.ts',
]);

/**
 * The faults of the tree under `root`, a line each. A type may be exported for its own file alone: it names what a
 * function takes or gives.
 */
export function unusedExports(root) {
  const files = globSync([SOURCES, '*.{ts,mjs}'], { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  return unusedIn(new Map(files.sort().map((file) => [file, readFileSync(join(root, file), 'utf8')])));
}

/** The same for sources by file name. */
export function unusedIn(sources) {
  const modules = [...sources].map(([file, source]) => ({ file, source, ...namesIn(file, source) }));
  const importers = new Map();
  for (const { file, imports } of modules) {
    for (const { to, name } of imports) {
      if (!to.startsWith('.')) continue;
      for (const target of targetsOf(posix.normalize(posix.join(dirname(file), to)), sources)) {
        const key = `${target}#${name}`;
        importers.set(key, [...(importers.get(key) ?? []), file]);
      }
    }
  }
  return modules.flatMap(({ file, source, exports }) =>
    exports.flatMap(({ name, type }) => {
      const users = [...(importers.get(`${file}#${name}`) ?? []), ...(importers.get(`${file}#*`) ?? [])];
      if (CONFIGURED.has(file) || users.some((user) => FOR_TESTS.test(file) || !TEST.test(user))) return [];
      const used = source.match(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g')).length > 1;
      const tested = users.length > 0;
      if (used) return tested || type ? [] : [`${file}: ${name} is used in this file alone: do not export it`];
      if (tested && EXAMPLES.test(name)) return [];
      return [`${file}: ${name} is used ${tested ? 'by tests alone' : 'nowhere'}: remove it`];
    }),
  );
}

/** The file that is meant, or those of a pattern of `import.meta.glob`. */
function targetsOf(target, sources) {
  if (!target.includes('*')) return [target];
  return [...sources.keys()].filter((file) => posix.matchesGlob(file, target));
}

function namesIn(file, source) {
  const { module, program } = parseSync(file, source);
  const imports = [];
  const add = (to, entry) => imports.push({ to, name: nameOf(entry) });
  for (const { moduleRequest, entries } of module.staticImports)
    for (const { importName } of entries) add(moduleRequest.value, importName);
  const exports = [];
  for (const { entries } of module.staticExports) {
    for (const { exportName, importName, moduleRequest, isType } of entries) {
      if (moduleRequest) add(moduleRequest.value, importName);
      if (exportName.kind !== 'None') exports.push({ name: nameOf(exportName), type: isType });
    }
  }
  // Names that are taken out of a promise are not followed: who loads a file later may use all of it.
  for (const [, to] of source.matchAll(/\bimport(?:\.meta\.glob(?:<[^(]*>)?)?\(\s*['"`](\.[^'"`]+)['"`]/g))
    imports.push({ to, name: '*' });
  if (/\bimport\(/.test(source)) addTypes(program, imports);
  return { imports, exports };
}

const nameOf = ({ kind, name }) => (kind === 'Name' ? name : kind === 'Default' ? 'default' : '*');

/** `import('./a.ts').A`. */
function addTypes(node, imports) {
  if (node === null || typeof node !== 'object') return;
  if (node.type === 'TSImportType') imports.push({ to: node.source.value, name: node.qualifier?.name ?? '*' });
  for (const inside of Object.values(node)) addTypes(inside, imports);
}
