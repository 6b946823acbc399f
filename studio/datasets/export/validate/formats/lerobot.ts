import path from 'node:path';
import { z } from 'zod';
import { plural } from '../../../../../core/words.ts';
import {
  LEROBOT_SCREEN,
  type LerobotInfo,
  type LerobotRow,
  lerobotInfoSchema,
  lerobotRowSchema,
  lerobotStatsSchema,
} from '../../../../../schemas/export-lerobot.ts';
import { refuseCancelled } from '../../../../store/jobs/cancelled.ts';
import { checkCode, checkTermination, type ReadCall } from '../calls.ts';
import { TASK_ID_SHAPE } from '../expected.ts';
import { filmFacts } from '../mp4.ts';
import { readParquet } from '../parquet.ts';
import type { PlaceReport } from '../problems.ts';
import { type CheckedFolder, readJson } from '../reading.ts';

const TEXT = 'BYTE_ARRAY UTF8';
const SAID = `role: ${TEXT}, content: ${TEXT}, style: ${TEXT}`;
const CALLS = `camera: ${TEXT}, tool_calls: [${TEXT}]`;
/** Written down from LeRobot's own types: what its reader casts the file to. */
const DATA: Readonly<Record<string, string>> = {
  action: '[FLOAT]',
  'action.kind': TEXT,
  'action.code': TEXT,
  thought: TEXT,
  element: TEXT,
  recorded_at: 'FLOAT',
  'next.done': 'BOOLEAN',
  language_persistent: `[{${SAID}, timestamp: FLOAT, ${CALLS}}]`,
  language_events: `[{${SAID}, ${CALLS}}]`,
  timestamp: 'FLOAT',
  frame_index: 'INT64',
  episode_index: 'INT64',
  index: 'INT64',
  task_index: 'INT64',
  task_id: TEXT,
};
const TASKS = { task_index: 'INT64', task: TEXT };
const taskSchema = z.object({ task_index: z.int().min(0), task: z.string() });

const index = z.int().min(0);
const episodeSchema = z.object({
  episode_index: index,
  tasks: z.array(z.string()).length(1),
  length: z.int().min(1),
  'data/chunk_index': index,
  'data/file_index': index,
  dataset_from_index: index,
  dataset_to_index: index,
  [`videos/${LEROBOT_SCREEN}/chunk_index`]: index,
  [`videos/${LEROBOT_SCREEN}/file_index`]: index,
  [`videos/${LEROBOT_SCREEN}/from_timestamp`]: z.number().min(0),
  [`videos/${LEROBOT_SCREEN}/to_timestamp`]: z.number().min(0),
  task_id: z.string(),
});
type Episode = z.infer<typeof episodeSchema>;
type Frames = {
  rows: number;
  first: number;
  tasks: Set<number>;
  ids: Set<string>;
  file: string;
  calls: ReadCall[][];
  done: number;
};

/** data/, videos/ and meta/ against each other, as LeRobot's reader needs them. */
export async function checkLerobot(check: CheckedFolder): Promise<Record<string, number>> {
  const { report, found } = check;
  const info = await readJson(check, 'meta/info.json', lerobotInfoSchema);
  // Without episodes there is nothing to count, and LeRobot reads a data set that has none of them.
  const isEmpty = info?.total_episodes === 0;
  const stats = isEmpty ? null : await readJson(check, 'meta/stats.json', lerobotStatsSchema);
  const tasks = await tasksOf(check);
  const size = info?.features[LEROBOT_SCREEN]?.shape;
  const frame = size?.length === 3 ? { width: size[1]!, height: size[0]! } : null;
  if (info && frame === null)
    report('ROW_BAD', 'meta/info.json', '', `it has no video ${LEROBOT_SCREEN} of three numbers`);
  const frames = new Map<number, Frames>();
  let rows = 0;
  for (const file of found.filter((name) => /^data\/chunk-\d{3}\/file-\d{3}\.parquet$/.test(name)).sort()) {
    await eachRow(check, file, DATA, lerobotRowSchema, async (row, place) => {
      checkRow(row, { rows, file, frames, tasks: tasks.length, frame }, place);
      rows++;
    });
  }
  const episodes = await checkEpisodes(check, { frames, tasks, frame });
  if (info) checkInfo(info, { episodes, rows, tasks: tasks.length, split: check.split }, check);
  const counted = stats?.index.count[0] ?? rows;
  if (counted !== rows) report('FIGURE_WRONG', 'meta/stats.json', '', `it counts ${counted} rows, there are ${rows}`);
  return { 'data/*/*.parquet': rows, episodes };
}

