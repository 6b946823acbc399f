import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FILES, type FilesOfProject } from '../test/support/projects.ts';
import { OWN_PROCESS, SHARED } from '../test/support/shared-files.ts';

const ROOT = join(import.meta.dirname, '..');
const REPLACES = /\bvi\.(?:mock|doMock|stubGlobal|stubEnv|useFakeTimers)\(|\bprocess\.chdir\(/;

const replaces = (file: string): boolean => REPLACES.test(readFileSync(join(ROOT, file), 'utf8'));

test('a test file that shares its process puts nothing in place of a module, a global or the clock', () => {
  const files = globSync(SHARED, { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
  expect(files.length).toBeGreaterThan(150);
  expect(files.filter(replaces).sort()).toEqual(OWN_PROCESS);
});

const filesOf = (patterns: readonly string[]): Set<string> =>
  new Set(globSync(patterns, { cwd: ROOT }).map((file) => file.replaceAll('\\', '/')));

test('every test file is run by exactly one project', () => {
  const runs = new Map<string, string[]>();
  for (const [name, { include, exclude }] of Object.entries<FilesOfProject>(FILES)) {
    const without = filesOf(exclude);
    for (const file of filesOf(include)) if (!without.has(file)) runs.set(file, [...(runs.get(file) ?? []), name]);
  }
  const all = filesOf([
    '{core,electron,native,renderer,schemas,scripts,studio}/**/*.test.{ts,tsx}',
    'test/**/*.e2e.ts',
  ]);
  expect(all.size).toBeGreaterThan(600);
  const wrong = [...all].flatMap((file) => {
    const projects = runs.get(file) ?? [];
    return projects.length === 1 ? [] : [`${file}: ${projects.join(', ') || 'none'}`];
  });
  expect(wrong).toEqual([]);
});
