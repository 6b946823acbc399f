import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Fetches what studio/datasets/export/trainers.test.ts reads exports with: the sources of ms-swift and LLaMA-Factory, and a Python of its
 * own with Hugging Face's `datasets` (some 400 MB, no torch). What is there already stays.
 *
 *     node scripts/trainers.mjs FOLDER
 *     TRAINERS=FOLDER npx vitest run studio/datasets/export/trainers.test.ts
 */
const SOURCES = {
  'ms-swift': 'https://github.com/modelscope/ms-swift',
  'LLaMA-Factory': 'https://github.com/hiyouga/LLaMA-Factory',
};

const [folder] = process.argv.slice(2);
if (folder === undefined) fail('Say where to: node scripts/trainers.mjs FOLDER');
mkdirSync(folder, { recursive: true });
const python = join(folder, 'python');
if (!existsSync(python)) run('python3', ['-m', 'venv', python]);
run(join(python, 'bin/pip'), ['install', '--quiet', 'datasets', 'pillow']);
for (const [name, source] of Object.entries(SOURCES))
  if (!existsSync(join(folder, name))) run('git', ['clone', '--quiet', '--depth', '1', source, join(folder, name)]);

function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (status !== 0) fail(`${program} ${args.join(' ')} failed${error ? `: ${error.message}` : ` (status ${status})`}.`);
}

function fail(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
