/**
 * The code that each process and thread of the program loads before its own work begins: every file that one names beside itself
 * (`new URL('./x-main.ts', import.meta.url)`) and the commands' door. Its imports are loaded in a process of their own, its code
 * is not run. Then whole commands, whose code is loaded as they go.
 *
 *     node test/bench/loading.bench.ts [--rounds 9] [--only part-of-a-name,…] [--before TREE] [--json]
 *
 * Nothing is compiled anew: an unmeasured round fills the cache. `--before TREE`: also another checkout, in turns, with the ratio.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { namedIn } from '../../scripts/imports.mjs';
import { importedFirst, loadedBy } from '../../scripts/loaded.mjs';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { CLI, newWorkspace } from '../support/cli.ts';
import { must } from '../support/process.ts';

const ROUNDS = Number(flag('rounds') ?? 9);
const HERE = path.join(import.meta.dirname, '..', '..');
const before = flag('before');
const only = flag('only')?.split(',');
const named = (file: string): boolean => !only || only.some((part) => file.includes(part));

/** The first work that a thread of background.ts is asked for, with its input. */
const FIRST_WORK: [task: string, input: object][] = [
  ['count', {}],
  ['finish', { folder: 'none' }],
  ['keep', { folders: [] }],
  ['statistics', { source: { kind: 'filter', filter: {} } }],
  ['preview', { source: { kind: 'filter', filter: {} }, formats: [{ name: 'videogui' }], all: true }],
  ['archive', { file: 'none.tar', version: null, choice: { recordings: [] }, toolVersion: '0' }],
  ['takeArchive', { file: 'none.tar' }],
];

const COMMANDS: string[][] = [['--version'], ['tasks', 'list'], ['datasets', 'list']];

/** The files that begin a process or a thread. */
function entries(tree: string): string[] {
  const sources = globSync('{native,studio}/**/*.ts', { cwd: tree }).filter(
    (file) => !/\.test\.|-for-tests/.test(file),
  );
  const beside = sources.flatMap((source) =>
    namedIn(source, readFileSync(path.join(tree, source), 'utf8')).beside.map(({ to }) =>
      path.posix.join(path.posix.dirname(source), to),
    ),
  );
  return ['studio/cli/main.ts', ...new Set(beside)].filter(
    (file) => file.endsWith('.ts') && existsSync(path.join(tree, file)),
  );
}

const cache = mkdtempSync(path.join(os.tmpdir(), 'studio-loading-'));

const scriptOf = (tree: string): string => path.join(tree, 'node_modules', '.loading-bench.mjs');

type Load = { ms: number; cpu: number };
/** Runs lines in a process of the tree, and gives how long they took on the clock and of a processor, ms. */
function timed(tree: string, work: readonly string[]): Promise<Load> {
  const lines = [
    'const [start, used] = [performance.now(), process.cpuUsage()];',
    ...work,
    'const { user, system } = process.cpuUsage(used);',
    'process.stdout.write(JSON.stringify({ ms: performance.now() - start, cpu: (user + system) / 1000 }));',
    "(await import('node:module')).flushCompileCache();",
    'process.exit(0);',
  ];
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  // A file: threads get the options of the process, and refuse what would make text a module. Packages are found from there.
  const script = scriptOf(tree);
  writeFileSync(script, lines.join('\n'));
  const child = spawn(process.execPath, [...builtPackages(tree), script], { cwd: tree, env });
  return new Promise((done, failed) => {
    let [out, errors] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('close', (status) =>
      status === 0 ? done(JSON.parse(out.split('\n').at(-1) ?? '')) : failed(new Error(errors)),
    );
  });
}
/** The options with which the program starts a process of its own; an older tree loads packages as they are installed. */
const builtPackages = (tree: string): string[] => {
  const loader = path.join(tree, 'native', 'process', 'built-packages.ts');
  return existsSync(loader) ? ['--import', pathToFileURL(loader).href] : [];
};

/** Loads what the file imports. */
function load(tree: string, file: string): Promise<Load> {
  const from = path.posix.dirname(file);
  const modules = importedFirst(tree, file).map((to) =>
    to.startsWith('.') ? hrefOf(tree, path.posix.join(from, to)) : to,
  );
  return timed(
    tree,
    modules.map((module) => `await import(${JSON.stringify(module)});`),
  );
}
const hrefOf = (tree: string, file: string): string => pathToFileURL(path.join(tree, file)).href;

