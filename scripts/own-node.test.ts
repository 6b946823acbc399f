import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isNewEnough } from './own-node.mjs';

test('Node is new enough from 22.18 on', () => {
  expect(['18.19.0', '20.9.0', '22.17.1'].map((version) => isNewEnough(version))).toEqual([false, false, false]);
  expect(['22.18.0', '24.0.0', '25.1.0'].map((version) => isNewEnough(version))).toEqual([true, true, true]);
});

/** The file and what it imports before its first line runs, of this folder. */
function loadedFirst(file: string): string[] {
  const imported = [...readFileSync(file, 'utf8').matchAll(/^import [^;]*?from '(\.[^']+)';/gms)];
  return [file, ...imported.flatMap(([, path]) => loadedFirst(join(dirname(file), path ?? '')))];
}

test.each(['check.mjs', 'test.mjs', 'setup.mjs'])(
  '%s can be loaded by Node 20.9, whose fs has no globSync',
  (script) => {
    const files = loadedFirst(join(import.meta.dirname, script));
    expect(files.some((file) => file.endsWith('own-node.mjs'))).toBe(true);
    expect(files.filter((file) => readFileSync(file, 'utf8').includes('globSync'))).toEqual([]);
  },
);
