import { readdirSync } from 'node:fs';
import { cp, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { CUA_VERIFIER_BENCH } from '../../../core/export/cua-verifier/log.ts';
import { ANNOTATION_COLUMNS, TRAJECTORY_COLUMNS } from '../../../core/export/cua-verifier/rows.ts';
import type { ExportTask } from '../../../core/export/model.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { queryDuckdb } from './duckdb-for-tests.ts';
import { click, makeTask, saidForTests } from './example-for-tests.ts';
import { exportTasks, sourceOf } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { openParquet } from './parquet.ts';
import { parquetRows } from './parquet-for-tests.ts';
import { exportFormats } from './run.ts';
import { hashFile, listTargetFiles } from './target.ts';
import { validateExport } from './validate.ts';

/** CUAVerifierBench as tables: read by others, and what is wrong in them found. */

const FILE = 'train-00000-of-00001.parquet';
const folders = temporaryFolders();
afterAll(() => folders.clean());

let tasks: ExportTask[];
let out: string;
beforeEach(async () => {
  const stills = folders.make();
  tasks = await Promise.all(
    [1, 2, 3, 4].map((at) => makeTask(stills, `DV_${at}`, [{ query: 'q', actions: [click(1, at), click(2, at)] }])),
  );
  for (const task of tasks) task.said = saidForTests(task);
  out = join(folders.make(), 'out');
  // Shards of two trajectories, row groups of one.
  const sizes = { shardBytes: 50_000, groupBytes: 1000 };
  await exportFormats(sourceOf(tasks), out, [requestOf(CUA_VERIFIER_BENCH)], {
    toolVersion: '0',
    filters: {},
    sizes,
  });
});

test('DuckDB reads every row of every shard, pictures as they were recorded, and joins both', async () => {
  const names = readdirSync(join(out, 'trajectories'));
  expect(names.length).toBeGreaterThan(1);
  const [[bytes] = []] = await queryDuckdb(
    `SELECT octet_length(screenshots[2].bytes) FROM '${out}/trajectories/*.parquet' WHERE task_id = 'DV_3'`,
  );
  const still = tasks[2]!.subtasks[0]!.actions[1]!.beforeImage!.path;
  expect(Number(bytes)).toBe((await readFile(still)).length);
  expect(
    await queryDuckdb(
      `SELECT task_id, n_screenshots, len(screenshots), is_aborted, round(uv_rubric_score, 3), annotator, human_process_score
       FROM '${out}/trajectories/*.parquet' JOIN '${out}/annotations/*.parquet' USING (task_id)
       WHERE human_judgement_outcome = 'Correct' ORDER BY task_id LIMIT 1`,
    ),
  ).toEqual([['DV_1', 3, '3', false, 0.5, expect.stringMatching(/^Judge[12]$/), 1]]);
  const types = await queryDuckdb(
    `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${out}/trajectories/*.parquet')`,
  );
  expect(Object.fromEntries(types as [string, string][])).toMatchObject({
    is_aborted: 'BOOLEAN',
    n_screenshots: 'INTEGER',
    uv_rubric_score: 'FLOAT',
    screenshots: 'STRUCT(bytes BLOB, path VARCHAR)[]',
  });
  expect((await validateExport(CUA_VERIFIER_BENCH, out)).problems).toEqual([]);
});

type Row = Awaited<ReturnType<typeof parquetRows>>[number];
/** A row of the first file, changed; the manifest is made to fit, so that nothing but the rows themselves tells. */
async function changed(
  table: 'trajectories' | 'annotations',
  how: (row: Row, rows: Row[]) => unknown,
): Promise<string[]> {
  const folder = join(folders.make(), 'changed');
  const source = join(folders.make(), 'whole');
  await exportFormats(sourceOf(tasks), source, [requestOf(CUA_VERIFIER_BENCH)], { toolVersion: '0', filters: {} });
  await cp(source, folder, { recursive: true });
  const file = join(folder, table, FILE);
  const rows = await parquetRows(file);
  how(rows[0], rows);
  const columns = table === 'trajectories' ? TRAJECTORY_COLUMNS : ANNOTATION_COLUMNS;
  const stills = new Map(tasks.map((task) => [task.id, task.subtasks.flatMap(({ actions }) => actions)]));
  const writer = openParquet(file, columns);
  for (const row of rows) {
    const steps = stills.get(row.task_id) ?? stills.get('DV_1')!;
    const pictures = [...steps.map(({ beforeImage }) => beforeImage), steps.at(-1)!.afterImage];
    const screenshots = row.screenshots?.map((_: unknown, at: number) => ({
      picture: pictures[at],
      name: `screenshot${at}.png`,
    }));
    await writer.write({ ...row, ...(screenshots && { screenshots }) });
  }
  await writer.finish();
  const at = join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(at, 'utf8'));
  const names = (await listTargetFiles(folder)).filter((name) => name !== 'manifest.json');
  manifest.files = await Promise.all(names.map((name) => hashFile(folder, name)));
  await writeFile(at, JSON.stringify(manifest));
  return (await validateExport(CUA_VERIFIER_BENCH, folder)).problems.map(({ code }) => code);
}
const inLog = (how: (line: Row) => unknown) => (row: Row) => {
  const log = row.web_surfer_log
    .trimEnd()
    .split('\n')
    .map((line: string) => JSON.parse(line));
  how(log[0]);
  row.web_surfer_log = log.map((line: Row) => JSON.stringify(line)).join('\n');
};

