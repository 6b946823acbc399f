import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FORMATS, type FormatName } from '../../../core/export/formats.ts';
import type { ExportTask } from '../../../core/export/model.ts';
import type { DatasetInfo } from '../../../schemas/export-chat.ts';
import { queryDuckdb } from './duckdb-for-tests.ts';
import { click, makeTask, makeTasks, saidForTests } from './example-for-tests.ts';
import { exportTasks, sourceOf } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { parquetRows, writeMetadata } from './parquet-for-tests.ts';
import { type ExportOptions, type ExportResult, exportFormats } from './run.ts';
import { jsonInTar } from './tar-for-tests.ts';
import { listTargetFiles } from './target.ts';
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

  test('has what stands in no split in a folder of its own, called as no split is', async () => {
    const { out, leftOut } = await exportTasks(inSplits('unsplit'), freshOut(), requestOf('imagefolder'), OPTIONS);
    expect(leftOut).toEqual([]);
    expect(existsSync(path.join(out, 'train'))).toBe(false);
    const [named, rest] = await Promise.all(
      ['unsplit', 'unsplit_'].map((split) => parquetRows(path.join(out, split, 'metadata.parquet'))),
    );
    expect([named, rest].map((rows) => [...new Set(rows!.map((row) => row.task_id))])).toEqual([
      [tasks[0]!.id],
      [tasks[1]!.id],
    ]);
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

/** `configs` of a card: of each config its splits with their paths. */
function configsIn(card: string): { config: string; split: string; path: string }[] {
  const front = /^---\n([\s\S]*?)\n---\n/.exec(card)?.[1] ?? '';
  const configs = front
    .slice(front.indexOf('configs:'))
    .split(/^- config_name: /m)
    .slice(1);
  return configs.flatMap((text) =>
    [...text.matchAll(/- split: (\S+)\n\s+path: "(.+)"/g)].map(([, split = '', at = '']) => ({
      config: text.split('\n')[0]!,
      split,
      path: at,
    })),
  );
}

/** Every row of the files that a loader's pattern names, as one text, by readers that are not ours: DuckDB, tar. */
async function readByOthers(out: string, pattern: string): Promise<string> {
  if (pattern.endsWith('.tar')) {
    const folder = path.join(out, path.dirname(pattern));
    const shards = readdirSync(folder).filter((name) => path.matchesGlob(name, path.basename(pattern)));
    return shards.flatMap((name) => jsonInTar(path.join(folder, name))).join('\n');
  }
  const files = path.join(out, pattern.endsWith('**') ? pattern.replace('**', '*.parquet') : pattern);
  const read = files.endsWith('.parquet') ? 'read_parquet' : 'read_json';
  return JSON.stringify(await queryDuckdb(`SELECT to_json(t)::VARCHAR FROM ${read}('${files}') t`));
}

/** The text of an export's file; of a table its rows, since compressed bytes may look like anything. */
async function textOf(file: string): Promise<string> {
  if (file.endsWith('.parquet')) return JSON.stringify(await parquetRows(file));
  return /\.(?:png|jpg|mp4)$/.test(file) ? '' : readFileSync(file, 'latin1');
}

describe('every format of a data set with splits', () => {
  const SPLITS = { DV_1: 'train', DV_2: 'test', DV_3: 'hold-out', DV_4: null } as const;
  let results: ExportResult[];
  beforeAll(async () => {
    const stills = path.join(root, 'four');
    const step = { query: 'Open', actions: [click(3, 4)] };
    const four = await Promise.all(
      Object.entries(SPLITS).map(([id, split]) => makeTask(stills, id, [step, { ...step, query: 'Close' }], { split })),
    );
    for (const task of four) task.said = saidForTests(task);
    const requests = FORMATS.map(({ name, parts }) => requestOf(name, { parts: parts.map((part) => part.name) }));
    results = await exportFormats(sourceOf(four), freshOut(), requests, OPTIONS);
  });
  const folderOf = (id: keyof typeof SPLITS): string => SPLITS[id] ?? 'unsplit';
  const ids = Object.keys(SPLITS) as (keyof typeof SPLITS)[];

  test.each(FORMATS.map(({ name }) => name))(
    '%s has a folder a split, and no file holds another split’s tasks',
    async (name) => {
      const { out, leftOut, counts } = results.find(({ format }) => format === name)!;
      expect(leftOut.filter(({ reason }) => /split/.test(reason))).toEqual([]);
      const files = await listTargetFiles(out);
      for (const id of ids)
        expect(
          files.some((file) => file.startsWith(`${folderOf(id)}/`)),
          id,
        ).toBe(true);
      for (const file of files) {
        if (/^(?:README\.md|manifest\.json|dataset_info\.json)$/.test(file)) continue;
        const text = `${file} ${await textOf(path.join(out, file))}`;
        const held = ids.filter((id) => new RegExp(`${id}(?![0-9])`).test(text));
        const folder = file.slice(0, file.indexOf('/'));
        expect([file, held.filter((id) => folderOf(id) !== folder)]).toEqual([file, []]);
      }
      const manifest = JSON.parse(readFileSync(path.join(out, 'manifest.json'), 'utf8'));
      expect(manifest.splitFolders).toEqual(['hold-out', 'test', 'train', 'unsplit']);
      expect(manifest.splits).toEqual({ train: ['DV_1'], test: ['DV_2'], 'hold-out': ['DV_3'] });
      expect(
        Object.keys(counts)
          .filter((key) => !/^(?:tasks|subtasks|actions)$/.test(key))
          .every((key) => key.includes('/')),
      ).toBe(true);
      expect((await validateExport(name, out)).problems).toEqual([]);
    },
  );

  test.each(FORMATS.map(({ name }) => name))(
    'the card of %s names each split, and what others read there is that split',
    async (name) => {
      const { out } = results.find(({ format }) => format === name)!;
      const configs = configsIn(readFileSync(path.join(out, 'README.md'), 'utf8'));
      for (const [config, splits] of Map.groupBy(configs, (one) => one.config)) {
        expect([config, splits.map(({ split }) => split)]).toEqual([config, ['hold_out', 'test', 'train', 'unsplit']]);
      }
      expect(configs.length).toBeGreaterThan(0);
      for (const { config, split, path: pattern } of configs) {
        const text = await readByOthers(out, pattern);
        // COCO's categories are the same everywhere.
        const held = ids.filter((id) => new RegExp(`${id}(?![0-9])`).test(text));
        const own = ids.find((id) => folderOf(id).replace('-', '_') === split)!;
        expect([config, split, held]).toEqual([config, split, [own]]);
      }
    },
  );

  test('dataset_info.json of LLaMA-Factory names each split’s file, whose pictures are found from the same place', () => {
    const { out } = results.find(({ format }) => format === 'llamafactory')!;
    const info: DatasetInfo = JSON.parse(readFileSync(path.join(out, 'dataset_info.json'), 'utf8'));
    expect(Object.entries(info).map(([name, { file_name }]) => [name, file_name])).toEqual([
      ['trajectory_studio_hold-out', 'hold-out/trajectories.jsonl'],
      ['trajectory_studio_test', 'test/trajectories.jsonl'],
      ['trajectory_studio_train', 'train/trajectories.jsonl'],
      ['trajectory_studio_unsplit', 'unsplit/trajectories.jsonl'],
    ]);
    for (const { file_name } of Object.values(info)) {
      for (const { images } of linesOf(path.join(out, file_name))) {
        for (const image of images as string[])
          expect([image, existsSync(path.join(out, image))]).toEqual([image, true]);
      }
    }
  });

  test.each(['agentnet', 'coco', 'videogui'] as const)(
    '%s is found wrong when a split’s file moved into another’s folder',
    async (name) => {
      const moved = freshOut();
      cpSync(results.find(({ format }) => format === name)!.out, moved, { recursive: true });
      rmSync(path.join(moved, 'train'), { recursive: true });
      renameSync(path.join(moved, 'test'), path.join(moved, 'train'));
      const { problems } = await validateExport(name, moved);
      expect(problems.some(({ code, message }) => code === 'SPLIT_WRONG' && message.includes('DV_2 in test'))).toBe(
        true,
      );
    },
  );

  test('a data set without splits has the files that it always had', async () => {
    for (const { name } of FORMATS) {
      const { out } = await exportTasks(tasks, freshOut(), requestOf(name), OPTIONS);
      const files = await listTargetFiles(out);
      expect([name, files.some((file) => /^(?:test|unsplit)\//.test(file))]).toEqual([name, false]);
      expect(JSON.parse(readFileSync(path.join(out, 'manifest.json'), 'utf8'))).not.toHaveProperty('splitFolders');
    }
  });
});

test('AgentNetBench and our own JSON Lines carry the split of each task; every manifest lists them', async () => {
  const split = inSplits('train', 'test');
  const bench = await exportTasks(split, freshOut(), requestOf('agentnetbench'), OPTIONS);
  const metaOf = (id: string, folder: string) =>
    JSON.parse(readFileSync(path.join(bench.out, folder, 'data', `${id}.json`), 'utf8')).meta_info;
  expect([metaOf(tasks[0]!.id, 'train').split, metaOf(tasks[1]!.id, 'test').split]).toEqual(['train', 'test']);
  expect((await validateExport('agentnetbench', bench.out)).problems).toEqual([]);
  const own = await exportTasks(split, freshOut(), requestOf('videogui', { parts: ['jsonl'] }), OPTIONS);
  const plans = ['test', 'train'].flatMap((name) => linesOf(path.join(own.out, name, 'videogui-jsonl', 'task.jsonl')));
  expect(plans.map(({ task_id, task_split }) => [task_id, task_split])).toEqual(
    split.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((task) => [task.id, task.split]),
  );
  expect((await validateExport('videogui', own.out)).problems).toEqual([]);
});

test('the card says that all splits stand in the files, where one folder was asked for', async () => {
  const split = inSplits('train', 'test');
  const said = async (name: FormatName, of: readonly ExportTask[], options: Record<string, string> = {}) => {
    const { out } = await exportTasks(of, freshOut(), requestOf(name, { options }), OPTIONS);
    return /\*\*All splits of the data set are in these files \(([^)]*)\)/.exec(
      readFileSync(path.join(out, 'README.md'), 'utf8'),
    )?.[1];
  };
  for (const { name } of FORMATS) {
    expect([name, await said(name, split)]).toEqual([name, undefined]);
    expect([name, await said(name, tasks)]).toEqual([name, undefined]);
  }
  expect(await said('imagefolder', split, { splits: 'no' })).toBe('test, train');
});
