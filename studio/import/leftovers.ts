import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { recordingMode } from '../files/private.ts';
import { describeHolder, livenessOf } from '../files/process-id.ts';
import { readHolder } from '../files/read-holder.ts';

/**
 * The folder in which a single import is put together, and what imports that were killed left of theirs. Beside each stands
 * who works on it, so that one whose process is gone can be told from one that is under way, and is removed.
 */

/** A name with a dot first is no recording to the index. */
const PREFIX = '.import-';
const HOLDER = '.holder';
const NAME = /^\.import-[0-9a-f-]{36}(\.holder)?$/;
/** Nobody knows whether a process of another machine, or of an older version, still works on it: then by its age, ms. */
const ABANDONED = 24 * 3_600_000;

/** Makes a new folder for an import. Throws what the file system throws. */
export function beginImport(recordingsDir: string): string {
  const folder = join(recordingsDir, `${PREFIX}${randomUUID()}`);
  // Before the folder: a kill in between leaves a few bytes. One that is torn says nothing, and goes by its age.
  const holder = JSON.stringify(describeHolder(randomUUID(), process.pid));
  writeFileSync(`${folder}${HOLDER}`, holder, { flag: 'wx', mode: 0o600 });
  mkdirSync(folder, { mode: recordingMode(recordingsDir) });
  return folder;
}

/** Removes what is there of it, after it got its name or was given up. */
export function endImport(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  rmSync(`${folder}${HOLDER}`, { force: true });
}

/** Removes what killed imports left. Gives how many folders; what cannot be removed now is left for the next time. */
export async function removeKilledImports(recordingsDir: string, now = Date.now()): Promise<number> {
  let removed = 0;
  for (const name of readdirSync(recordingsDir)) {
    if (!NAME.test(name) || !isLeft(join(recordingsDir, name), now)) continue;
    try {
      await rm(join(recordingsDir, name), { recursive: true, force: true });
      if (!name.endsWith(HOLDER)) removed++;
    } catch {
      // Somebody else removes it, or has it open.
    }
  }
  return removed;
}

function isLeft(path: string, now: number): boolean {
  const file = path.endsWith(HOLDER) ? path : `${path}${HOLDER}`;
  // An older version wrote none.
  const holder = readHolder(file);
  const liveness = holder ? livenessOf(holder) : 'unknown';
  if (liveness !== 'unknown') return liveness === 'dead';
  try {
    return now - statSync(path).mtimeMs > ABANDONED;
  } catch {
    return false;
  }
}
