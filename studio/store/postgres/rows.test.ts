import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorBody } from '../../../schemas/errors.ts';
import { startPglite } from '../../../test/support/pglite.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { errorOf } from '../../documents/clicks-for-tests.ts';
import { openDatabase } from '../database.ts';
import { goldenVersions, writeGolden } from '../migrations/golden-for-tests.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import type { Migration } from '../migrations/migration.ts';
import { temporaryFolders } from '../recording-for-tests.ts';
import type { PostgresEngine } from './engine.ts';
import { copyFromPostgres, copyToPostgres, holdsCopy } from './rows.ts';
import { prepareSchema, schemaVersion } from './schema.ts';
import { openServer } from './server.ts';

/** Databases of every earlier version are carried between the engines and brought to today's version on each of them. */

const folders = temporaryFolders();
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => {
  postgres?.stop();
  folders.clean();
});

/** Every row of every table, but for what a database keeps about itself. */
function rowsOf(file: string): Record<string, unknown[]> {
  const sqlite = new Sqlite(file, { readonly: true });
  const names = sqlite.prepare("select name from sqlite_schema where type = 'table' order by name").pluck().all();
  const all = Object.fromEntries(
    (names as string[])
      .filter((name) => !name.startsWith('sqlite_'))
      .map((name) => {
        const own = name === 'meta' ? " where key not in ('database')" : '';
        const rows = sqlite.prepare(`select * from "${name}"${own}`).raw().all();
        return [name, rows.map((row) => JSON.stringify(row)).sort()];
      }),
  );
  sqlite.close();
  return all;
}

const newFile = (): string => join(folders.make(), 'studio.sqlite');
/** A later program's. */
const next: Migration = {
  version: MIGRATIONS.at(-1)!.version + 1,
  name: 'next',
  statements: ({ schema }) => [schema.alterTable('people').addColumn('language', 'text').compile()],
};
const until = (version: number) => MIGRATIONS.filter((step) => step.version <= version);

/** What came from version `n` by SQLite's migrations, and by those of this engine. */
async function bothWays(engine: PostgresEngine, version: number) {
  const [file, back] = [newFile(), newFile()];
  writeGolden(version, file);
  const id = randomUUID();
  await copyToPostgres(file, engine, id, until(version));
  expect(await schemaVersion(engine)).toBe(version);
  await prepareSchema(engine, MIGRATIONS);
  await copyFromPostgres(engine, id, back);
  openDatabase(file).close();
  return { there: rowsOf(back), here: rowsOf(file) };
}

describe('a database of an earlier version is brought to the newest in one go, to the same rows as on SQLite', () => {
  test.each(goldenVersions)("version %i on Debian's PostgreSQL", async (version) => {
    const server = await openServer(await postgres.make());
    const { there, here } = await bothWays(server, version);
    await server.close();
    expect(there).toEqual(here);
    expect(there.annotation_transactions?.length).toBeGreaterThan(0);
  });

  test.each([goldenVersions[0]!, goldenVersions.at(-2)!])('version %i on PGlite', async (version) => {
    const engine = await startPglite();
    const { there, here } = await bothWays(engine, version);
    await engine.close();
    expect(there).toEqual(here);
  });
});

test('a copy of a database of an earlier version is of that version, and leaves it as it is', async () => {
  const [file, back] = [newFile(), newFile()];
  const version = goldenVersions.at(-2)!;
  writeGolden(version, file);
  const server = await openServer(await postgres.make());
  const id = randomUUID();
  await copyToPostgres(file, server, id, until(version));
  expect(await copyFromPostgres(server, id, back)).toBe(version);
  expect(await schemaVersion(server)).toBe(version);
  await server.close();
  expect(rowsOf(back)).toEqual(rowsOf(file));
});

