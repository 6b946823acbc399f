import type Sqlite from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { log } from '../../native/log/log.ts';
import { StudioError } from '../../schemas/errors.ts';
import { storeError } from './errors.ts';
import { whileBusy } from './patience.ts';
import { type StatementCache, statementCache } from './statements.ts';

/** `refuseNewer`: looks at the version of the database, and throws where it is none of ours any more. */
type Ways = { refuseNewer(): void; statements?: StatementCache };

/**
 * kysely over one better-sqlite3 connection. kysely's own driver for it knows no errors at which SQLite rolls back by itself
 * (its `rollback` then fails and hides the real one), waits for other programs with the whole process, and prepares every
 * statement anew.
 */
export function dialectOf(
  file: string,
  sqlite: Sqlite.Database,
  { refuseNewer, statements = statementCache(sqlite) }: Ways,
): Dialect {
  return {
    createAdapter: () => new ManyConnections(),
    createDriver: () => createDriver(file, sqlite, statements, refuseNewer),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** To kysely each query and each transaction has a connection of its own: whose turn it is, is decided here. */
class ManyConnections extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** A query or a transaction on its way. */
type Turn = DatabaseConnection & {
  /** Gives the connection to the next one; null while no transaction is open here. */
  release: (() => void) | null;
  /**
   * The error for which SQLite rolled the transaction back: nothing more may happen in it, or it would happen outside of it.
   */
  broken: unknown;
};

function createDriver(
  file: string,
  sqlite: Sqlite.Database,
  statements: StatementCache,
  refuseNewer: () => void,
): Driver {
  const nextTurn = turns();

  /** One look at the database, in our own words when it fails. */
  function once<T>(work: () => T): T {
    // Closed while this was on its way: the workspace was found damaged by another request, or was put away.
    if (!sqlite.open)
      throw new StudioError('INTERRUPTED', `${file} was closed while this was asked for. Try again.`, { file });
    try {
      return work();
    } catch (error) {
      throw storeError(error, file);
    }
  }

  function run<R>(statement: Sqlite.Statement, { parameters }: CompiledQuery): QueryResult<R> {
    // Kysely's own driver does the same: rows are typed by the query, not by the database.
    if (statement.reader) return { rows: statement.all(parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
  }

  const tell = (sql: string): void => once(() => void statements.prepare(sql).run());

  async function takeTurn(): Promise<() => void> {
    const release = await nextTurn();
    try {
      // Left by a rollback that failed: what comes now would become part of it.
      if (sqlite.inTransaction) tell('rollback');
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** A statement of its own. Another program's lock is waited for with the connection free for others. */
  function alone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return whileBusy(async () => {
      const release = await takeTurn();
      try {
        return once(() => {
          refuseNewer();
          const statement = statements.prepare(query.sql);
          return statement.readonly ? run<R>(statement, query) : change<R>(statement, query);
        });
      } finally {
        release();
      }
    });
  }

  /** Between the look at the version and the change no other program gets in. */
  function change<R>(statement: Sqlite.Statement, query: CompiledQuery): QueryResult<R> {
    tell('begin immediate');
    try {
      refuseNewer();
      const answer = run<R>(statement, query);
      tell('commit');
      return answer;
    } catch (error) {
      if (sqlite.inTransaction) tell('rollback');
      throw error;
    }
  }

  function within<R>(turn: Turn, query: CompiledQuery): QueryResult<R> {
    if (turn.broken !== undefined) throw turn.broken;
    try {
      return once(() => run<R>(statements.prepare(query.sql), query));
    } catch (error) {
      if (!sqlite.inTransaction) turn.broken = error;
      throw error;
    }
  }

  function makeTurn(): Turn {
    const turn: Turn = {
      release: null,
      broken: undefined,
      executeQuery: async <R>(query: CompiledQuery) => (turn.release ? within<R>(turn, query) : alone<R>(query)),
      // biome-ignore lint/correctness/useYield: nothing streams yet; rows of a page are asked for by their number.
      async *streamQuery() {
        throw new Error('Rows are not streamed: ask for a part of them.');
      },
    };
    return turn;
  }

  function end(turn: Turn): void {
    const { release } = turn;
    turn.release = null;
    release?.();
  }

  return {
    init: async () => undefined,
    acquireConnection: async () => makeTurn(),
    // Our turns alone come here, made by acquireConnection.
    releaseConnection: async (connection) => end(connection as Turn),
    destroy: async () => void sqlite.close(),

    async beginTransaction(connection, { accessMode }) {
      const turn = connection as Turn;
      // A writer takes the one lock at once: begun as a reader, it could only fail when somebody wrote meanwhile.
      const begin = accessMode === 'read only' ? 'begin' : 'begin immediate';
      turn.release = await whileBusy(async () => {
        const release = await takeTurn();
        try {
          tell(begin);
          once(refuseNewer);
          return release;
        } catch (error) {
          try {
            if (sqlite.open && sqlite.inTransaction) tell('rollback');
          } finally {
            release();
          }
          throw error;
        }
      });
      turn.broken = undefined;
    },

    async commitTransaction(connection) {
      const turn = connection as Turn;
      if (turn.broken !== undefined) throw turn.broken;
      // Busy (a reader of a database without a write-ahead log), the transaction stays open and is committed later.
      await whileBusy(async () => tell('commit'));
      end(turn);
    },

    async rollbackTransaction(connection) {
      const turn = connection as Turn;
      try {
        if (sqlite.inTransaction) tell('rollback');
      } catch (error) {
        log.warn('not rolled back', { error });
        // Why it is rolled back is what the caller must hear; what is still open is looked for at the next beginning.
      }
      end(turn);
    },
  };
}

/** One after another, in the order in which they ask. The answer gives the turn to the next. */
function turns(): () => Promise<() => void> {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = last;
    last = promise;
    await before;
    return resolve;
  };
}
