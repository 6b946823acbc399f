import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StudioError } from '../../../schemas/errors.ts';
import {
  type BlobData,
  type BlobStat,
  type Blobs,
  dataPieces,
  LISTED,
  MOST_WHOLE,
  missingBlob,
  partsOfKey,
  partsOfNewKey,
  streamOf,
  tooLargeBlob,
} from './blobs.ts';
import {
  elementText,
  elementTexts,
  faultIn,
  PATIENCE,
  type S3Access,
  type S3Answer,
  type S3Patience,
  type S3Requests,
  s3Requests,
} from './s3-requests.ts';

/** S3 takes parts of 5 MB to 5 GB, 10,000 of them: files of 160 GB. */
const PART = 16 << 20;

export type S3Place = S3Access & {
  /** Without a `/` at its end; '' for the whole bucket. */
  prefix: string;
};

type Options = { patience?: S3Patience; partBytes?: number };

/** A bucket of S3, or of another program that speaks it. Throws NO_LIBRARY where aws4fetch is not installed. */
export async function s3Blobs(where: S3Place, { patience = PATIENCE, partBytes = PART }: Options = {}): Promise<Blobs> {
  const requests = await s3Requests(where, patience);
  const place = `s3://${where.bucket}${where.prefix === '' ? '' : `/${where.prefix}`}`;
  const before = where.prefix === '' ? '' : `${where.prefix}/`;
  const here = { place };
  const at = (key: string): string => `${before}${partsOfKey(key).join('/')}`;

  async function stat(key: string, signal?: AbortSignal): Promise<BlobStat | null> {
    const answer = await requests.send('HEAD', { key: at(key), signal });
    if (answer.status === 404) {
      // HEAD has no words: a bucket that is not there would be an empty one.
      await refuseNoBucket(requests, where, signal);
      return null;
    }
    return {
      size: Number(answer.headers.get('content-length') ?? 0),
      changed: new Date(answer.headers.get('last-modified') ?? 0),
      tag: tagOf(answer),
    };
  }

  /** Goes on where an answer broke off, as long as it is still the same content. */
  async function* pieces(key: string, start: number, end: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    let next = start;
    let tag = '';
    for (let tries = 1; next <= end; ) {
      const isWhole = next === 0 && end === Number.POSITIVE_INFINITY;
      const answer = await requests.open({
        key: at(key),
        signal,
        headers: {
          ...(!isWhole && { range: `bytes=${next}-${end === Number.POSITIVE_INFINITY ? '' : end}` }),
          ...(tag !== '' && { 'if-match': `"${tag}"` }),
        },
      });
      if ('text' in answer) throw answer.status === 404 ? missing(answer, key) : changed(`${place}/${key}`);
      if (tag !== '' && tag !== tagOf(answer)) {
        await answer.drop();
        throw changed(`${place}/${key}`);
      }
      tag = tagOf(answer);
      const until = next + Number(answer.headers.get('content-length') ?? Number.NaN);
      try {
        for await (const all of answer.pieces()) {
          tries = 1;
          // A server that gives more than was asked for is not believed.
          const piece = all.subarray(0, end - next + 1);
          next += piece.length;
          yield piece;
        }
        if (Number.isNaN(until) || next >= until || next > end) return;
        throw new Error(`the answer ended ${until - next} bytes early`);
      } catch (error) {
        if (signal?.aborted || error instanceof StudioError) throw error;
        await requests.again(tries, `GET ${at(key)}`, error, signal);
        tries++;
      }
    }
  }

  function missing({ text }: S3Answer, key: string): StudioError {
    const { code } = faultIn(text);
    return code === 'NoSuchBucket' ? noBucket(where) : missingBlob(here, key);
  }

  const range: Blobs['range'] = (key, { start = 0, end = Number.POSITIVE_INFINITY, signal } = {}) =>
    streamOf(beyondEnd(pieces(key, start, end, signal), start, () => stat(key, signal)));

  return {
    place,
    stat,
    range,
    async get(key, { most = MOST_WHOLE, signal } = {}) {
      const all: Uint8Array[] = [];
      let size = 0;
      for await (const piece of pieces(key, 0, Number.POSITIVE_INFINITY, signal)) {
        size += piece.length;
        if (size > most) throw tooLargeBlob(here, key, (await stat(key, signal))?.size ?? size, most);
        all.push(piece);
      }
      return Buffer.concat(all);
    },
    async list({ prefix = '', after = '', most = LISTED, signal } = {}) {
      if (prefix.includes('/')) partsOfKey(prefix.slice(0, prefix.lastIndexOf('/')));
      const query = {
        'list-type': '2',
        'max-keys': String(Math.min(most, LISTED)),
        'encoding-type': 'url',
        prefix: before + prefix,
        ...(after !== '' && { 'start-after': before + after }),
      };
      const answer = await requests.send('GET', { query, signal });
      if (answer.status === 404) throw noBucket(where);
      const xml = answer.text;
      // Some programs that speak S3 do not know the encoding, and then do not name it.
      const plain = elementText(xml, 'EncodingType') === 'url' ? (key: string) => decodeURIComponent(key) : String;
      const keys = elementTexts(xml, 'Key')
        .map((key) => plain(key).slice(before.length))
        // What consoles make as folders is no file.
        .filter((key) => key !== '' && !key.endsWith('/'));
      const last = elementTexts(xml, 'Key').at(-1);
      const isMore = elementText(xml, 'IsTruncated') === 'true' && last !== undefined;
      return { keys, next: isMore ? plain(last).slice(before.length) : null };
    },
    async put(key, data, signal) {
      await upload(requests, before + partsOfNewKey(key).join('/'), data, partBytes, signal);
    },
    async putNew(key, data, signal) {
      const named = before + partsOfNewKey(key).join('/');
      const body = Buffer.from(data);
      try {
        const answer = await requests.send('PUT', { key: named, headers: { 'if-none-match': '*' }, body, signal });
        refuseUnwritten(answer, named);
        return answer.status !== 412;
      } catch (error) {
        // Some servers refuse the condition itself.
        if (!(error instanceof StudioError) || error.details.status !== 501) throw error;
        await upload(requests, named, body, partBytes, signal);
        return true;
      }
    },
    async remove(key, signal) {
      await requests.send('DELETE', { key: at(key), signal });
    },
    async local(key, signal) {
      const folder = await mkdtemp(join(tmpdir(), 'studio-blob-'));
      const release = (): Promise<void> => rm(folder, { recursive: true, force: true });
      const path = join(folder, `file${extname(key)}`);
      try {
        await pipeline(Readable.from(pieces(key, 0, Number.POSITIVE_INFINITY, signal)), createWriteStream(path));
        return { path, release };
      } catch (error) {
        await release();
        throw error;
      }
    },
  };
}

