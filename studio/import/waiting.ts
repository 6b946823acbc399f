import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { append } from '../../core/lists.ts';
import { errorBody } from '../../schemas/errors.ts';
import type { Documents } from '../documents/documents.ts';
import { hasFile } from '../files/inside.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';
import { ARRIVAL_FILE } from './arrival-file.ts';
import { CARRIED_NAMES } from './carried.ts';
import { takeCarried } from './take-carried.ts';

/** Files in recordings' folders that wait to be taken: of a folder that was copied in, or of an interrupted import. */

/** A file that changed so recently may still be written by whoever copies it, ms. */
const SETTLED = 2000;
/** How long a copy under way is waited for; then it is looked at when the workspace is opened next, ms. */
const PATIENCE = 600_000;

export const waitsIn = ({ folder, phase }: Pick<RecordingEntry, 'folder' | 'phase'>): boolean =>
  phase === 'closed' && CARRIED_NAMES.some((name) => hasFile(folder, name));

type WaitOptions = {
  /** Those that are looked at; default: all. */
  only?: ReadonlySet<string>;
  /** Default: of a copied folder, files that rest for two seconds; what an import has put there rests already. */
  settled?: number;
  signal?: AbortSignal;
};

/** Takes what waits. Gives what was done, a line for each recording, in words; never throws for one recording. */
export async function takeWaiting(
  workspace: Workspace,
  documents: Documents,
  { only, settled = SETTLED, signal }: WaitOptions = {},
): Promise<{ taken: string[]; warnings: string[] }> {
  const done: { taken: string[]; warnings: string[] } = { taken: [], warnings: [] };
  for (const entry of await workspace.indexedRecordings()) {
    if ((only && !only.has(entry.id)) || !waitsIn(entry)) continue;
    signal?.throwIfAborted();
    try {
      if (!(await rests(entry.folder, settled, signal))) continue;
      const { taken, warnings } = await takeCarried(workspace, documents, entry.id, entry.folder);
      if (taken.length > 0) done.taken.push(`${entry.id}: ${taken.join(', ')}`);
      append(
        done.warnings,
        warnings.map((warning) => `${entry.id}: ${warning}`),
      );
    } catch (error) {
      signal?.throwIfAborted();
      done.warnings.push(`${entry.id}: what lies in its folder was not taken: ${errorBody(error).message}`);
    }
  }
  return done;
}

/** Waits while somebody still copies the folder's files. */
async function rests(folder: string, settled: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (hasFile(folder, ARRIVAL_FILE)) return true;
  const until = performance.now() + PATIENCE;
  for (;;) {
    const youngest = Math.max(
      ...CARRIED_NAMES.map((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.ctimeMs ?? 0),
    );
    // A clock that was set back makes no file of the future wait for ever.
    const age = Math.abs(Date.now() - youngest);
    if (age >= settled) return true;
    if (performance.now() > until) return false;
    await sleep(settled - age + 10, undefined, signal ? { signal } : {});
  }
}
