import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

let queriesOf: (store: Store) => Kysely<Tables>;

/** How an engine does several statements as one whole: all of it or nothing, of one moment. */
export type WholeWay = <T>(
  work: (queries: Kysely<Tables>) => Promise<T>,
  { readOnly }: { readOnly: boolean },
) => Promise<T>;

/** As SQLite does it: by the one connection, whose turn is taken at the beginning. */
const oneByOne =
  (queries: Kysely<Tables>): WholeWay =>
  (work, { readOnly }) =>
    (readOnly ? queries.transaction().setAccessMode('read only') : queries.transaction()).execute(work);

/**
 * What a workspace keeps in its database. Other rooms hand it to this room's functions and say what is one whole; the queries
 * are this room's alone (sql.test.ts).
 */
export class Store {
  readonly #queries: Kysely<Tables>;
  readonly #whole: WholeWay;

  static {
    queriesOf = (store) => store.#queries;
  }

  constructor(queries: Kysely<Tables>, whole: WholeWay = oneByOne(queries)) {
    this.#queries = queries;
    this.#whole = whole;
  }

  /**
   * All of it or nothing; it comes to the same as if nobody wrote between a look and a change. Where several write at once
   * (PostgreSQL) `work` is done again when it met another: whatever it changes outside of the store it must begin anew.
   */
  transaction<T>(work: (trx: StoreTransaction) => Promise<T>): Promise<T> {
    return this.#whole((queries) => work(new StoreTransaction(queries)), { readOnly: false });
  }

  /** Several questions about one moment. Nothing is written. */
  reading<T>(work: (store: Store) => Promise<T>): Promise<T> {
    return this.#whole((queries) => work(new Store(queries)), { readOnly: true });
  }
}

/** The store within `transaction`: asked for by what may only be done as a part of a whole. */
export class StoreTransaction extends Store {
  readonly isWhole = true;
}

/** For the files of studio/store alone. */
export const sqlOf = (store: Store): Kysely<Tables> => queriesOf(store);
