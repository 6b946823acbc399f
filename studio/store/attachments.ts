import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { LRUCache } from 'lru-cache';
import { type Attachment, attachmentSchema } from '../../schemas/api/models.ts';
import { withoutDeviceName } from '../../schemas/device-names.ts';
import { StudioError } from '../../schemas/errors.ts';
import { flushFile, flushFolder } from '../files/atomic.ts';
import { mimeOf } from '../files/first-bytes.ts';
import { removeForgotten } from '../files/folder.ts';
import { hashInside } from '../files/hash.ts';
import { folderIn, placeIn, removeIn } from '../files/inside.ts';
import { isPicture, isVideo } from '../files/mime.ts';
import { makePrivate } from '../files/private.ts';
import { takeBody } from '../files/take-body.ts';
import { type Store, sqlOf } from './store.ts';
import type { AttachmentsTable } from './tables.ts';
import { taskById } from './tasks.ts';
import type { Workspace } from './workspace.ts';

/** The largest file that is taken, bytes. */
const MOST_BYTES = 20 * 1024 ** 3;

/** Throws a ZodError for a note of another form. */
export const attachmentOf = (row: AttachmentsTable): Attachment =>
  attachmentSchema.parse({
    id: row.id,
    task: row.task_id,
    role: row.role,
    name: row.name,
    bytes: Number(row.bytes),
    mime: row.mime,
  });

/** Files of a task, the oldest first. */
export async function listAttachments(store: Store, task: string): Promise<Attachment[]> {
  const rows = await sqlOf(store)
    .selectFrom('attachments')
    .selectAll()
    .where('task_id', '=', task)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(attachmentOf);
}

type NewAttachment = {
  /** Default: a new one. */
  id?: string;
  task: string;
  role: Attachment['role'];
  name: string;
  body: AsyncIterable<Uint8Array>;
  signal?: AbortSignal;
  mostBytes?: number;
};

/** The task's files by the names that they were attached with, the newest of a name; each a path inside the workspace. */
export async function attachedFiles(store: Store, task: string): Promise<Map<string, string>> {
  const rows = await sqlOf(store)
    .selectFrom('attachments')
    .select(['name', 'file'])
    .where('task_id', '=', task)
    .orderBy('created_at')
    .execute();
  return new Map(rows.map(({ name, file }) => [name, file]));
}

/**
 * Copies a file into attachments/<task>/<id>-<name>, as it comes in, and notes it. Throws UNKNOWN_TASK, USAGE for a role
 * that its type does not fit, BAD_FILE when it is empty or larger than `mostBytes`, DISK_FULL; nothing is left then.
 */
