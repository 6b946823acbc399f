import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { GOAL_ID } from '../../core/annotate/ids.ts';
import { countRecording } from '../../core/curate/figures.ts';
import type { Step } from '../../schemas/api/models.ts';
import type { DataRow, SnapshotRecording } from '../../schemas/dataset.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Keyframe, KeyframeIndex } from '../../schemas/recording.ts';
import { reduceRecording } from '../actions.ts';
import { openFolder } from '../annotate/opened.ts';
import { movedPictures } from '../export/annotated.ts';
import {
  ATTACHMENTS_FOLDER,
  appOf,
  attachmentsOf,
  KEYFRAMES_FOLDER,
  picturesOf,
  platformOf,
  recordsOf,
  resolutionOf,
  videoOf,
} from '../export/collect.ts';
import { ELEMENTS_FILE, EVENTS_FILE, FRAMES_FILE, WINDOWS_FILE } from '../store/recording-folder.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Software } from '../store/software.ts';
import type { Workspace } from '../store/workspace.ts';
import { hashRecordingFile } from './hashes.ts';

/** Where the keyframes of a recording come from; `null`: it has none. */
export type KeyframeSource = (folder: string) => Promise<KeyframeIndex | null>;

/**
 * Everything that an export needs of a recording, as it is now: what is derived and said of it in full, its files by their
 * hashes. recording.json is not among them: it changes when a playback copy is made; what matters of it is here.
 * Throws BAD_FILE, FUTURE_VERSION, NO_FFMPEG and RECORDING_DAMAGED when a still must be cut and cannot be.
 */
export async function snapshotRecording(
  workspace: Workspace,
  entry: RecordingEntry,
  row: DataRow,
  software: Software | undefined,
  keyframes: KeyframeSource,
  signal?: AbortSignal | undefined,
): Promise<SnapshotRecording> {
  const { id, folder } = entry;
  const { recording, events, result } = reduceRecording(folder);
  const records = await recordsOf(workspace, recording, result.actions, events);
  const index = await keyframes(folder);
  const pictures = picturesOf(folder, index);
  if (index) await movedPictures(folder, join(folder, KEYFRAMES_FOLDER), recording, events, records, pictures);
  const moved = new Map(
    [...records.values()].flatMap((record) =>
      record.kind === 'keyframe' ? [[`${record.role} ${record.action}` as string, record] as const] : [],
    ),
  );
  const final = (index?.keyframes ?? []).map((keyframe): Keyframe => {
    const key = `${keyframe.role} ${keyframe.action}`;
    const [picture, record] = [pictures.get(key), moved.get(key)];
    if (!picture || !record) return keyframe;
    const { path, width, height, origin } = picture;
    return { ...keyframe, frame: record.frame, t: record.t, file: basename(path), width, height, origin };
  });
  const video = videoOf(folder, recording);
  const attachments = attachmentsOf(folder);
  const paths = new Set([
    ...[EVENTS_FILE, FRAMES_FILE, WINDOWS_FILE, ELEMENTS_FILE].filter((name) => existsSync(join(folder, name))),
    ...recording.segments.map(({ file }) => file).filter((name) => existsSync(join(folder, name))),
    ...(video === null ? [] : [video]),
    ...attachments.map((name) => `${ATTACHMENTS_FOLDER}/${name}`),
    ...final.map(({ file }) => `${KEYFRAMES_FOLDER}/${file}`),
  ]);
  const files = [];
  for (const path of [...paths].sort()) {
    if (signal?.aborted) throw new StudioError('CANCELLED', 'Freezing was stopped. Nothing was kept.', {});
    files.push(await hashRecordingFile(workspace, entry, path, signal));
  }
  const steps = openFolder(folder).page.steps satisfies Step[];
  return {
    id,
    task: entry.task,
    app: appOf(software, entry.app),
    goal: entry.goal,
    recordedGoal: recording.task.goal,
    state: entry.state,
    verdict: entry.verdict,
    startedAt: entry.startedAt,
    durationUs: entry.durationUs,
    person: entry.person,
    annotators: row.annotators,
    tags: row.tags,
    split: row.split,
    agreement: row.agreement,
    platform: platformOf(recording),
    resolution: resolutionOf(recording),
    video,
    attachments,
    actions: result.actions,
    keyframes: final,
    records: [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    figures: countRecording(steps, records, entry.goal).figures,
    files,
  };
}

/** A frozen recording as the data set's table shows it. */
export function rowOf(one: SnapshotRecording): DataRow {
  const removed = new Set(one.records.flatMap((record) => (record.kind === 'removal' ? [record.action] : [])));
  const kept = one.actions.filter(({ id }) => !removed.has(id));
  const boxed = new Set<string>();
  const named = new Set<string>();
  for (const record of one.records) {
    if (record.kind === 'box' && record.role === 'target') boxed.add(record.action);
    if (record.kind === 'label' && record.element) named.add(record.action);
  }
  const kinds: DataRow['kinds'] = {};
  for (const { kind } of kept) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const share = (of: ReadonlySet<string>): number | null =>
    kept.length === 0 ? null : kept.filter(({ id }) => of.has(id)).length / kept.length;
  const goal = one.records.find((record) => record.id === GOAL_ID);
  return {
    recording: one.id,
    task: one.task,
    software: one.app.id,
    goal: (goal?.kind === 'goal' && goal.text) || one.goal,
    state: one.state,
    verdict: one.verdict,
    startedAt: one.startedAt,
    seconds: one.durationUs === null ? null : one.durationUs / 1e6,
    person: one.person,
    annotators: one.annotators,
    tags: one.tags,
    split: one.split,
    agreement: one.agreement,
    steps: kept.length,
    subtasks: one.figures.subtasks.length,
    kinds,
    resolution: one.resolution.width > 0 ? `${one.resolution.width}x${one.resolution.height}` : null,
    boxes: share(boxed),
    names: share(named),
  };
}
