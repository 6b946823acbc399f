import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExportTask } from '../../core/export/model.ts';
import { videoguiJsonl } from '../../core/export/videogui/jsonl.ts';
import { type PictureCell, projectVideogui } from '../../core/export/videogui/rows.ts';
import type { PartContext, PartResult } from './parts.ts';
import { copyInto, refuseCancelled } from './target.ts';
import { copyVisualQuery } from './videogui-parquet.ts';

const FOLDER = 'videogui-jsonl';
const LEVELS = { highPlan: 'high_plan', midPlan: 'mid_plan', action: 'action' } as const;

/** The three levels as JSON Lines, with pictures in `images/` and visual queries in `media/` (formats.md). */
export async function writeVideoguiJsonl(
  tasks: readonly ExportTask[],
  folder: string,
  context: PartContext,
): Promise<PartResult> {
  const root = path.join(folder, FOLDER);
  await mkdir(root, { recursive: true });
  const names = {
    highPlan: `${FOLDER}/${LEVELS.highPlan}`,
    midPlan: `${FOLDER}/${LEVELS.midPlan}`,
    action: `${FOLDER}/${LEVELS.action}`,
  };
  const projection = projectVideogui(tasks, { scrollSign: context.scrollSign, everyKind: true, names });

  // One still stands for several moments (an action's after is often the next one's before): one file for it.
  const pictures = new Map<string, PictureCell>();
  const nameOf = (cell: PictureCell) => {
    const known = pictures.get(cell.picture.path) ?? cell;
    pictures.set(cell.picture.path, known);
    return `images/${known.name}`;
  };
  const levels = videoguiJsonl(projection, nameOf, (task, name) => `media/${task.id}/${name}`);

  for (const { row, task } of projection.highPlan) {
    refuseCancelled(context.signal);
    await copyVisualQuery(task, row, (name) => path.join(root, 'media', task.id, name));
    context.tick(FOLDER);
  }
  for (const { picture, name } of pictures.values()) {
    refuseCancelled(context.signal);
    await copyInto(picture.path, path.join(root, 'images', name), name);
    context.tick(FOLDER);
  }
  const counts: Record<string, number> = {};
  for (const level of ['highPlan', 'midPlan', 'action'] as const) {
    const lines = levels[level].map((line) => `${JSON.stringify(line)}\n`);
    await writeFile(path.join(root, `${LEVELS[level]}.jsonl`), lines.join(''));
    counts[names[level]] = lines.length;
  }
  return { counts, leftOut: projection.leftOut };
}
