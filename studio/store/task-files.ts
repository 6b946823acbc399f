import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { errorBody, isPassing } from '../../schemas/errors.ts';
import { readBounded } from '../files/bounded.ts';
import { placeIn } from '../files/inside.ts';
import { sqlOf } from './store.ts';
import type { Workspace } from './workspace.ts';

/** Recipes and checks: text that somebody wrote, kept with a task as a file of that role. */

/** The order in which rows came: SQLite counts them itself, PostgreSQL by a column of this name (postgres/schema.ts). */
const CAME = sql`rowid`;

/** More than this is none, bytes. */
export const MOST_TASK_FILE_BYTES = 2_000_000;

/** The place of a task's newest file of a role; null where it has none. */
export async function newestOfRole(
  workspace: Workspace,
  task: string,
  role: 'recipe' | 'checks',
): Promise<string | null> {
  const row = await sqlOf(workspace.store)
    .selectFrom('attachments')
    .select('file')
    .where('task_id', '=', task)
    .where('role', '=', role)
    .orderBy('created_at', 'desc')
    // Two of the same millisecond: the one that came last.
    .orderBy(CAME, 'desc')
    .executeTakeFirst();
  return row ? placeIn(workspace.dir, row.file) : null;
}

/** The sha256 of a task's checks as they are now; null where it has none that can be read. */
export async function hashOfChecks(workspace: Workspace, task: string): Promise<string | null> {
  try {
    const file = await newestOfRole(workspace, task, 'checks');
    return file && createHash('sha256').update(readBounded(file, MOST_TASK_FILE_BYTES)).digest('hex');
  } catch (error) {
    // A play that passed its checks is not to look as if it had been tried with others.
    if (isPassing(errorBody(error).code)) throw error;
    return null; // Whoever uses them says what is wrong.
  }
}

/** The files of this name, of every task. */
export async function filesNamed(
  { store }: Pick<Workspace, 'store'>,
  name: string,
): Promise<{ task: string; file: string }[]> {
  const rows = await sqlOf(store)
    .selectFrom('attachments')
    .select(['task_id', 'file'])
    .where('name', '=', name)
    .orderBy(CAME)
    .execute();
  return rows.map(({ task_id: task, file }) => ({ task, file }));
}
