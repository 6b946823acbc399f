import { closeSync, existsSync, lstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenRequest } from '../../schemas/desktop.ts';

/** The scheme of links from outside: `trajectory-studio://open/w/…`. Pages themselves are at studio://, which no link reaches. */
export const LINK_SCHEME = 'trajectory-studio';

/** Addresses of pages that a link may lead to: each part plain, nothing that the page would act on by itself. */
const PAGE = /^\/(?:settings|w\/[^/?#]{1,100}(?:\/(?:recordings|tasks)(?:\/[^/?#]{1,200}(?:\/record)?)?)?)?$/;

/** The page that a link names; null for anything else. A link only ever shows a page: it starts and changes nothing. */
export function linkedPage(link: string): OpenRequest | null {
  let url: URL;
  try {
    url = new URL(link);
  } catch {
    return null;
  }
  if (url.protocol !== `${LINK_SCHEME}:` || url.host !== 'open' || url.search !== '' || url.hash !== '') return null;
  const path = url.pathname === '' ? '/' : url.pathname;
  try {
    if (decodeURIComponent(path).split('/').includes('..')) return null;
  } catch {
    return null;
  }
  return PAGE.test(path) ? { kind: 'page', path } : null;
}

/** The use of a file or folder on this machine to the studio; null when it has none, or is not there. */
export function whatIs(path: string): OpenRequest | null {
  if (!isAbsolute(path) || path.includes('\0')) return null;
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info) return null;
  if (info.isDirectory()) {
    if (existsSync(join(path, 'studio.sqlite'))) return { kind: 'workspace', dir: path };
    return existsSync(join(path, 'recording.json')) ? { kind: 'import', path } : null;
  }
  // The database of a workspace stands for its folder.
  if (info.isFile() && basename(path) === 'studio.sqlite') return { kind: 'workspace', dir: dirname(path) };
  // The first is the ending that the system opens with this app (scripts/package-config.mjs).
  return info.isFile() && /\.(?:tstar|tar)$/i.test(path) ? { kind: 'import', path } : null;
}

/** Bundles, which macOS would start and not show. */
const STARTS = /\.(?:app|bundle|prefpane|workflow|action|pkg|mpkg|plugin|kext)$/i;
/** The beginning of each export's manifest.json, its format among it (schemas/export.ts), and within how many bytes. */
const MANIFEST = /^\s*\{\s*"schema":\s*"trajectory-studio\/export"(?:,\s*"version":\s*\d+,\s*"format":\s*"([^"]+)")?/;
const HEAD_BYTES = 200;

/**
 * A folder that holds an export of this studio, or one of several formats, each in a folder of its own by the format's name:
 * a folder is no export for holding some export. No link is followed.
 */
export function isExport(path: string): boolean {
  if (!isAbsolute(path) || path.includes('\0') || STARTS.test(resolve(path)) || !isPlainFolder(path)) return false;
  if (formatIn(path) !== null) return true;
  return readdirSync(path).some((name) => isPlainFolder(join(path, name)) && formatIn(join(path, name)) === name);
}

const isPlainFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The format of the export in a folder, empty when its manifest does not say; null when it is no export. */
function formatIn(folder: string): string | null {
  const file = join(folder, 'manifest.json');
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const found = MANIFEST.exec(head.toString('utf8', 0, readSync(handle, head, 0, HEAD_BYTES, 0)));
    return found && (found[1] ?? '');
  } finally {
    closeSync(handle);
  }
}

/** The request of a command line: the first link, file or folder that means something. `own`: arguments before them. */
export function askedFor(argv: readonly string[], cwd: string): OpenRequest | null {
  for (const word of argv) {
    if (word.startsWith('-')) continue;
    if (word.startsWith(`${LINK_SCHEME}:`)) {
      const page = linkedPage(word);
      if (page) return page;
      continue;
    }
    const path = word.startsWith('file://') ? pathOf(word) : resolve(cwd, word);
    const found = path === null ? null : whatIs(path);
    if (found) return found;
  }
  return null;
}

function pathOf(url: string): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}