/** From the start of a thread of background.ts to its first answer, a refusal or not. */
const firstWork = (tree: string, dir: string, [task, input]: (typeof FIRST_WORK)[number]): Promise<Load> =>
  timed(tree, [
    `const { openBackground } = await import(${JSON.stringify(hrefOf(tree, 'studio/session/background.ts'))});`,
    `const background = openBackground(${JSON.stringify(dir)});`,
    `await background.run(${JSON.stringify(task)}, ${JSON.stringify(input)}, { alone: true }).catch(() => undefined);`,
  ]);

/** A whole command, to its last word. */
const command = (tree: string, words: readonly string[]): Promise<Load> =>
  timed(tree, [
    `process.argv.splice(1, 1, ${[path.join(tree, 'studio/cli/main.ts'), ...words].map((word) => JSON.stringify(word)).join(', ')});`,
    `await import(${JSON.stringify(hrefOf(tree, 'studio/cli/main.ts'))});`,
    "process.stdout.write('\\n');",
  ]);

const LARGE = ['zod', 'kysely', 'better-sqlite3', 'sharp', 'koffi', '@orpc/server', 'commander', 'vite'];
const trees = before === null ? [HERE] : [HERE, path.resolve(before)];
const measured = async (once: (tree: string) => Promise<Load>): Promise<Load[]> => {
  const times = trees.map((): Load[] => []);
  for (let round = 0; round <= ROUNDS; round++)
    for (const [n, tree] of trees.entries()) {
      const one = await once(tree);
      if (round > 0) times[n]?.push(one);
    }
  return times.map((all) => ({ ms: median(all.map((one) => one.ms)), cpu: median(all.map((one) => one.cpu)) }));
};

type Row = { name: string; times: Load[]; files?: number; packages?: string[] };
const rows: Row[] = [];
const workspace = newWorkspace();
try {
  for (const file of entries(HERE).filter(named)) {
    progress(file);
    const { files, packages } = loadedBy(HERE, file);
    const times = await measured((tree) => load(tree, file));
    rows.push({ name: file, times, files: files.size, packages: LARGE.filter((name) => packages.has(name)) });
  }
  await must(process.execPath, [CLI, 'init', '--workspace', workspace.path]);
  for (const one of FIRST_WORK.filter(([task]) => named(`thread:${task}`))) {
    progress(one[0]);
    rows.push({
      name: `a new thread's first ${one[0]}`,
      times: await measured((tree) => firstWork(tree, workspace.path, one)),
    });
  }
  for (const words of COMMANDS.filter((words) => named(`command:${words.join(' ')}`))) {
    progress(words.join(' '));
    const all = words.length > 1 ? [...words, '--workspace', workspace.path] : words;
    rows.push({ name: `the command ${words.join(' ')}`, times: await measured((tree) => command(tree, all)) });
  }
} finally {
  rmSync(cache, { recursive: true, force: true });
  for (const tree of trees) rmSync(scriptOf(tree), { force: true });
  workspace.remove();
}
const about = await machine();
const HEADS = ['ms', 'cpu', ...(before === null ? [] : ['before', 'cpu', 'ratio', 'cpu']), 'files'];
const ms = (value: number): string => value.toFixed(0).padStart(7);
const line = ({ name, times: [now, old], files, packages = [] }: Row): string => {
  if (!now) return name;
  const ratios = old
    ? `${ms(old.ms)}${ms(old.cpu)}${(now.ms / old.ms).toFixed(2).padStart(7)}${(now.cpu / old.cpu).toFixed(2).padStart(7)}`
    : '';
  return `  ${name.padEnd(46)}${ms(now.ms)}${ms(now.cpu)}${ratios}${String(files ?? '').padStart(7)}  ${packages.join(' ')}`.trimEnd();
};
const loadNow = os.loadavg()[0] ?? 0;
report(
  { bench: 'loading', machine: about, load: loadNow, rounds: ROUNDS, rows },
  [
    `Loading before the work begins, medians of ${ROUNDS}: ms, ms of a processor, files of our own, large packages`,
    machineLine(about),
    `load of the machine afterwards: ${loadNow.toFixed(1)}`,
    `${''.padEnd(48)}${HEADS.map((head) => head.padStart(7)).join('')}`,
    ...rows.map(line),
  ].join('\n'),
);