async function eachRow<T>(
  { dir, report, signal }: CheckedFolder,
  file: string,
  columns: Readonly<Record<string, string>> | null,
  schema: z.ZodType<T>,
  onRow: (row: T, place: PlaceReport) => Promise<void>,
): Promise<void> {
  const expected = columns === null ? 'any' : { columns, features: false };
  await readParquet(path.join(dir, file), file, expected, report, async (read, number) => {
    refuseCancelled(signal);
    const place: PlaceReport = (code, message) => report(code, file, `row ${number}`, message);
    const row = schema.safeParse(read);
    if (row.success) return onRow(row.data, place);
    const issues = row.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    place('ROW_BAD', issues.slice(0, 5).join('; '));
  });
}

async function tasksOf(check: CheckedFolder): Promise<string[]> {
  const file = 'meta/tasks.parquet';
  const tasks: string[] = [];
  if (!check.has(file)) {
    check.report('FILE_MISSING', file, '', 'the format’s own file is not there');
    return tasks;
  }
  await eachRow(check, file, TASKS, taskSchema, async ({ task, task_index }, place) => {
    if (task_index !== tasks.length) place('RANK_GAP', `its task_index is ${task_index}, not ${tasks.length}`);
    if (tasks.includes(task)) place('ID_TWICE', 'its task stands here a second time');
    tasks.push(task);
  });
  return tasks;
}

type Seen = {
  rows: number;
  file: string;
  frames: Map<number, Frames>;
  tasks: number;
  frame: { width: number; height: number } | null;
};

