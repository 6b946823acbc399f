import { PGlite } from '@electric-sql/pglite';
import type { PostgresEngine } from '../../studio/store/postgres/engine.ts';

/** PostgreSQL inside the process: one connection, nothing on the disk, and seconds to start, so once a file of tests. */
export async function startPglite(): Promise<PostgresEngine> {
  const pglite = await PGlite.create({ parsers: { 20: Number } });
  let turn: Promise<void> = Promise.resolve();
  return {
    where: 'PGlite',
    single: true,
    async connect() {
      const before = turn;
      const { promise, resolve } = Promise.withResolvers<void>();
      turn = promise;
      await before;
      return {
        async query(sql, parameters) {
          const { rows, affectedRows } = await pglite.query(sql, [...parameters]);
          return { rows, changed: affectedRows ?? null, command: '' };
        },
        release: (broken) => void (broken ? pglite.exec('rollback') : Promise.resolve()).finally(resolve),
      };
    },
    close: () => pglite.close(),
  };
}
