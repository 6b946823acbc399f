import type Sqlite from 'better-sqlite3';

/** Statements kept: a page and its studio use some dozens, every route together some hundreds. */
const KEPT = 400;
/** Longer ones are inserts of many rows, another text for each number of them, characters. */
const LONGEST = 4_000;

/** Prepares a statement once and keeps it by its SQL, the least used going first. */
export function statementCache(sqlite: Pick<Sqlite.Database, 'prepare'>, kept = KEPT) {
  const known = new Map<string, Sqlite.Statement>();
  return {
    prepare(sql: string): Sqlite.Statement {
      const before = known.get(sql);
      if (before) {
        known.delete(sql);
        known.set(sql, before);
        return before;
      }
      const statement = sqlite.prepare(sql);
      if (sql.length > LONGEST) return statement;
      known.set(sql, statement);
      for (const oldest of known.keys()) if (known.size > kept) known.delete(oldest);
      return statement;
    },
    size: (): number => known.size,
  };
}
export type StatementCache = ReturnType<typeof statementCache>;
