import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FORMATS, type FormatName } from '../../core/export/formats.ts';
import type { ExportTask } from '../../core/export/model.ts';
import { makeTasks } from './example-for-tests.ts';
import { exportTasks } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { parquetRows, writeMetadata } from './parquet-for-tests.ts';
import type { ExportOptions } from './run.ts';
import { validateExport } from './validate.ts';

const OPTIONS: ExportOptions = { toolVersion: '0.1.0', filters: {} };

let root: string;
let tasks: ExportTask[];
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'splits-'));
  tasks = await makeTasks(path.join(root, 'stills'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

let made = 0;
const freshOut = () => path.join(root, `out-${made++}`);
const inSplits = (...splits: (string | null)[]): ExportTask[] =>
  tasks.map((task, at) => ({ ...task, split: splits[at] ?? null }));
const linesOf = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('imagefolder of a data set with splits', () => {
  test('has a folder a split, with the same columns in every file, and a card that names them to load_dataset', async () => {
    const { out, counts, leftOut } = await exportTasks(
      inSplits('train', 'hold-out'),
      freshOut(),
      requestOf('imagefolder'),
      OPTIONS,
    );
    expect(leftOut).toEqual([]);
    const files = ['train/metadata.parquet', 'hold-out/metadata.parquet'];
    expect(Object.keys(counts)).toEqual(expect.arrayContaining(files));
    const [train, held] = await Promise.all(files.map((file) => parquetRows(path.join(out, file))));
    const idsOf = (lines: Record<string, unknown>[] | undefined) => [...new Set(lines?.map((line) => line.task_id))];
    expect([idsOf(train), idsOf(held)]).toEqual([[tasks[0]!.id], [tasks[1]!.id]]);
    expect(new Set([...train!, ...held!].map((line) => Object.keys(line).join())).size).toBe(1);
    for (const line of held!) expect(existsSync(path.join(out, 'hold-out', String(line.file_name)))).toBe(true);
    const card = readFileSync(path.join(out, 'README.md'), 'utf8');
    expect(card).toContain('  - split: train\n    path: "train/**"');
    expect(card).toContain('  - split: hold_out\n    path: "hold-out/**"');
    const manifest = JSON.parse(readFileSync(path.join(out, 'manifest.json'), 'utf8'));
    expect(manifest.splits).toEqual({ 'hold-out': [tasks[1]!.id], train: [tasks[0]!.id] });
    expect((await validateExport('imagefolder', out)).problems).toEqual([]);
  });

  test('leaves out what stands in no split, and says so', async () => {
    const { out, leftOut } = await exportTasks(inSplits('test'), freshOut(), requestOf('imagefolder'), OPTIONS);
    expect(existsSync(path.join(out, 'train'))).toBe(false);
    expect(leftOut.map(({ item, from, reason }) => [item, from, reason])).toEqual(
      tasks.slice(1).map(({ id }) => [id, 'imagefolder', 'it stands in no split, and the data set has splits']),
    );
    expect((await validateExport('imagefolder', out)).problems).toEqual([]);
  });

  test('is one folder when the data set is not split, or when one folder is asked for', async () => {
    const plain = await exportTasks(tasks, freshOut(), requestOf('imagefolder'), OPTIONS);
    const asked = await exportTasks(
      inSplits('test', 'train'),
      freshOut(),
      requestOf('imagefolder', { options: { splits: 'no' } }),
      OPTIONS,
    );
    const read = (out: string) => readFileSync(path.join(out, 'train', 'metadata.parquet'));
    expect(read(asked.out)).toEqual(read(plain.out));
    expect((await validateExport('imagefolder', asked.out)).problems).toEqual([]);
    expect(JSON.parse(readFileSync(path.join(plain.out, 'manifest.json'), 'utf8')).splits).toBeUndefined();
  });

  test('is found wrong when a task stands in two splits, or in another than the manifest says', async () => {
    const wrong = async (change: (out: string) => Promise<void>): Promise<string[]> => {
      const { out } = await exportTasks(inSplits('train', 'test'), freshOut(), requestOf('imagefolder'), OPTIONS);
      await change(out);
      return (await validateExport('imagefolder', out)).problems.map(({ code, message }) => `${code} ${message}`);
    };
    const [first, second] = [tasks[0]!.id, tasks[1]!.id];
    const rename = (from: string, to: string) => async (out: string) => {
      const file = path.join(out, 'test', 'metadata.parquet');
      const rows = await parquetRows(file);
      await writeMetadata(
        file,
        rows.map((row) => (row.task_id === from ? { ...row, task_id: to } : row)),
      );
    };
    expect(await wrong(rename(second, first))).toContain(`SPLIT_WRONG the manifest has ${first} in train`);
    const both = await wrong(async (out) => {
      const [train, test] = ['train', 'test'].map((split) => path.join(out, split, 'metadata.parquet')) as [
        string,
        string,
      ];
      const [row] = await parquetRows(train);
      await writeMetadata(test, [...(await parquetRows(test)), row]);
    });
    expect(both.some((problem) => problem.startsWith('SPLIT_WRONG'))).toBe(true);
  });
});

test('AgentNetBench and our own JSON Lines carry the split of each task; every manifest lists them', async () => {
  const split = inSplits('train', 'test');
  const bench = await exportTasks(split, freshOut(), requestOf('agentnetbench'), OPTIONS);
  const metaOf = (id: string) => JSON.parse(readFileSync(path.join(bench.out, 'data', `${id}.json`), 'utf8')).meta_info;
  expect([metaOf(tasks[0]!.id).split, metaOf(tasks[1]!.id).split]).toEqual(['train', 'test']);
  expect((await validateExport('agentnetbench', bench.out)).problems).toEqual([]);
  const own = await exportTasks(split, freshOut(), requestOf('videogui', { parts: ['jsonl'] }), OPTIONS);
  const plans = linesOf(path.join(own.out, 'videogui-jsonl', 'task.jsonl'));
  expect(plans.map(({ task_id, task_split }) => [task_id, task_split])).toEqual(
    split.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((task) => [task.id, task.split]),
  );
  expect((await validateExport('videogui', own.out)).problems).toEqual([]);
});

test('the card says that all splits stand in the files, where they have no folders of their own', async () => {
  const split = inSplits('train', 'test');
  const said = async (name: FormatName, of: readonly ExportTask[], options: Record<string, string> = {}) => {
    const { out } = await exportTasks(of, freshOut(), requestOf(name, { options }), OPTIONS);
    return /\*\*All splits of the data set are in these files \(([^)]*)\)/.exec(
      readFileSync(path.join(out, 'README.md'), 'utf8'),
    )?.[1];
  };
  for (const { name } of FORMATS) {
    expect([name, await said(name, split)]).toEqual([name, name === 'imagefolder' ? undefined : 'test, train']);
    expect([name, await said(name, tasks)]).toEqual([name, undefined]);
  }
  expect(await said('imagefolder', split, { splits: 'no' })).toBe('test, train');
});
