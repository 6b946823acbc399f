import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The file that makes a folder a workspace with a database of its own. */
export const DATABASE_FILE = 'studio.sqlite';

/** The file in its place that says that the workspace's database is in PostgreSQL, and which one (place.ts). */
export const ELSEWHERE_FILE = 'studio.database.json';

/** Whether a folder looks like a workspace; only opening it shows whether it is a sound one. */
export const isWorkspace = (dir: string): boolean => existsSync(join(dir, DATABASE_FILE)) || isElsewhere(dir);

/** Whether the database of this folder's workspace is in PostgreSQL. */
export const isElsewhere = (dir: string): boolean => existsSync(join(dir, ELSEWHERE_FILE));
