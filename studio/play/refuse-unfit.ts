import type { Attachment } from '../../schemas/api/models.ts';
import { readChecks } from './checks/checks-file.ts';
import { readRecipe } from './recipe.ts';

/**
 * Looks at a file before it stays with a task in this role: a recipe and checks are in force from then on. Throws BAD_FILE,
 * FUTURE_VERSION for those that do not fit; files of other roles are taken as they are.
 */
export function refuseUnfit(role: Attachment['role'], file: string): void {
  if (role === 'recipe') readRecipe(file);
  if (role === 'checks') readChecks(file);
}
