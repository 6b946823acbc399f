import { cp, mkdtemp, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, type SchemaElement } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { click, drag, makeTask, makeTasks, of, picture, scroll } from './example-for-tests.ts';
import { exportVideogui, type VideoguiOptions } from './export-for-tests.ts';
import { hashFile, listTargetFiles } from './target.ts';
import { validateExport } from './validate.ts';

const OPTIONS: VideoguiOptions = { toolVersion: '0.1.0', filters: {}, formats: ['parquet', 'jsonl', 'raw'] };
const ACTION = 'VideoGUI-Action/data/action-00000-of-00001.parquet';
const MID = 'VideoGUI-Mid-Plan/data/mid_plan-00000-of-00001.parquet';
const HIGH = 'VideoGUI-High-Plan/high_plan/PPT_15/metadata.parquet';

let root: string;
let whole: string;
let dir: string;
let copies = 0;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'validate-'));
  whole = path.join(root, 'whole');
  await exportVideogui(await makeTasks(path.join(root, 'stills')), whole, OPTIONS);
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(async () => {
  dir = path.join(root, `copy-${copies++}`);
  await cp(whole, dir, { recursive: true });
});

const file = (name: string) => path.join(dir, name);

/** The codes that the validator finds, each once. */
async function codes(): Promise<string[]> {
  const { ok, problems } = await validateExport('videogui', dir);
  expect(ok).toBe(problems.length === 0);
  return [...new Set(problems.map(({ code }) => code))].sort();
}

/** Makes the manifest's hashes fit again, as one would who hides the damage: what is found then is not found by hashes. */
async function resign(): Promise<void> {
  const manifest = JSON.parse(await readFile(file('manifest.json'), 'utf8'));
  const names = (await listTargetFiles(dir)).filter((name) => name !== 'manifest.json');
  manifest.files = [];
  for (const name of names) manifest.files.push(await hashFile(dir, name));
  await writeFile(file('manifest.json'), JSON.stringify(manifest));
}

type Rows = Record<string, unknown>[];
type Edit = {
  rows?: (rows: Rows) => Rows;
  schema?: (schema: SchemaElement[]) => SchemaElement[];
  huggingface?: string | null;
};

/** Reads a parquet, changes it and writes it back, then makes the hashes fit. */
async function rewrite(name: string, { rows: edit, schema: editSchema, huggingface }: Edit): Promise<void> {
  const buffer = await asyncBufferFromFile(file(name));
  const metadata = await parquetMetadataAsync(buffer);
  const read: Rows = await parquetReadObjects({ file: buffer, metadata, utf8: false });
  const rows = edit ? edit(read) : read;
  const schema = editSchema ? editSchema(metadata.schema) : metadata.schema;
  const kvMetadata = (metadata.key_value_metadata ?? []).map(({ key, value }) => ({
    key,
    value: huggingface ?? value!,
  }));
  const writer = new ParquetWriter({
    writer: fileWriter(file(name)),
    schema,
    ...(huggingface === null ? {} : { kvMetadata }),
  });
  const columns = topColumns(schema);
  await writer.write({
    columnData: columns.map((column) => ({ name: column, data: rows.map((row) => row[column] ?? null) })),
  });
  await writer.finish();
  await resign();
}

function topColumns(schema: SchemaElement[]): string[] {
  const names: string[] = [];
  let at = 1;
  const skip = (): void => {
    const children = schema[at++]!.num_children ?? 0;
    for (let index = 0; index < children; index++) skip();
  };
  while (at < schema.length) {
    names.push(schema[at]!.name);
    skip();
  }
  return names;
}

/** One row of Action changed: row 1 is the drag of AE_2, rows 2 to 8 are PPT_15 (see videogui.test.ts). */
const changeRow = (number: number, change: Record<string, unknown>): Edit => ({
  rows: (rows) => rows.map((row, index) => (index === number - 1 ? { ...row, ...change } : row)),
});
const dropRow = (number: number): Edit => ({ rows: (rows) => rows.filter((_, index) => index !== number - 1) });

