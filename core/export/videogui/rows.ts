import type { ProofState } from '../../../schemas/dataset.ts';
import { benchmarkActionType } from '../../actions/kinds.ts';
import { isUnseen } from '../../actions/unseen.ts';
import { scrollDirection } from '../../annotate/narration.ts';
import { oneLine } from '../../words.ts';
import { fileName, freeName } from '../file-names.ts';
import {
  byTaskId,
  type ExportAction,
  type ExportSubtask,
  type ExportTask,
  type FileRole,
  isInside,
  itemName,
  type LeftOut,
  type MediaRef,
  type PicturePoint,
  type PictureRef,
  type TaskFile,
} from '../model.ts';
import { UNSEEN, WITHHELD } from '../pyautogui/calls.ts';
import { ACTION, type DataSet, HIGH_PLAN, MID_PLAN } from './columns.ts';

/** A picture and the name it has in the export. The studio puts the file's bytes in as they are. */
export type PictureCell = { picture: PictureRef; name: string };

export type HighPlanRow = {
  task_id: string;
  app: string;
  fulltask_query: string;
  subtask_sequence: string[];
  visual_start: string | null;
  visual_end: string;
  subtask_ids: number[];
  category: string | null;
  platform: string | null;
  source: string | null;
  answer: string | null;
  files: string[];
  proof: ProofState;
};
type MidPlanRow = {
  split: string;
  app: string;
  subtask_query: string;
  action_sequence: string;
  task_id: string;
  screenshot_start: PictureCell;
  screenshot_end: PictureCell;
  subtask_id: number;
};
type ActionRow = {
  split: string;
  app: string;
  task_id: string;
  screenshot_start: PictureCell;
  action_type: string;
  action_narration: string;
  start_position: PicturePoint | null;
  end_position: PicturePoint | null;
  scroll_value: number | null;
  subtask_id: number;
  action_id: number;
};

/** Rows with what they were made from, for what a row cannot hold (media files, the jsonl). */
export type Projection = {
  highPlan: { row: HighPlanRow; task: ExportTask }[];
  midPlan: { row: MidPlanRow; task: ExportTask; subtask: ExportSubtask }[];
  action: { row: ActionRow; task: ExportTask; subtask: ExportSubtask; action: ExportAction }[];
  leftOut: LeftOut[];
};

/**
 * The sign of `scroll_value`, which nobody outside has seen. `up-positive` is the default: the authors recorded with
 * pynput (videogui.txt A.1), where a positive dy scrolls up, and agents answer in PyAutoGUI, where it does too.
 * (Our own `dy` is positive when the user scrolls down, A10.)
 */
type ScrollSign = 'up-positive' | 'down-positive';
const DEFAULT_SCROLL_SIGN: ScrollSign = 'up-positive';

/** The sign that an export's options name. */
export function scrollSignOf({ scrollSign }: Readonly<Record<string, string>>): ScrollSign {
  return scrollSign === 'down-positive' ? 'down-positive' : DEFAULT_SCROLL_SIGN;
}

type ProjectionOptions = {
  scrollSign?: ScrollSign;
  /** Keep hovers, waits and sideways scrolls, for which the benchmark's Action data set has no place. */
  everyKind?: boolean;
  /** Names for the parts that lack an item, when they are not the three data sets' own. */
  names?: { highPlan: string; midPlan: string; action: string };
};

const NAMES = { highPlan: HIGH_PLAN.folder, midPlan: MID_PLAN.folder, action: ACTION.folder };

/**
 * The rows of the three data sets, tasks by id, subtasks and actions by rank. What cannot stand in one is in `leftOut`
 * with its reason: nothing is clamped, renumbered or dropped in silence.
 */
