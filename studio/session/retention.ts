import { appendFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { log } from '../../native/log/log.ts';
import { type ErrorBody, errorBody, StudioError } from '../../schemas/errors.ts';
import { isLive } from '../capture/recover.ts';
import { listVersions, readVersion } from '../datasets/versions.ts';
import { listCompositions } from '../documents/joined/composition-files.ts';
import { readVerification, verifiedIds } from '../documents/joined/verification-log.ts';
import { namesInFolder } from '../files/folder.ts';
import { folderIn } from '../files/inside.ts';
import { aloneWithShared, GOING, otherKeptLists } from '../files/kept/bytes.ts';
import { keptList } from '../files/kept/list.ts';
import { contentKey, placeOfKept } from '../files/kept/place.ts';
import { folderBytes } from '../files/kept/size.ts';
import { breathe } from '../store/breathe.ts';
import { lastWorkOn } from '../store/last-work.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';

/** Recordings that are deleted for good once nobody needs them any more, by rules of whoever is responsible for the data. */

export type RetentionRules = {
  /** Recordings go that were made, and last worked on, more than so many days ago; null: none. */
  olderDays: number | null;
  /** The same of recordings that a review rejected. */
  rejectedDays: number | null;
};

/** A recording that goes. */
export type Expired = {
  id: string;
  task: string;
  state: RecordingEntry['state'];
  startedAt: string;
  /** When it was recorded, annotated or reviewed last. */
  lastAt: string;
  why: 'old' | 'rejected';
  /** With those in the place for large files. */
  bytes: number;
};

/** `needed`: recordings that the rules name, but that stay, and why. */
export type RetentionPlan = { expired: Expired[]; needed: { id: string; why: string }[] };

const DAY_MS = 86_400_000;
const LISTS_FOLDER = 'retention';

/**
 * The recordings that go by the rules, the oldest first. A recording stays as long as a frozen version, a demonstration of such a
 * version or a composition needs it, or it is being recorded. Throws BAD_FILE where a version cannot be read: nothing is known of what
 * it needs.
 */
export async function planRetention(
  workspace: Workspace,
  { olderDays, rejectedDays }: RetentionRules,
  now = Date.now(),
): Promise<RetentionPlan> {
  const before = (days: number | null): number => (days === null ? Number.NEGATIVE_INFINITY : now - days * DAY_MS);
  const [oldest, oldestRejected] = [before(olderDays), before(rejectedDays)];
  const plan: RetentionPlan = { expired: [], needed: [] };
  const all = (await workspace.listAll()).reverse();
  const needs = await neededIn(workspace);
  for (const entry of all) {
    await breathe();
    const { id, task, state, startedAt, folder, played } = entry;
    const isAfter = (at: string): boolean =>
      Date.parse(at) > Math.max(oldest, state === 'rejected' ? oldestRejected : oldest);
    if (isAfter(startedAt)) continue;
    const lastAt = [startedAt, (await lastWorkOn(workspace.store, id)) ?? startedAt].sort().at(-1) ?? startedAt;
    if (isAfter(lastAt)) continue;
    const why =
      isLive(folder) || entry.phase !== 'closed'
        ? 'it is being recorded'
        : (needs.get(id) ?? (played === null ? undefined : needs.get(played)));
    if (why !== undefined) plan.needed.push({ id, why });
    else {
      const rule = state === 'rejected' && Date.parse(lastAt) <= oldestRejected ? 'rejected' : 'old';
      plan.expired.push({ id, task, state, startedAt, lastAt, why: rule, bytes: await folderBytes(folder) });
    }
  }
  return plan;
}

/** By recording: what needs it. Throws BAD_FILE, FUTURE_VERSION. */
async function neededIn(workspace: Workspace): Promise<Map<string, string>> {
  const needed = new Map<string, string>();
  for (const { id, composition, why } of listCompositions(workspace)) {
    if (composition === null) throw unreadable('composition', id, why ?? '');
    for (const recording of recordingsIn(composition)) needed.set(recording, `the composition ${id} names it`);
  }
  for (const id of verifiedIds(workspace)) {
    for (const recording of recordingsIn(readVerification(workspace, id)))
      needed.set(recording, `the verification of ${id} names it`);
  }
  const { versions, unreadable: broken } = listVersions(workspace);
  for (const { name, message } of broken) throw unreadable('version', name, message);
  for (const { name } of versions) {
    for (const { id } of (await readVersion(workspace, name)).entries)
      needed.set(id, `the frozen version ${name} holds it`);
  }
  return needed;
}

const unreadable = (kind: 'composition' | 'version', name: string, why: string): StudioError =>
  new StudioError(
    'BAD_FILE',
    `Nothing was deleted: the ${kind} ${name} cannot be read, so it is not known which recordings it needs. ${why}`,
    { name },
  );

/** The values of every field `recording` in it. */
function recordingsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) =>
    name === 'recording' && typeof below === 'string' ? [below] : recordingsIn(below),
  );
}

