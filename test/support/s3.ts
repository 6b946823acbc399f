import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * S3 for tests: s3rver over a folder, and a server before it that does each request badly in the way that a test says. It also
 * answers by itself where s3rver differs from S3: lists (s3rver's are in the order of the disk, and its second page needs what
 * Node 22 has removed), ranges of empty files (s3rver promises a byte that never comes), and the end of an upload that was ended
 * before (s3rver breaks). It checks signatures and `If-None-Match`, which s3rver does not. An object is put whole or not at all:
 * s3rver writes into the file that others read, and leaves a part of it where who sent it was killed.
 */

type Running = { run(): Promise<AddressInfo>; close(): Promise<void>; store: S3Store };

/** The folder's side of s3rver. */
type S3Store = {
  getResourcePath(bucket: string, key: string, what: 'object' | 'uploads'): string;
  putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
  getObject(bucket: string, key: string, options?: object): Promise<object | null>;
  deleteObject(bucket: string, key: string): Promise<void>;
  putObject(object: S3Object): Promise<{ size: number; md5: string }>;
};
type S3Object = { bucket: string; key: string; content: Buffer | Readable; metadata: object };
type S3Options = {
  port: number;
  address: string;
  silent: boolean;
  directory: string;
  configureBuckets: { name: string }[];
};

/** It has no types of its own. */
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: S3Options) => Running;

/**
 * How a request is done: not at all (`500`, `403` for want of a right, `501` for what the server does not know), with half of what was
 * sent, after its answer was lost, with half of its answer, never, or well.
 */
type S3Fault = keyof typeof REFUSED | 'cut' | 'lose' | 'halve' | 'hang' | null;

const REFUSED = {
  refuse: [500, '<Error><Code>InternalError</Code></Error>'],
  deny: [403, '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'],
  unknown: [501, '<Error><Code>NotImplemented</Code></Error>'],
} as const;

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
  const takeTurns = putWhole(s3.store);
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
    const pass = (): void =>
      doAs(fault, port, asked, answer, (status) => ownAnswer(asked, status, join(folder, bucket), test.encodesKeys));
    if (asked.headers['if-none-match'] !== '*' || method !== 'PUT') return pass();
    void takeTurns(`if new ${url}`, async () => {
      const done = new Promise((resolve) => answer.once('close', resolve));
      const key = keyIn(url);
      if (fault !== null || !existsSync(join(folder, bucket, `${key}${ENDING}`))) pass();
      else {
        asked.resume();
        answer.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>');
      }
      await done;
    });
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
  const { searchParams } = new URL(url, 'http://s3');
  const key = keyIn(url);
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

const keyIn = (url: string): string =>
  decodeURIComponent(new URL(url, 'http://s3').pathname).split('/').slice(2).join('/');

type TakeTurns = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Lets objects appear whole, with their tag, and not be read meanwhile. Gives what does so: work of one name, one after another. */
function putWhole(store: S3Store): TakeTurns {
  const last = new Map<string, Promise<unknown>>();
  const takeTurns: TakeTurns = (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work);
    const ended: Promise<unknown> = mine
      .catch(() => undefined)
      .then(() => {
        if (last.get(name) === ended) last.delete(name);
      });
    last.set(name, ended);
    return mine;
  };
  const { getObject, deleteObject } = store;
  const inTurn = <A extends unknown[], T>(act: (bucket: string, key: string, ...rest: A) => Promise<T>) => {
    return (bucket: string, key: string, ...rest: A): Promise<T> =>
      takeTurns(`${bucket}/${key}`, () => act.call(store, bucket, key, ...rest));
  };
  store.deleteObject = inTurn(deleteObject);
  store.getObject = inTurn(getObject);
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const path = store.getResourcePath(bucket, key, 'object');
    const uploads = store.getResourcePath(bucket, '', 'uploads');
    const temporary = join(uploads, randomUUID());
    mkdirSync(uploads, { recursive: true });
    const hash = createHash('md5');
    let size = 0;
    try {
      await pipeline(
        Buffer.isBuffer(content) ? Readable.from([content]) : content,
        async function* (pieces: AsyncIterable<Buffer>) {
          for await (const piece of pieces) {
            hash.update(piece);
            size += piece.length;
            yield piece;
          }
        },
        createWriteStream(temporary),
      );
      const md5 = hash.digest('hex');
      await takeTurns(`${bucket}/${key}`, async () => {
        mkdirSync(dirname(path), { recursive: true });
        renameSync(temporary, path);
        await store.putMetadata(bucket, key, metadata, md5);
      });
      return { size, md5 };
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  };
  return takeTurns;
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
  if (fault !== null && fault in REFUSED) {
    const [status, text] = REFUSED[fault as keyof typeof REFUSED];
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
  if (fault !== 'cut') return void asked.pipe(passed);
  const pieces: Buffer[] = [];
  asked.on('data', (piece: Buffer) => pieces.push(piece));
  asked.once('end', () => {
    const all = Buffer.concat(pieces);
    passed.write(all.subarray(0, Math.floor(all.length / 2)), () => passed.destroy());
  });
}
