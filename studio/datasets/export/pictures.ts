import { link, lstat, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { copyToTarget, missingFile, refuseStranger } from './target.ts';

/**
 * Puts pictures into the export as they are: nothing is encoded again. The first place is a copy, so that nobody who edits an
 * export can reach a recording; further places in the same run (another format) are hard links to it, or copies where the
 * file system has none.
 */
export type PictureStore = {
  /** `item` names what the picture belongs to, for the error. Throws BAD_FILE when it is missing. */
  put(from: string, to: string, item: string): Promise<void>;
  /** Its bytes as they are, for a file of several. Throws BAD_FILE when it is missing. */
  read(from: string, item: string): Promise<Buffer>;
  /** How many bytes that are. Throws BAD_FILE when it is missing. */
  size(from: string, item: string): Promise<number>;
  /** The task is done: its pictures will not come again. */
  forget(): void;
};

export function pictureStore(): PictureStore {
  const places = new Map<string, string>();
  return {
    async put(from, to, item) {
      const known = places.get(from);
      if (known !== undefined) {
        await mkdir(path.dirname(to), { recursive: true });
        if (await linked(known, to)) return;
      }
      await copyToTarget(from, to, item);
      places.set(from, to);
    },
    ...PICTURES_AS_THEY_ARE,
    forget: () => places.clear(),
  };
}

async function sizeOfPicture(from: string, item: string): Promise<number> {
  try {
    return (await lstat(from)).size;
  } catch (error) {
    throw missingFile(error, from, item);
  }
}

/** A picture's bytes; `item` names what it belongs to, for the error. Throws BAD_FILE when it is missing or no plain file. */
async function bytesOfPicture(from: string, item: string): Promise<Buffer> {
  try {
    await refuseStranger(from, item);
    return await readFile(from);
  } catch (error) {
    throw missingFile(error, from, item);
  }
}

/** Pictures that are read where they lie. */
export const PICTURES_AS_THEY_ARE: Pick<PictureStore, 'read' | 'size'> = { read: bytesOfPicture, size: sizeOfPicture };

const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'EXDEV',
  'EMLINK',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EINVAL',
]);

/** False where the file system cannot link. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_LINKS.has(String(error.code))) return false;
    throw error;
  }
}
