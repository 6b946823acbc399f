import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadedBy } from './loaded.mjs';

const ROOT = join(import.meta.dirname, '..');

/** Each of them is started often or waited for, and once loaded what it has no use for (test/bench/loading.bench.ts). */
test.each([
  ['studio/capture/elements-worker.ts', ['zod']],
  ['studio/play/stage/display-main.ts', ['zod', 'sharp']],
  ['studio/play/stage/live-main.ts', ['zod']],
  ['studio/store/jobs/hash-worker.ts', ['zod', 'sharp']],
  ['studio/session/background-worker.ts', ['sharp', 'yauzl', 'csv-parse']],
  ['studio/play/checks/checks-main.ts', ['zod', 'sharp', 'better-sqlite3', 'unpdf']],
])('%s loads none of the packages %s', (file, without) => {
  const { packages } = loadedBy(ROOT, file);
  expect(without.filter((name) => packages.has(name))).toEqual([]);
});

test('no command but those that are a server loads the server', () => {
  const commands = globSync('studio/cli/commands/*.ts', { cwd: ROOT }).filter(
    (file) => !/\.test\.|\/(?:serve|start)\.ts$/.test(file),
  );
  const loading = commands.filter((file) => loadedBy(ROOT, file).files.has('studio/api/router.ts'));
  expect(loading).toEqual([]);
  expect(commands.length).toBeGreaterThan(50);
});

test('a thread of background work loads the code of no task before it is given one', () => {
  const { files } = loadedBy(ROOT, 'studio/session/background-worker.ts');
  expect(files).toContain('studio/session/background-tasks.ts');
  expect([...files].filter((file) => /^studio\/(?:datasets|import|recordings|documents)\//.test(file))).toEqual([]);
});
