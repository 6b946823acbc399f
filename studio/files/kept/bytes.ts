import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StudioError } from '../../../schemas/errors.ts';
import type { FarFile, KeptFiles } from '../../../schemas/kept-files.ts';
import { type Blobs, MOST_WHOLE, streamOf, tooLargeBlob } from '../blobs/blobs.ts';
import { folderBlobs } from '../blobs/folder.ts';
import { withFolderLock } from '../folder-lock.ts';
import { findFolder, hasFile } from '../inside.ts';
import { lease } from './lease.ts';
import { keptFile, keptList, writeKept } from './list.ts';
import { contentKey, type FilesPlace, placeOfKept } from './place.ts';

/**
 * The files of a folder as bytes, of which large ones may be in another place (send.ts). What is in the folder is taken first: a file
 * that was made anew there counts.
 */
export function keptBlobs(folder: string): Blobs {
  const own = folderBlobs(folder);
  const here = { place: folder };

  /** The file, and its place, where it is not in the folder. */
  async function far(key: string): Promise<{ file: FarFile; place: FilesPlace } | null> {
    const file = keptFile(folder, key);
    const list = file && keptList(folder);
    return list ? { file, place: await placeOfKept(list) } : null;
  }

  return {
    ...own,
    async stat(key, signal) {
      const found = await own.stat(key, signal);
      if (found) return found;
      const file = keptFile(folder, key);
      return file && { size: file.bytes, changed: new Date(file.at), tag: file.sha256.slice(0, 32) };
    },
    async get(key, { most = MOST_WHOLE, signal } = {}) {
      const one = (await own.stat(key)) === null ? await far(key) : null;
      if (one === null) return own.get(key, { most, ...(signal && { signal }) });
      if (one.file.bytes > most) throw tooLargeBlob(here, key, one.file.bytes, most);
      const pieces: Uint8Array[] = [];
      for await (const piece of checkedPieces(one.place, one.file, signal)) pieces.push(piece);
      return Buffer.concat(pieces);
    },
    range(key, options = {}) {
      return streamOf(
        (async function* () {
          const one = (await own.stat(key)) === null ? await far(key) : null;
          yield* one ? one.place.blobs.range(contentKey(one.file.sha256), options) : own.range(key, options);
        })(),
      );
    },
    async remove(key, signal) {
      await own.remove(key);
      const list = keptList(folder);
      const file = keptFile(folder, key);
      if (!list || !file) return;
      const { blobs } = await placeOfKept(list);
      await aloneWithShared(folder, async () => {
        // Its bytes first: what was to be deleted must not stay where no list names it.
        if (!isNamedElsewhere(folder, file.sha256)) await blobs.remove(contentKey(file.sha256), signal);
        writeKept(folder, { ...list, files: list.files.filter(({ path }) => path !== key) });
      });
    },
    async local(key, signal) {
      const one = (await own.stat(key)) === null ? await far(key) : null;
      if (one === null) return own.local(key);
      return lease(folder, one.file, () => checkedPieces(one.place, one.file), signal);
    },
  };
}

/** The whole of a file, wherever it is; of one in the other place it throws at the end when it is not what was sent there. */
export async function* wholeBytes(folder: string, path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const list = hasFile(folder, path) ? null : keptList(folder);
  const file = list && keptFile(folder, path);
  if (list && file) yield* checkedPieces(await placeOfKept(list), file, signal);
  else yield* folderBlobs(folder).range(path, { ...(signal && { signal }) });
}

/** How a folder of recordings/ is named that is being deleted, behind a dot and its name. */
export const GOING = '.deleted';
const isGoing = (name: string): boolean => name.startsWith('.') && name.endsWith(GOING);

/**
 * Two recordings may have the same bytes, which lie in the place once. Whoever names them in a folder's list sees within `work` that
 * they are there; whoever removes them, that no list names them: in all processes of a workspace one after another, so that none
 * relies on what another is just removing.
 */
export const aloneWithShared = <T>(folder: string, work: () => Promise<T>): Promise<T> =>
  withFolderLock(dirname(dirname(folder)), 'kept', work);

/**
 * The lists of all other folders of a workspace, those in the trash too, but not of those that are being deleted: two recordings
 * may hold the same bytes, as one that was brought in under two ids. Ten thousand take half a second.
 */
export function* otherKeptLists(folder: string): Generator<KeptFiles> {
  const workspace = dirname(dirname(folder));
  for (const kind of ['recordings', 'trash']) {
    const parent = findFolder(workspace, kind);
    for (const name of parent === null ? [] : readdirSync(parent)) {
      if (isGoing(name)) continue;
      const other = join(parent!, name);
      const list = other === folder ? null : keptList(other);
      if (list) yield list;
    }
  }
}

function isNamedElsewhere(folder: string, sha256: string): boolean {
  for (const { files } of otherKeptLists(folder)) if (files.some((file) => file.sha256 === sha256)) return true;
  return false;
}

/** The whole of a file that is in the place; throws at its end when it is not what was sent. */
export async function* checkedPieces(
  { blobs }: FilesPlace,
  { path, bytes, sha256 }: Pick<FarFile, 'path' | 'bytes' | 'sha256'>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of blobs.range(contentKey(sha256), { ...(signal && { signal }) })) {
    hash.update(piece);
    size += piece.length;
    yield piece;
  }
  if (size === bytes && hash.digest('hex') === sha256) return;
  const file = `${blobs.place}/${contentKey(sha256)}`;
  const message = `${file} (${path}) is not what was sent there. Put it back from a copy.`;
  throw new StudioError('BAD_FILE', message, { file, why: 'it is not what was sent' });
}
