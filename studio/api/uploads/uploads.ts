import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesInWords, plural } from '../../../core/words.ts';
import { log } from '../../../native/log/log.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { diskRoom } from '../../files/folder.ts';
import { fileIn, removeIn, statOf } from '../../files/inside.ts';
import { folderBytes } from '../../files/kept/size.ts';
import type { HeldBy, MemberHolds } from './held.ts';
import { keptCount } from './kept-count.ts';
import type { UploadEnd, UploadNote } from './note.ts';
import { notesIn, UPLOADS_FOLDER } from './notes.ts';

/**
 * What people send to a team's server in pieces: the bytes of each upload in uploads/<id>.part of the workspace, what is known of
 * it in uploads/<id>.json. How far it is, is how long its file is: a byte that was written is never asked for again.
 */

export type UploadLimits = {
  /** The largest upload, bytes. */
  mostBytes: number;
  /** All uploads that are not over together, as long as they say that they will be, bytes. */
  quotaBytes: number;
  /** All that the workspace may hold, with the uploads that are not over, bytes; null: as much as the disk takes. */
  workspaceBytes: number | null;
  /** The most that one member may have sent and the workspace still holds, with their uploads that are not over, bytes; null: any. */
  personBytes: number | null;
  /** How many of one person may be under way. */
  mostEach: number;
  /** Nothing came for so long: it is given up, ms. */
  idleMs: number;
  /** So long it is remembered how one ended, ms. */
  rememberMs: number;
  /** No byte came for so long within a piece: the connection is taken for dead, ms. */
  silenceMs: number;
  /** What must stay free on the disk, bytes. */
  keepFree: number;
};

const DAY_MS = 86_400_000;
export const UPLOAD_LIMITS: UploadLimits = {
  mostBytes: 50 * 1024 ** 3,
  quotaBytes: 200 * 1024 ** 3,
  workspaceBytes: null,
  personBytes: null,
  mostEach: 20,
  idleMs: 7 * DAY_MS,
  rememberMs: 30 * DAY_MS,
  silenceMs: 60_000,
  keepFree: 256 * 1024 ** 2,
};

export type Uploads = {
  readonly limits: UploadLimits;
  /** Bytes that the workspace holds beside uploads, which are counted by their own sizes; null where it has no quota. */
  used(): Promise<number | null>;
  /** Throws USAGE for a size that is not taken, TOO_MANY_TRIES, DISK_FULL also where a quota has no room. */
  begin(wishes: { owner: string; bytes: number; manifest: string; whole: boolean }): Promise<UploadNote>;
  /** Throws UNKNOWN_FILE for one that is not there, or is somebody else's. */
  get(owner: string, id: string): UploadNote;
  /** The newest of a person with this manifest that did not end in a refusal; null without one. */
  withManifest(owner: string, manifest: string): UploadNote | null;
  /** Uploads of everybody that came whole and did not end. */
  waiting(): UploadNote[];
  /** How many bytes are here. A piece that is being received is cut off first: who asks has begun anew. */
  offset(note: UploadNote): Promise<number>;
  /** How many bytes are here now; a piece may be on its way. */
  size(note: UploadNote): number;
  /** When it is given up, should nothing more come. */
  expiresAt(note: UploadNote): Date;
  /**
   * Adds bytes from `from` on; gives how many are here then, which are on the disk. Throws CONFLICT where `from` is not the end,
   * BAD_FILE for more than there may be, DISK_FULL, INTERRUPTED where the connection was lost or nothing came; and the reason of
   * `ended` once that fires: its sender may send no more.
   */
  append(note: UploadNote, from: number, body: AsyncIterable<Uint8Array>, ended?: AbortSignal): Promise<number>;
  /** Where its bytes lie. Throws BAD_FILE where they are gone. */
  file(note: UploadNote): string;
  /** Its bytes are removed. */
  end(note: UploadNote, end: UploadEnd): void;
  remove(note: UploadNote): Promise<void>;
  /** Removes what is over, and what nobody went on with. */
  sweep(): void;
};

const WRITE = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);
/** An archive is unpacked beside its upload. */
const TWICE = 2;

/** A piece that is being received. */
type Receiving = { control: AbortController; over: Promise<void> };

const NOBODY_HOLDS: HeldBy = { of: async () => ({ recordings: 0, bytes: 0 }), changed: () => undefined };

