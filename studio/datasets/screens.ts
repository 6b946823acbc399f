import { createHash } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import type { HashedScreen } from '../../core/curate/leaks.ts';
import { screenHash } from '../../core/curate/screen-hash.ts';
import type { DataRow } from '../../schemas/dataset.ts';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import { KEYFRAMES_FOLDER, readKeyframeIndex } from '../export/collect.ts';
import type { Workspace } from '../store/workspace.ts';
import { stampOfFile } from './hashes.ts';

/** A hashed screen with a hash of all its pixels, to tell equal ones from those that are alike. */
export type SeenScreen = HashedScreen & { pixels: string };

/** Of what is kept in screen_hashes; raised when hashing changes. */
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
  const screens: SeenScreen[] = [];
  const skipped: SeenScreens['skipped'] = [];
  for (const [at, { recording, task }] of rows.entries()) {
    refuseStopped(options.signal);
    options.report?.(at, rows.length);
    const entry = await workspace.getRecording(recording);
    try {
      const index = await readKeyframeIndex(entry.folder);
      if (!index) {
        skipped.push({ recording, reason: 'its keyframes are not cut yet' });
        continue;
      }
      const hashes = await hashesOf(workspace, recording);
      let missing = 0;
      for (const { role, action, frame, file } of index.keyframes) {
        if (role !== 'before') continue;
        const found = await hashOne(workspace, recording, join(entry.folder, KEYFRAMES_FOLDER), file, hashes, options);
        if (found) screens.push({ recording, task, action, frame, ...found });
        else missing++;
      }
      if (missing > 0) skipped.push({ recording, reason: `${missing} of its stills were not looked at` });
    } catch (error) {
      const { code, message } = errorBody(error);
      if (code === 'INTERNAL' || code === 'CANCELLED') throw error;
      skipped.push({ recording, reason: message });
    }
  }
  return { screens, skipped };
}

function refuseStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new StudioError('CANCELLED', 'The search was stopped; the last result stays.', {});
}

type Hashes = { hash: string; pixels: string };

async function hashesOf({ db }: Workspace, recording: string): Promise<Map<string, Hashes & { stamp: string }>> {
  const rows = await db.selectFrom('screen_hashes').selectAll().where('recording_id', '=', recording).execute();
  return new Map(rows.map((row) => [row.file, row]));
}

/** Null when the still is not there, or was not hashed before and is not to be. */
async function hashOne(
  { db }: Workspace,
  recording: string,
  folder: string,
  file: string,
  known: Map<string, Hashes & { stamp: string }>,
  { signal, known: onlyKnown }: { signal?: AbortSignal | undefined; known?: boolean },
): Promise<Hashes | null> {
  refuseStopped(signal);
  const found = await stampOfFile(join(folder, file));
  if (found === null) return null;
  const stamp = `${HASH_VERSION} ${found}`;
  const before = known.get(file);
  if (before?.stamp === stamp) return { hash: before.hash, pixels: before.pixels };
  if (onlyKnown) return null;
  const values = { stamp, ...(await hashFile(join(folder, file))) };
  await db
    .insertInto('screen_hashes')
    .values({ recording_id: recording, file, ...values })
    .onConflict((conflict) => conflict.columns(['recording_id', 'file']).doUpdateSet(values))
    .execute();
  // One still may stand before several steps.
  known.set(file, values);
  return { hash: values.hash, pixels: values.pixels };
}

async function hashFile(file: string): Promise<Hashes> {
  try {
    const { data, info } = await sharp(file)
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const pixels = createHash('sha256').update(`${width}x${height}\n`).update(data).digest('hex');
    return { hash: screenHash({ width, height, rgb: data }), pixels };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StudioError('BAD_FILE', `${file} is no picture: ${why}. Cut the recording's keyframes again.`, { file });
  }
}
