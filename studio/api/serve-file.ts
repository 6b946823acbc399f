import { createReadStream, lstatSync, type Stats } from 'node:fs';
import { relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { StudioError } from '../../schemas/errors.ts';
import { findFile } from '../files/inside.ts';

type ServeOptions = {
  type: string;
  cache: string;
  headers?: Readonly<Record<string, string>>;
};

/** A plain file inside `root`, by its path there. Throws UNKNOWN_FILE, which tells nothing of what is outside. */
export function servedFile(root: string, path: string): string {
  try {
    const file = findFile(root, path);
    if (file !== null) return file;
  } catch {
    // A path that leads out, a link, a pipe: for whoever asks it is not there.
  }
  throw new StudioError('UNKNOWN_FILE', 'There is no such file here.', {});
}

/** The same for a full path. */
export const fileInside = (root: string, path: string): string =>
  servedFile(root, relative(root, path).replaceAll(sep, '/'));

/** The content of an answer: a file, or its bytes, kept in memory. */
type Content = { stats: Stats; body: (start: number, end: number) => BodyInit };

/** A file as it was when it was read, whole. */
export type KeptFile = { stats: Stats; bytes: Uint8Array<ArrayBuffer> };

/**
 * A file as an answer, with byte ranges (RFC 9110, one range; several are answered with the whole file), ETag and HEAD.
 * 416 when the range is outside.
 */
export const serveFile = (request: Request, file: string, options: ServeOptions): Response =>
  serve(request, { stats: lstatSync(file), body: (start, end) => streamOf(file, start, end, request.signal) }, options);

/** The same of one that is kept: no disk is asked, and the answer is sent in one piece. */
export const serveKept = (request: Request, { stats, bytes }: KeptFile, options: ServeOptions): Response =>
  serve(request, { stats, body: (start, end) => bytes.subarray(start, end + 1) }, options);

function serve(request: Request, { stats, body: bodyOf }: Content, { type, cache, headers = {} }: ServeOptions) {
  const etag = `"${stats.ino.toString(36)}-${Math.trunc(stats.mtimeMs).toString(36)}-${stats.size.toString(36)}"`;
  const common = new Headers({
    'content-type': type,
    'cache-control': cache,
    'accept-ranges': 'bytes',
    etag,
    'last-modified': stats.mtime.toUTCString(),
    ...headers,
  });
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: common });
  const range = rangeOf(request, stats, etag);
  if (range === 'outside') {
    common.set('content-range', `bytes */${stats.size}`);
    common.delete('content-type');
    return new Response(null, { status: 416, headers: common });
  }
  const { start, end } = range ?? { start: 0, end: stats.size - 1 };
  common.set('content-length', String(end - start + 1));
  if (range) common.set('content-range', `bytes ${start}-${end}/${stats.size}`);
  const isEmpty = end < start;
  const body = request.method === 'HEAD' || isEmpty ? null : bodyOf(start, end);
  return new Response(body, { status: range ? 206 : 200, headers: common });
}

type Range = { start: number; end: number };

function rangeOf(request: Request, { size }: Stats, etag: string): Range | 'outside' | null {
  const text = request.headers.get('range');
  const match = text === null ? null : /^bytes=(\d*)-(\d*)$/.exec(text.trim());
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const condition = request.headers.get('if-range');
  if (condition !== null && condition !== etag) return null;
  if (match[1] === '') {
    const last = Number(match[2]);
    return last === 0 || size === 0 ? 'outside' : { start: Math.max(0, size - last), end: size - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (match[2] !== '' && Number(match[2]) < start) return null; // No range at all, says the RFC.
  return start >= size ? 'outside' : { start, end };
}

function streamOf(file: string, start: number, end: number, signal: AbortSignal): ReadableStream<Uint8Array> {
  const source = createReadStream(file, { start, end });
  signal.addEventListener('abort', () => source.destroy(), { once: true });
  // Node's own type of the same stream.
  return Readable.toWeb(source) as ReadableStream<Uint8Array>;
}
