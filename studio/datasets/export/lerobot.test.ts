import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExportTask } from '../../../core/export/model.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { queryDuckdb } from './duckdb-for-tests.ts';
import { click, drag, makeTask, makeTasks, scroll } from './example-for-tests.ts';
import { exportTasks } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { parquetRows } from './parquet-for-tests.ts';
import { PYTHON, pythonHas } from './python-for-tests.ts';
import { hashFile, listTargetFiles } from './target.ts';
import { validateExport } from './validate.ts';

/**
 * LeRobotDataset 3.0, read by DuckDB, by ffmpeg, where Python has them by pandas, pyarrow and datasets, and by LeRobot itself where
 * `node scripts/trainers.mjs FOLDER --lerobot` has fetched it and TRAINERS names FOLDER.
 */

const OPTIONS = { toolVersion: '0.1.0', filters: {} };
const SCREEN = 'observation.images.screen';
const FILM = `videos/${SCREEN}/chunk-000/file-000.mp4`;

let root: string;
let tasks: ExportTask[];
let out: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'lerobot-'));
  tasks = await makeTasks(path.join(root, 'stills'));
  Object.assign(tasks[0]!.subtasks[0]!.actions[0]!, { thought: 'Why', actionThought: 'How' });
  out = path.join(root, 'out');
  await exportTasks(tasks, out, requestOf('lerobot'), OPTIONS);
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('an episode a task, a row a step and one for the end, as DuckDB reads them', async () => {
  const data = `'${out}/data/*/*.parquet'`;
  expect(
    await queryDuckdb(`SELECT episode_index, count(*), max(frame_index) FROM ${data} GROUP BY ALL ORDER BY ALL`),
  ).toEqual([[0n, 2n, 1n].map(String), [1n, 8n, 7n].map(String)]);
  const [drag] = await queryDuckdb(
    `SELECT "action.kind", "action.code", action[1]::DOUBLE, action[4]::DOUBLE, "next.done" FROM ${data} WHERE index = 0`,
  );
  expect(drag).toEqual([
    'drag',
    "pyautogui.moveTo(x=0.0156, y=0.05)\npyautogui.dragTo(x=0.9375, y=0.75, button='left')",
    Math.fround(0.0156),
    0.75,
    false,
  ]);
  expect(
    await queryDuckdb(
      `SELECT s.style, s.content, s.timestamp FROM (SELECT unnest(language_persistent) AS s FROM ${data} WHERE index = 2)`,
    ),
  ).toEqual([
    ['plan', "1. Insert the picture\n2. Écris «😀» and it's $5", 0],
    ['subtask', 'Insert the picture', 0],
    ['subtask', "Écris «😀» and it's $5", 3],
  ]);
  const [said] = await queryDuckdb(
    `SELECT e.content, e.tool_calls[1] FROM (SELECT unnest(language_events) AS e FROM ${data} WHERE index = 2)`,
  );
  expect(said![0]).toContain('Insert tab');
  expect(JSON.parse(String(said![1])).function).toEqual({
    name: 'computer',
    arguments: { actions: [{ type: 'click', button: 'left', x: 12, y: 8 }] },
  });
  expect(await queryDuckdb(`SELECT thought FROM ${data} WHERE thought <> ''`)).toEqual([['Why\n\nHow']]);
  // Episodes lead to their rows and their video; tasks to their words.
  expect(
    await queryDuckdb(
      `SELECT task_id, tasks[1], dataset_from_index, dataset_to_index, "videos/${SCREEN}/file_index", "videos/${SCREEN}/to_timestamp"
       FROM '${out}/meta/episodes/*/*.parquet' ORDER BY episode_index`,
    ),
  ).toEqual([
    ['AE_2', 'Goal of AE_2', '0', '2', '0', 2],
    ['PPT_15', 'Goal of PPT_15', '2', '10', '1', 8],
  ]);
  expect(await queryDuckdb(`SELECT task FROM '${out}/meta/tasks.parquet' ORDER BY task_index`)).toEqual([
    ['Goal of AE_2'],
    ['Goal of PPT_15'],
  ]);
});

