import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { hasFile, readIn } from '../files/inside.ts';
import { recordingMode } from '../files/private.ts';
import { describeHolder, livenessOf } from '../files/process-id.ts';
import { readHolder } from '../files/read-holder.ts';
import { dropMadeTask, type MadeTask } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';

/**
 * The folder in which a single import is put together, and what imports that were killed left of theirs. Beside each stands
 * who works on it, so that one whose process is gone can be told from one that is under way, and is removed; and the task
 * that was made for it, which goes with it.
 */

/** A name with a dot first is no recording to the index. */
const PREFIX = '.import-';
const HOLDER = '.holder';
const TASK = '.task';
const NAME = /^(\.import-[0-9a-f-]{36})(\.holder|\.task)?$/;
/** Nobody knows whether a process of another machine, or of an older version, still works on it: then by its age, ms. */
const ABANDONED = 24 * 3_600_000;
/** A note holds a goal and an answer, bytes. */
const MOST_NOTE = 16 << 20;

const noteSchema: z.ZodType<MadeTask> = z.object({ createdAt: z.string(), goal: z.string(), answer: z.string() });

/** Makes a new folder for an import. Throws what the file system throws. */
export function beginImport(recordingsDir: string): string {
  const folder = join(recordingsDir, `${PREFIX}${randomUUID()}`);
  // Before the folder: a kill in between leaves a few bytes. One that is torn says nothing, and goes by its age.
  const holder = JSON.stringify(describeHolder(randomUUID(), process.pid));
  writeFileSync(`${folder}${HOLDER}`, holder, { flag: 'wx', mode: 0o600 });
  mkdirSync(folder, { mode: recordingMode(recordingsDir) });
  return folder;
}

/**
 * Notes that a task is about to be made for the import in `folder`, unless the one that it comes to is there already. Gives
 * when it is to be made, by which it is known again. Throws what the file system throws.
 */
export function noteTask(folder: string, { goal, answer }: Omit<MadeTask, 'createdAt'>): string {
  const createdAt = new Date().toISOString();
  const note: MadeTask = { createdAt, goal, answer };
  // The database keeps the task through a power cut: so must the note that takes it back.
  writeFileSync(`${folder}${TASK}`, JSON.stringify(note), { mode: 0o600, flush: true });
  return createdAt;
}

/** Removes what is there of it, after it got its name. What cannot be removed now goes as after a kill. */
export function endImport(folder: string): void {
  remove(folder, ['', TASK, HOLDER]);
}

function remove(folder: string, endings: readonly string[]): void {
  try {
    for (const ending of endings) rmSync(`${folder}${ending}`, { recursive: true, force: true });
  } catch {
    // Who worked on it stands beside it still.
  }
}

/** Removes what is there of an import that came to nothing, and the task that was made for it. */
export async function giveUpImport({ db }: Pick<Workspace, 'db'>, folder: string): Promise<void> {
  try {
    const made = readNote(folder);
    if (made) await dropMadeTask(db, made);
    endImport(folder);
  } catch {
    // The task stays noted, and goes as after a kill.
    remove(folder, ['']);
  }
}

/** Removes what killed imports left. Gives how many folders; what cannot be removed now is left for the next time. */
export async function removeKilledImports(
  workspace: Pick<Workspace, 'recordingsDir' | 'db' | 'syncIndex'>,
  now = Date.now(),
): Promise<number> {
  const { recordingsDir: root, db } = workspace;
  let removed = 0;
  // Who works on it goes last.
  const names = readdirSync(root).sort((a, b) => Number(a.endsWith(HOLDER)) - Number(b.endsWith(HOLDER)));
  const kept = new Set<string>();
  for (const name of names) {
    const [, own = '', kind] = NAME.exec(name) ?? [];
    if (own === '' || kept.has(own) || !isLeft(join(root, name), join(root, `${own}${HOLDER}`), now)) continue;
    try {
      const made = kind === TASK ? readNote(join(root, own)) : null;
      if (made) {
        // Its recording may have got its name, and only the index not know of it.
        await workspace.syncIndex();
        await dropMadeTask(db, made);
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

/** Null for one that is not there, or was not whole yet: then nothing was made. */
function readNote(folder: string): MadeTask | null {
  const [root, name] = [dirname(folder), `${basename(folder)}${TASK}`];
  if (!hasFile(root, name)) return null;
  const text = readIn(root, name, MOST_NOTE).toString('utf8');
  try {
    return noteSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function isLeft(path: string, holderFile: string, now: number): boolean {
  // An older version wrote none.
  const holder = readHolder(holderFile);
  const liveness = holder ? livenessOf(holder) : 'unknown';
  if (liveness !== 'unknown') return liveness === 'dead';
  try {
    return now - statSync(path).mtimeMs > ABANDONED;
  } catch {
    return false;
  }
}
