import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { namedIn } from './imports.mjs';

/**
 * The files of the studio process in a package: exactly those that its command line reaches. Sources are followed from
 * studio/cli/main.ts by their imports and by `new URL('…', import.meta.url)`, and become plain JavaScript (types are blanked
 * out, so lines and columns stay); packages are followed by their own dependencies.
 */

const ENTRY = 'studio/cli/main.ts';
/** Needs the bundler, which is not shipped: the pages are built already. */
const LEFT_OUT = new Set(['studio/api/build-main.ts']);
/** Named by a variable, and optional. */
const OPTIONAL_PACKAGES = ['ffmpeg-static', 'tesseract.js', '@tesseract.js-data/eng'];
const PAGES = 'renderer/dist';
const BUILT = 'build/packages';
const DOCUMENTS = ['LICENSE', 'THIRD-PARTY-NOTICES.md'];

/** In packages: what only building and reading them needs. */
const NOT_NEEDED =
  /(?:\.[mc]?tsx?|\.(?:test|spec)\.[mc]?js|\.map|\.md|\.markdown|\.tsbuildinfo|\.[ch](?:c|pp)?|\.gyp)$|(?:^|\/)(?:test|tests|__tests__|docs?|example|examples|\.github|benchmarks?)(?:\/|$)/i;
const BUILT_ALREADY = {
  'better-sqlite3': /^(?:deps|src)(?:\/|$)/,
  koffi: /^(?:vendor|doc)(?:\/|$)/,
  // The measurements of its own tests.
  'fluent-ffmpeg': /^(?:tools|coverage)(?:\/|$)/,
  // Node loads this one.
  'hash-wasm': /^dist\/(?!index\.umd\.js$)/,
  'uiohook-napi': /^(?:src|libuiohook)(?:\/|$)/,
  // Node loads the .wasm files, of the newer way to read alone; the larger data is for the older one.
  'tesseract.js': /^dist(?:\/|$)/,
  'tesseract.js-core': /\.wasm\.js$|^tesseract-core(?:-simd|-relaxedsimd)?\.(?:js|wasm)$/,
  '@tesseract.js-data/eng': /^4\.0\.0(?:\/|$)/,
};

/** Where a package is found from a file or folder of the project, as Node does; null when it is not installed. */
function findPackage(name, from, root) {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const place = posix.join(folder === '.' ? '' : folder, 'node_modules', name);
    if (existsSync(join(root, place, 'package.json'))) return place;
    if (folder === '.' || folder === '') return null;
  }
}

