import { relative, sep } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';
import type { BlobStat, Blobs } from '../files/blobs/blobs.ts';
import { findFile } from '../files/inside.ts';

type ServeOptions = {
  type: string;
  cache: string;
  headers?: Readonly<Record<string, string>>;
};

const notHere = (): StudioError => new StudioError('UNKNOWN_FILE', 'There is no such file here.', {});

/** A plain file inside `root`, by its path there. Throws UNKNOWN_FILE, which tells nothing of what is outside. */
export function servedFile(root: string, path: string): string {
  try {
    const file = findFile(root, path);
    if (file !== null) return file;
  } catch {
    // A path that leads out, a link, a pipe: for whoever asks it is not there.
  }
  throw notHere();
}

/** The key of a file that is known by its full path. One that is not in `root` has a key that no place takes. */
export const keyInside = (root: string, path: string): string => relative(root, path).replaceAll(sep, '/');

/** The content of an answer: a file, or its bytes, kept in memory. */
type Content = { stat: BlobStat; body: (start: number, end: number) => BodyInit | Promise<BodyInit> };

/** A file as it was when it was read, whole. */
export type KeptFile = { stat: BlobStat; bytes: Uint8Array<ArrayBuffer> };

/**
 * What a key holds as an answer, with byte ranges (RFC 9110, one range; several are answered with the whole file), ETag and HEAD: no
 * more of it is read than is sent. 416 when the range is outside. Throws UNKNOWN_FILE, and DISK_FAILED where the place does not answer.
 */
export async function serveBlob(request: Request, blobs: Blobs, key: string, options: ServeOptions): Promise<Response> {
  const { signal } = request;
  const stat = await statServed(blobs, key, signal);
  return serve(request, { stat, body: (start, end) => begun(blobs.range(key, { start, end, signal })) }, options);
}

/** The same, read whole, to be kept. */
export async function readServed(blobs: Blobs, key: string): Promise<KeptFile> {
  const stat = await statServed(blobs, key);
  return { stat, bytes: new Uint8Array(await blobs.get(key)) };
}

async function statServed(blobs: Blobs, key: string, signal?: AbortSignal): Promise<BlobStat> {
  const stat = await blobs.stat(key, signal).catch((error: unknown) => {
    // A path that leads out, a link, a pipe: for whoever asks it is not there.
    if (error instanceof StudioError && error.code === 'BAD_FILE') return null;
    throw error;
  });
  if (stat === null) throw notHere();
  return stat;
}

/** The same of one that is kept: no disk is asked, and the answer is sent in one piece. */
export const serveKept = (request: Request, { stat, bytes }: KeptFile, options: ServeOptions): Promise<Response> =>
  serve(request, { stat, body: (start, end) => bytes.subarray(start, end + 1) }, options);

async function serve(request: Request, { stat, body: bodyOf }: Content, { type, cache, headers = {} }: ServeOptions) {
  const etag = `"${stat.tag}"`;
  const common = new Headers({
    'content-type': type,
    'cache-control': cache,
    'accept-ranges': 'bytes',
    etag,
    'last-modified': stat.changed.toUTCString(),
    ...headers,
  });
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: common });
  const range = rangeOf(request, stat, etag);
  if (range === 'outside') {
    common.set('content-range', `bytes */${stat.size}`);
    common.delete('content-type');
    return new Response(null, { status: 416, headers: common });
  }
  const { start, end } = range ?? { start: 0, end: stat.size - 1 };
  common.set('content-length', String(end - start + 1));
  if (range) common.set('content-range', `bytes ${start}-${end}/${stat.size}`);
  const isEmpty = end < start;
  const body = request.method === 'HEAD' || isEmpty ? null : await bodyOf(start, end);
  return new Response(body, { status: range ? 206 : 200, headers: common });
}

/** A stream of which the first piece has come: a place that does not answer is said by the answer, not by a cut one. */
async function begun(stream: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const reader = stream.getReader();
  let next: ReadableStreamReadResult<Uint8Array> | null = await reader.read();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = next ?? (await reader.read());
        next = null;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

type Range = { start: number; end: number };

function rangeOf(request: Request, { size }: BlobStat, etag: string): Range | 'outside' | null {
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
