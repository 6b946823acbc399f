import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { episodeOf, firstScreenOf, LEROBOT_FPS } from '../../../core/export/lerobot/episode.ts';
import { type FrameSize, frameOf } from '../../../core/export/lerobot/frame.ts';
import { chunkPath, DATA_PATH, lerobotInfo, VIDEO_PATH } from '../../../core/export/lerobot/info.ts';
import { figuresOf, joinedFigures } from '../../../core/export/lerobot/stats.ts';
import type { ExportTask, LeftOut } from '../../../core/export/model.ts';
import { append } from '../../../core/lists.ts';
import { LEROBOT_SCREEN, type LerobotFigures, type LerobotRow } from '../../../schemas/export-lerobot.ts';
import { type LerobotColumn, type LerobotFile, openLerobotParquet } from './lerobot-parquet.ts';
import type { FormatWriter, WriterContext } from './writer.ts';

/** A data file is closed after so many rows: some 100 MB with long texts. */
const FILE_ROWS = 50_000;

const NUMBERS = ['action', 'recorded_at', 'timestamp', 'frame_index', 'episode_index', 'index', 'task_index'] as const;
const FIGURES = ['count', 'min', 'max', 'mean', 'std', 'q01', 'q10', 'q50', 'q90', 'q99'] as const;

const DATA_COLUMNS: readonly LerobotColumn[] = [
  { name: 'action', type: { list: 'float32' } },
  { name: 'action.kind', type: 'string' },
  { name: 'action.code', type: 'string' },
  { name: 'thought', type: 'string' },
  { name: 'element', type: 'string' },
  { name: 'recorded_at', type: 'float32' },
  { name: 'next.done', type: 'bool' },
  { name: 'language_persistent', type: 'said-lasting' },
  { name: 'language_events', type: 'said' },
  { name: 'timestamp', type: 'float32' },
  ...(['frame_index', 'episode_index', 'index', 'task_index'] as const).map((name): LerobotColumn => {
    return { name, type: 'int64' };
  }),
  { name: 'task_id', type: 'string' },
];

const colour: LerobotColumn['type'] = { list: { list: { list: 'float64' } } };
const EPISODE_COLUMNS: readonly LerobotColumn[] = [
  { name: 'episode_index', type: 'int64' },
  { name: 'tasks', type: { list: 'string' } },
  { name: 'length', type: 'int64' },
  ...[
    ...['data/chunk_index', 'data/file_index', 'dataset_from_index', 'dataset_to_index'],
    ...[`videos/${LEROBOT_SCREEN}/chunk_index`, `videos/${LEROBOT_SCREEN}/file_index`],
  ].map((name): LerobotColumn => ({ name, type: 'int64' })),
  { name: `videos/${LEROBOT_SCREEN}/from_timestamp`, type: 'float64' },
  { name: `videos/${LEROBOT_SCREEN}/to_timestamp`, type: 'float64' },
  { name: 'meta/episodes/chunk_index', type: 'int64' },
  { name: 'meta/episodes/file_index', type: 'int64' },
  // Ours.
  ...['task_id', 'app', 'platform', 'recording', 'recorded_from'].map(
    (name): LerobotColumn => ({ name, type: 'string' }),
  ),
  { name: 'screen_width', type: 'int64' },
  { name: 'screen_height', type: 'int64' },
  ...[...NUMBERS, LEROBOT_SCREEN].flatMap((feature) =>
    FIGURES.map((figure): LerobotColumn => {
      if (figure === 'count') return { name: `stats/${feature}/count`, type: { list: 'int64' } };
      return { name: `stats/${feature}/${figure}`, type: feature === LEROBOT_SCREEN ? colour : { list: 'float64' } };
    }),
  ),
];

/** Colours as LeRobot has them, (3, 1, 1). */
const colourFigures = ({ count, ...figures }: LerobotFigures) => ({
  count,
  ...Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, values.map((one) => [[one]])])),
});

