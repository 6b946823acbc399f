import { mkdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { PostgresEngine } from '../postgres/engine.ts';
import { openPostgresStore } from '../postgres/open.ts';
import { postgresWorkspace } from '../postgres/workspace.ts';
import { temporaryFolders } from '../recording-for-tests.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

/** The engines that the contract of the store is tested over. */

/** Gives empty workspaces, one after another, and ends with the file's tests. */
export type StoreEngine = { open(dir: string): Promise<Workspace>; end(): Promise<void> };

export const sqliteEngine = async (): Promise<StoreEngine> => ({
  open: async (dir) => openWorkspace(dir, { create: true }),
  end: async () => undefined,
});

/** One database, emptied before each use: PGlite takes seconds to start, and its tables to be made. */
export async function emptiedEngine(start: () => Promise<PostgresEngine>): Promise<StoreEngine> {
  const engine = await start();
  const store = await openPostgresStore(engine);
  const empty = await emptying(engine);
  return {
    async open(dir) {
      await empty();
      mkdirSync(dir, { recursive: true });
      // The database outlives the workspace.
      return postgresWorkspace(dir, store, { where: engine.where, close: async () => undefined });
    },
    end: () => engine.close(),
  };
}

/** Brings the tables back to what they were at first. */
async function emptying(engine: PostgresEngine): Promise<() => Promise<void>> {
  const ask = async (sql: string): Promise<unknown[]> => {
    const connection = await engine.connect();
    try {
      return (await connection.query(sql, [])).rows;
    } finally {
      connection.release(false);
    }
  };
  const names = (await ask('select tablename::text as name from pg_tables where schemaname = current_schema()')) as {
    name: string;
  }[];
  const changing = names.map(({ name }) => name).filter((name) => name !== 'meta' && name !== 'software');
  const known = (await ask('select id from software')) as { id: string }[];
  const first = known.map(({ id }) => `'${id}'`).join(', ');
  return async () => {
    await ask(`truncate ${changing.map((name) => `"${name}"`).join(', ')} restart identity cascade`);
    await ask(`delete from software where id not in (${first})`);
    await ask("delete from meta where key <> 'version'");
  };
}

/** Gives each test of the suite a new workspace over this engine. */
export function workspacesOver(start: () => Promise<StoreEngine>, give: (workspace: Workspace) => void): void {
  const folders = temporaryFolders();
  let engine: StoreEngine | null = null;
  let workspace: Workspace;
  beforeAll(async () => {
    engine = await start();
  });
  beforeEach(async () => {
    workspace = await engine!.open(folders.make());
    give(workspace);
  });
  afterEach(() => {
    workspace.close();
    folders.clean();
  });
  afterAll(() => engine?.end());
}
