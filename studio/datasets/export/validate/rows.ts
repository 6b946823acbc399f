import { z } from 'zod';
import { ACTION_KINDS, type DataSetName, isInvented, SPLITS, TASK_ID_SHAPE } from './expected.ts';
import { checkImage } from './images.ts';
import type { PlaceReport } from './problems.ts';

/** The rules of single rows; what several rows say together is in consistency.ts. */

const image = z.object({ bytes: z.instanceof(Uint8Array).nullish(), path: z.string().nullish() }).nullable();
const position = z.array(z.number()).nullable();

/** The verdict of `verify` on the recording. */
export const proofWord = z.enum(['proven', 'failed', 'said', 'untried']);

export const highPlanRow = z.object({
  task_id: z.string(),
  app: z.string(),
  fulltask_query: z.string(),
  subtask_sequence: z.array(z.string()),
  visual_start: z.string().nullable(),
  visual_end: z.string(),
  subtask_ids: z.array(z.int()),
  category: z.string().nullable(),
  platform: z.string().nullable(),
  source: z.string().nullable(),
  answer: z.string().nullable(),
  files: z.array(z.string()),
  proof: proofWord,
});
export const midPlanRow = z.object({
  split: z.string(),
  app: z.string(),
  subtask_query: z.string(),
  action_sequence: z.string(),
  task_id: z.string(),
  screenshot_start: image,
  screenshot_end: image,
  subtask_id: z.int(),
});
/** An action's own fields, the same in parquet and jsonl. */
export const actionFields = z.object({
  split: z.string(),
  app: z.string(),
  task_id: z.string(),
  action_type: z.string(),
  action_narration: z.string(),
  start_position: position,
  end_position: position,
  scroll_value: z.number().nullable(),
  subtask_id: z.int(),
  action_id: z.int(),
});
export const actionRow = actionFields.extend({ screenshot_start: image });

type ActionFields = z.infer<typeof actionFields>;
type Size = { width: number; height: number };

/** Task id, split and ranks; the same for all data sets. */
export function checkNames(
  row: { task_id: string; split?: string; subtask_id?: number; action_id?: number },
  dataSet: DataSetName,
  report: PlaceReport,
): void {
  if (!TASK_ID_SHAPE.test(row.task_id)) report('TASK_ID', `"${row.task_id}" is not of the form SOFTWARE_NUMBER`);
  if (row.split !== undefined && row.split !== SPLITS[dataSet]) {
    report('ROW_BAD', `split is "${row.split}", not "${SPLITS[dataSet]}"`);
  }
  for (const name of ['subtask_id', 'action_id'] as const) {
    const rank = row[name];
    if (rank !== undefined && rank < 1) report('RANK_BAD', `${name} is ${rank}; ranks count from 1`);
  }
}

/** An image cell: there, with a plain file name, readable and whole. Its size, or null. */
export async function checkImageCell(
  cell: z.infer<typeof image>,
  column: string,
  report: PlaceReport,
): Promise<Size | null> {
  if (!cell?.bytes || cell.bytes.length === 0) {
    report('IMAGE_MISSING', `${column} holds no picture`);
    return null;
  }
  if (!cell.path || /[/\\]/.test(cell.path)) {
    report('ROW_BAD', `${column}: path should be a plain file name, not ${JSON.stringify(cell.path ?? null)}`);
  }
  const checked = await checkImage(cell.bytes);
  if ('damage' in checked) {
    report('IMAGE_DAMAGED', `${column}: ${checked.damage}`);
    return null;
  }
  return checked;
}

/** Type, narration, positions inside of the picture (`size`, null when it could not be read) and scroll value. */
export function checkAction(
  row: ActionFields,
  size: Size | null,
  kinds: typeof ACTION_KINDS,
  report: PlaceReport,
): void {
  if (row.action_narration.trim() === '') report('NARRATION_EMPTY', 'action_narration is empty');
  const kind = kinds[row.action_type];
  if (!kind) {
    report('ACTION_TYPE', `"${row.action_type}" is none of ${Object.keys(kinds).join(', ')}`);
    return;
  }
  const { start_position: start, end_position: end } = row;
  if (!start && kind !== 'keys' && kind !== 'other')
    report('POSITION_MISSING', `a ${row.action_type} has a start_position`);
  if (!end && kind === 'drag') report('POSITION_MISSING', 'a Drag has an end_position');
  if (end && kind !== 'drag')
    report('POSITION_UNEXPECTED', `only a Drag has an end_position, this is a ${row.action_type}`);
  checkPosition('start_position', start, size, report);
  checkPosition('end_position', end, size, report);
  checkScroll(row, kind === 'scroll', kinds !== ACTION_KINDS, report);
}

function checkPosition(name: string, position: number[] | null, size: Size | null, report: PlaceReport): void {
  if (!position) return;
  const [x, y] = position;
  if (position.length !== 2 || x === undefined || y === undefined) {
    report('ROW_BAD', `${name} should be [x, y], not [${position}]`);
  } else if (size && (x < 0 || y < 0 || x >= size.width || y >= size.height)) {
    report('POSITION_OUTSIDE', `${name} [${position}] lies outside of the picture of ${size.width} x ${size.height}`);
  }
}

/** `sideways`: scrolls to the left and right, which have no scroll_value, are allowed (jsonl). */
function checkScroll(row: ActionFields, isScroll: boolean, sideways: boolean, report: PlaceReport): void {
  const value = row.scroll_value;
  if (!isScroll) {
    if (value !== null)
      report('SCROLL_VALUE', `only a Scroll has a scroll_value, this ${row.action_type} has ${value}`);
  } else if (value === null ? !sideways : !Number.isFinite(value) || value === 0) {
    report('SCROLL_VALUE', `a Scroll has a scroll_value up or down, not ${value}`);
  }
}

/** A subtask's title: there, and written by somebody. */
export function checkTitle(title: string, goal: string | undefined, report: PlaceReport): void {
  if (title.trim() === '') report('TITLE_MISSING', 'a subtask has no title: it cannot stand here');
  else if (goal !== undefined && isInvented(title, goal)) {
    report('TITLE_INVENTED', `nobody wrote the title "${title}": it is the goal with a number`);
  }
}

/** The subtasks of a high-level plan by id; null when they and their ids do not fit. */
export function planOf({
  subtask_sequence: titles,
  subtask_ids: ids,
}: Pick<z.infer<typeof highPlanRow>, 'subtask_sequence' | 'subtask_ids'>): Map<number, string> | null {
  const plan = new Map(ids.map((id, index) => [id, titles[index] ?? '']));
  return plan.size === titles.length && ids.length === titles.length ? plan : null;
}

/** The numbered lines of a plan, `1. Click on …`; null when they are not numbered. */
export function readSequence(sequence: string): Map<number, string> | null {
  if (sequence === '') return new Map();
  const lines = sequence.split('\n').map((line) => /^(\d+)\. ?(.*)$/.exec(line));
  if (lines.some((line) => !line)) return null;
  return new Map(lines.map((line) => [Number(line![1]), line![2]!]));
}
