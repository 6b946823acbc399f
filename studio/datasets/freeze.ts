import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '../../core/curate/canonical.ts';
import { matcher } from '../../core/curate/filter.ts';
import { plural } from '../../core/words.ts';
import { ACTION_RULES_VERSION } from '../../schemas/actions.ts';
import {
  type DatasetFilter,
  type DatasetVersion,
  type SnapshotHead,
  type SnapshotRecording,
  VERSION_SCHEMA,
  VERSION_VERSION,
  versionNameSchema,
} from '../../schemas/dataset.ts';
import { hasTerms } from '../../schemas/dataset-terms.ts';
import { errorBody, isPassing, StudioError } from '../../schemas/errors.ts';
import type { FrozenTask } from '../../schemas/frozen-task.ts';
import { KEYFRAME_RULES_VERSION } from '../../schemas/recording.ts';
import { flushFolder, flushTree, writeFileAtomic } from '../files/atomic.ts';
import { folderIn } from '../files/inside.ts';
import { currentKeyframes } from '../recordings/stills.ts';
import { storeError } from '../store/errors.ts';
import { inOrder, withHashPool } from '../store/jobs/hash-pool.ts';
import { ownMark } from '../store/own-mark.ts';
import type { Workspace } from '../store/workspace.ts';
import { readBriefs } from './brief.ts';
import { furthestOfEach, type RecordingsWish } from './candidates.ts';
import { freezeTask } from './frozen-task.ts';
import { datasetRows } from './rows.ts';
import { type KeyframeSource, snapshotRecording } from './snapshot.ts';
import { readTerms } from './terms.ts';
import { listVersions, SNAPSHOT_FILE, VERSION_FILE, VERSIONS_FOLDER, versionMark, versionNames } from './versions.ts';

/** Recordings that are read and hashed at once: enough for every core, few enough for the memory. */
const TOGETHER = 6;

type FreezeWishes = {
  name: string;
  changelog: string;
  filter: DatasetFilter;
  /** Every recording that fits (the default), or of each task the one whose work is furthest. */
  recordings?: RecordingsWish | undefined;
  /** Also when the newest version has the same content. */
  again?: boolean | undefined;
};

type FreezeOptions = {
  toolVersion: string;
  signal?: AbortSignal | undefined;
  report?(share: number, message: string): void;
  /** Default: those of today's rules, cut when they are missing. */
  keyframes?: KeyframeSource;
};

/**
 * Freezes what the filter finds now: one line a recording, a few recordings in memory at a time; the folder appears under its
 * name when it is whole. The same content gives the same hash, whatever it is called and whenever it was frozen.
 * Throws USAGE (a name that cannot be one), TARGET_EXISTS (the name, or the content while `again` is not wished), NOTHING_TO_EXPORT, CANCELLED, DISK_FULL, WORKSPACE_UNWRITABLE,
 * and with the recording's name what snapshotRecording throws.
 */
