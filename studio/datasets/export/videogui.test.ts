import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExportTask } from '../../../core/export/model.ts';
import { queryDuckdb } from './duckdb-for-tests.ts';
import { click, drag, makeTask, makeTasks, of, scroll } from './example-for-tests.ts';
import { exportVideogui, type VideoguiOptions } from './export-for-tests.ts';
import { listTargetFiles } from './target.ts';

const OPTIONS: VideoguiOptions = { toolVersion: '0.1.0', filters: {} };
const ALL_PARTS: VideoguiOptions = { ...OPTIONS, formats: ['parquet', 'jsonl', 'raw'] };

let root: string;
let tasks: ExportTask[];
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'videogui-'));
  tasks = await makeTasks(path.join(root, 'stills'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

let exported = 0;
const freshOut = () => path.join(root, `out-${exported++}`);
const json = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

/** Column names and types as DuckDB sees them. */
async function columnsOf(file: string): Promise<string[]> {
  return (await queryDuckdb(`DESCRIBE SELECT * FROM '${file}'`)).map(([name, type]) => `${name} ${type}`);
}

describe('the three data sets, read back with DuckDB', () => {
  let out: string;
  const file = (name: string) => path.join(out, name);
  beforeAll(async () => {
    out = freshOut();
    await exportVideogui(tasks, out, OPTIONS);
  });

  test('Action has the published columns and types', async () => {
    expect(await columnsOf(file('VideoGUI-Action/data/action-00000-of-00001.parquet'))).toEqual([
      'split VARCHAR',
      'app VARCHAR',
      'screenshot_start STRUCT(bytes BLOB, path VARCHAR)',
      'action_type VARCHAR',
      'action_narration VARCHAR',
      'start_position BIGINT[]',
      'end_position BIGINT[]',
      'scroll_value DOUBLE',
      'task_id VARCHAR',
      'subtask_id BIGINT',
      'action_id BIGINT',
    ]);
  });

  test('Action holds each action with its pixels in the picture', async () => {
    const rows = await queryDuckdb(
      `SELECT task_id, subtask_id, action_id, action_type, action_narration, start_position, end_position, scroll_value
       FROM '${file('VideoGUI-Action/data/*.parquet')}'`,
    );
    expect(rows).toEqual([
      ['AE_2', '1', '1', 'Drag', 'Drag from (1, 2) to (60, 30)', ['1', '2'], ['60', '30'], null],
      ['PPT_15', '1', '1', 'LeftClick', 'Click on the Insert tab', ['12', '8'], null, null],
      ['PPT_15', '1', '2', 'RightClick', 'Right click on the Insert tab', ['0', '0'], null, null],
      ['PPT_15', '1', '3', 'DoubleClick', 'Double click on the Insert tab', ['63', '39'], null, null],
      ['PPT_15', '2', '1', 'Type/Press', "Type 'it's $5 😀\\n'", null, null, null],
      ['PPT_15', '2', '2', 'Type/Press', 'Press Ctrl+C', null, null, null],
      // Down is negative by default: pynput's and PyAutoGUI's sign.
      ['PPT_15', '2', '3', 'Scroll', 'Scroll down at (5, 6)', ['5', '6'], null, -3],
      ['PPT_15', '2', '4', 'Scroll', 'Scroll up at (5, 6)', ['5', '6'], null, 2],
    ]);
  });

  test('pictures are the bytes of the stills, with a file name of their own', async () => {
    const [row] = await queryDuckdb(
      `SELECT base64(screenshot_start.bytes), screenshot_start.path
       FROM '${file('VideoGUI-Action/data/*.parquet')}' WHERE task_id = 'PPT_15' AND subtask_id = 1 AND action_id = 2`,
    );
    const still = tasks[0]!.subtasks[0]!.actions[1]!.beforeImage!.path;
    expect(row).toEqual([(await readFile(still)).toString('base64'), 'PPT_15_1_2_before.png']);
  });

  test('Mid-Plan has the published columns, and narrations numbered', async () => {
    const name = file('VideoGUI-Mid-Plan/data/mid_plan-00000-of-00001.parquet');
    expect(await columnsOf(name)).toEqual([
      'split VARCHAR',
      'app VARCHAR',
      'subtask_query VARCHAR',
      'screenshot_start STRUCT(bytes BLOB, path VARCHAR)',
      'screenshot_end STRUCT(bytes BLOB, path VARCHAR)',
      'action_sequence VARCHAR',
      'task_id VARCHAR',
      'subtask_id BIGINT',
    ]);
    expect(
      await queryDuckdb(
        `SELECT task_id, subtask_id, split, app, subtask_query, action_sequence, screenshot_end.path FROM '${name}'`,
      ),
    ).toEqual([
      ['AE_2', '1', 'mid_plan', 'App AE', 'Move the clip', '1. Drag from (1, 2) to (60, 30)', 'AE_2_1_end.png'],
      [
        'PPT_15',
        '1',
        'mid_plan',
        'App PPT',
        'Insert the picture',
        '1. Click on the Insert tab\n2. Right click on the Insert tab\n3. Double click on the Insert tab',
        'PPT_15_1_end.png',
      ],
      [
        'PPT_15',
        '2',
        'mid_plan',
        'App PPT',
        "Écris «😀» and it's $5",
        "1. Type 'it's $5 😀\\n'\n2. Press Ctrl+C\n3. Scroll down at (5, 6)\n4. Scroll up at (5, 6)",
        'PPT_15_2_end.png',
      ],
    ]);
  });

  test('High-Plan has one row a task, and the visual query beside it', async () => {
    const folder = file('VideoGUI-High-Plan/high_plan/PPT_15');
    expect(await columnsOf(`${folder}/metadata.parquet`)).toEqual([
      'task_id VARCHAR',
      'app VARCHAR',
      'fulltask_query VARCHAR',
      // A list, as the published card has it.
      'subtask_sequence VARCHAR[]',
      'visual_start VARCHAR',
      'visual_end VARCHAR',
      'subtask_ids BIGINT[]',
      'category VARCHAR',
      'platform VARCHAR',
      'source VARCHAR',
      'answer VARCHAR',
      'files VARCHAR[]',
      'proof VARCHAR',
    ]);
    expect(await queryDuckdb(`SELECT * FROM '${folder}/metadata.parquet'`)).toEqual([
      [
        'PPT_15',
        'App PPT',
        'Goal of PPT_15',
        ['Insert the picture', "Écris «😀» and it's $5"],
        'start.png',
        'end.png',
        ['1', '2'],
        null,
        'linux',
        'https://example.org/video',
        null,
        [],
        'untried',
      ],
    ]);
    expect((await readdir(folder)).sort()).toEqual(['end.png', 'metadata.parquet', 'start.png']);
    expect(await readFile(`${folder}/end.png`)).toEqual(await readFile(tasks[0]!.visualQuery.end!.path));
  });

  test('the parquet tells Hugging Face which columns are images and lists', async () => {
    const rows = await queryDuckdb(
      `SELECT decode(value) FROM parquet_kv_metadata('${file('VideoGUI-Action/data/*.parquet')}')
       WHERE decode(key) = 'huggingface'`,
    );
    const { features } = JSON.parse(String(rows[0]![0])).info;
    expect(Object.keys(features)).toHaveLength(11);
    expect(features.screenshot_start).toEqual({ _type: 'Image' });
    expect(features.start_position).toEqual({ feature: { dtype: 'int64', _type: 'Value' }, _type: 'Sequence' });
    expect(features.scroll_value).toEqual({ dtype: 'float64', _type: 'Value' });
    expect(features.action_type).toEqual({ dtype: 'string', _type: 'Value' });
  });

  test('cards name the files of each split', async () => {
    const card = await readFile(file('VideoGUI-Action/README.md'), 'utf8');
    expect(card.split('---')[1]).toBe(
      '\npretty_name: VideoGUI-Action\nconfigs:\n- config_name: default\n  default: true\n  data_files:\n' +
        '  - split: action\n    path: "data/action-*.parquet"\n',
    );
    const all = await readFile(file('README.md'), 'utf8');
    expect(all).toContain('path: "VideoGUI-High-Plan/high_plan/*/metadata.parquet"');
    expect(all).toContain('| App PPT |  | Linux | 1 | 0 | 2 | 7 | 7.0 | 3.5 |');
    expect(all).toContain('| Scroll | 2 | 25.0 |');
  });
});

describe('shards and row groups', () => {
  test('many small shards hold the same rows in the same order', async () => {
    const out = freshOut();
    // A still is about 7.8 kB of noise: two fit into a shard of 16 kB.
    await exportVideogui(tasks, out, { ...OPTIONS, sizes: { shardBytes: 16_000 } });
    const names = (await readdir(path.join(out, 'VideoGUI-Action/data'))).sort();
    expect(names).toEqual([0, 1, 2, 3].map((index) => `action-0000${index}-of-00004.parquet`));
    const rows = await queryDuckdb(
      `SELECT concat_ws('/', task_id, subtask_id, action_id) FROM read_parquet('${out}/VideoGUI-Action/data/*.parquet')`,
    );
    const items = [
      'AE_2/1/1',
      'PPT_15/1/1',
      'PPT_15/1/2',
      'PPT_15/1/3',
      'PPT_15/2/1',
      'PPT_15/2/2',
      'PPT_15/2/3',
      'PPT_15/2/4',
    ];
    expect(rows.map(([item]) => item)).toEqual(items);
  });

  test('a row group closes at its bound of rows or bytes', async () => {
    const out = freshOut();
    await exportVideogui(tasks, out, { ...OPTIONS, sizes: { groupRows: 3 } });
    const groups = `SELECT DISTINCT row_group_id, row_group_num_rows FROM parquet_metadata('${out}/VideoGUI-Action/data/*.parquet') ORDER BY 1`;
    expect((await queryDuckdb(groups)).map(([, rows]) => Number(rows))).toEqual([3, 3, 2]);
    const other = freshOut();
    await exportVideogui(tasks, other, { ...OPTIONS, sizes: { groupBytes: 1 } });
    expect(await queryDuckdb(groups.replace(out, other))).toHaveLength(8);
  });
});

describe('what cannot go out is said', () => {
  test('a place outside of the picture is left out, never clamped', async () => {
    const stills = path.join(root, 'outside');
    const task = await makeTask(stills, 'PPT_1', [
      { query: 'q', actions: [click(1, 1), click(64, 0), drag([0, 0], [0, -1]), click(2, 2)] },
      { query: 'r', actions: [click(3, 3)] },
    ]);
    const out = freshOut();
    const { leftOut } = await exportVideogui([task], out, OPTIONS);
    expect(leftOut).toEqual([
      {
        item: 'PPT_1/1/2',
        from: 'VideoGUI-Action',
        reason: 'its start (64, 0) lies outside of the picture of 64 x 40',
      },
      { item: 'PPT_1/1/3', from: 'VideoGUI-Action', reason: 'its end (0, -1) lies outside of the picture of 64 x 40' },
    ]);
    expect((await json(path.join(out, 'manifest.json'))).leftOut).toEqual(leftOut);
    expect(await queryDuckdb(`SELECT action_id FROM '${out}/VideoGUI-Action/data/*.parquet'`)).toEqual([
      ['1'],
      ['4'],
      ['1'],
    ]);
  });

  test('hovers, waits and sideways scrolls have no place in Action, and stand in the jsonl', async () => {
    const task = await makeTask(path.join(root, 'kinds'), 'PPT_1', [
      { query: 'q', actions: [of('hover'), of('wait'), scroll(2, 0), click(1, 1)] },
      { query: 'r', actions: [click(3, 3)] },
    ]);
    const out = freshOut();
    const { leftOut, counts } = await exportVideogui([task], out, { ...OPTIONS, formats: ['parquet', 'jsonl'] });
    expect(leftOut.map(({ item, from, reason }) => [item, from, reason])).toEqual([
      ['PPT_1/1/1', 'VideoGUI-Action', 'the benchmark has no action "hover"'],
      ['PPT_1/1/2', 'VideoGUI-Action', 'the benchmark has no action "wait"'],
      ['PPT_1/1/3', 'VideoGUI-Action', 'scroll_value knows up and down only, this scroll goes right'],
    ]);
    expect(counts['VideoGUI-Action']).toBe(2);
    expect(counts['videogui-jsonl/action']).toBe(5);
  });

  test('tasks of other states are left out with their state', async () => {
    const other: ExportTask = { ...tasks[1]!, state: 'in-review' };
    const { leftOut, counts } = await exportVideogui([tasks[0]!, other], freshOut(), OPTIONS);
    expect(leftOut).toEqual([{ item: 'AE_2', from: '*', reason: 'in state "in-review"' }]);
    expect(counts.tasks).toBe(1);
  });

  test('a task without subtasks is left out, whatever its state', async () => {
    const empty: ExportTask = { ...tasks[1]!, subtasks: [] };
    const { leftOut } = await exportVideogui([tasks[0]!, empty], freshOut(), { ...OPTIONS, filters: { all: true } });
    expect(leftOut).toEqual([{ item: 'AE_2', from: '*', reason: 'it has no steps' }]);
    const alone = exportVideogui([empty], freshOut(), { ...OPTIONS, filters: { all: true } });
    await expect(alone).rejects.toMatchObject({ code: 'NOTHING_TO_EXPORT' });
  });

  test('when nothing is allowed it says what to do and writes nothing', async () => {
    const recorded = tasks.map((task): ExportTask => ({ ...task, state: 'recorded' }));
    const out = freshOut();
    await expect(exportVideogui(recorded, out, OPTIONS)).rejects.toMatchObject({
      code: 'NOTHING_TO_EXPORT',
      message:
        'None of 2 tasks can be exported (2: in state "recorded"). ' +
        'Only tasks in state approved go out: review and approve them, or pass --all to export every state.',
    });
    expect(await readdir(root)).not.toContain(path.basename(out));
    await exportVideogui(recorded, out, { ...OPTIONS, filters: { all: true } });
    expect(await readdir(root)).toContain(path.basename(out));
  });

  test('an id that the benchmark could not read, and two of one id, are refused', async () => {
    const bad = (id: string): ExportTask => ({ ...tasks[0]!, id });
    await expect(exportVideogui([bad('../x_1')], freshOut(), OPTIONS)).rejects.toMatchObject({ code: 'USAGE' });
    await expect(exportVideogui([bad('PPT_1'), bad('ppt_1')], freshOut(), OPTIONS)).rejects.toMatchObject({
      code: 'USAGE',
    });
  });

  test('the sign of scroll_value can be turned, and the manifest says which it is', async () => {
    const out = freshOut();
    await exportVideogui(tasks, out, { ...OPTIONS, scrollSign: 'down-positive' });
    const values = await queryDuckdb(
      `SELECT scroll_value FROM '${out}/VideoGUI-Action/data/*.parquet' WHERE scroll_value IS NOT NULL`,
    );
    expect(values).toEqual([[3], [-2]]);
    expect((await json(path.join(out, 'manifest.json'))).options).toEqual({ scrollSign: 'down-positive' });
  });
});

describe('the jsonl', () => {
  test('an action has the columns of the parquet and what that cannot hold', async () => {
    const out = freshOut();
    await exportVideogui(tasks, out, { ...OPTIONS, formats: ['jsonl'] });
    const lines = (await readFile(path.join(out, 'videogui-jsonl/action.jsonl'), 'utf8')).trimEnd().split('\n');
    const rows = lines.map((line) => JSON.parse(line));
    expect(rows).toHaveLength(8);
    expect(rows[1]).toMatchObject({
      task_id: 'PPT_15',
      action_type: 'LeftClick',
      start_position: [12, 8],
      screenshot_start: 'images/PPT_15_1_start.png',
      screenshot_end: 'images/PPT_15_1_1_after.png',
      element: { name: 'Insert tab', box: [1, 2, 10, 8] },
      start_us: 1_000_000,
      end_us: 1_200_000,
    });
    expect(rows[4]).toMatchObject({ text: "it's $5 😀\\n", keystrokes: [..."it's $5 😀\\n"], keys: null });
    expect(rows[5]).toMatchObject({ keys: ['ctrl', 'c'] });
    const still = await readFile(tasks[0]!.subtasks[0]!.actions[0]!.beforeImage!.path);
    expect(await readFile(path.join(out, 'videogui-jsonl', rows[1].screenshot_start))).toEqual(still);
  });
});

describe('the raw log', () => {
  test('has video, full log and ordered screenshots a recording, and the task files beside keylog', async () => {
    const out = freshOut();
    const project = path.join(root, 'deck.pptx');
    await writeFile(project, 'project');
    const task: ExportTask = { ...tasks[1]!, attachments: [{ path: project }] };
    await exportVideogui([task], out, { ...OPTIONS, formats: ['raw'] });
    const stamp = '2024-05-01_09-30-00-125000';
    const log = `keylog/${stamp}`;
    expect(await listTargetFiles(path.join(out, 'videogui-raw/App AE/AE_2'))).toEqual([
      'deck.pptx',
      'end.png',
      `${log}/${stamp}.mp4`,
      `${log}/${stamp}_full.json`,
      `${log}/arranged/0001.png`,
      'start.png',
      'task.json',
    ]);
    const full = await json(path.join(out, `videogui-raw/App AE/AE_2/${log}/${stamp}_full.json`));
    expect(full).toMatchObject({ task_id: 'AE_2', started_at: '2024-05-01T09:30:00.125Z' });
    expect(full.actions[0]).toMatchObject({ index: 1, action_type: 'Drag', start_time: 1, end_time: 1.2 });
  });
});

describe('the target', () => {
  test('exporting twice gives equal files', async () => {
    const [first, second] = [freshOut(), freshOut()];
    await exportVideogui(tasks, first, ALL_PARTS);
    await exportVideogui(tasks.toReversed(), second, ALL_PARTS);
    const names = await listTargetFiles(first);
    expect(await listTargetFiles(second)).toEqual(names);
    for (const name of names) {
      const [a, b] = await Promise.all([readFile(path.join(first, name)), readFile(path.join(second, name))]);
      expect(a.equals(b), name).toBe(true);
    }
  });

  test('a folder with something in it is not touched, an empty one is taken', async () => {
    const out = freshOut();
    await mkdir(out);
    await writeFile(path.join(out, 'mine.txt'), 'mine');
    await expect(exportVideogui(tasks, out, OPTIONS)).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    expect(await readdir(out)).toEqual(['mine.txt']);
    await rm(path.join(out, 'mine.txt'));
    await exportVideogui(tasks, out, OPTIONS);
    expect(await readdir(out)).toContain('manifest.json');
  });

  test('a missing still leaves nothing behind, not even the temporary folder', async () => {
    const stills = path.join(root, 'lost');
    const task = await makeTask(stills, 'PPT_1', [{ query: 'q', actions: [click(1, 1), click(2, 2)] }]);
    await rm(task.subtasks[0]!.actions[1]!.beforeImage!.path);
    const before = await readdir(root);
    await expect(exportVideogui([task], freshOut(), OPTIONS)).rejects.toMatchObject({ code: 'BAD_FILE' });
    expect(await readdir(root)).toEqual(before);
  });

  test('a cancelled export leaves nothing behind', async () => {
    const before = await readdir(root);
    const abort = new AbortController();
    const onProgress = ({ done }: { done: number }) => done >= 1 && abort.abort();
    const cancelled = exportVideogui(tasks, freshOut(), { ...OPTIONS, onProgress, signal: abort.signal });
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await readdir(root)).toEqual(before);
  });

  test('progress ends at its total and never goes back', async () => {
    const seen: number[] = [];
    let total = 0;
    const onProgress = (progress: { done: number; total: number }) => {
      seen.push(progress.done);
      total = progress.total;
    };
    await exportVideogui(tasks, freshOut(), { ...ALL_PARTS, onProgress });
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(total);
  });
});
