import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Records, toRecords } from '../../core/annotate/document.ts';
import { initialRecords } from '../../core/annotate/initial.ts';
import type { ExportTask, Platform } from '../../core/export/model.ts';
import type { Action } from '../../schemas/actions.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { type KeyframeIndex, keyframeIndexSchema, type Recording } from '../../schemas/recording.ts';
import { reduceRecording } from '../actions.ts';
import { readDocument } from '../annotate/log.ts';
import { readSplits } from '../datasets/tags.ts';
import type { Software } from '../store/software.ts';
import type { Workspace } from '../store/workspace.ts';
import { type MovedStills, movedPictures, type Pictures } from './annotated.ts';
import { type CandidateOptions, type RecordingParts, sourceOfCandidates } from './candidates.ts';
import type { ExportSource } from './source.ts';

export type CollectOptions = CandidateOptions & {
  /** Ids of recordings; others are not looked at. */
  only?: ReadonlySet<string>;
  /** The keyframes of a recording; default: those that lie in its folder. */
  keyframes?: (folder: string) => Promise<KeyframeIndex | null>;
  /** Stills of moved keyframes (K5) that are not there yet: cut, or only told of. Default: cut. */
  moved?: MovedStills;
};

/** The folder of a recording that holds its stills, and the list of them there; files are named relative to it. */
export const KEYFRAMES_FOLDER = 'keyframes';
const KEYFRAMES_INDEX = 'index.json';
export const ATTACHMENTS_FOLDER = 'attachments';

/**
 * What a workspace has to export: a task for each task id, from its newest recording that may go out. A recording may
 * when its verdict is complete or recovered, and its state approved (or `all`). It goes out as it is annotated; one that
 * nobody has annotated is split where the person marked the end of a subtask, and its goal describes each part.
 * Removed steps stay behind and are reported (N5).
 * A task none of whose recordings may go out comes without subtasks, so that the exporter can say why.
 * Only the list of recordings is read here; each task is read when its turn comes.
 */
export async function collectExport(workspace: Workspace, options: CollectOptions): Promise<ExportSource> {
  const recordings = await workspace.listRecordings();
  const software = new Map((await workspace.listSoftware()).map((one) => [one.id, one]));
  const splits = await readSplits(workspace.db);
  const candidates = recordings
    .filter(({ id }) => options.only?.has(id) ?? true)
    .map((entry) => ({
      ...entry,
      app: appOf(software.get(entry.app), entry.app),
      split: splits.get(entry.task) ?? null,
    }));
  return sourceOfCandidates(candidates, (chosen) => readParts(workspace, chosen.folder, options), options);
}

export function appOf(known: Software | undefined, id: string): ExportTask['app'] {
  return { id, name: known?.name ?? id, prefix: known?.prefix ?? id.toUpperCase() };
}

/** Everything that is said of a recording, as it is now. */
async function readParts(workspace: Workspace, folder: string, options: CollectOptions): Promise<RecordingParts> {
  const { recording, events, result } = reduceRecording(folder);
  const records = await recordsOf(workspace, recording, result.actions, events);
  const index = await (options.keyframes ?? readKeyframeIndex)(folder);
  const pictures = picturesOf(folder, index);
  if (index)
    await movedPictures(folder, join(folder, KEYFRAMES_FOLDER), recording, events, records, pictures, options.moved);
  const video = videoOf(folder, recording);
  return {
    recordedGoal: recording.task.goal,
    actions: result.actions,
    records,
    pictures,
    video: video === null ? null : join(folder, video),
    platform: platformOf(recording),
    resolution: resolutionOf(recording),
    attachments: attachmentsOf(folder).map((name) => ({ path: join(folder, ATTACHMENTS_FOLDER, name) })),
  };
}

/** What people said of a recording; what a document begins with when nobody has opened it. */
export async function recordsOf(
  { db }: Workspace,
  recording: Recording,
  actions: readonly Action[],
  events: readonly RawEvent[],
): Promise<Records> {
  const document = await db.transaction().execute((trx) => readDocument(trx, recording.id));
  if (document) return document.records;
  const marks = events.flatMap((event) => (event.type === 'mark' ? [event.t] : []));
  const steps = actions.map(({ id, start: { x, y, t } }) => ({ id, start: [x, y, t] as [number, number, number] }));
  return toRecords(initialRecords(steps, marks, ''));
}

/** keyframes/index.json of a recording; null when there is none. Throws BAD_FILE with the field. */
export async function readKeyframeIndex(folder: string): Promise<KeyframeIndex | null> {
  const file = join(folder, KEYFRAMES_FOLDER, KEYFRAMES_INDEX);
  if (!existsSync(file)) return null;
  try {
    return keyframeIndexSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StudioError(
      'BAD_FILE',
      `${file} cannot be read: ${why}. Cut the keyframes again.`,
      { file },
      { cause: error },
    );
  }
}

/** Of its keyframes, by role and action. */
export function picturesOf(folder: string, index: KeyframeIndex | null): Pictures {
  const entries = (index?.keyframes ?? []).map(({ action, role, file, width, height, origin }) => {
    const picture = { path: join(folder, KEYFRAMES_FOLDER, file), width, height, origin };
    return [`${role} ${action}`, picture] as const;
  });
  return new Map(entries);
}

/** The name of the playback copy, or of the master while there is none. */
export function videoOf(folder: string, recording: Recording): string | null {
  const names = [recording.playback, recording.segments[0]?.file].filter((name) => typeof name === 'string');
  return names.find((name) => existsSync(join(folder, name))) ?? null;
}

/** Node's name of the system that recorded. */
const PLATFORMS: Readonly<Record<string, Platform>> = { linux: 'linux', win32: 'windows', darwin: 'macos' };

export function platformOf({ os }: Pick<Recording, 'os'>): Platform | null {
  return PLATFORMS[os.platform] ?? null;
}

export function resolutionOf({ segments, displays }: Recording): ExportTask['resolution'] {
  const { width, height } = segments[0] ?? displays[0]?.displays[0] ?? { width: 0, height: 0 };
  return { width, height };
}

/** Names of the files kept with a recording, sorted. */
export function attachmentsOf(folder: string): string[] {
  const place = join(folder, ATTACHMENTS_FOLDER);
  if (!existsSync(place)) return [];
  const files = readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ name }) => name).sort();
}
