import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './package-config.mjs';

/** What an entry of the log says happened is a text of the code: nothing is ever put into it (docs/log.md). */

const FILES = globSync('{native,studio}/**/*.ts', { cwd: ROOT }).filter(
  (file) => !/\.test\.ts$|-for-tests\.ts$/.test(file),
);
const CALL = /\b(?:log(?:\.(?:debug|info|warn|error)|\[[^\]]+\])|passedOver)\(\s*([^,)]*)/g;

test('each entry begins with a text without anything put into it', () => {
  const calls = FILES.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const)
    .filter(([, source]) => source.includes('/log/log.ts'))
    .flatMap(([file, source]) => [...source.matchAll(CALL)].map(([, first]) => `${file}: ${first}`));
  expect(calls.length).toBeGreaterThan(5);
  expect(calls.filter((call) => !/: '[a-z][a-z ]{2,60}'$/.test(call))).toEqual([]);
});
