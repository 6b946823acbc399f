import type { HashedScreen } from '../../core/curate/leaks.ts';
import { append } from '../../core/lists.ts';
import type { DataRow } from '../../schemas/dataset.ts';
import { errorBody, isPassing, StudioError } from '../../schemas/errors.ts';
import { findFile } from '../files/inside.ts';
import { KEYFRAMES_FOLDER } from '../recordings/folders.ts';
import { readKeyframeIndex, stillsIn } from '../recordings/stills.ts';
import { breathe } from '../store/breathe.ts';
import { keepScreenHashes, listScreenHashes } from '../store/hashes.ts';
import { type HashPool, inOrder, withHashPool } from '../store/jobs/hash-pool.ts';
import type { ScreenHashes } from '../store/jobs/hash-worker.ts';
import type { ScreenHashesTable } from '../store/tables.ts';
import type { Workspace } from '../store/workspace.ts';
import { stampOfFile } from './hashes.ts';

/** A hashed screen with a hash of all its pixels, to tell equal ones from those that are alike. */
export type SeenScreen = HashedScreen & { pixels: string };

/** Version of the hashes in the database. Raise it when hashing changes. */
const HASH_VERSION = 1;

type SeenScreens = { screens: SeenScreen[]; skipped: { recording: string; reason: string }[] };

/**
 * The `before` still of each step of these recordings, hashed; each file once for good. With `known`, only what was hashed
 * before is looked up. Recordings without stills are told in `skipped`. Throws CANCELLED; what was hashed is kept.
 */
export async function hashScreens(
  workspace: Workspace,
  rows: readonly Pick<DataRow, 'recording' | 'task'>[],
  options: { signal?: AbortSignal | undefined; report?(done: number, total: number): void; known?: boolean } = {},
): Promise<SeenScreens> {
  const { signal, report, known = false } = options;
  const seen: SeenScreens = { screens: [], skipped: [] };
  await withHashPool(signal, async (pool) => {
    const each = inOrder(rows, TOGETHER, async (row, at) => {
      refuseStopped(signal);
      report?.(at, rows.length);
      await breathe();
      return screensOf(workspace, row, known ? null : pool).catch((error: unknown) => {
        refuseStopped(signal);
        throw error;
      });
    });
    for await (const { screens, skipped } of each) {
      append(seen.screens, screens);
      append(seen.skipped, skipped);
    }
  });
  return seen;
}

/** Recordings that are looked at beside each other. */
const TOGETHER = 6;

/** The hashes of one recording. Without a pool only those that were made before. */
async function screensOf(
  workspace: Workspace,
  { recording, task }: Pick<DataRow, 'recording' | 'task'>,
  pool: HashPool | null,
): Promise<SeenScreens> {
  const { folder } = await workspace.getRecording(recording);
  const nothing = (reason: string): SeenScreens => ({ screens: [], skipped: [{ recording, reason }] });
  try {
    const index = await readKeyframeIndex(folder);
    if (!index) return nothing('its keyframes are not cut yet');
    const before = index.keyframes.filter(({ role }) => role === 'before');
    // One still may stand before several steps.
    const files = [...new Set(before.map(({ file }) => file))];
    const hashes = await hashesOf(workspace, recording, folder, files, pool);
    const screens = before.flatMap(({ action, frame, file }) => {
      const found = hashes.get(file);
      return found ? [{ recording, task, action, frame, hash: found.hash, pixels: found.pixels }] : [];
    });
    const missing = before.length - screens.length;
    const skipped = missing > 0 ? [{ recording, reason: `${missing} of its stills were not looked at` }] : [];
    return { screens, skipped };
  } catch (error) {
    const { code, message } = errorBody(error);
    // A disk or a database that fails is no fault of the recording.
    if (code === 'INTERNAL' || isPassing(code)) throw error;
    return nothing(message);
  }
}

function refuseStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new StudioError('CANCELLED', 'The search was stopped; the last result stays.', {});
}

type Row = ScreenHashesTable;

/** By file; one is missing that is not there, or was not hashed before and is not to be. What is new is kept by one write. */
async function hashesOf(
  { store }: Workspace,
  recording: string,
  folder: string,
  files: readonly string[],
  pool: HashPool | null,
): Promise<Map<string, Row>> {
  const rows = await listScreenHashes(store, recording);
  const known = new Map(rows.map((row) => [row.file, row]));
  const there = stillsIn(folder);
  const fresh: Row[] = [];
  const found = await Promise.all(
    files.map(async (file): Promise<Row | null> => {
      const path = there.pathOf(file) ?? findFile(folder, `${KEYFRAMES_FOLDER}/${file}`);
      const stamped = path && (await stampOfFile(path));
      if (!path || !stamped) return null;
      const stamp = `${HASH_VERSION} ${stamped}`;
      const before = known.get(file);
      if (before?.stamp === stamp) return before;
      if (!pool) return null;
      const row = { recording_id: recording, file, stamp, ...(await hashed(pool, path)) };
      fresh.push(row);
      return row;
    }),
  );
  await keepScreenHashes(store, fresh);
  return new Map(found.flatMap((row) => (row ? [[row.file, row]] : [])));
}

async function hashed(pool: HashPool, file: string): Promise<ScreenHashes> {
  try {
    return await pool.screen(file);
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'BAD_FILE') throw error;
    throw new StudioError('BAD_FILE', `${error.message} Cut the recording's keyframes again.`, { file });
  }
}
