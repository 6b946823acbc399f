import { lstatSync, readdirSync } from 'node:fs';
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

/** A folder of which a file changed so recently may still be copied, ms. */
const SETTLED = 2000;
/** How long an import waits for a folder that is being copied; then it is taken by whoever looks next, ms. */
const PATIENCE = 5000;

export const waitsIn = ({ folder, phase }: Pick<RecordingEntry, 'folder' | 'phase'>): boolean =>
  phase === 'closed' && CARRIED_NAMES.some((name) => hasFile(folder, name));

/**
 * When a file of a folder changed last, ms since 1970. All of them count, in whatever order they are copied: what was said of
 * a recording of which half is there fits nothing. What an import has put there counts as unchanged since long ago.
 */
export function lastChangeIn(folder: string): number {
  if (hasFile(folder, ARRIVAL_FILE)) return 0;
  let last = 0;
  for (const name of readdirSync(folder)) {
    // Notes and locks of ours.
    if (name.startsWith('.')) continue;
    const info = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (info?.isFile()) last = Math.max(last, info.ctimeMs);
  }
  return last;
}

/** Ms since then. A clock that was set back makes no file of the future wait for ever. */
const since = (change: number): number => Math.abs(Date.now() - change);
export const hasSettled = (change: number, ms = SETTLED): boolean => since(change) >= ms;

type WaitOptions = {
  /** Those that are looked at; default: all. */
  only?: ReadonlySet<string>;
  /** Default: of a copied folder, two seconds. */
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
  const until = performance.now() + PATIENCE;
  for (const entry of await workspace.indexedRecordings()) {
    if ((only && !only.has(entry.id)) || !waitsIn(entry)) continue;
    signal?.throwIfAborted();
    try {
      if (!(await comesToRest(entry.folder, settled, until, signal))) {
        done.warnings.push(`${entry.id}: its folder is still being copied; what lies in it is taken afterwards`);
        continue;
      }
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

/** Waits while somebody still copies the folder's files, but not for long: others wait for who waits here. */
async function comesToRest(
  folder: string,
  settled: number,
  until: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (;;) {
    const change = lastChangeIn(folder);
    if (hasSettled(change, settled)) return true;
    if (performance.now() > until) return false;
    await sleep(settled - since(change) + 10, undefined, signal ? { signal } : {});
  }
}
