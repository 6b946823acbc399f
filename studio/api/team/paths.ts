import { mkdirSync } from 'node:fs';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { StudioError } from '../../../schemas/errors.ts';
import { realDir } from '../../session/recent.ts';

/** In the workspace's folder: exports and archives are written to the first; what the administrator put into the second is taken. */
const FOLDERS = ['exports', 'incoming'] as const;

/**
 * The path that a member of a team typed for a file or folder of the server: below one of two folders of the workspace, which a
 * path that is not whole begins in. Links are followed before it is judged. Throws USAGE, FORBIDDEN.
 */
export function insidePath(dir: string, text: string, field: string): string {
  const typed = text.trim();
  if (typed === '' || typed.includes('\0')) {
    throw new StudioError('USAGE', `"${text.slice(0, 200)}" is no path.`, { field });
  }
  const [exports, incoming] = FOLDERS.map((name) => join(dir, name)) as [string, string];
  mkdirSync(incoming, { recursive: true });
  const isInput = field === 'path' || field === 'paths' || field === 'transcript';
  const path = isAbsolute(typed) ? resolve(typed) : resolve(isInput ? incoming : exports, typed);
  const real = realDir(path);
  const isInside = [exports, incoming].some((folder) => `${real}${sep}`.startsWith(`${realDir(folder)}${sep}`));
  if (isInside) return path;
  throw new StudioError(
    'FORBIDDEN',
    `"${typed.slice(0, 200)}" lies outside the folders of the workspace that are for files from and to outside: ${FOLDERS.join(' and ')}. Name a file in one of them.`,
    { field },
  );
}