test('the figures of the whole are those of all rows together', async () => {
  const stats = JSON.parse(await readFile(`${out}/meta/stats.json`, 'utf8'));
  const [row] = await queryDuckdb(
    `SELECT min(action[1]), max(action[1]), avg(action[1]), stddev_pop(action[1]), count(*) FROM '${out}/data/*/*.parquet'`,
  );
  const { min, max, mean, std, count } = stats.action;
  const found = [min[0], max[0], mean[0], std[0], count[0]];
  for (const [at, value] of found.entries()) expect(value).toBeCloseTo(Number(row![at]), 4);
  // Noise of all values: half grey, each colour by itself.
  expect(stats[SCREEN].mean.flat(2)).toHaveLength(3);
  for (const value of stats[SCREEN].mean.flat(2)) expect(value).toBeCloseTo(0.5, 1);
  expect(stats[SCREEN].count).toEqual([10]);
});

/** The pictures of a film, as ffmpeg shows them. */
async function picturesOf(film: string, name: string): Promise<string[]> {
  const { path: ffmpeg } = await findFfmpeg();
  const folder = path.join(root, name);
  mkdirSync(folder);
  execFileSync(ffmpeg, ['-loglevel', 'error', '-i', film, '-fps_mode', 'passthrough', path.join(folder, '%d.png')]);
  return (await listTargetFiles(folder)).map((file) => path.join(folder, file));
}

test('an exact video has the pixels of every still; pictures of another size lie in its corner', async () => {
  const larger = await makeTask(path.join(root, 'large'), 'PPT_16', [{ query: 'q', actions: [click(60, 30)] }]);
  const [action] = larger.subtasks[0]!.actions;
  const file = action!.beforeImage!.path;
  const still = await sharp(file).resize(128, 80, { kernel: 'nearest' }).png().toBuffer();
  await writeFile(file, still);
  Object.assign(action!.beforeImage!, { width: 128, height: 80 });
  const exact = path.join(root, 'exact');
  await exportTasks([...tasks, larger], exact, requestOf('lerobot', { options: { video: 'exact' } }), OPTIONS);
  expect((await validateExport('lerobot', exact)).problems).toEqual([]);
  const [first] = await picturesOf(path.join(exact, FILM), 'first');
  const raw = (image: string) => sharp(image).removeAlpha().raw().toBuffer();
  const before = tasks[1]!.subtasks[0]!.actions[0]!.beforeImage!.path;
  expect((await raw(first!)).equals(await raw(before))).toBe(true);
  const rows = await parquetRows(`${exact}/data/chunk-000/file-000.parquet`);
  const last = rows.find(({ episode_index }) => episode_index === 2);
  // (60, 30) of 128 x 80 is (30, 15) of 64 x 40.
  expect(last.action.slice(0, 2)).toEqual([Math.fround(0.4688), 0.375]);
  const [small] = await picturesOf(path.join(exact, FILM.replace('000.mp4', '002.mp4')), 'small');
  expect(await sharp(small!).metadata()).toMatchObject({ width: 64, height: 40 });
});

test('a scroll, an episode without an end and a step that cannot be done are said as they are', async () => {
  const task = await makeTask(path.join(root, 'odd'), 'DV_8', [
    { query: 'q', actions: [scroll(0, 3), drag([0, 0], [63, 39]), click(200, 3)] },
  ]);
  task.subtasks[0]!.endImage = null;
  const odd = path.join(root, 'odd-out');
  const { leftOut } = await exportTasks([task], odd, requestOf('lerobot'), OPTIONS);
  expect(leftOut).toContainEqual(expect.objectContaining({ item: 'DV_8/1/3', from: 'lerobot' }));
  expect(leftOut).toContainEqual(expect.objectContaining({ item: 'DV_8', from: 'lerobot/terminate' }));
  expect((await validateExport('lerobot', odd)).problems).toEqual([]);
  const rows = await parquetRows(`${odd}/data/chunk-000/file-000.parquet`);
  expect(rows.map((row) => row['next.done'])).toEqual([false, true]);
  expect(rows[0].action.slice(2)).toEqual([-1, -1, 0, 3]);
});

