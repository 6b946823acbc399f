import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fitsPage } from '../../core/page-address.ts';
import { pathExists } from '../files/folder.ts';

/** page-files.json, which the build writes beside index.html: each page's pattern, and the files that it needs beyond those index.html names. */
type PageFiles = readonly (readonly [pattern: string, files: readonly string[]])[];

/**
 * Links that name the code of the page at this address, so that it comes while the first file is still read: that one would
 * ask for it only once it has run. A style is only fetched: the page puts it in when it is shown.
 */
export async function earlyLinks(dist: string, path: string): Promise<string> {
  const list = join(dist, 'page-files.json');
  if (!(await pathExists(list))) return '';
  const pages: PageFiles = JSON.parse(await readFile(list, 'utf8'));
  const files = pages.find(([pattern]) => fitsPage(pattern, path))?.[1] ?? [];
  return files.map((file) => `<link ${relOf(file)} crossorigin href="/${file}">`).join('');
}

const relOf = (file: string): string => (file.endsWith('.css') ? 'rel="preload" as="style"' : 'rel="modulepreload"');
