import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isLive, isNeverBegun } from '../capture/recover.ts';
import { removeFolder } from '../capture/start.ts';
import { recordingMode } from '../files/private.ts';
import { describeHolder, livenessOf } from '../files/process-id.ts';
import { readHolder } from '../files/read-holder.ts';
import { readTaskNote, takeTaskBack } from '../store/made-task.ts';
import type { Workspace } from '../store/workspace.ts';

/**
 * Recordings that are to come: the folder in which a single import is put together, the notes of a demonstration that begins,
 * and what those left that were killed. Beside each stands who works on it, so that one whose process is gone can be told from
 * one that is under way, and is removed; and the task that was made for it, which goes with it.
 */

/** A name with a dot first is no recording to the index. */
const PREFIX = { import: '.import-', record: '.record-' };
const HOLDER = '.holder';
const TASK = '.task';
/** A demonstration's notes have its id, an import draws one. */
const NAME = /^(\.import-[0-9a-f-]{36}|\.record-([0-9a-z-]{1,64}))(\.holder|\.task)?$/;
/** Nobody knows whether a process of another machine, or of an older version, still works on it: then by its age, ms. */
const ABANDONED = 24 * 3_600_000;

/** Makes a new folder for an import. Throws what the file system throws. */
export function beginImport(recordingsDir: string): string {
  const folder = join(recordingsDir, `${PREFIX.import}${randomUUID()}`);
  // Before the folder: a kill in between leaves a few bytes.
  writeHolder(folder);
  mkdirSync(folder, { mode: recordingMode(recordingsDir) });
  return folder;
}

/** Makes the place of a demonstration's notes; its folder is made when it is recorded. Throws what the file system throws. */
export function beginDemonstration(recordingsDir: string, id: string): string {
  const place = join(recordingsDir, `${PREFIX.record}${id}`);
  writeHolder(place);
  return place;
}

/** One that is torn says nothing, and goes by its age. */
function writeHolder(place: string): void {
  const holder = JSON.stringify(describeHolder(randomUUID(), process.pid));
  writeFileSync(`${place}${HOLDER}`, holder, { flag: 'wx', mode: 0o600 });
}

/**
 * True while whoever makes the folder of this demonstration is there: before it notes in the folder who writes it, the disk may
 * take its time. One of another machine, which cannot be asked, is for its age.
 */
export function isBeginning(recordingsDir: string, id: string): boolean {
  const place = join(recordingsDir, `${PREFIX.record}${id}`);
  return existsSync(`${place}${HOLDER}`) && !isLeft(join(recordingsDir, id), `${place}${HOLDER}`, Date.now());
}

/** Where it is noted which task is made for what begins there. */
export const taskNoteOf = (place: string): string => `${place}${TASK}`;

/** Removes what is there of it, after the recording is there. What cannot be removed now goes as after a kill. */
export async function endBeginning(place: string): Promise<void> {
  await remove(place, ['', TASK, HOLDER]);
}

async function remove(place: string, endings: readonly string[]): Promise<void> {
  try {
    for (const ending of endings) await rm(`${place}${ending}`, { recursive: true, force: true });
  } catch {
    // Who worked on it stands beside it still.
  }
}

/** Removes what is there of a recording that did not come, and takes back what was done to a task for it. */
export async function giveUpBeginning({ store }: Pick<Workspace, 'store'>, place: string): Promise<void> {
  try {
    const made = readTaskNote(taskNoteOf(place));
    if (made) await takeTaskBack(store, made);
    await endBeginning(place);
  } catch {
    // The task stays noted, and goes as after a kill.
    await remove(place, ['']);
  }
}

/** Removes what imports and demonstrations left that were killed. Gives how many folders of imports; what cannot be removed now is left for the next time. */
export async function removeKilled(
  workspace: Pick<Workspace, 'recordingsDir' | 'store' | 'syncIndex'>,
  now = Date.now(),
): Promise<number> {
  const { recordingsDir: root, store } = workspace;
  let removed = 0;
  // Who works on it goes last.
  const names = (await readdir(root)).sort((a, b) => Number(a.endsWith(HOLDER)) - Number(b.endsWith(HOLDER)));
  const kept = new Set<string>();
  for (const name of names) {
    const [, own = '', demonstration, kind] = NAME.exec(name) ?? [];
    if (own === '' || kept.has(own) || !isLeft(join(root, name), join(root, `${own}${HOLDER}`), now)) continue;
    // Who began it is gone, and its folder is written still.
    if (demonstration !== undefined && isLive(join(root, demonstration))) continue;
    try {
      if (demonstration !== undefined && kind === HOLDER) await removeNeverBegun(join(root, demonstration));
      const made = kind === TASK ? readTaskNote(join(root, name)) : null;
      if (made) {
        // Its recording may have got its name, and only the index not know of it.
        await workspace.syncIndex();
        await takeTaskBack(store, made);
      }
      await rm(join(root, name), { recursive: true, force: true });
      if (kind === undefined) removed++;
    } catch {
      // Somebody else removes it, has it open, or works in the database.
      kept.add(own);
    }
  }
  return removed;
}

async function removeNeverBegun(folder: string): Promise<void> {
  if (existsSync(folder) && isNeverBegun(folder, true)) await removeFolder(folder);
}

function isLeft(path: string, holderFile: string, now: number): boolean {
  // An older version wrote none.
  const holder = readHolder(holderFile);
  const liveness = holder ? livenessOf(holder) : 'unknown';
  if (liveness !== 'unknown') return liveness === 'dead';
  try {
    return Math.abs(now - statSync(path).mtimeMs) > ABANDONED;
  } catch {
    return false;
  }
}
