import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Every package that is used has its reason in docs/decisions.md and its licence in THIRD-PARTY-NOTICES.md. */

const ROOT = join(import.meta.dirname, '..');
const manifest: Record<
  'dependencies' | 'optionalDependencies' | 'devDependencies',
  Record<string, string>
> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const reasons = readFileSync(join(ROOT, 'docs', 'decisions.md'), 'utf8').split('\n## Dependencies\n')[1] ?? '';

/** The packages that the first column of a table names; what stands in brackets is no package. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/^\| (?!package \||-)([^|]+) \|/gm)].flatMap(([, cell = '']) =>
    cell
      .replaceAll(/\([^)]*\)/g, '')
      .split(',')
      .map((name) => name.trim()),
  );

const [shipped = '', developing = ''] = reasons.split('Only developing needs these');

test('every package that ships has its reason, and no other has one', () => {
  const wanted = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  expect(namedIn(shipped).sort()).toEqual(wanted.sort());
});

test('every package for developing has its reason, and no other has one', () => {
  expect(namedIn(developing).sort()).toEqual(Object.keys(manifest.devDependencies).sort());
});

test('the third-party notices name every package that ships, with its version', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'notices.mjs'), '--check'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