/** `heldBy`: what a member has here; asked where members have a quota. */
export function openUploads(
  dir: string,
  limits: UploadLimits = UPLOAD_LIMITS,
  now: () => number = Date.now,
  heldBy: HeldBy = NOBODY_HOLDS,
): Uploads {
  const receiving = new Map<string, Receiving>();
  const usage = keptCount(() => folderBytes(dir, UPLOADS_FOLDER));
  const members = limits.personBytes === null ? NOBODY_HOLDS : heldBy;
  const { folder, notePath, dataPath, sizeOf, save, read, all } = notesIn(dir);

  const lastAt = (note: UploadNote): number => {
    const path = note.end === null ? dataPath(note.id) : notePath(note.id);
    return statOf(dir, path)?.mtimeMs ?? Date.parse(note.createdAt);
  };
  const expiresAt = (note: UploadNote): Date =>
    new Date(lastAt(note) + (note.end === null ? limits.idleMs : limits.rememberMs));

  async function cutOff(id: string): Promise<void> {
    const one = receiving.get(id);
    one?.control.abort(interrupted('Another connection goes on with it.'));
    await one?.over;
  }

  function sweep(): void {
    for (const note of all()) {
      if (receiving.has(note.id) || expiresAt(note).getTime() > now()) continue;
      removeIn(dir, dataPath(note.id));
      removeIn(dir, notePath(note.id));
      log.info('upload forgotten', { name: note.id });
    }
  }

  /** `room`: what the disk has, bytes. `used`: what the workspace holds. */
  function refuseFull(bytes: number, room: number, used: number | null): void {
    const open = all().filter(({ end }) => end === null);
    const promised = open.reduce((sum, one) => sum + one.bytes, 0);
    if (promised + bytes > limits.quotaBytes) {
      throw new StudioError(
        'DISK_FULL',
        `The server takes ${bytesInWords(limits.quotaBytes)} of recordings at once, and ${bytesInWords(promised)} are on their way. Try again when some have arrived.`,
        { bytes },
      );
    }
    refuseWorkspace(limits.workspaceBytes, used, promised, bytes);
    const owed = open.reduce((sum, one) => sum + TWICE * one.bytes - sizeOf(one.id), 0);
    const free = room - owed - limits.keepFree;
    if (TWICE * bytes <= free) return;
    throw new StudioError(
      'DISK_FULL',
      `The server's disk has no room for ${bytesInWords(bytes)}: an archive takes twice its size until it is unpacked. Its administrator frees some; nothing was sent, and the recording stays where it is.`,
      { bytes },
    );
  }

  const used = async (): Promise<number | null> => (limits.workspaceBytes === null ? null : usage.get());

  return {
    limits,
    used,
    async begin({ owner, bytes, manifest, whole }) {
      if (!Number.isSafeInteger(bytes) || bytes < 1)
        throw new StudioError('USAGE', 'An upload says how many bytes it has, at least 1.', {});
      if (bytes > limits.mostBytes) {
        throw new StudioError(
          'USAGE',
          `It has ${bytesInWords(bytes)}, and this server takes at most ${bytesInWords(limits.mostBytes)} at once. Its administrator can raise it (--upload-limit).`,
          { bytes, tooLarge: true },
        );
      }
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { free } = await diskRoom(dir);
      const [held, theirs] = [await used(), await members.of(owner)];
      // Nothing is awaited from here on: two that begin at once must count each other.
      sweep();
      const own = all().filter((one) => one.owner === owner && one.end === null);
      if (own.length >= limits.mostEach) {
        throw new StudioError('TOO_MANY_TRIES', `${own.length} uploads of yours are under way; finish them first.`, {
          seconds: 60,
        });
      }
      refuseMember(limits.personBytes, theirs, own, bytes);
      refuseFull(bytes, free, held);
      const createdAt = new Date(now()).toISOString();
      const note: UploadNote = { version: 1, id: randomUUID(), owner, bytes, manifest, whole, createdAt, end: null };
      // The bytes first: a note without them would be an upload that nobody can go on with.
      writeFileAtomic(join(folder, `${note.id}.part`), '');
      save(note);
      return note;
    },
    get(owner, id) {
      const note = read(id);
      if (note && note.owner === owner) return note;
      throw new StudioError('UNKNOWN_FILE', 'There is no such upload here. Begin it anew.', {});
    },
    withManifest: (owner, manifest) =>
      manifest === ''
        ? null
        : (all().find((one) => one.owner === owner && one.manifest === manifest && one.end?.state !== 'refused') ??
          null),
    waiting: () => all().filter((one) => one.end === null && sizeOf(one.id) === one.bytes),
    async offset(note) {
      await cutOff(note.id);
      return note.end === null ? sizeOf(note.id) : note.bytes;
    },
    size: (note) => (note.end === null ? sizeOf(note.id) : note.bytes),
    expiresAt,
    async append(note, from, body, ended) {
      await cutOff(note.id);
      // Nothing is awaited between the look and the claim.
      const size = sizeOf(note.id);
      if (note.end !== null || from !== size || receiving.has(note.id)) {
        throw new StudioError(
          'CONFLICT',
          `This upload goes on at byte ${note.end === null ? size : note.bytes}, not at ${from}.`,
          { offset: size },
        );
      }
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const control = new AbortController();
      receiving.set(note.id, { control, over });
      try {
        return await receive(
          fileIn(dir, dataPath(note.id)),
          note,
          from,
          untilSilent(body, limits.silenceMs, ended ? AbortSignal.any([control.signal, ended]) : control.signal),
        );
      } catch (error) {
        throw asPassing(error);
      } finally {
        receiving.delete(note.id);
        resolve();
      }
    },
    file: (note) => fileIn(dir, dataPath(note.id)),
    end(note, end) {
      usage.changed();
      members.changed(note.owner);
      save({ ...note, end });
      removeIn(dir, dataPath(note.id));
    },
    async remove(note) {
      await cutOff(note.id);
      removeIn(dir, notePath(note.id));
      removeIn(dir, dataPath(note.id));
    },
    sweep,
  };
}

