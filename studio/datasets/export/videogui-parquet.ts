import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExportTask, LeftOut } from '../../../core/export/model.ts';
import { ACTION, type DataSet, HIGH_PLAN, MID_PLAN } from '../../../core/export/videogui/columns.ts';
import {
  dataSetRows,
  endingOf,
  type HighPlanRow,
  projectVideogui,
  scrollSignOf,
  taskFilePaths,
} from '../../../core/export/videogui/rows.ts';
import { append } from '../../../core/lists.ts';
import { refuseCancelled } from '../../store/jobs/cancelled.ts';
import { dataSetCard } from './card-videogui.ts';
import { openParquet, openShards, type RowWriter } from './parquet.ts';
import { copyToTarget } from './target.ts';
import type { FormatWriter, WriterContext } from './writer.ts';

const SHARDED = [MID_PLAN, ACTION];

/** The three data sets in the layout of the Hugging Face repositories (formats.md), each in its own folder. */
export async function openVideoguiParquet(folder: string, context: WriterContext): Promise<FormatWriter> {
  const counts: Record<string, number> = { [HIGH_PLAN.folder]: 0 };
  const leftOut: LeftOut[] = [];
  const shards = new Map<DataSet, RowWriter<string[]>>();
  for (const dataSet of SHARDED) {
    const data = path.join(folder, dataSet.folder, 'data');
    await mkdir(data, { recursive: true });
    counts[dataSet.folder] = 0;
    const options = { ...context.sizes, signal: context.signal, onRow: () => context.tick(dataSet.folder) };
    shards.set(dataSet, openShards(data, dataSet.split, dataSet.columns, options));
  }
  return {
    async add(task) {
      const projection = projectVideogui([task], { scrollSign: scrollSignOf(context.options) });
      for (const { row } of projection.highPlan) {
        await writeHighPlan(task, row, path.join(folder, HIGH_PLAN.folder), context);
        counts[HIGH_PLAN.folder]!++;
      }
      for (const [dataSet, shard] of shards) {
        for (const row of dataSetRows(projection, dataSet)) {
          await shard.write(row);
          counts[dataSet.folder]!++;
        }
      }
      append(leftOut, projection.leftOut);
    },
    async finish() {
      for (const shard of shards.values()) await shard.finish();
      for (const dataSet of [HIGH_PLAN, ...SHARDED]) await writeCard(folder, dataSet, counts[dataSet.folder]!, context);
      return { counts, leftOut };
    },
    // Parquet files are opened for each write and held open by nobody.
    abandon: async () => undefined,
  };
}

async function writeHighPlan(
  task: ExportTask,
  row: HighPlanRow,
  folder: string,
  context: WriterContext,
): Promise<void> {
  refuseCancelled(context.signal);
  const taskFolder = path.join(folder, HIGH_PLAN.split, task.id);
  await mkdir(taskFolder, { recursive: true });
  await copyTaskFiles(task, (name) => path.join(taskFolder, name), context);
  const metadata = openParquet(path.join(taskFolder, 'metadata.parquet'), HIGH_PLAN.columns, context.sizes);
  await metadata.write(row);
  await metadata.finish();
  context.tick(HIGH_PLAN.folder);
}

/** Copies start and end of the visual query, as far as there are any, and the task's files to where `place` says. */
export async function copyTaskFiles(
  task: ExportTask,
  place: (name: string) => string,
  { signal }: Pick<WriterContext, 'signal'>,
): Promise<void> {
  const { start, end } = task.visualQuery;
  if (start) await copyToTarget(start.path, place(`start${endingOf(start)}`), task.id);
  if (end) await copyToTarget(end.path, place(`end${endingOf(end)}`), task.id);
  for (const { file, to } of taskFilePaths(task)) {
    refuseCancelled(signal);
    await copyToTarget(file.path, place(to), task.id);
  }
}

async function writeCard(
  folder: string,
  dataSet: DataSet,
  rows: number,
  { split, terms }: WriterContext,
): Promise<void> {
  await mkdir(path.join(folder, dataSet.folder), { recursive: true });
  await writeFile(path.join(folder, dataSet.folder, 'README.md'), dataSetCard(dataSet, rows, split, terms));
}
