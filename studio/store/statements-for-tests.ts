type Statements = typeof import('./statements.ts');

/** The module statements.ts, in which `before` is called with each statement that is prepared; what it throws, the database does. */
export const watchedStatements = (
  { statementCache }: Statements,
  before: (sql: string) => void,
): Partial<Statements> => ({
  statementCache: (...args) => {
    const cache = statementCache(...args);
    return {
      ...cache,
      prepare(sql) {
        before(sql);
        return cache.prepare(sql);
      },
    };
  },
});