export type Deleted = {
  deleted: Expired[];
  bytes: number;
  /** The list that was written before anything was deleted, inside the workspace; null where there was nothing. */
  list: string | null;
  /** Recordings that could not be deleted, or not wholly: the next time it is tried again. */
  failed: ({ id: string } & Pick<ErrorBody, 'code' | 'message'>)[];
};

/**
 * Deletes these recordings for good, with what of them lies in the place for large files: first the list of all of them is written,
 * each is an entry of the log, and each is gone from one moment on. What was said of it stays in the database. Killed in between, the
 * next time goes on.
 */
export async function deleteExpired(
  workspace: Workspace,
  expired: readonly Expired[],
  { by, now = Date.now() }: { by: string; now?: number },
): Promise<Deleted> {
  const result: Deleted = { deleted: [], bytes: 0, list: null, failed: [] };
  await finishKilled(workspace, result);
  if (expired.length === 0) return result;
  result.list = await writeList(workspace, expired, new Date(now).toISOString(), by);
  const folders = new Map((await workspace.listAll()).map(({ id, folder }) => [id, folder]));
  for (const one of expired) {
    const folder = folders.get(one.id);
    // Another server of the workspace was faster, or it is being recorded by now.
    if (folder === undefined || isLive(folder)) continue;
    try {
      await deleteFolder(workspace, folder);
      result.deleted.push(one);
      result.bytes += one.bytes;
      log.info('recording deleted', { recording: one.id, why: one.why, bytes: one.bytes, by });
    } catch (error) {
      log.warn('recording not deleted', { recording: one.id, error });
      result.failed.push(failureOf(one.id, error));
    }
  }
  await workspace.syncIndex();
  return result;
}

function failureOf(id: string, error: unknown): Deleted['failed'][number] {
  const { code, message } = errorBody(error);
  return { id, code, message };
}

async function writeList(workspace: Workspace, expired: readonly Expired[], at: string, by: string): Promise<string> {
  const file = join(folderIn(workspace.dir, LISTS_FOLDER), `${at.replaceAll(/[:.]/g, '-')}.jsonl`);
  const lines = expired.map((one) => JSON.stringify({ ...one, deletedAt: at, by }));
  await appendFile(file, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
  return `${LISTS_FOLDER}/${basename(file)}`;
}

/** From the renaming on it is no recording any more; its bytes go after. */
async function deleteFolder(workspace: Workspace, folder: string): Promise<void> {
  const going = join(workspace.recordingsDir, `.${basename(folder)}${GOING}`);
  await rename(folder, going);
  await removeBytes(going);
}

/** Its files in the place for large files go first, since the list of them is in the folder. */
async function removeBytes(going: string): Promise<void> {
  const list = keptList(going);
  if (list && list.files.length > 0) {
    const { blobs } = await placeOfKept(list);
    await aloneWithShared(going, async () => {
      const others = await contentsOfOthers(going);
      for (const { sha256 } of list.files) if (!others.has(sha256)) await blobs.remove(contentKey(sha256));
    });
  }
  await rm(going, { recursive: true, force: true });
}

/** The hashes of all large files that other recordings have. */
async function contentsOfOthers(going: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { files } of otherKeptLists(going)) {
    await breathe();
    for (const { sha256 } of files) found.add(sha256);
  }
  return found;
}

async function finishKilled(workspace: Workspace, { failed }: Deleted): Promise<void> {
  for (const name of namesInFolder(workspace.recordingsDir)) {
    if (!name.startsWith('.') || !name.endsWith(GOING)) continue;
    try {
      await removeBytes(join(workspace.recordingsDir, name));
      log.info('recording deleted', { recording: name.slice(1, -GOING.length), why: 'cut-off' });
    } catch (error) {
      failed.push(failureOf(name.slice(1, -GOING.length), error));
    }
  }
}