export function projectVideogui(tasks: readonly ExportTask[], options: ProjectionOptions = {}): Projection {
  const names = options.names ?? NAMES;
  const result: Projection = { highPlan: [], midPlan: [], action: [], leftOut: [] };
  for (const task of tasks.toSorted(byTaskId)) {
    const { end } = task.visualQuery;
    const refusal = highPlanRefusal(task);
    if (end && refusal === null) result.highPlan.push({ row: highPlanRow(task, end), task });
    else result.leftOut.push({ item: task.id, from: names.highPlan, reason: refusal ?? NO_END });
    for (const subtask of inOrder(task.subtasks, ({ id }) => id)) {
      const made = midPlanRow(task, subtask);
      if (typeof made === 'string') {
        result.leftOut.push({ item: itemName(task.id, subtask.id), from: names.midPlan, reason: made });
      } else result.midPlan.push({ row: made, task, subtask });
      for (const action of inOrder(subtask.actions, ({ rank }) => rank)) {
        const made = actionRow(task, subtask, action, options);
        if ('row' in made) result.action.push({ row: made.row, task, subtask, action });
        else {
          const item = itemName(task.id, subtask.id, action.rank);
          result.leftOut.push({ item, from: names.action, reason: made.reason });
        }
      }
    }
  }
  return result;
}

const NO_END = 'the visual query has no end';
export const UNTITLED = 'nobody gave the subtask a title';

/**
 * Why a task has no plan of subtasks; null when it has one. A plan with a hole would be a wrong truth, and so would a plan of
 * one part: it is the goal, which stands in the question.
 */
export function planRefusal({ kind, subtasks }: Pick<ExportTask, 'kind' | 'subtasks'>): string | null {
  if (kind === 'simple') return 'it is a simple task, which has no high-level plan';
  if (subtasks.length < 2) return 'it was not divided: with one subtask it has no high-level plan';
  const untitled = inOrder(subtasks, ({ id }) => id).filter(({ query }) => query.trim() === '');
  if (untitled.length > 0) return `nobody gave a title to its subtasks ${untitled.map(({ id }) => id).join(', ')}`;
  return null;
}

/** Why a task has no row in High-Plan; null when it has one. */
export const highPlanRefusal = (task: ExportTask): string | null =>
  planRefusal(task) ?? (task.visualQuery.end ? null : NO_END);

/** Where each file of a task goes, `<role>/<name>` below its folder, names made free of each other. */
export function taskFilePaths({ attachments = [] }: ExportTask): { file: TaskFile; to: string }[] {
  const taken = new Map<FileRole, Set<string>>();
  return attachments.map((file) => {
    const role = file.role ?? 'recording';
    const names = taken.get(role) ?? new Set<string>();
    taken.set(role, names);
    return { file, to: `${role}/${freeName(fileName(file), names)}` };
  });
}

function highPlanRow(task: ExportTask, end: MediaRef): HighPlanRow {
  const { start } = task.visualQuery;
  const subtasks = inOrder(task.subtasks, ({ id }) => id);
  return {
    task_id: task.id,
    app: task.app.name,
    fulltask_query: task.goal,
    subtask_sequence: subtasks.map(({ query }) => oneLine(query)),
    visual_start: start && `start${endingOf(start)}`,
    visual_end: `end${endingOf(end)}`,
    subtask_ids: subtasks.map(({ id }) => id),
    category: task.app.category || null,
    platform: task.platformWords || task.platform,
    source: task.source,
    answer: task.answer,
    files: taskFilePaths(task).map(({ to }) => to),
    proof: task.proof ?? 'untried',
  };
}

/** The row, or why there is none. */
function midPlanRow(task: ExportTask, subtask: ExportSubtask): MidPlanRow | string {
  const { startImage, endImage } = subtask;
  if (subtask.query.trim() === '') return UNTITLED;
  if (!startImage || !endImage) return 'the subtask has no start or no end picture';
  const name = [task.id, subtask.id].join('_');
  // A wait is no step of a plan: nobody would say it, and the paper's plans have none.
  const steps = inOrder(subtask.actions, ({ rank }) => rank).filter(({ action }) => action.kind !== 'wait');
  return {
    split: MID_PLAN.split,
    app: task.app.name,
    subtask_query: subtask.query,
    action_sequence: numbered(steps.map(({ rank, narration }) => [rank, narration])),
    task_id: task.id,
    screenshot_start: cell(startImage, `${name}_start`),
    screenshot_end: cell(endImage, `${name}_end`),
    subtask_id: subtask.id,
  };
}

