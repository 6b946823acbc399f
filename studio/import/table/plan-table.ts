import type { TableDuplicates, TableField, TableRow } from '../../../schemas/api/task-table.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { TASK_ID, TASK_KINDS, TASK_STATES, type TaskKind, type TaskState } from '../../../schemas/task-terms.ts';
import { breathe } from '../../store/breathe.ts';
import { findSoftware, type Software } from '../../store/software.ts';
import type { Store } from '../../store/store.ts';
import { listStoredTasks } from '../../store/tasks.ts';
import type { TableLine } from './read-table.ts';

/** What comes of each row of a table, by what is in the workspace: pure of writing, so that a dry run and an import are one. */

/** Values of a row that say something; empty cells are not among them. */
export type RowValues = Partial<{
  id: string;
  goal: string;
  platform: string;
  sourceUrl: string;
  notes: string;
  answer: string;
  kind: TaskKind;
  state: TaskState;
}>;

export type PlannedRow = TableRow & { values: RowValues; of: Software | null };
type Column = { name: string; field: TableField | null };
type Known = { id: string; software_id: string; goal: string } & Readonly<Record<string, unknown>>;

const MOST: Readonly<Partial<Record<TableField, number>>> = {
  id: 60,
  goal: 10_000,
  platform: 100,
  sourceUrl: 2000,
  notes: 10_000,
  answer: 10_000,
};

type Wishes = { software: string | undefined; duplicates: TableDuplicates };

export async function planRows(
  store: Store,
  lines: readonly TableLine[],
  columns: readonly Column[],
  { software, duplicates }: Wishes,
): Promise<PlannedRow[]> {
  const tasks: Known[] = await listStoredTasks(store, 'age');
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const byGoal = new Map<string, Known>();
  for (const task of tasks)
    if (task.goal !== '')
      byGoal.set(keyOf(task.software_id, task.goal), byGoal.get(keyOf(task.software_id, task.goal)) ?? task);
  const softwareOf = finder(store);
  /** The lines of this table that say a task, by its id and its goal. */
  const said = new Map<string, number>();
  const planned: PlannedRow[] = [];
  for (const { line, cells } of lines) {
    await breathe();
    const { values, faults, named } = valuesOf(cells, columns);
    let of: Software | null = null;
    const column = nameOf(columns, 'software');
    try {
      const wanted = named || software || '';
      const known = values.id === undefined ? undefined : byId.get(values.id);
      if (wanted !== '') of = await softwareOf(wanted);
      else if (known) of = await softwareOf(known.software_id);
      else faults.push({ column, message: 'No software is named, and none was given for such rows.' });
    } catch (error) {
      if (!(error instanceof StudioError) || error.code !== 'UNKNOWN_APP') throw error;
      faults.push({ column, message: error.message });
    }
    const known = values.id === undefined ? undefined : byId.get(values.id);
    if (known && of && known.software_id !== of.id && duplicates !== 'both') {
      const message = `${known.id} is a task of the software "${known.software_id}", not "${of.id}".`;
      faults.push({ column: nameOf(columns, 'id'), message });
    }
    if (values.goal === undefined && !(known && duplicates !== 'both')) {
      faults.push({ column: nameOf(columns, 'goal'), message: 'There is no goal.' });
    }
    const goal = values.goal ?? known?.goal ?? '';
    const like = known ?? (of ? byGoal.get(keyOf(of.id, goal)) : undefined);
    const keys = [...(values.id === undefined ? [] : [values.id]), ...(of ? [keyOf(of.id, goal)] : [])];
    const sameAs = keys.map((key) => said.get(key)).find((other) => other !== undefined) ?? null;
    for (const key of keys) if (!said.has(key)) said.set(key, line);
    const base = { line, goal, software: of?.id ?? null, sameAs, faults, values, of };
    if (faults.length > 0) planned.push({ ...base, act: 'fault', task: like?.id ?? null });
    else if (sameAs !== null && duplicates !== 'both') planned.push({ ...base, act: 'skip', task: like?.id ?? null });
    else if (!like || duplicates === 'both') planned.push({ ...base, act: 'make', task: null });
    else
      planned.push({
        ...base,
        act: duplicates === 'update' && changes(like, values) ? 'update' : 'skip',
        task: like.id,
      });
  }
  return planned;
}

/** Compared as people read it: without regard to case and blanks. */
const keyOf = (software: string, goal: string): string =>
  `${software}\n${goal.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()}`;

const nameOf = (columns: readonly Column[], field: TableField): string | null =>
  columns.find((column) => column.field === field)?.name ?? null;

/** Each name is looked for once. */
function finder(store: Store): (name: string) => Promise<Software> {
  const found = new Map<string, Promise<Software>>();
  return (name) => {
    const known = found.get(name) ?? findSoftware(store, name);
    found.set(name, known);
    return known;
  };
}

function valuesOf(cells: readonly string[], columns: readonly Column[]) {
  const values: RowValues = {};
  const faults: TableRow['faults'] = [];
  let named = '';
  const over = cells.slice(columns.length).filter((cell) => cell.trim() !== '').length;
  if (over > 0) {
    const message = `The row has ${cells.length} cells, and the table ${columns.length} columns. Put texts with the separator in them into quotation marks.`;
    faults.push({ column: null, message });
  }
  const several = columns.filter(({ field }) => field === 'notes').length > 1;
  for (const [at, { name, field }] of columns.entries()) {
    const text = (cells[at] ?? '').trim();
    if (field === null || text === '') continue;
    const most = MOST[field];
    const add = (message: string): unknown => faults.push({ column: name, message });
    if (most !== undefined && text.length > most) add(`It has ${text.length} letters; ${most} are the most.`);
    else if (field === 'software') named = text;
    else if (field === 'notes') {
      const note = several ? `${name}: ${text}` : text;
      values.notes = values.notes === undefined ? note : `${values.notes}\n${note}`;
    } else if (field === 'kind' || field === 'state') {
      const words: readonly string[] = field === 'kind' ? TASK_KINDS : TASK_STATES;
      const word = words.find((one) => text.toLowerCase().replace(/[\s_-]{0,9}task$/, '') === one);
      if (word === undefined) add(`"${text.slice(0, 60)}" is none of ${words.join(', ')}.`);
      else Object.assign(values, { [field]: word });
    } else if (field === 'id' && !TASK_ID.test(text)) {
      add(`"${text}" cannot be a task's id: it is a prefix of capital letters, "_" and a number, such as PPT_15.`);
    } else if (field === 'sourceUrl' && !isLink(text)) {
      add(`"${text.slice(0, 100)}" is no web address: it begins with https:// or http://.`);
    } else values[field] = text;
  }
  if ((values.notes?.length ?? 0) > 10_000) {
    faults.push({ column: null, message: 'Its notes together have more than 10,000 letters.' });
  }
  return { values, faults, named };
}

const isLink = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** The task's columns of the database that the row would change. */
export function changedColumns(values: RowValues): Record<string, string> {
  const { id: _id, sourceUrl, ...rest } = values;
  return { ...rest, ...(sourceUrl !== undefined && { source_url: sourceUrl }) };
}

const changes = (task: Known, values: RowValues): boolean =>
  Object.entries(changedColumns(values)).some(([column, value]) => task[column] !== value);
