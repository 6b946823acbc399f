import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { log } from '../../../native/log/log.ts';
import { BUSY_MS } from '../errors.ts';
import type { WholeWay } from '../store.ts';
import type { Tables } from '../tables.ts';
import type { PostgresConnection, PostgresEngine } from './engine.ts';
import { isAway, mayDoAgain, postgresError } from './errors.ts';
import { type VersionWatch, watchVersion } from './version.ts';

/**
 * kysely over PostgreSQL. `tables`: those of the studio; `version`: of the database, as this program knows it. Everything is serialisable, single statements too: what two do at once comes to what they would have
 * done one after the other, or one of them is told to do it again, which is done here. SQLite comes to the same by one writer.
 */
export function postgresDialect(engine: PostgresEngine, tables: readonly string[], version: number): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(engine, tables, watchVersion(engine.where, version)),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Locked by whoever writes a whole: beside others, or (its only use) alone. */
export const TURN_TABLE = 'studio_turn';
/** How often a whole is tried beside others before it is done alone: then it cannot meet anybody. */
const BESIDE = 4;
/** A whole is done again for BUSY_MS, and so many times at least. */
const LEAST_TRIES = 8;
/** Between two tries, ms; a random part of it, or two who met would meet again. */
const WAITS_MS = [2, 5, 10, 20, 50, 100];

const waitBefore = (tries: number): Promise<void> =>
  sleep((0.5 + Math.random()) * WAITS_MS[Math.min(tries, WAITS_MS.length - 1)]!);

/** Does `work` until it passes, while what stands in its way is of the kind that passes. */
async function untilDone<T>(work: (tries: number) => Promise<T>): Promise<T> {
  const until = performance.now() + BUSY_MS;
  for (let tries = 0; ; tries++) {
    try {
      return await work(tries);
    } catch (error) {
      if (!mayDoAgain(error) || (performance.now() >= until && tries + 1 >= LEAST_TRIES)) throw error;
    }
    await waitBefore(tries);
  }
}

/**
 * How a whole is done: with the others, who are met by row locks and by what each has read; after some tries with nobody beside
 * it, so that a long one comes to its end among many short ones.
 */
export const inWholes =
  (queries: Kysely<Tables>): WholeWay =>
  (work, { readOnly }) =>
    untilDone((tries) => {
      const transaction = queries.transaction();
      if (readOnly) return transaction.setAccessMode('read only').execute(work);
      return (tries < BESIDE ? transaction : transaction.setAccessMode('read write')).execute(work);
    });

/** A query or a whole on its way. */
type Turn = DatabaseConnection & {
  /** Held while a whole is done. */
  connection: PostgresConnection | null;
  /** The error after which PostgreSQL refuses everything until the whole is undone. */
  broken: unknown;
};

function createDriver(engine: PostgresEngine, tables: readonly string[], versions: VersionWatch): Driver {
  const { where } = engine;
  const begin = beginnings(engine.single ? [] : tables);
  const connect = async (): Promise<PostgresConnection> => {
    try {
      return await engine.connect();
    } catch (error) {
      throw postgresError(error, where);
    }
  };

  async function ask<R>(connection: PostgresConnection, query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changed } = await connection.query(query.sql, query.parameters).catch((error: unknown) => {
      throw versions.said(error);
    });
    // Rows are typed by the query, as in kysely's own drivers.
    return { rows: rows as R[], ...(changed !== null && { numAffectedRows: BigInt(changed) }) };
  }

  /** A statement of its own. Where its answer is lost it is asked again if it only reads. */
  function alone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const reads = query.query.kind === 'SelectQueryNode';
    return untilDone(async () => {
      const connection = await connect();
      try {
        await versions.look(connection);
        const answer = await ask<R>(connection, query);
        connection.release(false);
        return answer;
      } catch (error) {
        connection.release(isAway(error));
        throw postgresError(error, where, { committing: !reads });
      }
    });
  }

  async function within<R>(turn: Turn, connection: PostgresConnection, query: CompiledQuery): Promise<QueryResult<R>> {
    if (turn.broken !== undefined) throw turn.broken;
    try {
      return await ask<R>(connection, query);
    } catch (error) {
      turn.broken = postgresError(error, where);
      throw turn.broken;
    }
  }

  function makeTurn(): Turn {
    const turn: Turn = {
      connection: null,
      broken: undefined,
      executeQuery: <R>(query: CompiledQuery) =>
        turn.connection ? within<R>(turn, turn.connection, query) : alone<R>(query),
      // biome-ignore lint/correctness/useYield: nothing streams; rows of a page are asked for by their number.
      async *streamQuery() {
        throw new Error('Rows are not streamed: ask for a part of them.');
      },
    };
    return turn;
  }

  function end(turn: Turn, broken: boolean): void {
    const { connection } = turn;
    turn.connection = null;
    connection?.release(broken);
  }

  return {
    init: async () => undefined,
    acquireConnection: async () => makeTurn(),
    // Our turns alone come here, made by acquireConnection.
    releaseConnection: async (connection) => end(connection as Turn, true),
    destroy: () => engine.close(),

    async beginTransaction(given, { accessMode }) {
      const turn = given as Turn;
      const connection = await connect();
      try {
        await versions.look(connection);
        await connection.query(begin[accessMode ?? 'beside'], []);
      } catch (error) {
        connection.release(true);
        throw postgresError(error, where);
      }
      turn.connection = connection;
      turn.broken = undefined;
    },

    async commitTransaction(given) {
      const turn = given as Turn;
      if (turn.broken !== undefined) throw turn.broken;
      try {
        const { command } = (await turn.connection?.query('commit', [])) ?? { command: 'ROLLBACK' };
        if (command === 'ROLLBACK') throw new Error('PostgreSQL undid what was to be committed.');
      } catch (error) {
        turn.broken = postgresError(error, where, { committing: true });
        throw turn.broken;
      }
      end(turn, false);
    },

    async rollbackTransaction(given) {
      const turn = given as Turn;
      try {
        await turn.connection?.query('rollback', []);
        end(turn, false);
      } catch (error) {
        // A closed connection undoes it as well.
        if (!isAway(error)) log.warn('not rolled back', { error });
        end(turn, true);
      }
    },
  };
}

/**
 * The locks come before the first look: PostgreSQL fixes the moment that a serialisable whole sees at its first question, and
 * one that then waited would see what is no more. Who is alone waits for those beside each other, then keeps single statements
 * from writing; readers go on.
 */
function beginnings(tables: readonly string[]) {
  const begin = 'begin isolation level serializable';
  if (tables.length === 0) return { 'read only': `${begin} read only`, beside: begin, 'read write': begin };
  const all = tables.map((name) => `"${name}"`).join(', ');
  return {
    'read only': `${begin} read only`,
    beside: `${begin}; lock table ${TURN_TABLE} in row share mode`,
    'read write': `${begin}; lock table ${TURN_TABLE} in exclusive mode; lock table ${all} in exclusive mode`,
  };
}
