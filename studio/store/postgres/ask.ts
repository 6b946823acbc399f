import type { PostgresAnswer, PostgresConnection, PostgresEngine } from './engine.ts';
import { postgresError } from './errors.ts';

/** One statement on a connection that is held. */
export type Ask = (sql: string, ...parameters: unknown[]) => Promise<PostgresAnswer>;

/** Does `work` on one connection, which is closed where that fails: so whatever was begun on it is undone. Throws what postgresError says. */
export async function onConnection<T>(engine: PostgresEngine, work: (ask: Ask) => Promise<T>): Promise<T> {
  let connection: PostgresConnection | null = null;
  let broken = true;
  try {
    connection = await engine.connect();
    const held = connection;
    const done = await work((sql, ...parameters) => held.query(sql, parameters));
    broken = false;
    return done;
  } catch (error) {
    throw postgresError(error, engine.where);
  } finally {
    connection?.release(broken);
  }
}

/** One transaction of such a connection: kept when `work` comes to its end, undone otherwise. */
export async function withinTransaction<T>(ask: Ask, begin: string, work: () => Promise<T>): Promise<T> {
  await ask(begin);
  const done = await work();
  const { command } = await ask('commit');
  if (command === 'ROLLBACK') throw new Error('PostgreSQL undid what was to be committed.');
  return done;
}