describe('what the exporter writes', () => {
  test('is found whole, and counted', async () => {
    expect(await validateExport('videogui', dir)).toEqual({
      ok: true,
      problems: [],
      counts: {
        'VideoGUI-High-Plan': 1,
        'VideoGUI-Mid-Plan': 3,
        'VideoGUI-Action': 8,
        'videogui-jsonl/task': 2,
        'videogui-jsonl/high_plan': 1,
        'videogui-jsonl/mid_plan': 3,
        'videogui-jsonl/action': 8,
        'videogui-raw': 2,
      },
    });
  });

  test('is whole in many shards, with jpeg stills, and with left out actions explained', async () => {
    const stills = path.join(root, 'more');
    const actions = [
      click(1, 1),
      click(-1, 0),
      of('hover'),
      scroll(1, 0),
      drag([0, 0], [5, 5]),
      of('wait'),
      click(2, 2),
    ];
    const task = await makeTask(stills, 'PPT_1', [
      { query: 'a', actions },
      { query: 'b', actions: [click(3, 3)] },
    ]);
    task.subtasks[1]!.actions[0]!.beforeImage = await picture(stills, 'photo.jpg', 'jpeg');
    task.subtasks[0]!.actions[0]!.narration = 'Click on\nthe tab';
    const out = path.join(root, 'more-out');
    await exportVideogui([task], out, { ...OPTIONS, sizes: { shardBytes: 10_000, groupRows: 1 } });
    expect((await validateExport('videogui', out)).problems).toEqual([]);
  });

  test('is whole with gaps of ranks that the caller explained, and only with those', async () => {
    const specs = [{ query: 'a', actions: [click(1, 1), click(2, 2), click(3, 3)] }];
    const task = await makeTask(path.join(root, 'gaps'), 'PPT_1', specs);
    task.subtasks[0]!.actions.splice(1, 1);
    const leftOut = [{ item: 'PPT_1/1/2', from: '*', reason: 'removed: a mistake' }];
    const [told, untold] = [path.join(root, 'told'), path.join(root, 'untold')];
    await exportVideogui([task], told, { ...OPTIONS, leftOut });
    expect((await validateExport('videogui', told)).problems).toEqual([]);
    await exportVideogui([task], untold, OPTIONS);
    expect((await validateExport('videogui', untold)).problems.map(({ code, where }) => [code, where])).toEqual([
      ['RANK_GAP', 'PPT_1/1/2'],
    ]);
  });

  test('a rewritten file without a change is as good as the first (the test helper does no damage of its own)', async () => {
    for (const name of [ACTION, MID, HIGH]) await rewrite(name, {});
    expect(await codes()).toEqual([]);
  });
});

describe('damage to files', () => {
  test('a flipped byte', async () => {
    const bytes = await readFile(file('README.md'));
    bytes[10]! ^= 1;
    await writeFile(file('README.md'), bytes);
    expect(await codes()).toEqual(['FILE_CHANGED']);
  });

  test('a flipped byte inside a picture, with the hash made to fit', async () => {
    const bytes = await readFile(file(ACTION));
    const at = bytes.indexOf('IDAT') + 100;
    bytes[at]! ^= 1;
    await writeFile(file(ACTION), bytes);
    expect(await codes()).toEqual(['FILE_CHANGED', 'IMAGE_DAMAGED']);
    await resign();
    expect(await codes()).toEqual(['IMAGE_DAMAGED']);
  });

  test('a truncated parquet', async () => {
    await truncate(file(ACTION), 20_000);
    expect(await codes()).toContain('PARQUET_UNREADABLE');
  });

  test('a file that is gone', async () => {
    await rm(file('videogui-jsonl/images/AE_2_1_start.png'));
    expect(await codes()).toEqual(['FILE_MISSING', 'IMAGE_MISSING']);
  });

  test('a file that nobody listed', async () => {
    await writeFile(file('VideoGUI-Action/data/notes.txt'), 'x');
    expect(await codes()).toEqual(['FILE_UNLISTED', 'SHARD_NAME']);
  });

  test('a link in the place of a file is not followed', async () => {
    await rm(file('README.md'));
    await symlink(path.join(whole, 'README.md'), file('README.md'));
    expect(await codes()).toEqual(['FILE_MISSING', 'FILE_UNLISTED']);
  });

  test('no manifest, and a broken one', async () => {
    await writeFile(file('manifest.json'), '{"schema": "other"}');
    // Nothing says any more why the task that nobody divided has no plan.
    expect(await codes()).toEqual(['MANIFEST_BAD', 'TASK_UNKNOWN']);
    await rm(file('manifest.json'));
    expect(await codes()).toEqual(['MANIFEST_MISSING', 'TASK_UNKNOWN']);
  });

  test('a lost shard, with the hashes made to fit', async () => {
    const out = path.join(root, 'shards');
    const tasks = await makeTasks(path.join(root, 'shard-stills'));
    await exportVideogui(tasks, out, { ...OPTIONS, formats: ['parquet'], sizes: { shardBytes: 16_000 } });
    await rm(path.join(out, 'VideoGUI-Action/data/action-00001-of-00004.parquet'));
    dir = out;
    await resign();
    const { problems } = await validateExport('videogui', out);
    expect(problems).toContainEqual({
      code: 'SHARD_MISSING',
      file: 'VideoGUI-Action/data/',
      where: '',
      message: 'shard 1 of 4 is not there',
    });
  });

  test('shards whose numbers do not fit', async () => {
    await rename(file(ACTION), file('VideoGUI-Action/data/action-00002-of-00001.parquet'));
    await resign();
    expect(await codes()).toEqual(['SHARD_MISSING', 'SHARD_NAME']);
  });

  test('a visual query that is gone, and one that is no picture', async () => {
    await rm(file('VideoGUI-High-Plan/high_plan/PPT_15/end.png'));
    await writeFile(file('VideoGUI-High-Plan/high_plan/PPT_15/start.png'), 'no picture');
    await resign();
    expect(await codes()).toEqual(['MEDIA_DAMAGED', 'MEDIA_MISSING']);
  });
});

