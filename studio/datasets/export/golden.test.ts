import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTasks } from './example-for-tests.ts';
import { sourceOf } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { exportFormats } from './run.ts';
import { listTargetFiles } from './target.ts';

/**
 * What the made-up data set is in each format, as files that a person reads: a change of a format shows as a change of these.
 * `npx vitest run studio/datasets/export/golden.test.ts -u` writes them anew.
 */

/** The texts of each format that are kept; a picture and a video are not. */
const KEPT: Readonly<Record<string, RegExp>> = {
  atif: /^(?:runs\.jsonl|trajectories\/.*\.json)$/,
  osworld: /^runs\.jsonl$|traj\.jsonl$/,
  videocua: /action_log\.json$/,
  groundcua: /^(?:instructions\.json|data\/.*\.json)$/,
  lerobot: /^meta\/(?:info|stats)\.json$/,
};

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'golden-'));
  const formats = Object.keys(KEPT).map((name) => requestOf(name));
  const tasks = await makeTasks(path.join(root, 'stills'));
  await exportFormats(sourceOf(tasks), path.join(root, 'out'), formats, { toolVersion: '0', filters: {} });
});
afterAll(() => rm(root, { recursive: true, force: true }));

test.each(Object.entries(KEPT))('%s is as its golden file', async (format, kept) => {
  const dir = path.join(root, 'out', format);
  const files = (await listTargetFiles(dir)).filter((name) => kept.test(name)).sort();
  expect(files.length).toBeGreaterThan(0);
  const texts = await Promise.all(
    files.map(async (name) => `== ${name}\n${await readFile(path.join(dir, name), 'utf8')}`),
  );
  await expect(texts.join('\n')).toMatchFileSnapshot(`golden/${format}.golden`);
});
