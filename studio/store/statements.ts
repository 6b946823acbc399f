import type Sqlite from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

/** Statements kept: a page and its studio use some dozens, every route together some hundreds. */
const KEPT = 400;
/** Longer ones are inserts of many rows, another text for each number of them, characters. */
const LONGEST = 4_000;

/** Prepares a statement once and keeps it by its SQL, the least used going first. */
export function statementCache(sqlite: Pick<Sqlite.Database, 'prepare'>, kept = KEPT) {
  const known = new LRUCache<string, Sqlite.Statement>({ max: kept });
  return {
    prepare(sql: string): Sqlite.Statement {
      const before = known.get(sql);
      if (before) return before;
      const statement = sqlite.prepare(sql);
      if (sql.length <= LONGEST) known.set(sql, statement);
      return statement;
    },
    size: (): number => known.size,
  };
}
export type StatementCache = ReturnType<typeof statementCache>;