export async function attach(workspace: Workspace, wanted: NewAttachment): Promise<Attachment> {
  const { task, role } = wanted;
  await taskById(workspace.store, task);
  const id = wanted.id ?? randomUUID();
  const name = displayName(wanted.name);
  const file = ['attachments', safeName(task), `${id}-${safeName(name)}`].join('/');
  const path = join(workspace.dir, file);
  folderIn(workspace.dir, dirname(file));
  // Files that were half here when the program was killed; they may be of any size.
  await removeForgotten(dirname(path), /^\.[0-9a-f-]{36}\.(tmp|part)$/, ABANDONED);
  const temporary = join(dirname(path), `.${randomUUID()}${TEMPORARY}`);
  try {
    const bytes = await receive(wanted, temporary);
    const mime = mimeOf(temporary);
    checkRole(role, mime, name);
    await flushFile(temporary);
    makePrivate(temporary);
    await rename(temporary, path);
    flushFolder(dirname(path));
    const created_at = await nextTime(workspace.store, task);
    const row = { id, task_id: task, role, name, file, bytes, mime, created_at };
    try {
      await sqlOf(workspace.store).insertInto('attachments').values(row).execute();
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return attachmentOf(row);
  } finally {
    await rm(temporary, { force: true });
  }
}

const TEMPORARY = '.tmp';
/** A file on its way of which nothing came for so long is no longer on its way, ms. */
const ABANDONED = 3_600_000;

/** The files of all tasks. */
export function listAllAttachments(store: Store, order: 'age' | 'id') {
  const query = sqlOf(store).selectFrom('attachments').selectAll();
  return (order === 'age' ? query.orderBy('created_at') : query).orderBy('id').execute();
}

/** Notes a file that is in its place. */
export async function insertAttachment(store: Store, row: AttachmentsTable): Promise<void> {
  await sqlOf(store).insertInto('attachments').values(row).execute();
}

/** Whether there is a file of this id. */
export async function hasAttachment({ store }: Pick<Workspace, 'store'>, id: string): Promise<boolean> {
  return (
    (await sqlOf(store).selectFrom('attachments').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
  );
}

/** Later than that of every file of the task: lists, exports and archives keep the order in which files were attached. */
async function nextTime(store: Store, task: string): Promise<string> {
  const { last } = await sqlOf(store)
    .selectFrom('attachments')
    .select((eb) => eb.fn.max('created_at').as('last'))
    .where('task_id', '=', task)
    .executeTakeFirstOrThrow();
  const next = last === null ? Number.NaN : Date.parse(last) + 1;
  return new Date(next > Date.now() ? next : Date.now()).toISOString();
}

async function receive({ body, signal, mostBytes = MOST_BYTES }: NewAttachment, to: string): Promise<number> {
  const bytes = await takeBody(body, to, { most: mostBytes, tooLarge: tooLarge(mostBytes), signal });
  if (bytes === 0) throw new StudioError('BAD_FILE', 'The file is empty; nothing was kept.', {});
  return bytes;
}

const tooLarge = (most: number): StudioError =>
  new StudioError('BAD_FILE', `The file is larger than ${Math.round(most / 1e6)} MB; nothing was kept.`, { most });

function checkRole(role: Attachment['role'], mime: string, name: string): void {
  const fits: Partial<Record<Attachment['role'], readonly [fits: boolean, takes: string]>> = {
    'query-start': [
      isPicture(mime) || isVideo(mime),
      'a picture (png, jpg, gif, webp) or a video (mp4, webm, mkv, mov)',
    ],
    'query-end': [isPicture(mime) || isVideo(mime), 'a picture (png, jpg, gif, webp) or a video (mp4, webm, mkv, mov)'],
    'source-video': [isVideo(mime), 'a video (mp4, webm, mkv, mov)'],
    transcript: [mime.startsWith('text/') || mime === 'application/x-subrip', 'a text (srt, vtt, txt)'],
  };
  const [good, takes] = fits[role] ?? [true, ''];
  if (good) return;
  throw new StudioError(
    'USAGE',
    `"${name}" cannot be the ${role}: it is ${mime} by its content; that takes ${takes}.`,
    {
      role,
      mime,
    },
  );
}

/** Hashes by the place and the size of a file, which never changes once it is attached. */
const hashes = new LRUCache<string, string>({ max: 1000 });

/** The SHA-256 of a file, in hex. Throws as findAttachment, and what reading throws. */
export async function hashOfAttachment(workspace: Workspace, id: string): Promise<string> {
  const { path, bytes } = await findAttachment(workspace, id);
  const key = `${path} ${bytes}`;
  const known = hashes.get(key);
  if (known !== undefined) return known;
  const found = await hashInside(workspace.dir, relative(workspace.dir, path).replaceAll(sep, '/'));
  hashes.set(key, found);
  return found;
}

/**
 * Throws UNKNOWN_FILE; BAD_FILE when the database, which may be somebody else's, names a file that is not one of
 * attachments/. `path` is absolute.
 */
export async function findAttachment(workspace: Workspace, id: string): Promise<Attachment & { path: string }> {
  const row = await sqlOf(workspace.store)
    .selectFrom('attachments')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row) return { ...attachmentOf(row), path: attachmentPlace(workspace, row.file) };
  throw unknownFile(id);
}

const unknownFile = (id: string): StudioError =>
  new StudioError('UNKNOWN_FILE', `There is no file "${id.slice(0, 80)}" in this workspace.`, { attachment: id });

/** Where a file that the database names is. Throws BAD_FILE for anything but a plain file of attachments/. */
export function attachmentPlace({ dir }: Pick<Workspace, 'dir'>, file: string): string {
  if (file.startsWith('attachments/')) return placeIn(dir, file);
  throw new StudioError(
    'BAD_FILE',
    `The database names "${file.slice(0, 200)}" as a file of a task, which does not lie in attachments/. Nothing was done with it.`,
    { file: file.slice(0, 400) },
  );
}

/**
 * Removes a file and its note. A note that names anything but a file of attachments/ goes alone. Throws UNKNOWN_FILE.
 */
export async function detach(workspace: Workspace, id: string): Promise<void> {
  const row = await sqlOf(workspace.store)
    .selectFrom('attachments')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw unknownFile(id);
  await sqlOf(workspace.store).deleteFrom('attachments').where('id', '=', id).execute();
  // After the note: a crash in between leaves a file that nobody names, never a note without its file.
  try {
    attachmentPlace(workspace, row.file);
    removeIn(workspace.dir, row.file);
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
  }
}

/** The person's own name for a file, without folders and unprintable characters. */
function displayName(name: string): string {
  const plain = (name.split(/[/\\]/).at(-1) ?? '').replace(/\p{C}/gu, '').trim().slice(0, 200);
  return plain === '' || plain === '.' || plain === '..' ? 'file' : plain;
}

/** A name that every file system takes: letters, digits, `.`, `_`, `-`; never a dot first; at most 80 characters. */
export function safeName(name: string): string {
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot >= 2 && name.length - dot <= 12 ? name.slice(dot) : '';
  const clean = (text: string): string => text.normalize('NFC').replace(/[^\p{L}\p{N}._-]+/gu, '_');
  const stem = clean(ending ? name.slice(0, dot) : name).replace(/^[._]+|(?<!\.)\.+$/g, '');
  // In characters of at most 4 bytes, so that no name is longer than 255 bytes.
  return withoutDeviceName(`${[...(stem || 'file')].slice(0, 40).join('')}${clean(ending)}`);
}
