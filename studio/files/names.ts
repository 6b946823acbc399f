import { isDeviceName } from '../../schemas/device-names.ts';
import { StudioError } from '../../schemas/errors.ts';

/** How a path that data brings is read, before anything on the disk is looked at. */

/** A name that is one part of a path and no way out of its folder, on any system. */
export const isPlainName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name) && !/^[a-z]:/i.test(name);

/**
 * The parts of a path (with `/`) that data names inside a folder. Throws BAD_FILE for one that is absolute or climbs, and
 * for signs by which some system would leave the folder. The names may be any that a disk here holds already.
 */
export function partsInside(path: string): string[] {
  const parts = path.split('/');
  if (parts.every(isPlainName)) return parts;
  throw new StudioError(
    'BAD_FILE',
    `"${path.slice(0, 200)}" does not name a file inside its folder: it is absolute, climbs, or holds a sign that no name may hold. Correct the file that names it, or remove it.`,
    { file: path.slice(0, 400) },
  );
}

/**
 * The parts of a path inside an import, each safe as the name of a new file on every system. Throws BAD_FILE for a path that
 * is absolute, climbs, is too deep, or holds a sign that some system reads as more than a letter.
 */
export function safeParts(path: string, { depth }: { depth: number }): string[] {
  const parts = path.replace(/(?<!\/)\/+$/, '').split('/');
  const problem = path.startsWith('/')
    ? 'it is absolute'
    : parts.length > depth
      ? `it is deeper than ${depth} folders`
      : null;
  if (problem) throw refused(path, problem);
  for (const part of parts) {
    if (part === '' || part === '.' || part === '..') throw refused(path, `the part "${part}" leads elsewhere`);
    if (/[\\:*?"<>|]|\p{C}/u.test(part)) throw refused(path, 'it holds a sign that no file name may hold');
    if (part.length > 200 || /[. ]$/.test(part) || isDeviceName(part))
      throw refused(path, 'not every system can keep that name');
  }
  return parts;
}

const refused = (path: string, why: string): StudioError =>
  new StudioError('BAD_FILE', `"${path.slice(0, 200)}" cannot be imported: ${why}. Nothing was kept.`, { file: path });
