import { lockedError, sqliteCode } from '../errors.ts';
import { outdated, versionGuard } from '../outdated.ts';
import type { PostgresConnection } from './engine.ts';

/**
 * A database that a newer program brings to its version while older ones work on it. Each connection says which version it knows;
 * what the triggers run refuses a change by one that knows less than the database has, within the change's own transaction.
 */

const SAYS = 'studio.version';
/** The newest that programs knew whose connections do not say it. */
const SAYS_NOTHING = 10;
/** Codes of PostgreSQL's own begin otherwise. */
const OUTDATED = 'TS001';
/** No such table, no such column. */
const OTHER_FORM: ReadonlySet<string> = new Set(['42P01', '42703']);
/** So long an older program may go on reading, ms. Its changes are refused at once. */
const LOOK_MS = 1000;

export const saysVersion = (version: number): string => `set ${SAYS} = '${version}'`;

/** A statement for the function of a trigger. */
export const refusesOlder = (version: number): string =>
  `if coalesce(nullif(current_setting('${SAYS}', true), ''), '${SAYS_NOTHING}')::int < ${version} then
     raise exception 'The database has version ${version}, and this connection says that it knows an older one.'
       using errcode = '${OUTDATED}', detail = '${version}', hint = 'By hand: set ${SAYS} = ${version}';
   end if;`;

/** Of one process. `known`: the newest version of the database that it knows. */
export type VersionWatch = {
  /** Looks at the version where that was not done lately. Throws OUTDATED. */
  look(connection: PostgresConnection): Promise<void>;
  /** Looks at it within a transaction that is begun. Throws OUTDATED. */
  lookWithin(connection: PostgresConnection): Promise<void>;
  /**
   * The refusal by a trigger as OUTDATED. A table or column that is not there is told as a lock at first, so that it is asked for
   * again and the version is looked at before. Any other error as it is.
   */
  said(error: unknown): unknown;
};

export function watchVersion(where: string, known: number): VersionWatch {
  const guard = versionGuard(where, known);
  let found = known;
  let lookedAt = performance.now();
  let isSuspected = false;
  async function lookWithin(connection: PostgresConnection): Promise<void> {
    const { rows } = await connection.query("select value from meta where key = 'version'", []);
    found = Number((rows as { value: string }[])[0]?.value ?? 0);
    guard(found);
  }
  return {
    lookWithin,
    async look(connection) {
      guard(found);
      if (performance.now() - lookedAt < LOOK_MS) return;
      lookedAt = performance.now();
      // Not serialisable: changes to other settings are in nobody's way.
      await connection.query('begin isolation level read committed read only', []);
      try {
        await lookWithin(connection);
      } finally {
        await connection.query('rollback', []);
      }
    },
    said(error) {
      const code = sqliteCode(error);
      if (OTHER_FORM.has(code) && !isSuspected) {
        isSuspected = true;
        lookedAt = Number.NEGATIVE_INFINITY;
        return lockedError(where);
      }
      if (code !== OUTDATED) return error;
      const { detail } = error as { detail?: string };
      found = Number(detail ?? known + 1);
      try {
        guard(found);
      } catch (refusal) {
        return refusal;
      }
      return outdated(where, found, known);
    },
  };
}
