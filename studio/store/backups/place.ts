import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseShallow } from '../../../core/json-depth.ts';
import {
  BACKUP_ID,
  BACKUP_PLACE_SCHEMA,
  BACKUP_VERSION,
  type Backup,
  backupPlaceSchema,
  backupSchema,
} from '../../../schemas/backup.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import { type Blobs, LISTED } from '../../files/blobs/blobs.ts';
import { isS3, openBlobs } from '../../files/blobs/open.ts';
import { describeHolder, livenessOf, parseHolder } from '../../files/process-id.ts';
import { refuseNewer } from '../../files/versioned.ts';

const PLACE_FILE = 'place.json';
const BACKUPS = 'backups/';
export const KEPT_FILES = 'files/';
const WORKING = 'working/';

/** A list of a million files has some 250 MB. */
const MOST_LIST = 500 << 20;

export const fileKey = (sha256: string): string => `${KEPT_FILES}${sha256.slice(0, 2)}/${sha256}`;

/** An id for a backup that begins at `now`. */
export const newBackupId = (now: Date): string =>
  `${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z-${randomBytes(2).toString('hex')}`;

/** A place with backups. Throws BAD_FILE where there is none, FUTURE_VERSION, and what openBlobs throws. */
export async function openBackups(address: string): Promise<Blobs> {
  const blobs = await openBlobs(address);
  if (await isPlace(blobs)) return blobs;
  const message = `${blobs.place} holds no backups: it has no ${PLACE_FILE}. Check the path, or make a backup there first.`;
  throw new StudioError('BAD_FILE', message, { place: blobs.place });
}

/** The same; an empty place becomes one. Throws TARGET_EXISTS where something else is. */
export async function openOrMakeBackups(address: string): Promise<Blobs> {
  if (!isS3(address)) await mkdir(resolve(address), { recursive: true, mode: 0o700 });
  const blobs = await openBlobs(address);
  if (await isPlace(blobs)) return blobs;
  if ((await blobs.list({ most: 1 })).keys.length > 0) {
    // Another process may have made it since.
    if (await isPlace(blobs)) return blobs;
    const message = `${blobs.place} holds other things than backups. Choose an empty place, or one with earlier backups.`;
    throw new StudioError('TARGET_EXISTS', message, { place: blobs.place });
  }
  await blobs.put(PLACE_FILE, `${JSON.stringify({ schema: BACKUP_PLACE_SCHEMA, version: BACKUP_VERSION })}\n`);
  return blobs;
}

async function isPlace(blobs: Blobs): Promise<boolean> {
  if ((await blobs.stat(PLACE_FILE)) === null) return false;
  const value = await readJson(blobs, PLACE_FILE, 4096);
  if (backupPlaceSchema.safeParse(value).success) return true;
  const message = `${blobs.place}/${PLACE_FILE} is not of a place with backups. Choose another place.`;
  throw new StudioError('BAD_FILE', message, { file: `${blobs.place}/${PLACE_FILE}` });
}

/** Throws FUTURE_VERSION, BAD_FILE. */
async function readJson(blobs: Blobs, key: string, most: number): Promise<unknown> {
  const file = `${blobs.place}/${key}`;
  const text = (await blobs.get(key, { most })).toString('utf8');
  let value: unknown;
  try {
    value = parseShallow(text);
  } catch (error) {
    throw new StudioError('BAD_FILE', `${file} cannot be read: ${whyNot(error)}.`, { file }, { cause: error });
  }
  refuseNewer(
    file,
    typeof value === 'object' && value !== null ? Reflect.get(value, 'version') : undefined,
    BACKUP_VERSION,
  );
  return value;
}

/** The ids of all backups that are whole, the oldest first. */
export async function backupIds(blobs: Blobs): Promise<string[]> {
  const ids: string[] = [];
  for await (const key of eachKey(blobs, BACKUPS)) {
    const id = key.slice(BACKUPS.length).replace(/\.json$/, '');
    if (BACKUP_ID.test(id)) ids.push(id);
  }
  return ids.sort();
}

/** Throws UNKNOWN_FILE with the ids that there are, BAD_FILE, FUTURE_VERSION. */
export async function readBackup(blobs: Blobs, id: string): Promise<Backup> {
  const key = `${BACKUPS}${id}.json`;
  if (!BACKUP_ID.test(id) || (await blobs.stat(key)) === null) {
    const ids = await backupIds(blobs);
    const message = `${blobs.place} has no backup "${id.slice(0, 80)}". It has: ${ids.slice(-10).join(', ') || 'none'}.`;
    throw new StudioError('UNKNOWN_FILE', message, { place: blobs.place, id: id.slice(0, 80) });
  }
  const read = backupSchema.safeParse(await readJson(blobs, key, MOST_LIST));
  if (read.success && read.data.id === id) return read.data;
  const why = read.success ? 'it has the id of another backup' : whyNot(read.error);
  const file = `${blobs.place}/${key}`;
  throw new StudioError('BAD_FILE', `${file} is no list of a backup: ${why}. Take another backup.`, { file, why });
}

/** Last of all: from then on the backup is there. */
export const writeBackup = (blobs: Blobs, backup: Backup): Promise<void> =>
  blobs.put(`${BACKUPS}${backup.id}.json`, `${JSON.stringify(backup)}\n`);

export const removeBackup = (blobs: Blobs, id: string): Promise<void> => blobs.remove(`${BACKUPS}${id}.json`);

export async function* eachKey(blobs: Blobs, prefix: string, signal?: AbortSignal): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const { keys, next } = await blobs.list({ prefix, after, most: LISTED, ...(signal && { signal }) });
    yield* keys;
    if (next === null) return;
    after = next;
  }
}

/** A backup adds files that no list names yet, and a clearing removes such files: one excludes the other. */
type Work = 'backup' | 'clearing';

/**
 * Does `work` while the place says so to others. What a killed process of this machine said counts no more; of other machines nothing
 * is known. Throws CONFLICT where the other work goes on.
 */
export async function whileWorking<T>(blobs: Blobs, kind: Work, work: () => Promise<T>): Promise<T> {
  const token = randomUUID();
  const own = `${WORKING}${token}.json`;
  const says = JSON.stringify({ kind, holder: JSON.stringify(describeHolder(token, process.pid)) });
  // Said before it is looked: of two that begin at once none is missed by both.
  await blobs.put(own, says);
  try {
    for await (const key of eachKey(blobs, WORKING)) {
      if (key !== own) await judgeOther(blobs, key, kind);
    }
    return await work();
  } finally {
    await blobs.remove(own);
  }
}

async function judgeOther(blobs: Blobs, key: string, kind: Work): Promise<void> {
  if ((await blobs.stat(key)) === null) return;
  const value = await readJson(blobs, key, 4096);
  const other: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'kind') : undefined;
  const holder = parseHolder(typeof value === 'object' && value !== null ? Reflect.get(value, 'holder') : undefined);
  if (holder && livenessOf(holder) === 'dead') return blobs.remove(key);
  if (kind === 'backup' && other === 'backup') return;
  const who = holder ? `process ${holder.pid} of ${holder.host?.split('/').at(-1) || 'another machine'}` : 'somebody';
  const since = holder ? `, since ${holder.since}` : '';
  const what = other === 'clearing' ? 'old backups are being cleared away' : 'a backup is being made';
  throw new StudioError(
    'CONFLICT',
    `In ${blobs.place} ${what} (${who}${since}). Wait for its end. If that process was killed, remove ${blobs.place}/${key}.`,
    { place: blobs.place, file: key },
  );
}
