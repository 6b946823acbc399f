import type { Updateable } from 'kysely';
import { StudioError } from '../../schemas/errors.ts';
import { TASK_ID, type TaskState } from '../../schemas/task-terms.ts';
import type { Software } from './software.ts';
import { type Store, sqlOf } from './store.ts';
import type { Tables } from './tables.ts';

/** A goal to be demonstrated in one software; PPT_15 is the fifteenth of PowerPoint. */
export type Task = { id: string; software: string; goal: string; state: TaskState; createdAt: string };

/** Tasks by software and number. `recordings`: how many demonstrations of it are in the workspace. */
export async function listTasks(store: Store): Promise<(Task & { recordings: number })[]> {
  const rows = await sqlOf(store)
    .selectFrom('tasks')
    .leftJoin('recordings', (join) =>
      join.onRef('recordings.task_id', '=', 'tasks.id').on('recordings.present', '=', 1),
    )
    .select(['tasks.id', 'tasks.software_id', 'tasks.goal', 'tasks.state', 'tasks.created_at'])
    .select((eb) => eb.fn.count<number>('recordings.id').as('recordings'))
    .groupBy([
      'tasks.id',
      'tasks.software_id',
      'tasks.goal',
      'tasks.state',
      'tasks.created_at',
      'tasks.prefix',
      'tasks.number',
    ])
    .orderBy('tasks.prefix')
    .orderBy('tasks.number')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    software: row.software_id,
    goal: row.goal,
    state: row.state,
    createdAt: row.created_at,
    recordings: Number(row.recordings),
  }));
}

/** How many tasks each software has, by its id. */
export async function countTasks(store: Store): Promise<Map<string, number>> {
  const rows = await sqlOf(store)
    .selectFrom('tasks')
    .select(['software_id', (eb) => eb.fn.count<number>('id').as('tasks')])
    .groupBy('software_id')
    .execute();
  return new Map(rows.map(({ software_id, tasks }) => [software_id, Number(tasks)]));
}

/** Whether there is a task of this id. */
export const hasTask = async (store: Store, id: string): Promise<boolean> => (await findTask(store, id)) !== undefined;

/**
 * The task of this software and goal that nobody has demonstrated yet: it waits for a recording, or an import was killed
 * after it had made it.
 */
export async function taskInWaiting(store: Store, software: Software, goal: string): Promise<Task | undefined> {
  if (goal === '') return undefined;
  const row = await sqlOf(store)
    .selectFrom('tasks')
    .select('id')
    .where('software_id', '=', software.id)
    .where('goal', '=', goal)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('recordings').select('recordings.id').whereRef('recordings.task_id', '=', 'tasks.id'))),
    )
    .orderBy('number')
    .executeTakeFirst();
  return row && findTask(store, row.id);
}

/** Whether there is a recording of it, also one whose folder is away. */
export async function wasRecorded(store: Store, id: string): Promise<boolean> {
  const row = await sqlOf(store).selectFrom('recordings').select('id').where('task_id', '=', id).executeTakeFirst();
  return row !== undefined;
}

async function findTask(store: Store, id: string): Promise<Task | undefined> {
  const row = await sqlOf(store).selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
  return row && { id, software: row.software_id, goal: row.goal, state: row.state, createdAt: row.created_at };
}

/** The task of this id. Throws UNKNOWN_TASK. */
export async function taskById(store: Store, id: string): Promise<Task> {
  const task = await findTask(store, id);
  if (task) return task;
  throw new StudioError('UNKNOWN_TASK', `There is no task "${id}" in this workspace. \`tasks\` lists them.`, {
    task: id,
  });
}

/**
 * The task of this id, made when missing; without an id, a new one with the software's next free number.
 * An existing task without a goal takes this one; otherwise its own goal stays.
 * Throws USAGE when the id has another form than PPT_15, or belongs to another software.
 */
