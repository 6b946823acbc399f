import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { JSONL_KINDS } from './expected.ts';
import { checkImage, type ImageCheck, mp4Damage } from './images.ts';
import { messageOf, type PlaceReport, type Report } from './problems.ts';
import { actionFields, checkAction, checkNames, highPlanRow, midPlanRow } from './rows.ts';

const FOLDER = 'videogui-jsonl';

const highLine = highPlanRow.extend({ app_id: z.string(), state: z.string() });
const midLine = midPlanRow.extend({ screenshot_start: z.string(), screenshot_end: z.string() });
const actionLine = actionFields.extend({
  screenshot_start: z.string(),
  screenshot_end: z.string().nullable(),
  resolution: z.tuple([z.int(), z.int()]),
  element: z.object({ name: z.string(), box: z.tuple([z.int(), z.int(), z.int(), z.int()]).nullable() }).nullable(),
  kind: z.string(),
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

  const counts: Record<string, number> = {};
  counts[`${FOLDER}/high_plan`] = await eachLine(dir, 'high_plan', highLine, found, report, async (line, place) => {
    checkNames(line, 'VideoGUI-High-Plan', place);
    for (const name of [line.visual_start, line.visual_end]) {
      if (name?.endsWith('.mp4')) await checkVideo(dir, `${FOLDER}/${name}`, found, place);
      else if (name) await look(name, place);
    }
  });
  counts[`${FOLDER}/mid_plan`] = await eachLine(dir, 'mid_plan', midLine, found, report, async (line, place) => {
    checkNames(line, 'VideoGUI-Mid-Plan', place);
    await look(line.screenshot_start, place);
    await look(line.screenshot_end, place);
  });
  counts[`${FOLDER}/action`] = await eachLine(dir, 'action', actionLine, found, report, async (line, place) => {
    checkNames(line, 'VideoGUI-Action', place);
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
  for await (const text of createInterface({ input: createReadStream(path.join(dir, file)), crlfDelay: Infinity })) {
    number++;
    try {
      const line = schema.parse(JSON.parse(text));
      const where = `line ${number}, ${line.task_id}`;
      await onLine(line, (code, message) => report(code, file, where, message));
    } catch (error) {
      report('JSONL_BAD', file, `line ${number}`, messageOf(error));
    }
  }
  return number;
}

async function lookAt(dir: string, name: string, found: readonly string[]): Promise<ImageCheck | null> {
  // Only names that were found by walking the folder are opened: a line cannot lead out of it.
  return found.includes(name) ? checkImage(await readFile(path.join(dir, name))) : null;
}

async function checkVideo(dir: string, name: string, found: readonly string[], place: PlaceReport): Promise<void> {
  if (!found.includes(name)) {
    place('MEDIA_MISSING', `${name} is not there`);
    return;
  }
  const damage = mp4Damage(await readFile(path.join(dir, name)));
  if (damage) place('MEDIA_DAMAGED', `${name}: ${damage}`);
}