const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Sources (as JavaScript), data files and packages that the studio process needs, by their places in the project. */
export function studioFiles(root) {
  const { peerDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const scripts = new Map();
  const data = new Set([PAGES, ...DOCUMENTS]);
  const wanted = new Set();
  const visit = (file) => {
    if (scripts.has(file) || LEFT_OUT.has(file)) return;
    const code = stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'), { mode: 'strip' });
    scripts.set(file, '');
    let script = '';
    let at = 0;
    const { imports, beside } = namedIn(file, code);
    const named = [...imports, ...beside].sort((a, b) => a.start - b.start);
    for (const { to, end } of named) {
      if (!to.startsWith('.')) {
        // What people install beside it, where they need it, is no part of it.
        if (!to.startsWith('node:') && !(packageOf(to) in peerDependencies)) wanted.add(packageOf(to));
        continue;
      }
      const target = posix.normalize(posix.join(posix.dirname(file), to));
      // The project's own folder is where the package is.
      if (!existsSync(join(root, target)) || target === '.' || target === './') continue;
      if (!target.endsWith('.ts')) {
        if (target !== 'package.json') data.add(target);
        continue;
      }
      visit(target);
      script += `${code.slice(at, end - '.ts'.length)}.js`;
      at = end;
    }
    script += code.slice(at);
    scripts.set(file, script);
  };
  visit(ENTRY);
  const packages = new Map();
  const missing = [];
  const take = (name, from, optional) => {
    const place = findPackage(name, from, root);
    if (place === null) {
      if (!optional) missing.push(name);
      return;
    }
    if (packages.has(place)) return;
    const manifest = JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8'));
    packages.set(place, manifest);
    const { dependencies = {}, optionalDependencies = {} } = manifest;
    for (const next of Object.keys(dependencies)) take(next, place, next in optionalDependencies);
    for (const next of Object.keys(optionalDependencies)) take(next, place, true);
  };
  for (const name of [...wanted].sort()) take(name, '.', false);
  for (const name of OPTIONAL_PACKAGES) take(name, '.', true);
  if (missing.length > 0) throw new Error(`Not installed: ${missing.join(', ')}. Run \`npm install\`.`);
  return { scripts, data: [...data].sort(), packages };
}

/**
 * Packages with native parts that the lock file has for this system but that are not installed here, since npm installs
 * those of the machine it runs on.
 */
export function missingFor(root, packages, platform, arch) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const fits = (list, value) => list === undefined || list.includes(value);
  const missing = [];
  for (const place of packages.keys()) {
    for (const name of Object.keys(lock[place]?.optionalDependencies ?? {})) {
      const at = [`${place}/node_modules/${name}`, `node_modules/${name}`].find((key) => lock[key]);
      const { os, cpu, libc } = lock[at] ?? {};
      if (!at || !fits(os, platform) || !fits(cpu, arch) || (libc && !libc.includes('glibc'))) continue;
      if (os === undefined && cpu === undefined) continue;
      if (!existsSync(join(root, at, 'package.json'))) missing.push(name);
    }
  }
  return [...new Set(missing)].sort();
}

/** Writes sources (as JavaScript) and data files into `to`, without packages. Gives the packages that they need. */
export function stageSources(root, to) {
  if (!existsSync(join(root, PAGES, 'index.html')))
    throw new Error(`The pages are not built: ${PAGES} has no index.html.`);
  const { scripts, data, packages } = studioFiles(root);
  for (const [file, script] of scripts) put(to, file.replace(/\.ts$/, '.js'), script);
  const filter = presentBuilds(root);
  for (const place of data) cpSync(join(root, place), join(to, place), { recursive: true, dereference: true, filter });
  return { packages };
}

/** Files of an earlier set-up lie beside those that packages are loaded from now (build-packages.mjs). */
function presentBuilds(root) {
  const folder = join(root, BUILT);
  const list = join(folder, 'packages.json');
  const { made = '' } = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
  return (source) => ['', '..', 'packages.json', made].includes(relative(folder, source).split(sep)[0]);
}

function put(to, name, text) {
  mkdirSync(dirname(join(to, name)), { recursive: true });
  writeFileSync(join(to, name), text);
}

/** Writes all of it into `to`, packages too. Gives every file with its size, by its place in the package. */
export function stageStudio(root, to) {
  const { packages } = stageSources(root, to);
  const { name, version, license, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  put(to, 'package.json', `${JSON.stringify({ name, version, license, type, private: true }, null, 2)}\n`);
  for (const [place, { name: own }] of packages) {
    const from = join(root, place);
    cpSync(from, join(to, place), {
      recursive: true,
      dereference: true,
      filter(source) {
        const inside = relative(from, source).split(sep).join('/');
        // A package inside another is taken on its own, if at all.
        if (inside === 'node_modules' || inside.startsWith('node_modules/')) return false;
        if (BUILT_ALREADY[own]?.test(inside)) return false;
        return inside === '' || statSync(source).isDirectory()
          ? !NOT_NEEDED.test(`${inside}/`)
          : !NOT_NEEDED.test(inside);
      },
    });
  }
  return listFiles(to);
}

/** Files below a folder, `{ path, bytes }`, sorted. */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(folder, file).split(sep).join('/'), bytes: statSync(file).size }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
