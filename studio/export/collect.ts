import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Records, toRecords } from '../../core/annotate/document.ts';
import { initialRecords } from '../../core/annotate/initial.ts';
import type { Language } from '../../core/annotate/narration.ts';
import type { ExportTask, LeftOut } from '../../core/export/model.ts';
import type { Action } from '../../schemas/actions.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { type KeyframeIndex, keyframeIndexSchema, type Recording } from '../../schemas/recording.ts';
import { reduceRecording } from '../actions.ts';
import { readDocument } from '../annotate/log.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Software } from '../store/software.ts';
import type { Workspace } from '../store/workspace.ts';
import { annotatedSubtasks, goalOf, movedPictures, type Pictures } from './annotated.ts';

export type Collected = { tasks: ExportTask[]; leftOut: LeftOut[] };

export type CollectOptions = {
  /** Every state, not approved alone. */
  all: boolean;
  language?: Language;
  /** The keyframes of a recording; default: those that lie in its folder. */
  keyframes?: (folder: string) => Promise<KeyframeIndex | null>;
  onProgress?: (text: string) => void;
};

/** The folder of a recording that holds its stills, and the list of them there; files are named relative to it. */
export const KEYFRAMES_FOLDER = 'keyframes';
const KEYFRAMES_INDEX = 'index.json';

/**
 * What a workspace has to export: a task for each task id, from its newest recording that may go out. A recording may
 * when its verdict is complete or recovered, and its state approved (or `all`). It goes out as it is annotated; one that
 * nobody has annotated is split where the person marked the end of a subtask, and its goal describes each part.
 * Removed steps stay behind and are reported (N5).
 * A task none of whose recordings may go out comes without subtasks, so that the exporter can say why.
 */
export async function collectExport(workspace: Workspace, options: CollectOptions): Promise<Collected> {
  const recordings = await workspace.listRecordings();
  const software = new Map((await workspace.listSoftware()).map((one) => [one.id, one]));
  const tasks: ExportTask[] = [];
  const leftOut: LeftOut[] = [];
  for (const [task, entries] of Map.groupBy(recordings, (entry) => entry.task)) {
    const usable = entries.filter((entry) => entry.verdict === 'complete' || entry.verdict === 'recovered');
    const allowed = usable.filter((entry) => options.all || entry.state === 'approved');
    const chosen = allowed[0];
    leftOut.push(...entries.filter((entry) => entry !== chosen).map((entry) => reasonOf(task, entry, usable, allowed)));
    const shown = chosen ?? usable[0];
    if (shown === undefined) continue;
    const app = appOf(software.get(shown.app), shown.app);
    if (chosen === undefined) {
      tasks.push(emptyTask(shown, app));
      continue;
    }
    options.onProgress?.(`Collecting ${task} from recording ${chosen.id}`);
    const collected = await collectTask(workspace, chosen, app, options);
    tasks.push(collected.task);
    leftOut.push(...collected.leftOut);
  }
  return { tasks, leftOut };
}

/** Why a recording of a task does not go out. */
function reasonOf(task: string, entry: RecordingEntry, usable: RecordingEntry[], allowed: RecordingEntry[]): LeftOut {
  const reason = allowed.includes(entry)
    ? 'a newer recording of the same task goes out'
    : usable.includes(entry)
      ? `its state is "${entry.state}"`
      : entry.verdict === null
        ? 'it was not closed: run `recover`'
        : `its verdict is "${entry.verdict}"`;
  return { item: task, from: `recording ${entry.id}`, reason };
}

function appOf(known: Software | undefined, id: string): ExportTask['app'] {
  return { id, name: known?.name ?? id, prefix: known?.prefix ?? id.toUpperCase() };
}

function emptyTask(entry: RecordingEntry, app: ExportTask['app']): ExportTask {
  return {
    id: entry.task,
    app,
    goal: entry.goal,
    recordings: [],
    state: entry.state,
    visualQuery: { start: null, end: null },
    subtasks: [],
    source: null,
    resolution: { width: 0, height: 0 },
    durationUs: entry.durationUs ?? 0,
  };
}

async function collectTask(
  workspace: Workspace,
  entry: RecordingEntry,
  app: ExportTask['app'],
  options: CollectOptions,
): Promise<{ task: ExportTask; leftOut: LeftOut[] }> {
  const { folder } = entry;
  const { recording, events, result } = reduceRecording(folder);
  const records = await recordsOf(workspace, recording, result.actions, events);
  const index = await (options.keyframes ?? readKeyframeIndex)(folder);
  const pictures = picturesOf(folder, index);
  if (index) await movedPictures(folder, join(folder, KEYFRAMES_FOLDER), recording, events, records, pictures);
  const goal = goalOf(records) || recording.task.goal;
  const naming = { task: entry.task, recording: recording.id, goal, language: options.language };
  const { subtasks, leftOut } = annotatedSubtasks(result.actions, records, pictures, naming);
  const task: ExportTask = {
    ...emptyTask(entry, app),
    goal: goalOf(records) || entry.goal,
    recordings: [{ id: recording.id, startedAt: recording.clock.startedAt, video: videoOf(folder, recording) }],
    visualQuery: { start: subtasks[0]?.startImage ?? null, end: subtasks.at(-1)?.endImage ?? null },
    subtasks,
    resolution: resolutionOf(recording),
    attachments: attachmentsOf(folder),
  };
  return { task, leftOut };
}

/** What people said of a recording; what a document begins with when nobody has opened it. */
async function recordsOf(
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

function picturesOf(folder: string, index: KeyframeIndex | null): Pictures {
  const entries = (index?.keyframes ?? []).map(({ action, role, file, width, height, origin }) => {
    const picture = { path: join(folder, KEYFRAMES_FOLDER, file), width, height, origin };
    return [`${role} ${action}`, picture] as const;
  });
  return new Map(entries);
}

/** The playback copy, or the master while there is none. */
function videoOf(folder: string, recording: Recording): string | null {
  const names = [recording.playback, recording.segments[0]?.file].filter((name) => typeof name === 'string');
  return names.map((name) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

function resolutionOf({ segments, displays }: Recording): ExportTask['resolution'] {
  const { width, height } = segments[0] ?? displays[0]?.displays[0] ?? { width: 0, height: 0 };
  return { width, height };
}

function attachmentsOf(folder: string): { path: string }[] {
  const place = join(folder, 'attachments');
  if (!existsSync(place)) return [];
  const files = readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ name }) => ({ path: join(place, name) })).sort((a, b) => (a.path < b.path ? -1 : 1));
}
