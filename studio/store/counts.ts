import { type Store, sqlOf } from './store.ts';

/** How much there is, for whoever watches a server. `now`: sessions that have ended by then are none. */
export async function countForMetrics(
  store: Store,
  now: string,
): Promise<{ recordings: number; members: number; sessions: number; jobs: { state: string; count: number }[] }> {
  const sql = sqlOf(store);
  const [recordings, members, sessions, jobs] = await Promise.all([
    sql
      .selectFrom('recordings')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('present', '=', 1)
      .executeTakeFirst(),
    sql
      .selectFrom('members')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('left_at', 'is', null)
      .executeTakeFirst(),
    sql
      .selectFrom('sessions')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('ends_at', '>', now)
      .executeTakeFirst(),
    sql
      .selectFrom('jobs')
      .select(({ fn }) => ['state', fn.countAll().as('count')])
      .groupBy('state')
      .orderBy('state')
      .execute(),
  ]);
  return {
    recordings: Number(recordings?.count ?? 0),
    members: Number(members?.count ?? 0),
    sessions: Number(sessions?.count ?? 0),
    jobs: jobs.map(({ state, count }) => ({ state, count: Number(count) })),
  };
}
