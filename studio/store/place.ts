import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { StudioError } from '../../schemas/errors.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { readVersioned } from '../files/versioned.ts';
import { storeError } from './errors.ts';
import { readMeta, writeMeta } from './meta.ts';
import { openPostgresStore } from './postgres/open.ts';
import type { Store } from './store.ts';
import { type OpenOptions, openWorkspace, refuseOtherFolder, type Workspace } from './workspace.ts';
import { DATABASE_FILE, ELSEWHERE_FILE, isElsewhere } from './workspace-file.ts';

/**
 * Where a workspace's database is: in its folder, or in PostgreSQL. The folder says which; the address, with its password, comes
 * from `--database` or the environment and is written nowhere. Folder and database know each other by an id, so that no
 * folder is opened with the database of another.
 */

export const DATABASE_VARIABLE = 'STUDIO_DATABASE';
/** The id's place in the database. */
const KEY = 'database';

const elsewhereSchema = z.object({
  schema: z.literal('trajectory-studio/database'),
  version: z.literal(1),
  /** The same as in the database. */
  id: z.uuid(),
  /** Where it was when this was written, without user and password. */
  where: z.string(),
});
const ELSEWHERE = { schema: elsewhereSchema, newest: 1, most: 100_000 };

/** Opens a workspace wherever its database is; as openWorkspace, and for PostgreSQL as openServer and prepareSchema. */
export async function openPlace(path: string, options: OpenOptions): Promise<Workspace> {
  const dir = resolve(path);
  const address = process.env[DATABASE_VARIABLE];
  if (isElsewhere(dir)) return openElsewhere(dir, address);
  if (!address) return openWorkspace(dir, options);
  if (existsSync(join(dir, DATABASE_FILE))) {
    throw new StudioError(
      'USAGE',
      `${dir} has a database of its own, and ${DATABASE_VARIABLE} or --database names another. Leave the address out; or bring the workspace to a new folder for that address: \`npm run studio -- backup PLACE\`, then \`restore PLACE --database postgres://…\`.`,
      { dir },
    );
  }
  if (!options.create) return openWorkspace(dir, options);
  return makeElsewhere(dir, address);
}

/** The note of a folder whose database is in PostgreSQL, and the address that was given. Throws USAGE without one. */
export function elsewhereOf(dir: string, address = process.env[DATABASE_VARIABLE]): { id: string; address: string } {
  const { id, where } = readVersioned(dir, ELSEWHERE_FILE, ELSEWHERE);
  if (!address) {
    throw new StudioError(
      'USAGE',
      `The database of the workspace ${dir} is in PostgreSQL (${where}). Give its address, with user and password, by ${DATABASE_VARIABLE} or --database.`,
      { dir, database: where },
    );
  }
  return { id, address };
}

async function openElsewhere(dir: string, given: string | undefined): Promise<Workspace> {
  const { id, address } = elsewhereOf(dir, given);
  return withServer(dir, address, async (store, at) => {
    if ((await idOf(store)) !== id) throw otherDatabase(dir, at);
  });
}

/** The id by which a folder knows its database elsewhere; null for one without. */
export const elsewhereId = (dir: string): string | null =>
  isElsewhere(dir) ? readVersioned(dir, ELSEWHERE_FILE, ELSEWHERE).id : null;

/** Writes into a folder where its database is. */
export function writeElsewhere(dir: string, id: string, where: string): void {
  const file = { schema: 'trajectory-studio/database', version: 1, id, where } satisfies z.infer<
    typeof elsewhereSchema
  >;
  writeFileAtomic(join(dir, ELSEWHERE_FILE), `${JSON.stringify(file, null, 2)}\n`);
}

/** A new workspace: the database first, then the file that leads to it. */
async function makeElsewhere(dir: string, address: string): Promise<Workspace> {
  refuseOtherFolder(dir);
  return withServer(dir, address, async (store, at) => {
    await markElsewhere(dir, store, at);
  });
}

/**
 * Notes in database and folder that they belong together. One that has an id belongs to another folder: without its files it
 * would be a workspace whose recordings are gone.
 */
async function markElsewhere(dir: string, store: Store, where: string): Promise<void> {
  const id = randomUUID();
  await store.transaction(async (trx) => {
    if ((await idOf(trx)) !== null) throw otherDatabase(dir, where);
    await writeMeta(trx, KEY, { id });
  });
  mkdirSync(dir, { recursive: true });
  writeElsewhere(dir, id, where);
}

async function withServer(
  dir: string,
  address: string,
  look: (store: Store, where: string) => Promise<void>,
): Promise<Workspace> {
  const { openServer } = await import('./postgres/server.ts');
  const { postgresWorkspace } = await import('./postgres/workspace.ts');
  const server = await openServer(address);
  const store = await openPostgresStore(server);
  try {
    await look(store, server.where);
    return postgresWorkspace(dir, store, server);
  } catch (error) {
    await server.close();
    throw storeError(error, dir);
  }
}

/** Null for a database that belongs to no folder yet. */
async function idOf(store: Store): Promise<string | null> {
  const found = await readMeta(store, KEY);
  return typeof found === 'object' && found !== null && 'id' in found ? String(found.id) : null;
}

const otherDatabase = (dir: string, where: string): StudioError =>
  new StudioError(
    'NOT_A_WORKSPACE',
    `${where} is the database of another folder than ${dir}. Nothing was changed. Give the folder that it belongs to (it holds ${ELSEWHERE_FILE}), or an empty database.`,
    { dir, database: where },
  );
