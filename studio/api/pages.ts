import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { StudioError } from '../../schemas/errors.ts';
import { folderBlobs } from '../files/blobs/folder.ts';
import { pathExists } from '../files/folder.ts';
import { isPlainName } from '../files/names.ts';
import { errorResponse } from './errors.ts';
import { earlyLinks } from './page-files.ts';
import { type KeptFile, readServed, serveBlob, serveKept } from './serve-file.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

/** On every answer, whatever it is. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** For everything that is no page: nothing in it is ever run or shown as one. */
export const NO_CONTENT_POLICY =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/**
 * The pages' policy. Styles: Mantine puts <style> elements into the page at run time, which a nonce allows, so
 * 'unsafe-inline' is not needed: React sets style properties through the CSSOM, which the policy does not look at.
 */
const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** Given to a page with its first byte. */
export type PageTold = {
  /** The language that the user chose (setting `pageLanguage`). */
  language: unknown;
  /** Null on a machine of one's own. */
  team: TeamTold | null;
};

/** A team's server, where people sign in. `signInBy`: the name of the service by which they may; null: by passwords alone. */
export type TeamTold = { signInBy: string | null };

const FOR_EVER = 'private, max-age=31536000, immutable';
/** All files of the pages take about a third of it, bytes. */
const MOST_KEPT = 16 << 20;

/**
 * Serves the built pages from `dist`: files as they are, every other address is the page's own (its router's). The page is told with its
 * first byte what it needs before anything else.
 */
export function servePages(dist: string): (request: Request, told: PageTold) => Promise<Response> {
  // Vite puts a hash of what is in it into each name in assets/: what was read once needs no look at the disk again.
  const kept = new LRUCache<string, KeptFile>({ maxSize: MOST_KEPT, sizeCalculation: ({ bytes }) => bytes.length + 1 });
  const built = folderBlobs(dist);
  const keep = async (path: string): Promise<KeptFile> => {
    const read = await readServed(built, path);
    kept.set(path, read);
    return read;
  };
  return async (request, told) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return errorResponse(new StudioError('USAGE', `Pages are read with GET, not ${request.method}.`, {}));
    }
    const { pathname } = new URL(request.url);
    const parts = pathParts(pathname);
    if (parts === null) return errorResponse(new StudioError('UNKNOWN_FILE', 'There is no such page.', {}));
    if (parts.length > 0 && parts.join('/') !== 'index.html') {
      try {
        const path = parts.join('/');
        const type = TYPES[extname(path)] ?? 'application/octet-stream';
        if (parts[0] === 'assets')
          return serveKept(request, kept.get(path) ?? (await keep(path)), { type, cache: FOR_EVER });
        return await serveBlob(request, built, path, { type, cache: 'no-cache' });
      } catch (error) {
        if (!isPageAddress(request, parts)) return errorResponse(error);
      }
    }
    return indexPage({ dist, pathname, told, headOnly: request.method === 'HEAD' });
  };
}

/** An id in a page's address may hold a dot, so what a browser opens as a page is one whatever its ending. */
function isPageAddress(request: Request, parts: readonly string[]): boolean {
  if (parts[0] === 'assets') return false;
  return extname(parts.at(-1) ?? '') === '' || (request.headers.get('accept') ?? '').includes('text/html');
}

type IndexPage = { dist: string; pathname: string; told: PageTold; headOnly: boolean };

async function indexPage({ dist, pathname, told: { language, team }, headOnly }: IndexPage): Promise<Response> {
  const file = join(dist, 'index.html');
  if (!(await pathExists(file))) {
    const message = `The pages are not built: ${file} is missing. Run \`npm start\`, which builds them.`;
    return errorResponse(new StudioError('UNKNOWN_FILE', message, { file }));
  }
  const nonce = randomBytes(18).toString('base64');
  const html = await readFile(file, 'utf8');
  const meta = html.includes('csp-nonce') ? '' : `<meta property="csp-nonce" nonce="${nonce}" />`;
  const chosen = isLanguageTag(language) ? `<meta name="page-language" content="${language}" />` : '';
  const by = team?.signInBy ?? null;
  const signedIn = team
    ? `<meta name="studio-team" content="yes" />${by === null ? '' : `<meta name="studio-sign-in" content="${inAttribute(by)}" />`}`
    : '';
  const early = await earlyLinks(dist, pathname);
  const page = html
    .replaceAll('__CSP_NONCE__', nonce)
    .replace(/<head[^<>]*>/i, (head) => `${head}${meta}${chosen}${signedIn}`)
    .replace(/<\/head>/i, (end) => `${early}${end}`);
  const headers = {
    'content-type': TYPES['.html']!,
    'cache-control': 'no-store',
    'content-security-policy': pagePolicy(nonce),
  };
  return new Response(headOnly ? null : page, { headers });
}

/** Letters of any language, digits and a few signs; what could end the attribute or the tag is left out. */
const inAttribute = (text: string): string => text.replaceAll(/[^\p{L}\p{M}\p{N} .,:()_-]/gu, '');

/** Settings may hold anything; only what can be a language goes into a page. */
const isLanguageTag = (value: unknown): value is string => typeof value === 'string' && /^[a-z-]{2,20}$/i.test(value);

/** The decoded parts of a path; null when one of them is no plain name. */
export function pathParts(pathname: string): string[] | null {
  const parts: string[] = [];
  for (const part of pathname.split('/').filter((text) => text !== '')) {
    let name: string;
    try {
      name = decodeURIComponent(part);
    } catch {
      return null;
    }
    if (!isPlainName(name)) return null;
    parts.push(name);
  }
  return parts;
}