test.each<[what: string, table: 'trajectories' | 'annotations', how: (row: Row, rows: Row[]) => unknown, code: string]>(
  [
    ['a task twice', 'trajectories', (row, rows) => (rows[1].task_id = row.task_id), 'ID_TWICE'],
    ['another number of pictures', 'trajectories', (row) => (row.n_screenshots = 7), 'FIGURE_WRONG'],
    [
      'pictures that are gone',
      'trajectories',
      (row) => (row.screenshots.length = row.n_screenshots = 1),
      'MARKS_WRONG',
    ],
    ['no picture at all', 'trajectories', (row) => (row.screenshots = []), 'ROW_BAD'],
    ['a place outside', 'trajectories', inLog((line) => (line.arguments.coordinate = [64, 0])), 'POSITION_OUTSIDE'],
    ['another action than it does', 'trajectories', inLog((line) => (line.action = 'type')), 'REFERENCE_WRONG'],
    ['a line without thoughts', 'trajectories', inLog((line) => delete line.arguments.thoughts), 'ROW_BAD'],
    ['a log that is no JSON', 'trajectories', (row) => (row.web_surfer_log = '{'), 'JSON_BAD'],
    ['a time before its beginning', 'trajectories', (row) => (row.end_timestamp = '1999-01-01T00:00:00Z'), 'ROW_BAD'],
    ['another verdict than its judging', 'trajectories', (row) => (row.uv_outcome_success = 0), 'REFERENCE_WRONG'],
    ['another share than its judging', 'trajectories', (row) => (row.uv_rubric_score = 0.9), 'REFERENCE_WRONG'],
    ['a judging in another form', 'trajectories', (row) => (row.gpt_eval_json = '{"score":1}'), 'ROW_BAD'],
    ['a verdict without a judging', 'trajectories', (row) => (row.gpt_eval_json = ''), 'REFERENCE_WRONG'],
    ['a word of a verifier that is not here', 'trajectories', (row) => (row.mm_is_success = 1), 'ROW_BAD'],
    ['another vote than people’s', 'trajectories', (row) => (row.majority_human_outcome_vote = 0), 'FIGURE_WRONG'],
    [
      'another median than people’s',
      'trajectories',
      (row) => (row.median_human_rubric_score_agnostic = 1),
      'FIGURE_WRONG',
    ],
    ['a name in the place of a number', 'annotations', (row) => (row.annotator = 'Ana'), 'ROW_BAD'],
    ['a person twice', 'annotations', (row, rows) => (rows[1].annotator = row.annotator), 'ID_TWICE'],
    ['a row of no trajectory', 'annotations', (row) => (row.task_id = 'DV_9'), 'REFERENCE_WRONG'],
    ['a word that there is not', 'annotations', (row) => (row.human_judgement_outcome = 'Good'), 'ROW_BAD'],
    ['an informed word', 'annotations', (row) => (row.informed_outcome_comment = 'Yes'), 'ROW_BAD'],
  ],
)('%s is found', async (_what, table, how, code) => {
  expect(await changed(table, () => undefined)).toEqual([]);
  expect(await changed(table, how)).toContain(code);
});

