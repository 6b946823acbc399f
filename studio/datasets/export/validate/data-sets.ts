import path from 'node:path';
import type { z } from 'zod';
import { largestOf } from '../../../../core/lists.ts';
import { plural } from '../../../../core/words.ts';
import type { Contents } from './consistency.ts';
import { ACTION_KINDS, type DataSetName, SPLITS } from './expected.ts';
import { MEDIA_NAME, mediaDamage } from './media.ts';
import { dataSetColumns, type ReadRow, readParquet } from './parquet.ts';
import type { PlaceReport, Report } from './problems.ts';
import {
  actionRow,
  checkAction,
  checkImageCell,
  checkNames,
  checkTitle,
  highPlanRow,
  midPlanRow,
  planOf,
  readSequence,
} from './rows.ts';

/** Reads the three data sets file by file and row by row, reports what is wrong in a row, and keeps what rows say together. */
export async function checkDataSets(dir: string, found: readonly string[], report: Report): Promise<Contents> {
  const contents: Contents = { highPlan: [], midPlan: [], action: [], goals: new Map() };
  await checkHighPlan(dir, found, report, contents);
  await checkMidPlan(dir, found, report, contents);
  await checkActions(dir, found, report, contents);
  checkCards(found, report);
  return contents;
}

async function checkHighPlan(dir: string, found: readonly string[], report: Report, contents: Contents): Promise<void> {
  const dataSet = 'VideoGUI-High-Plan';
  const files = found.filter((name) => name.startsWith(`${dataSet}/high_plan/`) && name.endsWith('/metadata.parquet'));
  for (const file of files) {
    const folder = path.posix.dirname(file);
    let rows = 0;
    await readParquet(path.join(dir, file), file, dataSetColumns(dataSet), report, async (read, number) => {
      rows++;
      const row = parseRow(highPlanRow, read, file, number, report);
      if (!row) return;
      const place = placeReport(report, file, number, row.task_id);
      checkNames(row, dataSet, place);
      if (path.posix.basename(folder) !== row.task_id) {
        place('TASK_ID', `the folder is ${path.posix.basename(folder)}, its row says ${row.task_id}`);
      }
      for (const name of [row.visual_start, row.visual_end]) {
        if (name !== null) await checkMedia(dir, folder, name, found, place);
      }
      for (const name of row.files) {
        if (!found.includes(`${folder}/${name}`)) place('MEDIA_MISSING', `${name} is not beside metadata.parquet`);
      }
      for (const title of row.subtask_sequence) checkTitle(title, row.fulltask_query, place);
      contents.goals.set(row.task_id, row.fulltask_query);
      const subtasks = planOf(row);
      if (!subtasks) place('ROW_BAD', 'subtask_ids should name each subtask of subtask_sequence once');
      contents.highPlan.push({ file, where: row.task_id, task: row.task_id, app: row.app, subtasks });
    });
    if (rows > 1) report('ROW_BAD', file, '', `it holds one task, not ${plural(rows, 'row')}`);
  }
}

async function checkMedia(
  dir: string,
  folder: string,
  name: string,
  found: readonly string[],
  report: PlaceReport,
): Promise<void> {
  const file = `${folder}/${name}`;
  if (!MEDIA_NAME.test(name)) report('ROW_BAD', `"${name}" should be start or end, a picture or a video`);
  if (!found.includes(file)) {
    report('MEDIA_MISSING', `${name} is not beside metadata.parquet`);
    return;
  }
  const damage = await mediaDamage(path.join(dir, file), name);
  if (damage) report('MEDIA_DAMAGED', `${name}: ${damage}`);
}

async function checkMidPlan(dir: string, found: readonly string[], report: Report, contents: Contents): Promise<void> {
  const dataSet = 'VideoGUI-Mid-Plan';
  for (const file of shardsOf(dataSet, found, report)) {
    await readParquet(path.join(dir, file), file, dataSetColumns(dataSet), report, async (read, number) => {
      const row = parseRow(midPlanRow, read, file, number, report);
      if (!row) return;
      const item = `${row.task_id}/${row.subtask_id}`;
      const place = placeReport(report, file, number, item);
      checkNames(row, dataSet, place);
      await checkImageCell(row.screenshot_start, 'screenshot_start', place);
      await checkImageCell(row.screenshot_end, 'screenshot_end', place);
      checkTitle(row.subtask_query, contents.goals.get(row.task_id), place);
      const steps = readSequence(row.action_sequence);
      if (!steps) place('ROW_BAD', 'action_sequence should be lines "1. …"');
      const { task_id: task, subtask_id: subtask, app } = row;
      contents.midPlan.push({ file, where: `row ${number}, ${item}`, task, subtask, app, steps });
    });
  }
}

async function checkActions(dir: string, found: readonly string[], report: Report, contents: Contents): Promise<void> {
  const dataSet = 'VideoGUI-Action';
  for (const file of shardsOf(dataSet, found, report)) {
    await readParquet(path.join(dir, file), file, dataSetColumns(dataSet), report, async (read, number) => {
      const row = parseRow(actionRow, read, file, number, report);
      if (!row) return;
      const item = `${row.task_id}/${row.subtask_id}/${row.action_id}`;
      const place = placeReport(report, file, number, item);
      checkNames(row, dataSet, place);
      const size = await checkImageCell(row.screenshot_start, 'screenshot_start', place);
      checkAction(row, size, ACTION_KINDS, place);
      const { task_id: task, subtask_id: subtask, action_id: action, app, action_narration: narration } = row;
      contents.action.push({ file, where: `row ${number}, ${item}`, task, subtask, action, app, narration });
    });
  }
}

/** The shards `<split>-0000i-of-0000n.parquet` that are there; reports those that are not, and files that are none. */
function shardsOf(dataSet: DataSetName, found: readonly string[], report: Report): string[] {
  const folder = `${dataSet}/data/`;
  const split = SPLITS[dataSet];
  const shards: { name: string; index: number; of: number }[] = [];
  for (const name of found.filter((each) => each.startsWith(folder))) {
    const match = /^([a-z_]+)-(\d{5})-of-(\d{5})\.parquet$/.exec(name.slice(folder.length));
    if (match?.[1] === split) shards.push({ name, index: Number(match[2]), of: Number(match[3]) });
    else report('SHARD_NAME', name, '', `expected a name like ${split}-00000-of-00001.parquet`);
  }
  const of = Math.max(1, largestOf(shards.map((shard) => shard.of)));
  for (const shard of shards) {
    if (shard.of !== of || shard.index >= of) {
      report('SHARD_NAME', shard.name, '', `shard ${shard.index} of ${shard.of} does not fit to others of ${of}`);
    }
  }
  for (let index = 0; index < of; index++) {
    if (!shards.some((shard) => shard.index === index)) {
      report('SHARD_MISSING', folder, '', `shard ${index} of ${of} is not there`);
    }
  }
  return shards.map(({ name }) => name);
}

function checkCards(found: readonly string[], report: Report): void {
  for (const dataSet of Object.keys(SPLITS)) {
    const name = `${dataSet}/README.md`;
    if (!found.includes(name)) report('CARD_BAD', name, '', 'there is no card: load_dataset would not find the split');
  }
}

function parseRow<T>(schema: z.ZodType<T>, row: ReadRow, file: string, number: number, report: Report): T | null {
  const parsed = schema.safeParse(row);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  report('ROW_BAD', file, `row ${number}`, issues.join('; '));
  return null;
}

function placeReport(report: Report, file: string, number: number, item: string): PlaceReport {
  return (code, message) => report(code, file, `row ${number}, ${item}`, message);
}
