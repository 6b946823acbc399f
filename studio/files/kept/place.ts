import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseShallow } from '../../../core/json-depth.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import { FILES_PLACE_SCHEMA, filesPlaceSchema, KEPT_VERSION, type KeptFiles } from '../../../schemas/kept-files.ts';
import type { Blobs } from '../blobs/blobs.ts';
import { isS3, openBlobs } from '../blobs/open.ts';
import { refuseNewer } from '../versioned.ts';

/** Where large files of closed recordings are: a folder or a bucket, said to the whole process, its threads and processes. */
export const FILES_VARIABLE = 'STUDIO_FILES';

export type FilesPlace = { id: string; blobs: Blobs };

const PLACE_FILE = 'place.json';
export const contentKey = (sha256: string): string => `content/${sha256.slice(0, 2)}/${sha256}`;

/**
 * The place at an address. An empty one becomes such a place with `create`. Throws TARGET_EXISTS where something else is, BAD_FILE,
 * FUTURE_VERSION, and what openBlobs throws.
 */
async function openFilesPlace(address: string, { create }: { create: boolean }): Promise<FilesPlace> {
  if (create && !isS3(address)) mkdirSync(resolve(address), { recursive: true, mode: 0o700 });
  const blobs = await openBlobs(address);
  const { place } = blobs;
  if ((await blobs.stat(PLACE_FILE)) !== null) return { id: await idOf(blobs), blobs };
  if (!create || (await blobs.list({ most: 1 })).keys.length > 0) {
    // Another process may have made it since.
    if ((await blobs.stat(PLACE_FILE)) !== null) return { id: await idOf(blobs), blobs };
    const message = `${place} is no place for the files of recordings: it ${create ? 'holds other things' : `has no ${PLACE_FILE}`}. Give an empty folder or prefix, or the one that was given before.`;
    throw new StudioError('TARGET_EXISTS', message, { place });
  }
  const made = { schema: FILES_PLACE_SCHEMA, version: KEPT_VERSION, id: randomUUID() };
  // A server and its workers may begin at once at an empty place: they all take the id of the first.
  await blobs.putNew(PLACE_FILE, `${JSON.stringify(made)}\n`);
  return { id: await idOf(blobs), blobs };
}

async function idOf(blobs: Blobs): Promise<string> {
  const file = `${blobs.place}/${PLACE_FILE}`;
  const text = (await blobs.get(PLACE_FILE, { most: 4096 })).toString('utf8');
  try {
    const value = parseShallow(text);
    if (typeof value === 'object' && value !== null) refuseNewer(file, Reflect.get(value, 'version'), KEPT_VERSION);
    return filesPlaceSchema.parse(value).id;
  } catch (error) {
    if (error instanceof StudioError) throw error;
    const message = `${file} is not of a place for the files of recordings (${whyNot(error)}). Give another place.`;
    throw new StudioError('BAD_FILE', message, { file }, { cause: error });
  }
}

let opened: { address: string; place: Promise<FilesPlace> } | null = null;

/** The place of this process; null where none was given. What could not be opened is tried again at the next question. */
export function filesPlace(): Promise<FilesPlace> | null {
  const address = process.env[FILES_VARIABLE];
  if (!address) return null;
  if (opened?.address === address) return opened.place;
  const mine = { address, place: openFilesPlace(address, { create: true }) };
  opened = mine;
  mine.place.catch(() => {
    if (opened === mine) opened = null;
  });
  return mine.place;
}

/** The place in which the files of this list are. Throws USAGE where this process was given none, or another. */
export async function placeOfKept({ place, where }: Pick<KeptFiles, 'place' | 'where'>): Promise<FilesPlace> {
  const found = await filesPlace();
  if (found?.id === place) return found;
  const given = found ? `${found.blobs.place} is another place` : 'no place was given';
  throw new StudioError(
    'USAGE',
    `The large files of this recording are in ${where}, and ${given}. Start with \`--files ${where}\`, or set ${FILES_VARIABLE}.`,
    { place: where },
  );
}