/** S3 refuses a range that begins behind the end, and any of an empty file, where a folder gives nothing. */
async function* beyondEnd(
  pieces: AsyncGenerator<Uint8Array>,
  start: number,
  stat: () => Promise<BlobStat | null>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    if (!(error instanceof StudioError) || error.details.status !== 416) throw error;
    const found = await stat();
    if (found === null || start < found.size) throw error;
  }
}

const tagOf = ({ headers }: Pick<S3Answer, 'headers'>): string => (headers.get('etag') ?? '').replace(/^W\/|"/g, '');

const changed = (file: string): StudioError =>
  new StudioError('CONFLICT', `${file} was written anew while it was read. Read it again.`, { file });

const noBucket = ({ bucket, endpoint }: S3Access): StudioError =>
  new StudioError(
    'UNKNOWN_FILE',
    `There is no bucket "${bucket}" at ${endpoint}. Make it, or name another one: s3://BUCKET/PREFIX.`,
    { bucket },
  );

async function refuseNoBucket(requests: S3Requests, where: S3Access, signal?: AbortSignal): Promise<void> {
  const answer = await requests.send('HEAD', { signal });
  if (answer.status === 404) throw noBucket(where);
}

/** One request for what fits into a part, else an upload of parts, which nobody sees before its last request. */
async function upload(
  requests: S3Requests,
  key: string,
  data: BlobData,
  partBytes: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const parts = partsOf(data, partBytes);
  const first = await parts.next();
  const second = await parts.next();
  if (second.done) {
    const answer = await requests.send('PUT', { key, body: first.value ?? new Uint8Array(), signal });
    refuseUnwritten(answer, key);
    return;
  }
  const { text: begun } = await requests.send('POST', { key, query: { uploads: '' }, signal });
  const uploadId = elementText(begun, 'UploadId');
  if (uploadId === null) throw refused(key, faultIn(begun).message || 'it gave no id for the upload');
  const tags: string[] = [];
  let bytes = 0;
  try {
    for (let part = first; !part.done; part = part === first ? second : await parts.next()) {
      const query = { partNumber: String(tags.length + 1), uploadId };
      const answer = await requests.send('PUT', { key, query, body: part.value, signal });
      refuseUnwritten(answer, key);
      tags.push(answer.headers.get('etag') ?? '');
      bytes += part.value.length;
    }
    const before = await requests.send('HEAD', { key, signal });
    await complete(requests, { key, uploadId, tags, bytes, before: tagOf(before) }, signal);
  } catch (error) {
    // Without the outer signal: what was sent would be kept, and paid for, for ever.
    await requests.send('DELETE', { key, query: { uploadId } }).catch(ignored);
    await parts.return(undefined);
    throw error;
  }
}

/** The first error is told; that its rest could not be removed, too, is not. */
const ignored = (): undefined => undefined;

type Sent = {
  key: string;
  uploadId: string;
  /** Of its parts. */
  tags: readonly string[];
  bytes: number;
  /** The tag of what the key held until now; '' for nothing. */
  before: string;
};

async function complete(requests: S3Requests, sent: Sent, signal: AbortSignal | undefined): Promise<void> {
  const { key, uploadId, tags } = sent;
  const list = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapedXml(tag)}</ETag></Part>`);
  const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`);
  for (let tries = 1; ; tries++) {
    const answer = await requests.send('POST', { key, query: { uploadId }, body, signal });
    // S3 begins with 200 and may say afterwards that it failed.
    const { code, message } = faultIn(answer.text);
    if (answer.status === 200 && code === '') return;
    // An answer that was lost, of a request that was carried out: the second one finds no upload.
    if (code === 'NoSuchUpload' && (await isThere(requests, sent, signal))) return;
    if (answer.status !== 200) throw refused(key, message || `status ${answer.status}`);
    await requests.again(tries, `the end of ${key}`, new Error(message), signal);
  }
}

