import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, narrate } from '../../core/annotate/narration.ts';
import {
  type ExportAction,
  type ExportSubtask,
  type ExportTask,
  type LeftOut,
  type PictureRef,
  picturePositions,
} from '../../core/export/model.ts';
import type { Action } from '../../schemas/actions.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { type KeyframeIndex, keyframeIndexSchema, type Recording } from '../../schemas/recording.ts';
import { reduceRecording } from '../actions.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Software } from '../store/software.ts';
import type { Workspace } from '../store/workspace.ts';

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
 * when its verdict is complete or recovered, and its state approved (or `all`). Until subtasks are annotated, a recording
 * is split where the person marked the end of one, and its goal describes each part.
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
    tasks.push(await collectTask(chosen, app, options));
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
  entry: RecordingEntry,
  app: ExportTask['app'],
  options: CollectOptions,
): Promise<ExportTask> {
  const { folder } = entry;
  const { recording, events, result } = reduceRecording(folder);
  const index = await (options.keyframes ?? readKeyframeIndex)(folder);
  const pictures = picturesOf(folder, index);
  const toExport = (action: Action, i: number): ExportAction => {
    const beforeImage = pictures.get(`before ${action.id}`) ?? null;
    return {
      id: action.id,
      rank: i + 1,
      recording: recording.id,
      action,
      narration: narrate(
        action,
        {},
        { ...(options.language && { language: options.language }), ...originOf(beforeImage) },
      ),
      element: null,
      beforeImage,
      afterImage: pictures.get(`after ${action.id}`) ?? null,
      positions: picturePositions(action, beforeImage),
    };
  };
  const parts = splitAtMarks(result.actions, events);
  const subtasks = parts.map((actions, i): ExportSubtask => {
    const exported = actions.map(toExport);
    const { goal } = recording.task;
    return {
      id: i + 1,
      query: parts.length > 1 ? `${goal} (part ${i + 1})` : goal,
      startImage: exported[0]?.beforeImage ?? null,
      endImage: exported.at(-1)?.afterImage ?? null,
      actions: exported,
    };
  });
  return {
    ...emptyTask(entry, app),
    recordings: [{ id: recording.id, startedAt: recording.clock.startedAt, video: videoOf(folder, recording) }],
    visualQuery: { start: subtasks[0]?.startImage ?? null, end: subtasks.at(-1)?.endImage ?? null },
    subtasks,
    resolution: resolutionOf(recording),
    attachments: attachmentsOf(folder),
  };
}

/**
 * Actions by the subtasks that the person marked: each lies in the part whose end mark is the first at or after its
 * start. Parts without an action are left out.
 */
export function splitAtMarks(actions: readonly Action[], events: readonly RawEvent[]): Action[][] {
  const marks = events.flatMap((event) => (event.type === 'mark' ? [event.t] : [])).sort((a, b) => a - b);
  const partOf = (action: Action): number => {
    const part = marks.findIndex((t) => action.start.t <= t);
    return part < 0 ? marks.length : part;
  };
  const parts = Map.groupBy(actions, partOf);
  return [...parts.keys()].sort((a, b) => a - b).map((part) => parts.get(part) ?? []);
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

function picturesOf(folder: string, index: KeyframeIndex | null): Map<string, PictureRef> {
  const entries = (index?.keyframes ?? []).map(({ action, role, file, width, height, origin }) => {
    const picture: PictureRef = { path: join(folder, KEYFRAMES_FOLDER, file), width, height, origin };
    return [`${role} ${action}`, picture] as const;
  });
  return new Map(entries);
}

const originOf = (picture: PictureRef | null): { origin?: PictureRef['origin'] } =>
  picture ? { origin: picture.origin } : {};

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
