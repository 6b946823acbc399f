/** The parts of PostgreSQL that this store needs: from a server by `pg`, or from one inside the process in tests. */

/** The answer to one statement. `command`: what was done, such as `INSERT` or, where a commit could only undo, `ROLLBACK`. */
export type PostgresAnswer = { rows: unknown[]; changed: number | null; command: string };

/** A connection that is ours until it is released. */
export type PostgresConnection = {
  query(sql: string, parameters: readonly unknown[]): Promise<PostgresAnswer>;
  /** `broken`: it is closed, and nobody gets it again. */
  release(broken: boolean): void;
};

export type PostgresEngine = {
  /** For messages: `postgres://host:port/name`, never with a password. */
  where: string;
  connect(): Promise<PostgresConnection>;
  /** Nobody else writes: it has one connection. */
  single: boolean;
  close(): Promise<void>;
};