function actionRow(
  task: ExportTask,
  subtask: ExportSubtask,
  exported: ExportAction,
  options: ProjectionOptions,
): { row: ActionRow } | { reason: string } {
  const { action, beforeImage, positions } = exported;
  const direction = action.kind === 'scroll' ? scrollDirection(action) : null;
  const vertical = direction === 'up' || direction === 'down';
  if (isUnseen(action)) return { reason: UNSEEN };
  if (action.withheld && !action.text) return { reason: WITHHELD };
  if (!options.everyKind) {
    if (action.kind === 'hover' || action.kind === 'wait')
      return { reason: `the benchmark has no action "${action.kind}"` };
    // With these keys a wheel zooms, turns sideways or does what the program likes; the questions leave it out, too.
    const [modifier] = action.modifiers;
    if (direction && modifier !== undefined) return { reason: `a wheel turned with ${modifier} held is no scroll` };
    if (direction && !vertical) return { reason: `scroll_value knows up and down only, this scroll goes ${direction}` };
  }
  // The pointer's place means something where a button, the wheel or a hover acts, and nothing for keys and waits.
  const placed = action.kind !== 'type' && action.kind !== 'press' && action.kind !== 'wait';
  if (!beforeImage || (placed && !positions)) return { reason: 'there is no picture of the screen before it' };
  const start = placed && positions ? positions.start : null;
  const end = action.kind === 'drag' && positions ? positions.end : null;
  for (const [name, position] of [['start', start] as const, ['end', end] as const]) {
    if (position && !isInside(position, beforeImage)) {
      const { width, height } = beforeImage;
      return { reason: `its ${name} (${position.join(', ')}) lies outside of the picture of ${width} x ${height}` };
    }
  }
  return {
    row: {
      split: ACTION.split,
      app: task.app.name,
      task_id: task.id,
      screenshot_start: cell(beforeImage, `${[task.id, subtask.id, exported.rank].join('_')}_before`),
      action_type: benchmarkActionType(action),
      action_narration: exported.narration,
      start_position: start,
      end_position: end,
      scroll_value: vertical ? scrollValue(action.scroll!.dy, options.scrollSign ?? DEFAULT_SCROLL_SIGN) : null,
      subtask_id: subtask.id,
      action_id: exported.rank,
    },
  };
}

function scrollValue(dy: number, sign: ScrollSign): number {
  return sign === 'down-positive' ? dy : -dy;
}

/** `1. …` a line (videogui.txt table 19), with the ranks, so that a line and a row of the Action data set agree. */
function numbered(lines: (readonly [number, string])[]): string {
  return lines.map(([rank, text]) => `${rank}. ${oneLine(text)}`).join('\n');
}

export function cell(picture: PictureRef, name: string): PictureCell {
  return { picture, name: name + extension(picture.path) };
}

/** The ending of a file of the visual query. */
export const endingOf = ({ path, given }: MediaRef): string => given?.ending ?? extension(path);

/** `.png` of `a/b.PNG`; empty when there is none. */
export function extension(path: string): string {
  return /\.[A-Za-z0-9]+$/.exec(path)?.[0].toLowerCase() ?? '';
}

function inOrder<T>(items: readonly T[], rank: (item: T) => number): T[] {
  return items.toSorted((a, b) => rank(a) - rank(b));
}

/** The rows of each data set as plain records by column name, in the order of DATA_SETS. */
export function dataSetRows(projection: Projection, dataSet: DataSet): Record<string, unknown>[] {
  if (dataSet === HIGH_PLAN) return projection.highPlan.map(({ row }) => row);
  return (dataSet === MID_PLAN ? projection.midPlan : projection.action).map(({ row }) => row);
}