/** Damages a copy, puts the manifest right again, and gives the codes that are found. */
async function codesAfter(name: string, damage: (dir: string) => Promise<unknown>): Promise<string[]> {
  const dir = path.join(root, name);
  await cp(out, dir, { recursive: true });
  await damage(dir);
  const manifest = JSON.parse(await readFile(path.join(dir, 'manifest.json'), 'utf8'));
  const files = (await listTargetFiles(dir)).filter((file) => file !== 'manifest.json');
  manifest.files = await Promise.all(files.map((file) => hashFile(dir, file)));
  await writeFile(path.join(dir, 'manifest.json'), JSON.stringify(manifest));
  return (await validateExport('lerobot', dir)).problems.map(({ code }) => code);
}

const info = (how: (value: ReturnType<typeof JSON.parse>) => unknown) => async (dir: string) => {
  const file = path.join(dir, 'meta/info.json');
  const value = JSON.parse(await readFile(file, 'utf8'));
  how(value);
  await writeFile(file, JSON.stringify(value));
};

test.each<[string, (dir: string) => Promise<unknown>, string]>([
  ['a video is lost', (dir) => rm(path.join(dir, FILM)), 'MEDIA_MISSING'],
  ['a video is cut off', (dir) => truncate(path.join(dir, FILM), 400), 'MEDIA_DAMAGED'],
  ['a video is none', (dir) => writeFile(path.join(dir, FILM), 'no video at all'), 'MEDIA_DAMAGED'],
  [
    'two videos changed places',
    (dir) => cp(path.join(dir, FILM.replace('000.mp4', '001.mp4')), path.join(dir, FILM)),
    'FIGURE_WRONG',
  ],
  [
    'a video that no episode names',
    (dir) => cp(path.join(dir, FILM), path.join(dir, FILM.replace('000.mp4', '009.mp4'))),
    'IMAGE_UNUSED',
  ],
  ['the rows are lost', (dir) => rm(path.join(dir, 'data'), { recursive: true }), 'REFERENCE_WRONG'],
  ['the tasks are lost', (dir) => rm(path.join(dir, 'meta/tasks.parquet')), 'FILE_MISSING'],
  ['the episodes are lost', (dir) => rm(path.join(dir, 'meta/episodes'), { recursive: true }), 'FILE_MISSING'],
  [
    'half a file of rows',
    (dir) => truncate(path.join(dir, 'data/chunk-000/file-000.parquet'), 900),
    'PARQUET_UNREADABLE',
  ],
  [
    'the tasks in place of the rows',
    (dir) => cp(path.join(dir, 'meta/tasks.parquet'), path.join(dir, 'data/chunk-000/file-000.parquet')),
    'COLUMN_MISSING',
  ],
  ['another number of frames', info((value) => value.total_frames++), 'FIGURE_WRONG'],
  ['another version', info((value) => (value.codebase_version = 'v2.1')), 'ROW_BAD'],
  ['another size', info((value) => (value.features[SCREEN].shape = [40, 80, 3])), 'SIZE_WRONG'],
  ['a feature that has no column', info((value) => (value.features.more = value.features.thought)), 'FEATURES_BAD'],
  ['a split of other rows', info((value) => (value.splits = { train: '0:9' })), 'SPLIT_WRONG'],
])('found: %s', async (name, damage, code) => {
  expect(await codesAfter(name, damage)).toContain(code);
});