describe('damage to columns', () => {
  test('a missing and an unknown column', async () => {
    const schema = (list: SchemaElement[]) =>
      list.map((element) => (element.name === 'scroll_value' ? { ...element, name: 'scroll' } : element));
    await rewrite(ACTION, { schema });
    expect(await codes()).toEqual(expect.arrayContaining(['COLUMN_MISSING', 'COLUMN_UNKNOWN', 'COUNT_WRONG']));
  });

  test('a column of another type', async () => {
    const schema = (list: SchemaElement[]) =>
      list.map((element): SchemaElement => (element.name === 'subtask_id' ? { ...element, type: 'DOUBLE' } : element));
    await rewrite(MID, { schema, rows: (rows) => rows.map((row) => ({ ...row, subtask_id: Number(row.subtask_id) })) });
    const { problems } = await validateExport('videogui', dir);
    expect(problems[0]).toEqual({
      code: 'COLUMN_TYPE',
      file: MID,
      where: 'column subtask_id',
      message: 'expected INT64, found DOUBLE',
    });
  });

  test.each<[string, string | null]>([
    ['no Hugging Face metadata', null],
    ['a broken one', '{'],
    ['one of other features', '{"info":{"features":{"app":{"_type":"Image"}}}}'],
  ])('%s', async (_, huggingface) => {
    await rewrite(MID, { huggingface });
    expect(await codes()).toEqual(['FEATURES_BAD']);
  });
});