/** Writes pieces from `from` on, and gives where they end; they are on the disk then. Throws BAD_FILE for more than there may be. */
async function receive(
  path: string,
  note: UploadNote,
  from: number,
  pieces: AsyncIterable<Uint8Array>,
): Promise<number> {
  const file = await open(path, WRITE);
  let at = from;
  try {
    for await (const chunk of pieces) {
      if (at + chunk.length > note.bytes) {
        throw new StudioError(
          'BAD_FILE',
          `More came than the ${note.bytes} bytes that this upload was begun with. Nothing beyond them is kept.`,
          { bytes: note.bytes },
        );
      }
      at = await writeWhole(file, chunk, at);
    }
  } finally {
    await file.datasync().finally(() => file.close());
  }
  return at;
}

/** Throws DISK_FULL; what was written before stays, and counts. */
async function writeWhole(file: FileHandle, chunk: Uint8Array, at: number): Promise<number> {
  let done = 0;
  try {
    while (done < chunk.length) {
      const { bytesWritten } = await file.write(chunk, done, chunk.length - done, at + done);
      done += bytesWritten;
    }
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    throw new StudioError(
      'DISK_FULL',
      "The server's disk is full. What arrived is kept, and the same upload goes on when its administrator has made room.",
      {},
      { cause: error },
    );
  }
  return at + done;
}

/** The pieces of a body. Ends with INTERRUPTED when none comes for so long, or `signal` fires. */
async function* untilSilent(
  body: AsyncIterable<Uint8Array>,
  silenceMs: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { promise: stopped, reject } = Promise.withResolvers<never>();
      const cut = (): void => reject(signal.reason);
      const timer = setTimeout(() => reject(interrupted('No byte came for a minute.')), silenceMs);
      signal.addEventListener('abort', cut, { once: true });
      try {
        if (signal.aborted) throw signal.reason;
        const next = await Promise.race([pieces.next(), stopped]);
        if (next.done) return;
        yield next.value;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', cut);
      }
    }
  } finally {
    // Not awaited: a body that hangs would never answer this either.
    void pieces.return?.().catch(() => undefined);
  }
}

const interrupted = (why: string): StudioError =>
  new StudioError('INTERRUPTED', `The upload was cut off. ${why} It goes on where it stopped.`, {});

/** A connection that is lost looks like many errors; what arrived before is kept. */
function asPassing(error: unknown): unknown {
  if (error instanceof StudioError) return error;
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  // Errors of the disk have the name of their call.
  if (error instanceof Error && 'syscall' in error && code !== 'ECONNRESET' && code !== 'EPIPE') return error;
  return new StudioError(
    'INTERRUPTED',
    'The connection was lost. The upload goes on where it stopped.',
    {},
    {
      cause: error,
    },
  );
}

function refuseWorkspace(quota: number | null, used: number | null, promised: number, bytes: number): void {
  if (quota === null || used === null || used + promised + bytes <= quota) return;
  throw new StudioError(
    'DISK_FULL',
    `This workspace may hold ${bytesInWords(quota)}. It holds ${bytesInWords(used)}, and ${bytesInWords(promised)} are on their way: there is no room for ${bytesInWords(bytes)}. A manager removes recordings, or its administrator raises the quota (--quota). Nothing was sent, and the recording stays where it is.`,
    { bytes, used, quota },
  );
}

/** `own`: uploads of the member that are not over. */
function refuseMember(quota: number | null, held: MemberHolds, own: readonly UploadNote[], bytes: number): void {
  const coming = own.reduce((sum, one) => sum + one.bytes, 0);
  if (quota === null || held.bytes + coming + bytes <= quota) return;
  const sending = coming > 0 ? ` and ${bytesInWords(coming)} are on their way` : '';
  throw new StudioError(
    'DISK_FULL',
    `Each member may have ${bytesInWords(quota)} here. ${plural(held.recordings, 'recording')} that you sent hold ${bytesInWords(held.bytes)}${sending}: there is no room for ${bytesInWords(bytes)}. A manager removes some of yours, or the server's administrator raises what each may have (--person-quota). Nothing was sent, and the recording stays where it is.`,
    { bytes, held: held.bytes, quota },
  );
}