/** As LeRobot's own reader does it (io_utils.py): tasks by pandas, the rest by datasets, cast to the features of info.json. */
const READER = `
import json, sys
import datasets, pandas as pd
from pathlib import Path
root = Path(sys.argv[1])
info = json.load(open(root / 'meta/info.json'))
tasks = pd.read_parquet(root / 'meta/tasks.parquet')
said = {'role': datasets.Value('string'), 'content': datasets.Value('string'), 'style': datasets.Value('string')}
calls = {'camera': datasets.Value('string'), 'tool_calls': [datasets.Value('string')]}
features = {}
for key, feature in info['features'].items():
    if feature['dtype'] == 'video': continue
    if key == 'language_persistent': features[key] = [{**said, 'timestamp': datasets.Value('float32'), **calls}]
    elif key == 'language_events': features[key] = [{**said, **calls}]
    elif feature['shape'] == [1]: features[key] = datasets.Value(feature['dtype'])
    else: features[key] = datasets.Sequence(length=feature['shape'][0], feature=datasets.Value(feature['dtype']))
of = lambda folder, features=None: datasets.Dataset.from_parquet(
    [str(p) for p in sorted((root / folder).glob('*/*.parquet'))], features=features and datasets.Features(features), cache_dir=sys.argv[2])
rows, episodes = of('data', features), of('meta/episodes')
print(json.dumps({'rows': len(rows), 'episodes': len(episodes), 'tasks': [tasks.iloc[i].name for i in range(len(tasks))],
    'action': rows[0]['action'], 'stats': episodes[0]['stats/' + '${SCREEN}' + '/mean'], 'said': rows[2]['language_events'][0]['role']}))
`;
test.skipIf(!pythonHas('datasets', 'pandas'))('read as LeRobot reads it, by pandas and datasets', () => {
  const env = { ...process.env, HF_HUB_OFFLINE: '1', HF_HOME: path.join(root, 'home') };
  const found = execFileSync(PYTHON, ['-c', READER, out, path.join(root, 'cache')], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { action, stats, ...rest } = JSON.parse(found);
  expect(rest).toEqual({ rows: 10, episodes: 2, tasks: ['Goal of AE_2', 'Goal of PPT_15'], said: 'assistant' });
  expect(action).toHaveLength(6);
  expect(stats).toHaveLength(3);
});

const { TRAINERS } = process.env;
const hasLerobot = TRAINERS !== undefined && existsSync(path.join(TRAINERS, 'lerobot'));

test.skipIf(!hasLerobot)(
  'LeRobot’s own LeRobotDataset gives every frame: words, calls, windows of actions, every pixel (TRAINERS)',
  async () => {
    const exact = path.join(root, 'for-lerobot');
    await exportTasks(tasks, exact, requestOf('lerobot', { options: { video: 'exact' } }), OPTIONS);
    const script = path.resolve(import.meta.dirname, '../../../test/support/trainers_lerobot.py');
    const env = { ...process.env, HF_HUB_OFFLINE: '1', HF_HOME: path.join(root, 'lerobot-home') };
    const { stdout, stderr } = spawnSync(PYTHON, [script, path.resolve(TRAINERS!), exact], { env, encoding: 'utf8' });
    const found = JSON.parse(stdout.split('\n').at(-2) ?? 'null');
    expect(found, stderr.slice(-2000)).not.toBeNull();
    const { frames, ...rest } = found;
    expect(rest).toMatchObject({ episodes: 2, rows: 10, tools: ['computer'], means: 3 });
    expect(rest.stats).toContain(SCREEN);
    const rows = await parquetRows(`${exact}/data/chunk-000/file-000.parquet`);
    const stills = await Promise.all(
      [
        ...(await picturesOf(path.join(exact, FILM), 'frames-0')),
        ...(await picturesOf(path.join(exact, FILM.replace('000.mp4', '001.mp4')), 'frames-1')),
      ].map(async (file) =>
        createHash('sha256')
          .update(await sharp(file).removeAlpha().raw().toBuffer())
          .digest('hex'),
      ),
    );
    expect(frames).toEqual(
      rows.map((row, at) => ({
        task: `Goal of ${row.task_id}`,
        task_id: row.task_id,
        kind: row['action.kind'],
        place: row.action.slice(0, 2).map((value: number) => Number(value.toFixed(4))),
        padded: [row.frame_index === 0, false, row['next.done']],
        size: [40, 64, 3],
        picture: stills[at],
        calls: row.language_events.flatMap((event: { tool_calls: unknown[] | null }) =>
          (event.tool_calls ?? []).map(() => 'computer'),
        ),
        styles: row.language_persistent.map(({ style }: { style: string }) => style),
      })),
    );
  },
  240_000,
);
