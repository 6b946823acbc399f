import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';

/** How many tasks each software has, by its id. */
export async function countTasks(db: Kysely<Tables>): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('tasks')
    .select(['software_id', (eb) => eb.fn.count<number>('id').as('tasks')])
    .groupBy('software_id')
    .execute();
  return new Map(rows.map(({ software_id, tasks }) => [software_id, Number(tasks)]));
}
