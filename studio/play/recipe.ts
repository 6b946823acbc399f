import { type Recipe, recipeSchema } from '../../schemas/play.ts';
import { RECIPE_VERSION } from '../../schemas/recipe-version.ts';
import { placeIn } from '../files/inside.ts';
import { attachedFiles } from '../store/attachments.ts';
import { readTaskFile } from '../store/json-file.ts';
import type { Store } from '../store/store.ts';
import { newestOfRole } from '../store/task-files.ts';
import type { Workspace } from '../store/workspace.ts';
import type { FileOf } from './stage/home.ts';

const RECIPE = { schema: recipeSchema, version: RECIPE_VERSION, word: 'recipe', again: 'play' };

/** Reads a recipe's file. Throws BAD_FILE with the place in it, FUTURE_VERSION. */
export const readRecipe = (file: string): Recipe => readTaskFile(file, RECIPE);

/** The task's own recipe: its file of the role `recipe`, the newest; null where it has none. */
export async function recipeOfTask(workspace: Workspace, task: string): Promise<Recipe | null> {
  const file = await newestOfRole(workspace, task, 'recipe');
  return file === null ? null : readRecipe(file);
}

/** Where the task's files are, by name. */
export async function filesOfTask(store: Store, dir: string, task: string): Promise<FileOf> {
  const files = await attachedFiles(store, task);
  return (name) => {
    const path = files.get(name);
    return path === undefined ? null : { root: dir, path };
  };
}

/** The same as whole paths, which another process can be given. */
export async function pathsOfTask(store: Store, dir: string, task: string): Promise<Record<string, string>> {
  const files = await attachedFiles(store, task);
  return Object.fromEntries([...files].map(([name, file]) => [name, placeIn(dir, file)]));
}