test('a trajectory whose pictures are more than a row holds is left out and told', async () => {
  const step = tasks[0]!.subtasks[0]!.actions[0]!;
  const large = join(folders.make(), 'large.png');
  await writeFile(large, '');
  await truncate(large, 300_000_000);
  step.beforeImage = { ...step.beforeImage!, path: large };
  const target = join(folders.make(), 'out');
  const { leftOut } = await exportTasks(tasks, target, requestOf(CUA_VERIFIER_BENCH), {
    toolVersion: '0',
    filters: {},
  });
  expect(leftOut).toContainEqual({
    item: 'DV_1',
    from: CUA_VERIFIER_BENCH,
    reason: 'its screenshots are 300 MB, and a row holds 256 MB',
  });
  expect((await parquetRows(join(target, 'trajectories', FILE))).map(({ task_id }) => task_id)).toEqual([
    'DV_2',
    'DV_3',
    'DV_4',
  ]);
  expect((await validateExport(CUA_VERIFIER_BENCH, target)).problems).toEqual([]);
});

test('a person has the same number in every split, whoever comes first in it', async () => {
  for (const [at, task] of tasks.entries()) {
    task.split = at % 2 ? 'test' : 'train';
    const people = task.said!.people; // Each has been given some.
    // One person alone in the first; in the last the other one stands first.
    task.said = { ...task.said!, people: at === 0 ? people.slice(1) : at === 3 ? people.toReversed() : people };
  }
  const target = join(folders.make(), 'out');
  await exportTasks(tasks, target, requestOf(CUA_VERIFIER_BENCH), { toolVersion: '0', filters: {} });
  const said: [string, string][] = [];
  for (const split of ['train', 'test']) {
    for (const row of await parquetRows(join(target, split, 'annotations', `${split}-00000-of-00001.parquet`)))
      said.push([row.human_judgement_outcome, row.annotator]);
  }
  // The first to come is the one who says nothing of the outcome.
  expect(new Set(said.map((one) => one.join(' ')))).toEqual(new Set([' Judge1', 'Correct Judge2']));
  expect((await validateExport(CUA_VERIFIER_BENCH, target)).problems).toEqual([]);
});

test('the card says what a panel is worth where enough is known to say it', async () => {
  const { panel } = tasks[0]!.said!.judgings[0]!;
  const card = {
    judged: 50,
    labels: { all: 40, verify: 30, review: 10, needed: 30 },
    figures: {
      precision: { value: 0.9, low: 0.7, high: 0.97, n: 20 },
      npv: null,
      unsure: 20,
      kappa: { value: 0.5, n: 40, low: 0.3, high: 0.7 },
    },
    among: null,
  };
  const told = async (panels: { panel: typeof panel; card: typeof card }[]): Promise<string> => {
    const target = join(folders.make(), 'out');
    const source = { ...sourceOf(tasks), panels: async () => panels };
    await exportFormats(source, target, [requestOf(CUA_VERIFIER_BENCH)], { toolVersion: '0', filters: {} });
    return /- Panel of .*/.exec(await readFile(join(target, 'README.md'), 'utf8'))?.[0] ?? '';
  };
  expect(await told([{ panel, card }])).toBe(
    '- Panel of m-1, m-2, 1 wording each, at http://127.0.0.1:9: precision 0.900 (95 % 0.700 to 0.970, n = 20), NPV unknown (n = 0), by 40 recordings that it judged and plays (30) or reviews (10) label; unsure of 20 of them.',
  );
  // Another panel's worth is none of its.
  expect(await told([{ panel: { ...panel, prompts: 2 }, card }])).toContain(
    'nothing is known here of what it is worth',
  );
});
