import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OWN_PROCESS, SHARED } from '../test/support/shared-files.ts';

const ROOT = join(import.meta.dirname, '..');
const REPLACES = /\bvi\.(?:mock|doMock|stubGlobal|stubEnv|useFakeTimers)\(|\bprocess\.chdir\(/;

const replaces = (file: string): boolean => REPLACES.test(readFileSync(join(ROOT, file), 'utf8'));

test('a test file that shares its process puts nothing in place of a module, a global or the clock', () => {
  const files = globSync(SHARED, { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
  expect(files.length).toBeGreaterThan(150);
  expect(files.filter(replaces).sort()).toEqual(OWN_PROCESS);
});
