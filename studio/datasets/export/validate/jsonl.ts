import path from 'node:path';
import { z } from 'zod';
import { whyNot } from '../../../../schemas/errors.ts';
import { exportLines, lookAtPicture } from './bounds.ts';
import { JSONL_KINDS } from './expected.ts';
import type { ImageCheck } from './images.ts';
import { MEDIA_NAME, mediaDamage } from './media.ts';
import type { PlaceReport, Report } from './problems.ts';
import { actionFields, checkAction, checkNames, checkTitle, highPlanRow, midPlanRow, proofWord } from './rows.ts';

const FOLDER = 'videogui-jsonl';

const taskLine = z.object({
  task_id: z.string(),
  kind: z.enum(['full', 'simple']),
  fulltask_query: z.string(),
  source: z.string().nullable(),
  answer: z.string().nullable(),
  proof: proofWord,
  visual_start: z.string().nullable(),
  visual_end: z.string().nullable(),
  files: z.array(z.object({ role: z.string(), file: z.string() })),
});
const highLine = highPlanRow.extend({ app_id: z.string(), state: z.string() });
const midLine = midPlanRow.extend({ screenshot_start: z.string(), screenshot_end: z.string() });
const actionLine = actionFields.extend({
  screenshot_start: z.string(),
  screenshot_end: z.string().nullable(),
  resolution: z.tuple([z.int(), z.int()]),
  element: z.object({ name: z.string(), box: z.tuple([z.int(), z.int(), z.int(), z.int()]).nullable() }).nullable(),
  kind: z.string(),
  drag: z
    .object({
      start_name: z.string().nullable(),
      end_name: z.string().nullable(),
      purpose: z.string().nullable(),
      kind: z.enum(['movement', 'resizing']).nullable(),
      end_box: z.tuple([z.int(), z.int(), z.int(), z.int()]).nullable(),
    })
    .nullable(),
  thought: z.string().nullable(),
  observation: z.string().nullable(),
});

/** Checks videogui-jsonl line by line, and each picture that a line names. Gives back the lines of each level. */
export async function checkJsonl(
  dir: string,
  found: readonly string[],
  report: Report,
): Promise<Record<string, number>> {
  const images = new Map<string, ImageCheck | null>();
  const look = async (name: string, place: PlaceReport) => {
    if (!images.has(name)) images.set(name, await lookAt(dir, `${FOLDER}/${name}`, found));
    const checked = images.get(name) ?? null;
    if (!checked) place('IMAGE_MISSING', `${name} is not there`);
    else if ('damage' in checked) place('IMAGE_DAMAGED', `${name}: ${checked.damage}`);
    else return checked;
    return null;
  };

  const media = async (name: string | null, place: PlaceReport) => {
    if (name === null) return;
    if (!found.includes(`${FOLDER}/${name}`)) place('MEDIA_MISSING', `${name} is not there`);
    else if (!MEDIA_NAME.test(name)) place('ROW_BAD', `"${name}" should be start or end, a picture or a video`);
    else {
      const damage = await mediaDamage(path.join(dir, FOLDER, name), name);
      if (damage) place('MEDIA_DAMAGED', `${name}: ${damage}`);
    }
  };

  const counts: Record<string, number> = {};
  const tasks = new Map<string, { goal: string; kind: string }>();
  const known = ({ task_id }: { task_id: string }, place: PlaceReport) => {
    if (!tasks.has(task_id)) place('TASK_UNKNOWN', `task.jsonl has no task ${task_id}`);
  };
  counts[`${FOLDER}/task`] = await eachLine(dir, 'task', taskLine, found, report, async (line, place) => {
    checkNames(line, 'VideoGUI-High-Plan', place);
    if (tasks.has(line.task_id)) place('ID_TWICE', `${line.task_id} stands here a second time`);
    tasks.set(line.task_id, { goal: line.fulltask_query, kind: line.kind });
    await media(line.visual_start, place);
    await media(line.visual_end, place);
    for (const { file } of line.files) {
      if (!found.includes(`${FOLDER}/${file}`)) place('MEDIA_MISSING', `${file} is not there`);
    }
  });
  counts[`${FOLDER}/high_plan`] = await eachLine(dir, 'high_plan', highLine, found, report, async (line, place) => {
    checkNames(line, 'VideoGUI-High-Plan', place);
    known(line, place);
    if (tasks.get(line.task_id)?.kind === 'simple') place('KIND_WRONG', 'a simple task has no high-level plan');
    for (const title of line.subtask_sequence) checkTitle(title, line.fulltask_query, place);
    await media(line.visual_start, place);
    await media(line.visual_end, place);
  });
  counts[`${FOLDER}/mid_plan`] = await eachLine(dir, 'mid_plan', midLine, found, report, async (line, place) => {
    checkNames(line, 'VideoGUI-Mid-Plan', place);
    known(line, place);
    checkTitle(line.subtask_query, tasks.get(line.task_id)?.goal, place);
    await look(line.screenshot_start, place);
    await look(line.screenshot_end, place);
  });
  counts[`${FOLDER}/action`] = await eachLine(dir, 'action', actionLine, found, report, async (line, place) => {
    checkNames(line, 'VideoGUI-Action', place);
    known(line, place);
    const size = await look(line.screenshot_start, place);
    if (line.screenshot_end) await look(line.screenshot_end, place);
    if (size && (size.width !== line.resolution[0] || size.height !== line.resolution[1])) {
      place(
        'IMAGE_DAMAGED',
        `${line.screenshot_start} is ${size.width} x ${size.height}, not ${line.resolution.join(' x ')}`,
      );
    }
    checkAction(line, size, JSONL_KINDS, place);
  });
  return counts;
}

async function eachLine<T extends { task_id: string }>(
  dir: string,
  level: string,
  schema: z.ZodType<T>,
  found: readonly string[],
  report: Report,
  onLine: (line: T, place: PlaceReport) => Promise<void>,
): Promise<number> {
  const file = `${FOLDER}/${level}.jsonl`;
  if (!found.includes(file)) {
    report('FILE_MISSING', file, '', 'a level of the jsonl is not there');
    return 0;
  }
  let number = 0;
  for (const { text, line } of exportLines(dir, file, report)) {
    number = line;
    try {
      const read = schema.parse(JSON.parse(text));
      const where = `line ${number}, ${read.task_id}`;
      await onLine(read, (code, message) => report(code, file, where, message));
    } catch (error) {
      report('JSONL_BAD', file, `line ${number}`, whyNot(error));
    }
  }
  return number;
}

async function lookAt(dir: string, name: string, found: readonly string[]): Promise<ImageCheck | null> {
  // Only names that were found by walking the folder are opened: a line cannot lead out of it.
  return found.includes(name) ? lookAtPicture(path.join(dir, name)) : null;
}