/** A LeRobotDataset 3.0: data/, videos/ and meta/. Each episode has a video of its own. */
export async function openLerobot(folder: string, context: WriterContext): Promise<FormatWriter> {
  const { options, split, signal, tick, films } = context;
  const exact = options.video === 'exact';
  await mkdir(path.join(folder, 'meta'), { recursive: true });
  const episodes = openLerobotParquet(path.join(folder, 'meta/episodes/chunk-000/file-000.parquet'), EPISODE_COLUMNS);
  const tasks = new Map<string, number>();
  const stats = new Map<string, LerobotFigures>();
  const leftOut: LeftOut[] = [];
  let frame: FrameSize | undefined;
  let data: { file: LerobotFile; number: number; rows: number } | undefined;
  let [frames, count, dataFiles] = [0, 0, 0];

  const dataFile = async (): Promise<NonNullable<typeof data>> => {
    if (data && data.rows < FILE_ROWS) return data;
    await data?.file.finish();
    const number = dataFiles++;
    data = { file: openLerobotParquet(path.join(folder, chunkPath(DATA_PATH, number)), DATA_COLUMNS), number, rows: 0 };
    return data;
  };

  const add = async (task: ExportTask): Promise<void> => {
    const first = firstScreenOf(task);
    frame ??= first && frameOf(first);
    const size = frame ?? { width: 2, height: 2 };
    const episode = episodeOf(task, size);
    append(leftOut, episode.leftOut);
    if (episode.rows.length === 0) return;
    const number = count++;
    const video = path.join(folder, chunkPath(VIDEO_PATH, number));
    const wish = { ...size, fps: LEROBOT_FPS, exact, signal, onPicture: tick };
    const colours = await films.put(episode.pictures, video, wish);
    const taskIndex = tasks.get(task.goal) ?? tasks.size;
    tasks.set(task.goal, taskIndex);
    const rows = episode.rows.map((row, at): LerobotRow => {
      return { ...row, episode_index: number, index: frames + at, task_index: taskIndex, task_id: task.id };
    });
    const { file, number: dataNumber } = await dataFile();
    await file.write(rows);
    data!.rows += rows.length; // It was opened just now.
    const figures = new Map<string, LerobotFigures>(
      NUMBERS.map((name) => [name, figuresOf(rows.map((row) => [row[name]].flat()))]),
    );
    figures.set(LEROBOT_SCREEN, colours);
    for (const [name, of] of figures) stats.set(name, joinedFigures(stats.get(name), of));
    await episodes.write([
      {
        episode_index: number,
        tasks: [task.goal],
        length: rows.length,
        ...placeOf('data', dataNumber),
        dataset_from_index: frames,
        dataset_to_index: frames + rows.length,
        ...placeOf(`videos/${LEROBOT_SCREEN}`, number),
        [`videos/${LEROBOT_SCREEN}/from_timestamp`]: 0,
        [`videos/${LEROBOT_SCREEN}/to_timestamp`]: rows.length / LEROBOT_FPS,
        ...placeOf('meta/episodes', 0),
        task_id: task.id,
        app: task.app.name,
        platform: task.platform,
        recording: task.recordings[0]?.id ?? null,
        recorded_from: episode.startedAt || null,
        screen_width: first?.width ?? null,
        screen_height: first?.height ?? null,
        ...Object.fromEntries([...figures].flatMap(([name, of]) => statCells(name, of))),
      },
    ]);
    frames += rows.length;
  };

  return {
    add,
    async finish() {
      await data?.file.finish();
      await episodes.finish();
      const list = openLerobotParquet(path.join(folder, 'meta/tasks.parquet'), TASK_COLUMNS, 'task');
      await list.write([...tasks].map(([task, task_index]) => ({ task_index, task })));
      await list.finish();
      const info = lerobotInfo({
        frame: frame ?? null,
        exact,
        split: split ?? 'train',
        episodes: count,
        frames,
        tasks: tasks.size,
      });
      const write = (name: string, value: unknown) =>
        writeFile(path.join(folder, 'meta', name), `${JSON.stringify(value, null, 4)}\n`);
      await write('info.json', info);
      const figures = [...stats].map(([name, of]) => [name, name === LEROBOT_SCREEN ? colourFigures(of) : of]);
      if (figures.length > 0) await write('stats.json', Object.fromEntries(figures));
      return { counts: { 'data/*/*.parquet': frames, episodes: count }, leftOut };
    },
    abandon: async () => undefined,
  };
}

const TASK_COLUMNS: readonly LerobotColumn[] = [
  { name: 'task_index', type: 'int64' },
  { name: 'task', type: 'string' },
];

const CHUNK = 1000;
const placeOf = (name: string, number: number): Record<string, number> => ({
  [`${name}/chunk_index`]: Math.floor(number / CHUNK),
  [`${name}/file_index`]: number % CHUNK,
});

function statCells(name: string, of: LerobotFigures): [string, unknown][] {
  const shown: Record<string, unknown> = name === LEROBOT_SCREEN ? colourFigures(of) : of;
  return FIGURES.map((figure) => [`stats/${name}/${figure}`, shown[figure]]);
}