export async function ensureTask(
  store: Store,
  wanted: { id?: string | undefined; software: Software; goal: string; createdAt?: string },
): Promise<Task> {
  const { id, software, goal, createdAt = new Date().toISOString() } = wanted;
  if (id === undefined) return createNext(store, software, goal, createdAt);
  const match = TASK_ID.exec(id);
  if (!match) {
    throw new StudioError(
      'USAGE',
      `"${id}" cannot be a task's id: it must be a prefix of capital letters, "_" and a number, such as ${software.prefix}_1. Leave --task out to get the next free one.`,
      { task: id },
    );
  }
  await insert(store, { id, prefix: match[1]!, number: Number(match[2]), software, goal, createdAt });
  const task = await taskById(store, id);
  if (task.software !== software.id) {
    throw new StudioError(
      'USAGE',
      `Task ${id} is of the software "${task.software}", not "${software.id}". Give another --task, or leave it out.`,
      { task: id, software: task.software },
    );
  }
  if (task.goal !== '' || goal === '') return task;
  await sqlOf(store).updateTable('tasks').set({ goal }).where('id', '=', id).execute();
  return { ...task, goal };
}

export async function taskIds(store: Store): Promise<Set<string>> {
  return new Set((await sqlOf(store).selectFrom('tasks').select('id').execute()).map(({ id }) => id));
}

/** What tasks hold in words, with the purpose of their software. */
export const listBriefs = (store: Store) =>
  sqlOf(store)
    .selectFrom('tasks')
    .innerJoin('software', 'software.id', 'tasks.software_id')
    .select(['tasks.id', 'tasks.kind', 'tasks.answer', 'tasks.source_url', 'tasks.platform', 'software.category'])
    .execute();

/** Every task with all that is stored of it. */
export function listStoredTasks(store: Store, order: 'age' | 'id') {
  const query = sqlOf(store).selectFrom('tasks').selectAll();
  return (
    order === 'age' ? query.orderBy('created_at').orderBy('prefix').orderBy('number') : query.orderBy('id')
  ).execute();
}

/** All that is stored of a task; undefined when there is none. */
export const findStoredTask = (store: Store, id: string) =>
  sqlOf(store).selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();

type TaskColumns = Omit<
  Updateable<Tables['tasks']>,
  'id' | 'prefix' | 'number' | 'software_id' | 'created_by' | 'created_at'
>;

/** Changes a task by values that were checked. */
export async function setTask(store: Store, id: string, values: TaskColumns): Promise<void> {
  if (Object.keys(values).length > 0)
    await sqlOf(store).updateTable('tasks').set(values).where('id', '=', id).execute();
}

/** Gives the task an answer when it has none: somebody's own is not taken over by that of a file. */
export async function fillAnswer(store: Store, id: string, answer: string): Promise<void> {
  await sqlOf(store).updateTable('tasks').set({ answer }).where('id', '=', id).where('answer', '=', '').execute();
}

/** Empty when it has none. */
export async function answerOf(store: Store, id: string): Promise<string> {
  const row = await sqlOf(store).selectFrom('tasks').select('answer').where('id', '=', id).executeTakeFirst();
  return row?.answer ?? '';
}

async function createNext(store: Store, software: Software, goal: string, createdAt: string): Promise<Task> {
  const { prefix } = software;
  // Another program may take the number between the look and the insert: then look again.
  for (;;) {
    const highest = await sqlOf(store)
      .selectFrom('tasks')
      .select((eb) => eb.fn.max('number').as('number'))
      .where('prefix', '=', prefix)
      .executeTakeFirst();
    const number = Number(highest?.number ?? 0) + 1;
    const id = `${prefix}_${number}`;
    if (await insert(store, { id, prefix, number, software, goal, createdAt })) return taskById(store, id);
  }
}

type NewTask = { id: string; prefix: string; number: number; software: Software; goal: string; createdAt: string };

/** False when the id is taken. */
async function insert(store: Store, { id, prefix, number, software, goal, createdAt }: NewTask): Promise<boolean> {
  const result = await sqlOf(store)
    .insertInto('tasks')
    .values({
      id,
      prefix,
      number,
      software_id: software.id,
      goal,
      state: 'open',
      created_by: null,
      created_at: createdAt,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0;
}
