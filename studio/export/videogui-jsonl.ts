import path from 'node:path';
import type { LeftOut } from '../../core/export/model.ts';
import { videoguiJsonl } from '../../core/export/videogui/jsonl.ts';
import { type PictureCell, projectVideogui, scrollSignOf } from '../../core/export/videogui/rows.ts';
import { refuseCancelled } from './target.ts';
import { openText, type TextFile } from './text-file.ts';
import { copyVisualQuery } from './videogui-parquet.ts';
import { type FormatWriter, putPictures, type WriterContext } from './writer.ts';

const FOLDER = 'videogui-jsonl';
const LEVELS = { highPlan: 'high_plan', midPlan: 'mid_plan', action: 'action' } as const;
type Level = keyof typeof LEVELS;

/** The three levels as JSON Lines, with pictures in `images/` and visual queries in `media/` (formats.md). */
export async function openVideoguiJsonl(folder: string, context: WriterContext): Promise<FormatWriter> {
  const root = path.join(folder, FOLDER);
  const names: Record<Level, string> = {
    highPlan: `${FOLDER}/${LEVELS.highPlan}`,
    midPlan: `${FOLDER}/${LEVELS.midPlan}`,
    action: `${FOLDER}/${LEVELS.action}`,
  };
  const open = (level: Level): Promise<TextFile> => openText(path.join(root, `${LEVELS[level]}.jsonl`));
  const files = { highPlan: await open('highPlan'), midPlan: await open('midPlan'), action: await open('action') };
  const close = async () => {
    for (const file of Object.values(files)) await file.close();
  };
  const counts: Record<string, number> = { [names.highPlan]: 0, [names.midPlan]: 0, [names.action]: 0 };
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

      for (const { row } of projection.highPlan) {
        refuseCancelled(context.signal);
        await copyVisualQuery(task, row, (name) => path.join(root, 'media', task.id, name));
        context.tick(FOLDER);
      }
      await putPictures([...pictures.values()], (name) => path.join(root, 'images', name), context);
      for (const level of ['highPlan', 'midPlan', 'action'] as const) {
        for (const line of levels[level]) await files[level].line(line);
        counts[names[level]]! += levels[level].length;
      }
      leftOut.push(...projection.leftOut);
    },
    async finish() {
      await close();
      return { counts, leftOut };
    },
    abandon: close,
  };
}
