import type { Kysely } from 'kysely';
import { RECIPE_VERSION, type Recipe, recipeSchema } from '../../schemas/play.ts';
import { placeIn } from '../files/inside.ts';
import type { FileOf } from '../stage/home.ts';
import type { Tables } from '../store/tables.ts';
import { newestOfRole } from '../store/task-files.ts';
import type { Workspace } from '../store/workspace.ts';
import { readTaskFile } from './task-file.ts';

const RECIPE = { schema: recipeSchema, version: RECIPE_VERSION, word: 'recipe', again: 'play' };

/** Reads a recipe's file. Throws BAD_FILE with the place in it, FUTURE_VERSION. */
export const readRecipe = (file: string): Recipe => readTaskFile(file, RECIPE);

/** The task's own recipe: its file of the role `recipe`, the newest; null where it has none. */
export async function recipeOfTask(workspace: Workspace, task: string): Promise<Recipe | null> {
  const file = await newestOfRole(workspace, task, 'recipe');
  return file === null ? null : readRecipe(file);
}

/** The task's files by the names that they were attached with, the newest of a name; each a path inside the workspace. */
async function attachedTo(db: Kysely<Tables>, task: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('attachments')
    .select(['name', 'file'])
    .where('task_id', '=', task)
    .orderBy('created_at')
    .execute();
  return new Map(rows.map(({ name, file }) => [name, file]));
}

/** Where the task's files are, by name. */
export async function filesOfTask(db: Kysely<Tables>, dir: string, task: string): Promise<FileOf> {
  const files = await attachedTo(db, task);
  return (name) => {
    const path = files.get(name);
    return path === undefined ? null : { root: dir, path };
  };
}

/** The same as whole paths, which another process can be given. */
export async function pathsOfTask(db: Kysely<Tables>, dir: string, task: string): Promise<Record<string, string>> {
  const files = await attachedTo(db, task);
  return Object.fromEntries([...files].map(([name, file]) => [name, placeIn(dir, file)]));
}
