import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

let queriesOf: (store: Store) => Kysely<Tables>;

/**
 * What a workspace keeps in its database. Other rooms hand it to this room's functions and say what is one whole; the queries
 * are this room's alone (sql.test.ts).
 */
export class Store {
  readonly #queries: Kysely<Tables>;

  static {
    queriesOf = (store) => store.#queries;
  }

  constructor(queries: Kysely<Tables>) {
    this.#queries = queries;
  }

  /** All of it or nothing. It takes its turn at its beginning, so that nobody writes between a look and a change. */
  transaction<T>(work: (trx: StoreTransaction) => Promise<T>): Promise<T> {
    return this.#queries.transaction().execute((trx) => work(new StoreTransaction(trx)));
  }

  /** Several questions about one moment. Nothing is written. */
  reading<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const reading = this.#queries.transaction().setAccessMode('read only');
    return reading.execute((trx) => work(new Store(trx)));
  }
}

/** The store within `transaction`: asked for by what may only be done as a part of a whole. */
export class StoreTransaction extends Store {
  readonly isWhole = true;
}

/** For the files of studio/store alone. */
export const sqlOf = (store: Store): Kysely<Tables> => queriesOf(store);
