import { StudioError } from '../../schemas/errors.ts';
import type { ImportLimits } from './limits.ts';

/** Names that Windows gives to devices, with any ending. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

/**
 * The parts of a path inside an import, each safe as a file's name on every system. Throws BAD_FILE for a path that is
 * absolute, climbs, is too deep, or holds a sign that some system reads as more than a letter.
 */
export function safeParts(path: string, { depth }: Pick<ImportLimits, 'depth'>): string[] {
  const parts = path.replace(/\/+$/, '').split('/');
  const problem = path.startsWith('/')
    ? 'it is absolute'
    : parts.length > depth
      ? `it is deeper than ${depth} folders`
      : null;
  if (problem) throw refused(path, problem);
  for (const part of parts) {
    if (part === '' || part === '.' || part === '..') throw refused(path, `the part "${part}" leads elsewhere`);
    if (/[\\:*?"<>|]|\p{C}/u.test(part)) throw refused(path, 'it holds a sign that no file name may hold');
    if (part.length > 200 || /[. ]$/.test(part) || DEVICE.test(part))
      throw refused(path, 'not every system can keep that name');
  }
  return parts;
}

const refused = (path: string, why: string): StudioError =>
  new StudioError('BAD_FILE', `"${path.slice(0, 200)}" cannot be imported: ${why}. Nothing was kept.`, { file: path });

/**
 * Left out of imports and exports: hidden files (a live capture's pid, temporary files) and what is made again when it is
 * wanted (derived/, which is trusted as it stands and so never taken from others).
 */
export const isLeftOut = (parts: readonly string[]): boolean =>
  parts.some((part) => part.startsWith('.') || part.endsWith('.part')) || parts[0]?.toLowerCase() === 'derived';
