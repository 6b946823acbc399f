import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The file that makes a folder a workspace. */
export const DATABASE_FILE = 'studio.sqlite';

/** Whether a folder looks like a workspace; only opening it shows whether it is a sound one. */
export const isWorkspace = (dir: string): boolean => existsSync(join(dir, DATABASE_FILE));
