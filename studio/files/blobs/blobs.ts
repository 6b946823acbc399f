import { StudioError } from '../../../schemas/errors.ts';
import { isTemporary } from '../atomic.ts';
import { partsInside } from '../names.ts';

/**
 * Bytes with an address: the one seam between the studio and where its files are, a folder (folder.ts) or a bucket of S3
 * (s3.ts). A key is a path with `/` inside that place. What a key holds is whole at any moment: the old bytes or the new.
 */
export type Blobs = {
  /** The place, as a message names it: a folder, or `s3://bucket/prefix`. */
  readonly place: string;
  /** What is known of it without reading it; null when nothing is there. Throws BAD_FILE for what is no plain file. */
  stat(key: string, signal?: AbortSignal): Promise<BlobStat | null>;
  /** The whole of it. Throws BAD_FILE when it is missing (`details.missing`) or larger than `most` bytes. */
  get(key: string, options?: { most?: number; signal?: AbortSignal }): Promise<Buffer>;
  /**
   * The bytes from `start` to `end`, both included; without them the whole. Opened at the first reading, which throws as `get`. Bytes of two
   * contents are never mixed: a key that is put anew meanwhile ends as an error, or is read on as it was.
   */
  range(key: string, options?: { start?: number; end?: number; signal?: AbortSignal }): ReadableStream<Uint8Array>;
  /** Keys that begin with `prefix` and come after `after`, in the order of their UTF-8; `next` is null at the end. */
  list(options?: ListOptions): Promise<BlobList>;
  /** Writes it whole or not at all; a stream is never held in memory whole. Throws BAD_FILE for a key that no place can keep. */
  put(key: string, data: BlobData, signal?: AbortSignal): Promise<void>;
  /**
   * Writes it as `put`, but only where nothing is yet, and says whether it did: of several that begin at once one does. A server of S3 that
   * does not know the condition (`If-None-Match`) takes the last one, and says yes to each.
   */
  putNew(key: string, data: string | Uint8Array, signal?: AbortSignal): Promise<boolean>;
  /** Nothing happens where nothing is. */
  remove(key: string, signal?: AbortSignal): Promise<void>;
  /**
   * A file of this machine with its bytes, for programs that take nothing else (ffmpeg, sharp): itself in a folder, else a copy that goes with
   * `release`. It may be read, never written. Throws as `get`.
   */
  local(key: string, signal?: AbortSignal): Promise<LocalFile>;
};

export type BlobStat = {
  /** Bytes. */
  size: number;
  /** When it was put, to the ms. */
  changed: Date;
  /** Another one when the bytes may be others. */
  tag: string;
};

export type BlobData = string | Uint8Array | AsyncIterable<Uint8Array>;
export type ListOptions = { prefix?: string; after?: string; most?: number; signal?: AbortSignal };
export type BlobList = { keys: string[]; next: string | null };
export type LocalFile = { path: string; release(): Promise<void> };

/** Keys of one answer of `list`. */
export const LISTED = 1000;
/** What is read whole is a list, a note or a picture; a film is read by ranges. */
export const MOST_WHOLE = 256 << 20;

/** The parts of a key that is looked for. Throws BAD_FILE for one that leads out of its place. */
export const partsOfKey = (key: string): string[] => partsInside(key);

/** S3 takes 1,024 bytes for a key, of which the prefix of its place takes some; disks 255 for a name. */
const MOST_KEY = 900;
const MOST_NAME = 255;

/** The parts of a key that is to be made, which every place must be able to keep. Throws BAD_FILE. */
export function partsOfNewKey(key: string): string[] {
  const parts = partsInside(key);
  const why = parts.some((part) => Buffer.byteLength(part) > MOST_NAME)
    ? `a name in it is longer than ${MOST_NAME} bytes`
    : Buffer.byteLength(key) > MOST_KEY
      ? `it is longer than ${MOST_KEY} bytes`
      : !key.isWellFormed() || /\p{Cc}/u.test(key)
        ? 'it holds a sign that no name may hold'
        : parts.some(isTemporary)
          ? 'a name of this form is for files that are being written'
          : null;
  if (why === null) return parts;
  const message = `"${key.slice(0, 200)}" cannot be the name of a new file: ${why}. Choose another name.`;
  throw new StudioError('BAD_FILE', message, { file: key.slice(0, 400), why });
}

export const missingBlob = (blobs: Pick<Blobs, 'place'>, key: string): StudioError => {
  const file = `${blobs.place}/${key}`;
  return new StudioError('BAD_FILE', `${file} is missing. Put the file back from a copy.`, { file, missing: true });
};

export function tooLargeBlob(blobs: Pick<Blobs, 'place'>, key: string, size: number, most: number): StudioError {
  const file = `${blobs.place}/${key}`;
  const why = `it has ${Math.ceil(size / 2 ** 20)} MB, and at most ${Math.floor(most / 2 ** 20)} MB are read of such a file`;
  return new StudioError('BAD_FILE', `${file} cannot be read: ${why}. Put the file back from a copy.`, { file, why });
}

/** The order of keys on S3 is that of their UTF-8, which differs from that of JavaScript beyond U+FFFF. */
export const byUtf8 = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Data as pieces, one after another. */
export async function* dataPieces(data: BlobData): AsyncGenerator<Uint8Array> {
  if (typeof data === 'string') yield Buffer.from(data);
  else if (data instanceof Uint8Array) yield data;
  else yield* data;
}

/**
 * A stream that asks its source only when somebody reads, and ends it where nobody does any more. `signal` ends it between two
 * readings, too: a browser that went away neither reads on nor says so.
 */
export function streamOf(source: AsyncGenerator<Uint8Array>, signal?: AbortSignal): ReadableStream<Uint8Array> {
  let stopped: (() => void) | null = null;
  const over = (): void => {
    if (stopped) signal?.removeEventListener('abort', stopped);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (stopped === null) {
          stopped = () => {
            controller.error(signal?.reason);
            source.return(undefined).catch(() => undefined);
          };
          signal?.addEventListener('abort', stopped, { once: true });
        }
        try {
          const { done, value } = await source.next();
          if (!done) return controller.enqueue(value);
          over();
          controller.close();
        } catch (error) {
          over();
          throw error;
        }
      },
      async cancel() {
        over();
        await source.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Of an address. A pattern for it takes ever longer for many slashes. */
export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}