/**
 * Whether the key holds what was sent: something new of this size, or by its tag, which is the hash of those of its parts where they are MD5.
 */
async function isThere(
  requests: S3Requests,
  { key, tags, bytes, before }: Sent,
  signal?: AbortSignal,
): Promise<boolean> {
  const answer = await requests.send('HEAD', { key, signal });
  const hashes = tags.map((tag) => Buffer.from(tag.replaceAll('"', ''), 'hex'));
  const whole = createHash('md5').update(Buffer.concat(hashes)).digest('hex');
  if (answer.status !== 200) return false;
  if (tagOf(answer) === `${whole}-${tags.length}`) return true;
  return tagOf(answer) !== before && Number(answer.headers.get('content-length')) === bytes;
}

function refuseUnwritten({ status, text }: S3Answer, key: string): void {
  if (status === 404) throw refused(key, faultIn(text).message || 'the bucket is missing');
}

const refused = (key: string, why: string): StudioError =>
  new StudioError('DISK_FAILED', `${key} could not be written: ${why}. Nothing of it was kept. Try again.`, {
    file: key,
    why,
  });

const escapedXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Data in parts of exactly `size` bytes, but for the last. */
async function* partsOf(data: BlobData, size: number): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (let piece of dataPieces(data)) {
    while (bytes + piece.length >= size) {
      const rest = size - bytes;
      yield Buffer.concat([...held, piece.subarray(0, rest)]);
      piece = piece.subarray(rest);
      [held, bytes] = [[], 0];
    }
    // A source may fill its own buffer again.
    if (piece.length > 0) held.push(Buffer.from(piece));
    bytes += piece.length;
  }
  if (bytes > 0) yield Buffer.concat(held);
}