describe('damage to rows, with the hashes made to fit', () => {
  const half = (row: Record<string, unknown>) => {
    const cell = row.screenshot_start as { bytes: Uint8Array; path: string }; // an image cell of the parquet
    return { ...cell, bytes: cell.bytes.slice(0, cell.bytes.length / 2) };
  };

  test('half a picture', async () => {
    await rewrite(ACTION, {
      rows: (rows) => rows.map((row, index) => (index === 2 ? { ...row, screenshot_start: half(row) } : row)),
    });
    const { problems } = await validateExport('videogui', dir);
    expect(problems.map(({ code, where }) => [code, where])).toEqual([['IMAGE_DAMAGED', 'row 3, PPT_15/1/2']]);
  });

  test.each<[string, string, Edit, string[]]>([
    ['no picture', ACTION, changeRow(2, { screenshot_start: null }), ['IMAGE_MISSING']],
    ['a position outside', ACTION, changeRow(2, { start_position: [64n, 0n] }), ['POSITION_OUTSIDE']],
    ['a negative position', ACTION, changeRow(1, { end_position: [1n, -1n] }), ['POSITION_OUTSIDE']],
    ['a click without a position', ACTION, changeRow(2, { start_position: null }), ['POSITION_MISSING']],
    ['a drag without an end', ACTION, changeRow(1, { end_position: null }), ['POSITION_MISSING']],
    ['a click with an end', ACTION, changeRow(2, { end_position: [1n, 1n] }), ['POSITION_UNEXPECTED']],
    ['a position of three numbers', ACTION, changeRow(2, { start_position: [1n, 1n, 1n] }), ['ROW_BAD']],
    ['an unknown action type', ACTION, changeRow(2, { action_type: 'leftclick' }), ['ACTION_TYPE']],
    ['a click with a scroll value', ACTION, changeRow(2, { scroll_value: 1 }), ['SCROLL_VALUE']],
    ['a scroll without one', ACTION, changeRow(7, { scroll_value: null }), ['SCROLL_VALUE']],
    ['an empty narration', ACTION, changeRow(2, { action_narration: '' }), ['NARRATION_DIFFERS', 'NARRATION_EMPTY']],
    ['another narration', ACTION, changeRow(2, { action_narration: 'Click' }), ['NARRATION_DIFFERS']],
    ['a missing value', ACTION, changeRow(8, { action_type: null }), ['ACTION_MISSING', 'COUNT_WRONG', 'ROW_BAD']],
    ['another split', MID, changeRow(1, { split: 'train' }), ['ROW_BAD']],
    ['another app', MID, changeRow(1, { app: 'Word' }), ['APP_DIFFERS']],
    ['a plan without numbers', MID, changeRow(1, { action_sequence: 'Drag it' }), ['ROW_BAD']],
    ['a lost row in the middle', ACTION, dropRow(3), ['ACTION_MISSING', 'COUNT_WRONG', 'RANK_GAP']],
    ['a lost last row', ACTION, dropRow(8), ['ACTION_MISSING', 'COUNT_WRONG']],
    [
      'a doubled rank',
      ACTION,
      changeRow(3, { action_id: 1n }),
      ['ACTION_MISSING', 'NARRATION_DIFFERS', 'RANK_GAP', 'RANK_TWICE'],
    ],
    ['a rank from 0', ACTION, changeRow(1, { action_id: 0n }), ['ACTION_MISSING', 'ACTION_UNKNOWN', 'RANK_BAD']],
    ['a lost subtask', MID, dropRow(3), ['COUNT_WRONG', 'SUBTASK_MISSING', 'SUBTASK_UNKNOWN']],
    [
      'an id of another shape',
      ACTION,
      changeRow(1, { task_id: 'AE-2' }),
      ['ACTION_MISSING', 'SUBTASK_UNKNOWN', 'TASK_ID', 'TASK_UNKNOWN'],
    ],
    [
      'a task of its own folder',
      HIGH,
      changeRow(1, { task_id: 'PPT_16' }),
      ['TASK_ID', 'TASK_MISSING', 'TASK_UNKNOWN', 'SUBTASK_MISSING'],
    ],
    [
      'a plan with a further subtask',
      HIGH,
      changeRow(1, { subtask_sequence: ['a', 'b', 'c'], subtask_ids: [1n, 2n, 3n] }),
      ['SUBTASK_MISSING'],
    ],
    [
      'a visual query of another name',
      HIGH,
      changeRow(1, { visual_start: '../AE_2/end.png' }),
      ['MEDIA_MISSING', 'ROW_BAD'],
    ],
  ])('%s', async (_, name, edit, expected) => {
    await rewrite(name, edit);
    expect(await codes()).toEqual(expected.toSorted());
  });

  test('the ids of two tasks swapped', async () => {
    const swap: Record<string, string> = { AE_2: 'PPT_15', PPT_15: 'AE_2' };
    await rewrite(ACTION, { rows: (rows) => rows.map((row) => ({ ...row, task_id: swap[String(row.task_id)] })) });
    expect(await codes()).toEqual(
      ['ACTION_MISSING', 'ACTION_UNKNOWN', 'APP_DIFFERS', 'NARRATION_DIFFERS', 'SUBTASK_UNKNOWN'].sort(),
    );
  });
});

describe('damage to the jsonl and the raw log, with the hashes made to fit', () => {
  const editLines = async (edit: (line: Record<string, unknown>) => unknown) => {
    const name = file('videogui-jsonl/action.jsonl');
    const lines = (await readFile(name, 'utf8')).trimEnd().split('\n');
    await writeFile(name, lines.map((line) => `${JSON.stringify(edit(JSON.parse(line)))}\n`).join(''));
    await resign();
  };

  test('a line that is no action', async () => {
    await editLines((line) => (line.action_id === 1 ? 'x' : line));
    expect(await codes()).toEqual(['JSONL_BAD']);
  });

  test('a position outside of its picture', async () => {
    await editLines((line) => (line.action_type === 'LeftClick' ? { ...line, start_position: [9999, 1] } : line));
    expect(await codes()).toEqual(['POSITION_OUTSIDE']);
  });

  test('a picture name that leads out of the export is not opened', async () => {
    await editLines((line) => ({ ...line, screenshot_start: '../../../whole/README.md' }));
    expect(await codes()).toEqual(['IMAGE_MISSING']);
  });

  test('a log of another task', async () => {
    const name = (await listTargetFiles(dir)).find((each) => each.endsWith('_full.json'))!;
    const log = JSON.parse(await readFile(file(name), 'utf8'));
    await writeFile(file(name), JSON.stringify({ ...log, task_id: 'PPT_99' }));
    await resign();
    expect(await codes()).toEqual(['TASK_ID']);
  });
});

test('a path that is no folder is refused', async () => {
  await expect(validateExport('videogui', path.join(root, 'nowhere'))).rejects.toMatchObject({ code: 'BAD_FILE' });
});
