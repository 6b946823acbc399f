import { largestOf } from '../../../../core/lists.ts';
import { oneLine } from '../../../../core/words.ts';
import type { DataSetName } from './expected.ts';
import type { ProblemCode, Report } from './problems.ts';

type Place = { file: string; where: string };

/** The content of the three data sets, without pictures. */
export type Contents = {
  highPlan: (Place & { task: string; app: string; subtasks: Map<number, string> | null })[];
  midPlan: (Place & { task: string; subtask: number; app: string; steps: Map<number, string> | null })[];
  action: (Place & { task: string; subtask: number; action: number; app: string; narration: string })[];
  /** One for each task with a plan. */
  goals: Map<string, string>;
};

/** Whether the manifest says why an item is not in a data set. */
type Explained = (dataSet: DataSetName, item: string) => boolean;

const HIGH = 'VideoGUI-High-Plan';
const MID = 'VideoGUI-Mid-Plan';
const ACTION = 'VideoGUI-Action';

/** One task seen by all three: the same tasks, subtasks, actions, narrations and app, unless something was left out. */
export function checkConsistency(contents: Contents, explained: Explained, report: Report): void {
  checkTwice(contents, report);
  checkGaps(contents, explained, report);
  checkTasks(contents, explained, report);
  checkSubtasks(contents, explained, report);
  checkActions(contents, explained, report);
}

function checkTwice({ highPlan, midPlan, action }: Contents, report: Report): void {
  const seen = new Set<string>();
  const once = (place: Place, item: string) => {
    if (seen.has(item)) report('RANK_TWICE', place.file, place.where, `${item.slice(2)} stands here a second time`);
    seen.add(item);
  };
  for (const row of highPlan) once(row, `H ${row.task}`);
  for (const row of midPlan) once(row, `M ${row.task}/${row.subtask}`);
  for (const row of action) once(row, `A ${row.task}/${row.subtask}/${row.action}`);
}

/** Ranks run from 1; what is missing below the highest is in the manifest's list. */
function checkGaps({ midPlan, action }: Contents, explained: Explained, report: Report): void {
  const gaps = <T extends Place>(rows: T[], parent: string, rank: (row: T) => number, dataSet: DataSetName) => {
    const ranks = new Set(rows.map(rank));
    for (let expected = 1; expected < largestOf(ranks); expected++) {
      const item = `${parent}/${expected}`;
      if (!ranks.has(expected) && !explained(dataSet, item)) {
        report('RANK_GAP', rows[0]!.file, item, `${item} is not there, and the manifest does not say why`);
      }
    }
  };
  for (const [task, rows] of Map.groupBy(midPlan, (row) => row.task)) gaps(rows, task, (row) => row.subtask, MID);
  for (const [subtask, rows] of Map.groupBy(action, (row) => `${row.task}/${row.subtask}`)) {
    gaps(rows, subtask, (row) => row.action, ACTION);
  }
}

function checkTasks({ highPlan, midPlan, action }: Contents, explained: Explained, report: Report): void {
  const high = new Map(highPlan.map((row) => [row.task, row]));
  const apps = new Map<string, string>();
  const reported = new Set<string>();
  for (const row of [...highPlan, ...midPlan, ...action]) {
    const app = apps.get(row.task) ?? row.app;
    apps.set(row.task, app);
    if (app !== row.app) report('APP_DIFFERS', row.file, row.where, `app is "${row.app}", elsewhere "${app}"`);
    if (high.has(row.task) || reported.has(`${row.file} ${row.task}`) || explained(HIGH, row.task)) continue;
    reported.add(`${row.file} ${row.task}`);
    report('TASK_UNKNOWN', row.file, row.where, `${HIGH} has no task ${row.task}`);
  }
  const mid = new Set(midPlan.map(({ task }) => task));
  for (const row of highPlan) {
    const subtasks = [...(row.subtasks?.keys() ?? [])];
    const allExplained = subtasks.every((subtask) => explained(MID, `${row.task}/${subtask}`));
    if (!mid.has(row.task) && !allExplained) {
      report('TASK_MISSING', row.file, row.where, `${MID} has no subtask of ${row.task}`);
    }
  }
}

function checkSubtasks({ highPlan, midPlan, action }: Contents, explained: Explained, report: Report): void {
  const plans = new Map(highPlan.map((row) => [row.task, row.subtasks]));
  const mid = new Set(midPlan.map((row) => `${row.task}/${row.subtask}`));
  for (const row of highPlan) {
    for (const subtask of row.subtasks?.keys() ?? []) {
      const item = `${row.task}/${subtask}`;
      if (!mid.has(item) && !explained(MID, item)) {
        report('SUBTASK_MISSING', row.file, item, `${HIGH} names the subtask, ${MID} has none`);
      }
    }
  }
  for (const row of [...midPlan, ...action]) {
    const item = `${row.task}/${row.subtask}`;
    const plan = plans.get(row.task);
    const planned = !plan || plan.has(row.subtask);
    const described = 'steps' in row || mid.has(item) || explained(MID, item);
    if (!planned || !described) {
      report('SUBTASK_UNKNOWN', row.file, row.where, `${planned ? MID : HIGH} has no subtask ${item}`);
    }
  }
}

function checkActions({ midPlan, action }: Contents, explained: Explained, report: Report): void {
  const actions = new Map(action.map((row) => [`${row.task}/${row.subtask}/${row.action}`, row]));
  const plans = new Map(midPlan.map((row) => [`${row.task}/${row.subtask}`, row]));
  for (const row of midPlan) {
    for (const rank of row.steps?.keys() ?? []) {
      const item = `${row.task}/${row.subtask}/${rank}`;
      if (!actions.has(item) && !explained(ACTION, item)) {
        report('ACTION_MISSING', row.file, row.where, `action_sequence has line ${rank}, ${ACTION} has no ${item}`);
      }
    }
  }
  for (const row of action) {
    const steps = plans.get(`${row.task}/${row.subtask}`)?.steps;
    if (!steps) continue;
    const planned = steps.get(row.action);
    const problem = (code: ProblemCode, message: string) => report(code, row.file, row.where, message);
    if (planned === undefined) problem('ACTION_UNKNOWN', `${MID} has no line ${row.action} in this action_sequence`);
    else if (planned !== oneLine(row.narration)) {
      problem('NARRATION_DIFFERS', `"${row.narration}" here, "${planned}" in ${MID}`);
    }
  }
}
