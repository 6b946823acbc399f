import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { atifStepsSchema, ORIGINAL_FILE, originalRun, STEPS_FILE } from '../../../core/export/atif/original.ts';
import { atifOf, FOLDER } from '../../../core/export/atif/trajectory.ts';
import type { ExportTask, LeftOut } from '../../../core/export/model.ts';
import type { NamedPicture } from '../../../core/export/pictures.ts';
import { parseShallow } from '../../../core/json-depth.ts';
import { append } from '../../../core/lists.ts';
import type { atifRunSchema } from '../../../schemas/export-atif.ts';
import { cameAsRun } from './came-as-run.ts';
import { openText } from './text-file.ts';
import { type FormatWriter, putPictures, type WriterContext } from './writer.ts';

const RUNS = 'trajectories';
const RUNS_LIST = 'runs.jsonl';

type Run = { text: string; steps: number; pictures: NamedPicture[]; leftOut: LeftOut[] };

/** `trajectories/<task>.json` with the pictures in `trajectories/images/`, and `runs.jsonl`, which lists them. */
export async function openAtif(folder: string, context: WriterContext): Promise<FormatWriter> {
  const runs = path.join(folder, RUNS);
  // Not left to the first picture: a preview puts none.
  await mkdir(runs, { recursive: true });
  const list = await openText(path.join(folder, RUNS_LIST));
  const counts = { runs: 0, steps: 0, images: 0 };
  const leftOut: LeftOut[] = [];
  return {
    async add(task) {
      const run = (await importedRun(task)) ?? madeRun(task);
      append(leftOut, run.leftOut);
      if (run.steps === 0) return;
      const images = await putPictures(run.pictures, (image) => path.join(runs, FOLDER, image), context);
      const file = `${RUNS}/${task.id}.json`;
      await writeFile(path.join(folder, file), run.text);
      const line: z.infer<typeof atifRunSchema> = {
        task_id: task.id,
        file,
        instruction: task.goal,
        steps: run.steps,
        images,
      };
      await list.line(line);
      counts.images += images;
      counts.runs++;
      counts.steps += run.steps;
    },
    async finish() {
      await list.close();
      const { runs: written, steps, images } = counts;
      return { counts: { [RUNS_LIST]: written, [`${RUNS}/*.json`]: written, steps, images }, leftOut };
    },
    abandon: list.close,
  };
}

function madeRun(task: ExportTask): Run {
  const { file, pictures, leftOut } = atifOf(task);
  return { text: `${JSON.stringify(file, null, 2)}\n`, steps: file?.steps.length ?? 0, pictures, leftOut };
}

const CAME = { original: ORIGINAL_FILE, steps: STEPS_FILE, schema: atifStepsSchema, picture: /^atif-\d+\.[a-z]+$/ };

const importedRun = (task: ExportTask): Promise<Run | null> =>
  cameAsRun(task, CAME, (run) => {
    parseShallow(run.text); // Refuses what lies too deep.
    return originalRun(task, run);
  });