test('a copy that is begun while a newer program brings the database forward is refused, not called one of the version before', async () => {
  const [file, back] = [newFile(), newFile()];
  writeGolden(MIGRATIONS.at(-1)!.version, file);
  const address = await postgres.make();
  const [server, newer] = [await openServer(address), await openServer(address, next.version)];
  const id = randomUUID();
  await copyToPostgres(file, server, id);
  let connections = 0;
  const engine: PostgresEngine = {
    ...server,
    // The first connection looks at the version, the second one copies.
    async connect() {
      connections++;
      if (connections === 2) await prepareSchema(newer, [...MIGRATIONS, next]);
      return server.connect();
    },
  };
  const error = await errorOf(copyFromPostgres(engine, id, back));
  expect(error).toMatchObject({ code: 'OUTDATED', details: { found: next.version, newest: next.version - 1 } });
  expect([connections, existsSync(back)]).toEqual([2, false]);
  await Promise.all([server.close(), newer.close()]);
});

test('rows of any size and of many come over as they are', async () => {
  const [file, back] = [newFile(), newFile()];
  writeGolden(MIGRATIONS.at(-1)!.version, file);
  const sqlite = new Sqlite(file);
  const insert = sqlite.prepare('insert into meta (key, value) values (?, ?)');
  sqlite.transaction(() => {
    for (let n = 0; n < 12_000; n++) insert.run(`many ${n}`, JSON.stringify({ n, text: 'Größe 日本 𝄞 \u2028' }));
    insert.run('large', JSON.stringify('x'.repeat(5_000_000)));
  })();
  sqlite.close();
  const server = await openServer(await postgres.make());
  const id = randomUUID();
  await copyToPostgres(file, server, id);
  await copyFromPostgres(server, id, back);
  await server.close();
  expect(rowsOf(back)).toEqual(rowsOf(file));
});

describe('is refused, and nothing is changed', () => {
  const refusal = async (work: Promise<unknown>) => {
    const { code, message } = errorBody(
      await work.then(
        () => new Error('It was not refused.'),
        (error: unknown) => error,
      ),
    );
    return { code, message };
  };

  test('a database that holds a workspace, rows of one, or something else', async () => {
    const file = newFile();
    writeGolden(MIGRATIONS.at(-1)!.version, file);
    const address = await postgres.make();
    const server = await openServer(address);
    const id = randomUUID();
    await copyToPostgres(file, server, id);
    const again = await refusal(copyToPostgres(file, server, id));
    expect(again).toEqual({ code: 'TARGET_EXISTS', message: expect.stringMatching(/is not empty .*createdb/) });
    expect(await refusal(holdsCopy(server, randomUUID()))).toMatchObject({ code: 'TARGET_EXISTS' });
    expect(await holdsCopy(server, id)).toBe(true);
    await postgres.inside(address, "delete from meta where key = 'database'");
    expect(await refusal(holdsCopy(server, id))).toMatchObject({ code: 'TARGET_EXISTS' });
    await server.close();
    const other = await postgres.make();
    await postgres.inside(other, 'create table tasks (id text)');
    const strange = await openServer(other);
    expect(await refusal(holdsCopy(strange, null))).toMatchObject({ code: 'NOT_A_WORKSPACE' });
    await strange.close();
  });

  test('a database of another folder, an empty one, and one of a newer version', async () => {
    const file = newFile();
    writeGolden(MIGRATIONS.at(-1)!.version, file);
    const address = await postgres.make();
    const server = await openServer(address);
    expect(await refusal(copyFromPostgres(server, randomUUID(), newFile()))).toMatchObject({ code: 'NOT_A_WORKSPACE' });
    const id = randomUUID();
    await copyToPostgres(file, server, id);
    expect(await refusal(copyFromPostgres(server, randomUUID(), newFile()))).toMatchObject({
      code: 'NOT_A_WORKSPACE',
      message: expect.stringContaining('another folder'),
    });
    await postgres.inside(address, "update meta set value = '999' where key = 'version'");
    expect(await refusal(copyFromPostgres(server, id, newFile()))).toMatchObject({
      code: 'FUTURE_VERSION',
      message: expect.stringContaining('999'),
    });
    await server.close();
  });
});
