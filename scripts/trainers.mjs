import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Fetches what tests read exports with: the sources of ms-swift and LLaMA-Factory, and a Python of its own with Hugging Face's
 * `datasets` (some 400 MB, no torch); with `--lerobot` LeRobot's sources, PyTorch and PyAV, too (PyTorch is 200 MB for the
 * processor alone, some GB with what pip takes for graphics cards). What is there already stays.
 *
 *     node scripts/trainers.mjs FOLDER [--lerobot] [--from NAME=SOURCE]...
 *     TRAINERS=FOLDER npx vitest run studio/datasets/export/trainers.test.ts studio/datasets/export/lerobot.test.ts
 *
 * `--from`: where the sources of ms-swift, LLaMA-Factory or lerobot are instead of on GitHub: a folder of them, an archive that tar
 * unpacks (.tar, .tar.gz, .zip where tar knows it), a repository without a work tree, or another address that git clones.
 */
const SOURCES = {
  'ms-swift': { address: 'https://github.com/modelscope/ms-swift', part: 'swift' },
  'LLaMA-Factory': { address: 'https://github.com/hiyouga/LLaMA-Factory', part: 'src' },
  lerobot: { address: 'https://github.com/huggingface/lerobot', part: 'src' },
};

try {
  main();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function main() {
  const { values, positionals } = options();
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new Error('Say where to: node scripts/trainers.mjs FOLDER');
  const elsewhere = new Map(values.from.map(named));
  mkdirSync(folder, { recursive: true });
  for (const [name, { address, part }] of Object.entries(SOURCES)) {
    const isWanted = name !== 'lerobot' || values.lerobot || elsewhere.has(name);
    if (isWanted && !existsSync(join(folder, name))) take(folder, name, elsewhere.get(name) ?? address, part);
  }
  const python = join(folder, 'python');
  const needs = ['datasets', 'pillow', ...(existsSync(join(folder, 'lerobot')) ? ['torch', 'av'] : [])];
  const modules = needs.map((name) => (name === 'pillow' ? 'PIL' : name)).join(', ');
  if (!existsSync(python)) run('python3', ['-m', 'venv', python]);
  if (spawnSync(join(python, 'bin/python'), ['-c', `import ${modules}`], { stdio: 'ignore' }).status !== 0)
    run(join(python, 'bin/pip'), ['install', '--quiet', ...needs]);
}

function options() {
  const kinds = { from: { type: 'string', multiple: true, default: [] }, lerobot: { type: 'boolean', default: false } };
  return parseArgs({ allowPositionals: true, options: kinds });
}

function named(option) {
  const [name, ...rest] = option.split('=');
  const source = rest.join('=');
  if (!Object.hasOwn(SOURCES, name) || source === '')
    throw new Error(`--from ${option}: say NAME=SOURCE, with a NAME of ${Object.keys(SOURCES).join(', ')}.`);
  return [name, source];
}

/** Puts the part of the sources that tests load to FOLDER/NAME, whole or not at all. */
function take(folder, name, source, part) {
  const making = mkdtempSync(join(folder, `.${name}-`));
  try {
    if (!existsSync(source)) run('git', ['clone', '--quiet', '--depth', '1', source, making]);
    else if (!statSync(source).isDirectory()) run('tar', ['-xf', resolve(source), '-C', making]);
    else if (existsSync(join(source, 'objects')) && existsSync(join(source, 'HEAD'))) unpack(source, part, making);
    else if (existsSync(join(source, part))) cpSync(join(source, part), join(making, part), { recursive: true });
    // An archive has its files in a folder of its own, as GitHub packs them.
    const roots = [making, ...readdirSync(making).map((inner) => join(making, inner))];
    const root = roots.find((one) => existsSync(join(one, part)));
    if (root === undefined)
      throw new Error(`${source} holds no folder "${part}", where ${name} has what is loaded: it is not ${name}.`);
    renameSync(root, join(folder, name));
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Takes the part alone out of a repository without a work tree, in which large files may be missing. */
function unpack(repository, part, to) {
  const packed = join(to, 'part.tar');
  run('git', [`--git-dir=${repository}`, 'archive', `--output=${resolve(packed)}`, 'HEAD', part]);
  run('tar', ['-xf', packed, '-C', to]);
  rmSync(packed);
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} failed${error ? `: ${error.message}` : ` (status ${status})`}.`);
}
