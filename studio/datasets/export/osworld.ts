import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { folderName } from '../../../core/export/file-names.ts';
import { firstScreenOf, LEROBOT_FPS } from '../../../core/export/lerobot/episode.ts';
import { frameOf } from '../../../core/export/lerobot/frame.ts';
import type { ExportTask, LeftOut } from '../../../core/export/model.ts';
import {
  ORIGINAL_TRAJ,
  type OriginalRun,
  OSWORLD_STEPS,
  originalOsworld,
  osworldStepsSchema,
} from '../../../core/export/osworld/original.ts';
import { osworldRunOf } from '../../../core/export/osworld/run.ts';
import { append } from '../../../core/lists.ts';
import { OSWORLD_APPS } from '../../../core/osworld/apps.ts';
import type { OsworldRunRow } from '../../../schemas/export-osworld.ts';
import { checkedPicture } from '../../files/picture.ts';
import { OSWORLD_FILE, osworldTaskIn } from '../../store/osworld-task-file.ts';
import { cameAsRun } from './came-as-run.ts';
import { openText } from './text-file.ts';
import { type FormatWriter, putPictures, type WriterContext } from './writer.ts';

/** Where OSWorld's own programs look: action space, observation, who did it. */
const RUNS = 'pyautogui/screenshot/human';
const RUNS_LIST = 'runs.jsonl';

type Run = OriginalRun & { imported: boolean };

/** `pyautogui/screenshot/human/<software>/<task>/` with traj.jsonl, its screens, recording.mp4 and result.txt; and runs.jsonl. */
export async function openOsworld(folder: string, context: WriterContext): Promise<FormatWriter> {
  const { signal, tick, films } = context;
  await mkdir(path.join(folder, ...RUNS.split('/')), { recursive: true });
  const list = await openText(path.join(folder, RUNS_LIST));
  const counts = { runs: 0, steps: 0, images: 0 };
  const leftOut: LeftOut[] = [];
  const taken = new Set<string>();
  return {
    async add(task) {
      const run = (await importedRun(task)) ?? madeRun(task);
      append(leftOut, run?.leftOut ?? []);
      if (!run || run.steps === 0) return;
      const own = `${RUNS}/${domainOf(task)}/${await nameOf(task, taken)}`;
      const place = path.join(folder, ...own.split('/'));
      await mkdir(place, { recursive: true });
      const images = await putPictures(run.pictures, (name) => path.join(place, name), context);
      const [first] = run.shown;
      const size = run.imported && first ? await checkedPicture(first.picture.path) : firstScreenOf(task);
      const frame = frameOf(size ?? { width: 2, height: 2 });
      const wish = { ...frame, fps: LEROBOT_FPS, exact: false, signal, onPicture: tick };
      if (run.shown.length > 0) await films.put(run.shown, path.join(place, 'recording.mp4'), wish);
      await writeFile(path.join(place, 'traj.jsonl'), run.text);
      if (run.result !== null) await writeFile(path.join(place, 'result.txt'), `${run.result}\n`);
      const row: OsworldRunRow = {
        task_id: task.id,
        folder: own,
        instruction: task.goal,
        steps: run.steps,
        images,
        result: run.result,
        imported: run.imported,
      };
      await list.line(row);
      counts.images += images;
      counts.runs++;
      counts.steps += run.steps;
    },
    async finish() {
      await list.close();
      const { runs, steps, images } = counts;
      return { counts: { [RUNS_LIST]: runs, [`${RUNS}/*/*/traj.jsonl`]: runs, steps, images }, leftOut };
    },
    abandon: list.close,
  };
}

/** OSWorld's word for the software, where it has one. */
const domainOf = ({ app }: ExportTask): string =>
  Object.entries(OSWORLD_APPS).find(([, name]) => name === app.name)?.[0] ?? folderName(app.name);

/** A task that came from OSWorld keeps its name there, so that its run is counted for it; another recording of it has our own. */
async function nameOf(task: ExportTask, taken: Set<string>): Promise<string> {
  const file = task.attachments?.find(({ role, name }) => role === 'material' && name === OSWORLD_FILE)?.path;
  const id = file === undefined ? undefined : osworldTaskIn(file)?.id;
  const name = id !== undefined && folderName(id) === id && !taken.has(id) ? id : task.id;
  taken.add(name);
  return name;
}

function madeRun(task: ExportTask): Run {
  const { lines, pictures, shown, leftOut } = osworldRunOf(task);
  const text = (lines ?? []).map((line) => `${JSON.stringify(line)}\n`).join('');
  const result = task.proof === 'proven' ? '1.0' : task.proof === 'failed' ? '0.0' : null;
  return { text, steps: lines?.length ?? 0, pictures, shown, result, leftOut, imported: false };
}

const CAME = {
  original: ORIGINAL_TRAJ,
  steps: OSWORLD_STEPS,
  schema: osworldStepsSchema,
  picture: /^osworld-\d+\.[a-z]+$/,
};

const importedRun = (task: ExportTask): Promise<Run | null> =>
  cameAsRun(task, CAME, (run) => ({ ...originalOsworld(task, run), imported: true }));