function checkRow(row: LerobotRow, { rows, file, frames, tasks, frame }: Seen, place: PlaceReport): void {
  if (row.index !== rows) place('RANK_GAP', `its index is ${row.index}, it is row ${rows} of the data set`);
  const known = frames.get(row.episode_index);
  const episode = known ?? { rows: 0, first: rows, tasks: new Set(), ids: new Set(), file, calls: [], done: 0 };
  frames.set(row.episode_index, episode);
  if (known && known.file !== file) place('ORDER_WRONG', `its episode began in ${known.file}`);
  if (row.frame_index !== episode.rows)
    place('RANK_GAP', `its frame_index is ${row.frame_index}, it is row ${episode.rows} of its episode`);
  if (Math.abs(row.timestamp - row.frame_index) > 1e-4)
    place('FIGURE_WRONG', `its timestamp is ${row.timestamp}, a frame is a second`);
  if (row.task_index >= tasks) place('REFERENCE_WRONG', `there is no task ${row.task_index}`);
  episode.tasks.add(row.task_index);
  episode.ids.add(row.task_id);
  const calls = checkCode(row['action.code'], frame, place);
  episode.calls.push(calls);
  const pointed = calls.find(({ args }) => args.x !== undefined);
  const [x, y] = row.action;
  // A 32 bit number of four decimals.
  const differs = (value: number, said: unknown): boolean => Math.abs(value - Number(said ?? -1)) > 1e-4;
  if (differs(x, pointed?.args.x) || differs(y, pointed?.args.y))
    place(
      'CODE_DIFFERS',
      `action begins at (${x}, ${y}), the code at (${pointed?.args.x ?? -1}, ${pointed?.args.y ?? -1})`,
    );
  for (const { tool_calls } of [...row.language_events, ...row.language_persistent]) {
    for (const call of tool_calls ?? []) if (!isJson(call)) place('JSON_BAD', 'a call in tool_calls is no JSON');
  }
  episode.rows++;
  if (row['next.done']) episode.done++;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

type Known = { frames: ReadonlyMap<number, Frames>; tasks: readonly string[]; frame: Seen['frame'] };

async function checkEpisodes(check: CheckedFolder, known: Known): Promise<number> {
  const { found, report } = check;
  const files = found.filter((name) => /^meta\/episodes\/chunk-\d{3}\/file-\d{3}\.parquet$/.test(name)).sort();
  if (files.length === 0) report('FILE_MISSING', 'meta/episodes', '', 'no file there says which rows are an episode');
  let number = 0;
  const films = new Set<string>();
  for (const file of files) {
    await eachRow(check, file, null, episodeSchema, async (row, place) => {
      if (row.episode_index !== number) place('RANK_GAP', `its episode_index is ${row.episode_index}, not ${number}`);
      number++;
      films.add(checkEpisode(check, row, known, place));
    });
  }
  if (known.frames.size > number)
    report('SUBTASK_MISSING', 'meta/episodes', '', `${plural(known.frames.size, 'episode')} in data/, ${number} here`);
  for (const name of found) {
    if (name.startsWith('videos/') && !films.has(name)) report('IMAGE_UNUSED', name, '', 'no episode is of it');
  }
  return number;
}

const digits = (value: number): string => String(value).padStart(3, '0');

/** The path of its video. */
function checkEpisode(check: CheckedFolder, row: Episode, { frames, tasks, frame }: Known, place: PlaceReport): string {
  if (!TASK_ID_SHAPE.test(row.task_id)) place('TASK_ID', `"${row.task_id}" is not of the form PPT_15`);
  check.inSplit(row.task_id, place);
  const of = frames.get(row.episode_index);
  const data = `data/chunk-${digits(row['data/chunk_index'])}/file-${digits(row['data/file_index'])}.parquet`;
  if (!of) place('REFERENCE_WRONG', 'no row in data/ is of it');
  else {
    const [from, to] = [row.dataset_from_index, row.dataset_to_index];
    if (of.file !== data) place('REFERENCE_WRONG', `its rows are in ${of.file}, not in ${data}`);
    if (from !== of.first || to !== of.first + of.rows || row.length !== of.rows)
      place(
        'FIGURE_WRONG',
        `it says rows ${from} to ${to} (${row.length}), they are ${of.first} to ${of.first + of.rows}`,
      );
    const [task] = of.tasks;
    const isOne = of.tasks.size === 1 && tasks[task ?? -1] === row.tasks[0] && [...of.ids].join() === row.task_id;
    if (!isOne) place('REFERENCE_WRONG', 'its rows are of another task');
    if (of.done !== 1) place('TERMINATE_WRONG', `${plural(of.done, 'row')} of it say that it is done`);
    checkTermination(of.calls, check.explained('lerobot/terminate', row.task_id), place);
  }
  const [chunk, file] = [row[`videos/${LEROBOT_SCREEN}/chunk_index`]!, row[`videos/${LEROBOT_SCREEN}/file_index`]!]; // The schema has both.
  const film = `videos/${LEROBOT_SCREEN}/chunk-${digits(Number(chunk))}/file-${digits(Number(file))}.mp4`;
  if (!check.has(film)) {
    place('MEDIA_MISSING', `${film} is not there`);
    return film;
  }
  const facts = filmFacts(path.join(check.dir, film));
  if ('damage' in facts) place('MEDIA_DAMAGED', `${film}: ${facts.damage}`);
  else {
    if (frame && (facts.width !== frame.width || facts.height !== frame.height))
      place('SIZE_WRONG', `${film} is ${facts.width} x ${facts.height}, not ${frame.width} x ${frame.height}`);
    if (facts.frames !== row.length) place('FIGURE_WRONG', `${film} has ${facts.frames} pictures, not ${row.length}`);
    if (Math.abs(facts.seconds - row.length) > 0.01)
      place('FIGURE_WRONG', `${film} takes ${facts.seconds} s, a picture is a second`);
  }
  return film;
}

type Counted = { episodes: number; rows: number; tasks: number; split: string | null };

function checkInfo(info: LerobotInfo, { episodes, rows, tasks, split }: Counted, { report }: CheckedFolder): void {
  const place: PlaceReport = (code, message) => report(code, 'meta/info.json', '', message);
  const counted = { total_episodes: episodes, total_frames: rows, total_tasks: tasks } as const;
  for (const [name, count] of Object.entries(counted)) {
    const said = info[name as keyof typeof counted]; // Its own keys.
    if (said !== count) place('FIGURE_WRONG', `${name} is ${said}, there are ${count}`);
  }
  const splits = JSON.stringify({ [split ?? 'train']: `0:${episodes}` });
  if (JSON.stringify(info.splits) !== splits)
    place('SPLIT_WRONG', `splits is ${JSON.stringify(info.splits)}, not ${splits}`);
  const columns = Object.keys(DATA).sort().join();
  const features = Object.keys(info.features).filter((name) => name !== LEROBOT_SCREEN);
  if (features.sort().join() !== columns) place('FEATURES_BAD', 'its features are not the columns of data/');
}
