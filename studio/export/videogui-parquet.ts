import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExportTask } from '../../core/export/model.ts';
import { ACTION, type DataSet, HIGH_PLAN, MID_PLAN } from '../../core/export/videogui/columns.ts';
import { type HighPlanRow, type Projection, projectVideogui, rowsOf } from '../../core/export/videogui/rows.ts';
import { dataSetCard } from './card.ts';
import { writeParquet, writeShards } from './parquet.ts';
import type { PartContext, PartResult } from './parts.ts';
import { copyInto, refuseCancelled } from './target.ts';

/** The three data sets in the layout of the Hugging Face repositories (formats.md, VideoGUI), each in its own folder. */
export async function writeVideoguiParquet(
  tasks: readonly ExportTask[],
  folder: string,
  context: PartContext,
): Promise<PartResult> {
  const projection = projectVideogui(tasks, { scrollSign: context.scrollSign });
  await writeHighPlan(projection, path.join(folder, HIGH_PLAN.folder), context);
  for (const dataSet of [MID_PLAN, ACTION]) {
    const data = path.join(folder, dataSet.folder, 'data');
    await mkdir(data, { recursive: true });
    await writeShards(data, dataSet.split, dataSet.columns, rowsOf(projection, dataSet), {
      ...context.sizes,
      onRow: () => context.tick(dataSet.folder),
    });
  }
  const counts: Record<string, number> = {};
  for (const dataSet of [HIGH_PLAN, MID_PLAN, ACTION]) {
    counts[dataSet.folder] = rowsOf(projection, dataSet).length;
    await writeCard(folder, dataSet, counts[dataSet.folder]!);
  }
  return { counts, leftOut: projection.leftOut };
}

async function writeHighPlan(projection: Projection, folder: string, context: PartContext): Promise<void> {
  for (const { row, task } of projection.highPlan) {
    refuseCancelled(context.signal);
    const taskFolder = path.join(folder, HIGH_PLAN.split, task.id);
    await mkdir(taskFolder, { recursive: true });
    await copyVisualQuery(task, row, (name) => path.join(taskFolder, name));
    await writeParquet(path.join(taskFolder, 'metadata.parquet'), HIGH_PLAN.columns, [row], context.sizes);
    context.tick(HIGH_PLAN.folder);
  }
}

/** Copies the start (if there is one) and the end of the visual query to where `place` says. */
export async function copyVisualQuery(
  { id, visualQuery: { start, end } }: ExportTask,
  row: Pick<HighPlanRow, 'visual_start' | 'visual_end'>,
  place: (name: string) => string,
): Promise<void> {
  if (start && row.visual_start) await copyInto(start.path, place(row.visual_start), id);
  if (end) await copyInto(end.path, place(row.visual_end), id);
}

async function writeCard(folder: string, dataSet: DataSet, rows: number): Promise<void> {
  await mkdir(path.join(folder, dataSet.folder), { recursive: true });
  await writeFile(path.join(folder, dataSet.folder, 'README.md'), dataSetCard(dataSet, rows));
}
