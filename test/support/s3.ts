import { createHash, createHmac } from 'node:crypto';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, relative, sep } from 'node:path';

/**
 * S3 for tests: s3rver over a folder, and a server before it that does each request badly in the way that a test says. It also
 * answers by itself where s3rver differs from S3: lists (s3rver's are in the order of the disk, and its second page needs what
 * Node 22 has removed), ranges of empty files (s3rver promises a byte that never comes), and the end of an upload that was ended
 * before (s3rver breaks). It checks signatures, which s3rver does not.
 */

type Running = { run(): Promise<AddressInfo>; close(): Promise<void> };
type S3Options = {
  port: number;
  address: string;
  silent: boolean;
  directory: string;
  configureBuckets: { name: string }[];
};

/** It has no types of its own. */
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: S3Options) => Running;

/** How a request is done: not at all (`500`, or `403` for want of a right), after its answer was lost, with half of its answer, never, or well. */
type S3Fault = 'refuse' | 'deny' | 'lose' | 'halve' | 'hang' | null;

export type TestS3 = {
  /** What openBlobs reads. */
  env: Record<string, string>;
  bucket: string;
  /** Says of each request how it is done; asked before it. Null: all are done well. */
  fault: ((asked: { method: string; url: string; count: number }) => S3Fault) | null;
  /** Whether keys in lists are encoded when that is asked for; some servers do not know it. */
  encodesKeys: boolean;
  /** `METHOD /path?query` of each request that came. */
  asked: string[];
  close(): Promise<void>;
};

/** `folder`: where its files are, one of the test's. */
export async function startS3(folder: string): Promise<TestS3> {
  const bucket = 'studio-test';
  mkdirSync(folder, { recursive: true });
  const s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await s3.run();
  const test: TestS3 = {
    env: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', AWS_ENDPOINT_URL: '' },
    bucket,
    fault: null,
    encodesKeys: true,
    asked: [],
    async close() {
      before.closeAllConnections();
      await new Promise((resolve) => before.close(resolve));
      await s3.close();
    },
  };
  const before = createServer((asked, answer) => {
    const { method = '', url = '' } = asked;
    test.asked.push(`${method} ${url}`);
    const fault = test.fault?.({ method, url, count: test.asked.length }) ?? null;
    if (!isSigned(asked)) {
      asked.resume();
      return void answer
        .writeHead(403)
        .end('<Error><Code>SignatureDoesNotMatch</Code><Message>It differs.</Message></Error>');
    }
    doAs(fault, port, asked, answer, (status) => ownAnswer(asked, status, join(folder, bucket), test.encodesKeys));
  });
  test.env.AWS_ENDPOINT_URL = `http://127.0.0.1:${await listening(before)}`;
  return test;
}

/** Signature Version 4 as AWS describes it, of headers alone. */
function isSigned({ method = '', url = '', headers }: IncomingMessage): boolean {
  const [, scope = '', names = '', signature] =
    /Credential=S3RVER\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(headers.authorization ?? '') ?? [];
  const [path = '', query = ''] = url.split('?');
  const signed = names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const sorted =
    query === ''
      ? ''
      : query
          .split('&')
          .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
          .sort()
          .join('&');
  const canonical = [method, path, sorted, signed.join(''), names, headers['x-amz-content-sha256']].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((by, part) => createHmac('sha256', by).update(part).digest(), 'AWS4S3RVER');
  return createHmac('sha256', key).update(text).digest('hex') === signature;
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

type Own = { status: number; text: string } | null;

function ownAnswer(
  { method, url = '', headers }: IncomingMessage,
  status: number,
  folder: string,
  encodesKeys: boolean,
): Own {
  if (status === 403 || status === 404) return null;
  const { pathname, searchParams } = new URL(url, 'http://s3');
  const key = decodeURIComponent(pathname).split('/').slice(2).join('/');
  if (method === 'GET' && searchParams.has('list-type')) {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
    const keys = files.filter((file) => file.endsWith(ENDING) && !file.startsWith('._S3rver_uploads'));
    return { status: 200, text: listText(keys, searchParams, encodesKeys) };
  }
  if (method === 'POST' && searchParams.has('uploadId') && status === 500)
    return { status: 404, text: '<Error><Code>NoSuchUpload</Code></Error>' };
  if (method !== 'GET' || headers.range === undefined) return null;
  const isEmpty = statSync(join(folder, `${key}${ENDING}`), { throwIfNoEntry: false })?.size === 0;
  return isEmpty ? { status: 416, text: '<Error><Code>InvalidRange</Code></Error>' } : null;
}

/** How s3rver names the file of an object. */
const ENDING = '._S3rver_object';

function listText(files: readonly string[], asked: URLSearchParams, encodesKeys: boolean): string {
  const [prefix, after] = [asked.get('prefix') ?? '', asked.get('start-after') ?? ''];
  const bytes = (text: string): Buffer => Buffer.from(text);
  const keys = [...new Set(files)]
    .map((file) => file.slice(0, -ENDING.length))
    .filter((key) => key.startsWith(prefix) && Buffer.compare(bytes(key), bytes(after)) > 0)
    .sort((a, b) => Buffer.compare(bytes(a), bytes(b)));
  const first = keys.slice(0, Number(asked.get('max-keys') ?? 1000));
  const isEncoded = encodesKeys && asked.get('encoding-type') === 'url';
  const shown = isEncoded
    ? encodeURIComponent
    : (key: string) => key.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const contents = first.map((key) => `<Contents><Key>${shown(key)}</Key></Contents>`).join('');
  const head = `${isEncoded ? '<EncodingType>url</EncodingType>' : ''}<IsTruncated>${keys.length > first.length}</IsTruncated>`;
  return `<?xml version="1.0"?><ListBucketResult>${head}${contents}</ListBucketResult>`;
}

function doAs(
  fault: S3Fault,
  port: number,
  asked: IncomingMessage,
  answer: ServerResponse,
  ownOf: (status: number) => Own,
): void {
  if (fault === 'hang') return void asked.resume();
  if (fault === 'refuse' || fault === 'deny') {
    const [status, text] =
      fault === 'refuse'
        ? [500, '<Error><Code>InternalError</Code></Error>']
        : [403, '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'];
    asked.resume();
    asked.once('end', () => answer.writeHead(status).end(text));
    return;
  }
  const { method, url: path, headers } = asked;
  const passed = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
    if (fault === 'lose') {
      response.resume();
      response.once('end', () => answer.destroy());
      return;
    }
    const own = ownOf(response.statusCode ?? 500);
    if (own) {
      response.destroy();
      return void answer.writeHead(own.status, { 'content-type': 'application/xml' }).end(own.text);
    }
    answer.writeHead(response.statusCode ?? 500, response.headers);
    if (fault === null) return void response.pipe(answer);
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.once('end', () => {
      const all = Buffer.concat(pieces);
      answer.write(all.subarray(0, Math.floor(all.length / 2)), () => answer.destroy());
    });
  });
  passed.once('error', () => answer.destroy());
  // Who asked was killed, or reads no more.
  answer.once('close', () => passed.destroy());
  asked.pipe(passed);
}
