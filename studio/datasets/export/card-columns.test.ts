import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FORMATS } from '../../../core/export/formats.ts';
import { EXPORT_FILES } from '../../../schemas/export-files.ts';
import { featureLines } from './card-features.ts';
import { click, makeTask, makeTasks } from './example-for-tests.ts';
import { sourceOf } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { exportFormats } from './run.ts';

/**
 * A loader that has to guess types guesses them from the first megabytes of a file, and stops at the first row that has more:
 * so every config whose files are JSON tells its columns. (hugging-face.test.ts loads them where Python can.)
 */

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'columns-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A card's two lists, by the names of their configs. */
function listsOf(card: string): { configs: string[]; told: string[] } {
  const front = card.split('---')[1] ?? '';
  const [info = '', configs = ''] = front.includes('dataset_info:')
    ? front.split('dataset_info:')[1]!.split(/^configs:/m)
    : ['', front.split(/^configs:/m)[1] ?? ''];
  const names = (text: string) => [...text.matchAll(/^- config_name: (\S+)$/gm)].map(([, name]) => name!);
  return { configs: names(configs), told: names(info) };
}

test('every config of JSON tells its columns', async () => {
  const tasks = await makeTasks(path.join(root, 'stills'));
  const parts = FORMATS.map(({ name, parts: all }) =>
    requestOf(name, { parts: name === 'videogui' ? ['jsonl'] : all.map((part) => part.name) }),
  );
  const results = await exportFormats(sourceOf(tasks), path.join(root, 'out'), parts, {
    toolVersion: '0',
    filters: {},
  });
  for (const { format, out } of results) {
    const { configs, told } = listsOf(await readFile(path.join(out, 'README.md'), 'utf8'));
    expect([format, configs.length > 0]).toEqual([format, true]);
    // Parquet says itself what its columns are.
    const own = ['imagefolder', 'lerobot', 'cua-verifier-bench'].includes(format);
    expect([format, told]).toEqual([format, own ? [] : configs]);
  }
});

test('the columns are those of the schema, also where rows or their parts are of several kinds', () => {
  const named = (name: string) => featureLines(name, '').flatMap((line) => /^\s*- name: (\S+)$/.exec(line)?.[1] ?? []);
  for (const { name, format } of EXPORT_FILES) {
    // A run of ATIF or OSWorld is no row: its card names the list of runs.
    if (format === '*' || name === 'llamafactory-dataset-info' || name === 'coco') continue;
    if (name === 'atif' || name === 'osworld') continue;
    // Parquet says its columns itself.
    if (format === 'lerobot' || format === 'cua-verifier-bench') continue;
    expect([name, named(name).length > 2 || name.endsWith('messages') || name === 'llamafactory']).toEqual([
      name,
      true,
    ]);
  }
  // OpenCUA: screens, texts and actions in one list; the arguments of all calls in one struct.
  for (const field of ['filename', 'guiactions', 'pixel_bbox', 'clicks', 'keys', 'message', 'duration']) {
    expect(named('opencua')).toContain(field);
  }
  expect(named('videogui-action')).toEqual(
    expect.arrayContaining(['last_step_correct', 'errors', 'end_box', 'natural']),
  );
});

test('splits that a loader would take for one have names of their own', async () => {
  const folder = path.join(root, 'stills');
  const names = ['test-1', 'test_1', 'all', 'train'];
  const tasks = await Promise.all(
    names.map((split, at) => makeTask(folder, `DV_${at + 1}`, [{ query: 'q', actions: [click(1, 2)] }], { split })),
  );
  const out = path.join(root, 'splits');
  await exportFormats(sourceOf(tasks), out, [requestOf('imagefolder')], { toolVersion: '0', filters: {} });
  const card = await readFile(path.join(out, 'README.md'), 'utf8');
  const loaded = [...card.matchAll(/- split: (\S+)\n\s+path: "(\S+)\/\*\*"/g)].map(([, name, at]) => [name, at]);
  expect(loaded).toEqual([
    ['all_', 'all'],
    ['test_1', 'test-1'],
    ['test_1_2', 'test_1'],
    ['train', 'train'],
  ]);
});
