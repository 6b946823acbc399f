import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LeftOut } from '../../../core/export/model.ts';
import { videoguiJsonl, videoguiTaskLine } from '../../../core/export/videogui/jsonl.ts';
import { type PictureCell, projectVideogui, scrollSignOf } from '../../../core/export/videogui/rows.ts';
import { append } from '../../../core/lists.ts';
import { jsonlCard } from './card-videogui.ts';
import { openText, type TextFile } from './text-file.ts';
import { copyTaskFiles } from './videogui-parquet.ts';
import { type FormatWriter, putPictures, type WriterContext } from './writer.ts';

const FOLDER = 'videogui-jsonl';
const LEVELS = { task: 'task', highPlan: 'high_plan', midPlan: 'mid_plan', action: 'action' } as const;
const NAMES = ['task', 'highPlan', 'midPlan', 'action'] as const satisfies readonly Level[];
type Level = keyof typeof LEVELS;

/** The tasks and the three levels as JSON Lines, with pictures in `images/`, visual queries and files in `media/` (formats.md). */
export async function openVideoguiJsonl(folder: string, context: WriterContext): Promise<FormatWriter> {
  const root = path.join(folder, FOLDER);
  const names: Record<Level, string> = {
    task: `${FOLDER}/${LEVELS.task}`,
    highPlan: `${FOLDER}/${LEVELS.highPlan}`,
    midPlan: `${FOLDER}/${LEVELS.midPlan}`,
    action: `${FOLDER}/${LEVELS.action}`,
  };
  const open = (level: Level): Promise<TextFile> => openText(path.join(root, `${LEVELS[level]}.jsonl`));
  const files = {
    task: await open('task'),
    highPlan: await open('highPlan'),
    midPlan: await open('midPlan'),
    action: await open('action'),
  };
  const close = async () => {
    for (const file of Object.values(files)) await file.close();
  };
  const counts: Record<string, number> = Object.fromEntries(NAMES.map((level) => [names[level], 0]));
  const leftOut: LeftOut[] = [];
  return {
    async add(task) {
      const scrollSign = scrollSignOf(context.options);
      const projection = projectVideogui([task], { scrollSign, everyKind: true, names });

      // One still stands for several moments (an action's after is often the next one's before): one file for it.
      const pictures = new Map<string, PictureCell>();
      const nameOf = (cell: PictureCell) => {
        const known = pictures.get(cell.picture.path) ?? cell;
        pictures.set(cell.picture.path, known);
        return `images/${known.name}`;
      };
      const levels = videoguiJsonl(projection, nameOf, ({ id }, name) => `media/${id}/${name}`);

      const line = videoguiTaskLine(task, (name) => `media/${task.id}/${name}`);
      await copyTaskFiles(task, (name) => path.join(root, 'media', task.id, name), context);
      context.tick(FOLDER);
      await putPictures([...pictures.values()], (name) => path.join(root, 'images', name), context);
      const lines = { task: [line], ...levels };
      for (const level of NAMES) {
        for (const one of lines[level]) await files[level].line(one);
        counts[names[level]]! += lines[level].length;
      }
      append(leftOut, projection.leftOut);
    },
    async finish() {
      await close();
      await writeFile(path.join(root, 'README.md'), jsonlCard(counts, context.split, context.terms));
      return { counts, leftOut };
    },
    abandon: close,
  };
}