export async function freezeVersion(
  workspace: Workspace,
  { name: wanted, changelog, filter, recordings, again = false }: FreezeWishes,
  options: FreezeOptions,
): Promise<DatasetVersion> {
  const name = freeName(workspace, wanted);
  const { signal, report } = options;
  await workspace.syncIndex();
  const { rows } = await datasetRows(workspace, {
    signal,
    report: (done, total) => report?.((0.2 * done) / total, `counting (${done} of ${total})`),
  });
  const fits = matcher(filter);
  const fitting = rows.filter((row) => fits(row) && (row.verdict === 'complete' || row.verdict === 'recovered'));
  const chosen = (recordings === 'one' ? furthestOfEach(fitting) : fitting).toSorted((a, b) =>
    a.recording < b.recording ? -1 : 1,
  );
  if (chosen.length === 0) {
    throw new StudioError(
      'NOTHING_TO_EXPORT',
      `Nothing can be frozen: none of ${plural(rows.length, 'recording')} fits the filter and is complete or recovered.`,
      { recordings: rows.length },
    );
  }
  const dir = folderIn(workspace.dir, VERSIONS_FOLDER);
  const folder = join(dir, `.${name}-${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(folder, { recursive: true });
    const software = new Map((await workspace.listSoftware()).map((one) => [one.id, one]));
    const briefs = await readBriefs(workspace.store);
    const terms = await readTerms(workspace.store);
    const frozen = new Map<string, FrozenTask>();
    const writer = await openSnapshot(join(folder, SNAPSHOT_FILE), chosen.length);
    try {
      const keyframes = options.keyframes ?? currentKeyframes;
      await withHashPool(signal, async (pool) => {
        const snapshots = inOrder(chosen, TOGETHER, (row, at) => {
          report?.(0.2 + (0.8 * at) / chosen.length, `freezing ${row.recording} (${at + 1} of ${chosen.length})`);
          return named(
            row.recording,
            (async () => {
              refuseStopped(signal);
              const entry = await workspace.getRecording(row.recording);
              const brief = briefs.get(entry.task);
              const task = brief ? await freezeTask(workspace, entry.task, brief, frozen, signal) : null;
              return snapshotRecording(workspace, entry, row, software.get(entry.app), keyframes, task, pool);
            })(),
          );
        });
        for await (const one of snapshots) {
          refuseStopped(signal);
          await writer.add(one);
        }
      });
    } finally {
      await writer.close();
    }
    const made = writer.result();
    const info: DatasetVersion = {
      schema: VERSION_SCHEMA,
      version: VERSION_VERSION,
      name,
      changelog,
      createdAt: new Date().toISOString(),
      tool: { name: 'trajectory-studio', version: options.toolVersion },
      filter,
      ...(hasTerms(terms) && { terms }),
      ...made,
      mark: await ownMark(workspace.store, versionMark(made.hash)),
    };
    if (!again) refuseSame(workspace, info);
    writeFileAtomic(join(folder, VERSION_FILE), `${JSON.stringify(info, null, 2)}\n`);
    freeName(workspace, name);
    await flushTree(folder);
    await rename(folder, join(dir, name));
    flushFolder(dir);
    return info;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw storeError(error, dir);
  }
}

function refuseStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new StudioError('CANCELLED', 'Freezing was stopped. Nothing was kept.', {});
}

/** Names that differ only in case would fall together on Windows and macOS. */
function freeName(workspace: Workspace, wanted: string): string {
  const parsed = versionNameSchema.safeParse(wanted);
  if (!parsed.success) {
    const why = parsed.error.issues[0]?.message ?? 'it does not fit';
    throw new StudioError('USAGE', `"${wanted.slice(0, 80)}" cannot be a version's name: ${why}.`, { name: wanted });
  }
  const name = parsed.data;
  const taken = versionNames(workspace).find((one) => one.toLowerCase() === name.toLowerCase());
  if (taken === undefined) return name;
  throw new StudioError(
    'TARGET_EXISTS',
    `There is a version ${taken} already, and a frozen version is never changed. Choose another name.`,
    { version: taken },
  );
}

/** A second name for the content of the newest version is seldom meant: who cites either cites the same. */
function refuseSame(workspace: Workspace, { hash, terms }: DatasetVersion): void {
  const [newest] = listVersions(workspace).versions;
  if (!newest || newest.hash !== hash || JSON.stringify(newest.terms) !== JSON.stringify(terms)) return;
  throw new StudioError(
    'TARGET_EXISTS',
    `Nothing changed since version ${newest.name}: it has the same content (hash ${hash.slice(0, 12)}). Nothing was frozen. Freeze it again only if a second name for it is wanted (--again, or the switch on the page).`,
    { version: newest.name, hash },
  );
}

async function named<T>(recording: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, message, details } = errorBody(error);
    // A full disk or a lock is no fault of the recording: leaving it out would mend nothing.
    if (code === 'INTERNAL' || isPassing(code)) throw error;
    throw new StudioError(
      code,
      `${recording} cannot be frozen: ${message} Mend it, or leave it out by a filter (a tag, for example). Nothing was kept.`,
      { ...details, recording },
      { cause: error },
    );
  }
}

async function openSnapshot(file: string, recordings: number) {
  const handle = await open(file, 'wx');
  const hash = createHash('sha256');
  const tasks = new Set<string>();
  const counts = { recordings: 0, subtasks: 0, actions: 0 };
  const line = async (value: unknown): Promise<void> => {
    const text = Buffer.from(`${canonicalJson(value)}\n`);
    hash.update(text);
    await handle.write(text);
  };
  const head: SnapshotHead = {
    schema: 'trajectory-studio/dataset-snapshot',
    version: VERSION_VERSION,
    rules: { actions: ACTION_RULES_VERSION, keyframes: KEYFRAME_RULES_VERSION },
    recordings,
  };
  try {
    await line(head);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    async add(one: SnapshotRecording): Promise<void> {
      await line(one);
      tasks.add(one.task);
      counts.recordings++;
      counts.subtasks += one.figures.subtasks.length;
      counts.actions += one.figures.narrationWords.length;
    },
    async close(): Promise<void> {
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    /** Once, at the end. */
    result: () => ({ hash: hash.digest('hex'), counts: { tasks: tasks.size, ...counts } }),
  };
}
