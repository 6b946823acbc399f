import { basename } from 'node:path';
import { toRecords } from '../../core/annotate/document.ts';
import { GOAL_ID, removalId } from '../../core/annotate/ids.ts';
import { countRecording } from '../../core/curate/figures.ts';
import { judgedFigures } from '../../core/review/judged.ts';
import type { DataRow, ProofState, SnapshotRecording } from '../../schemas/dataset.ts';
import type { FrozenTask } from '../../schemas/frozen-task.ts';
import type { Keyframe, KeyframeIndex } from '../../schemas/recording.ts';
import { judgedIn } from '../documents/review/judgements.ts';
import { findFile } from '../files/inside.ts';
import { openFolder } from '../recordings/closed.ts';
import { ATTACHMENTS_FOLDER, KEYFRAMES_FOLDER } from '../recordings/folders.ts';
import { stepOf } from '../recordings/page.ts';
import { picturesOf } from '../recordings/stills.ts';
import type { HashPool } from '../store/jobs/hash-pool.ts';
import { BY_HAND_FILE, ELEMENTS_FILE, EVENTS_FILE, FRAMES_FILE, WINDOWS_FILE } from '../store/recording-folder.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Software } from '../store/software.ts';
import type { Workspace } from '../store/workspace.ts';
import { movedPictures } from './annotated.ts';
import { appOf, recordsOf } from './collect.ts';
import { hashRecordingFiles } from './hashes.ts';

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
  brief: FrozenTask | null,
  pool: HashPool,
): Promise<SnapshotRecording> {
  const { id, folder } = entry;
  const closed = openFolder(folder);
  const { meta, actions, steps } = closed;
  const records = await recordsOf(workspace, closed);
  const index = await keyframes(folder);
  const pictures = picturesOf(folder, index);
  if (index) await movedPictures(closed, records, pictures);
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
  const { video, attachments, segments } = closed.files();
  const paths = new Set([
    ...[EVENTS_FILE, FRAMES_FILE, WINDOWS_FILE, ELEMENTS_FILE, BY_HAND_FILE].filter((name) => findFile(folder, name)),
    ...segments,
    ...(video === null ? [] : [video]),
    ...attachments.map((name) => `${ATTACHMENTS_FOLDER}/${name}`),
    ...final.map(({ file }) => `${KEYFRAMES_FOLDER}/${file}`),
  ]);
  const files = await hashRecordingFiles(workspace, entry, [...paths].sort(), pool);
  const judged = await judgedIn(workspace.store, id);
  return {
    id,
    task: entry.task,
    app: appOf(software, entry.app),
    goal: entry.goal,
    recordedGoal: meta.task.goal,
    state: entry.state,
    verdict: entry.verdict,
    ...((row.proof === 'proven' || row.proof === 'failed') && { proof: row.proof }),
    ...(row.proof === 'said' && { proofSaid: row.proofSaid ?? '' }),
    startedAt: entry.startedAt,
    durationUs: entry.durationUs,
    person: entry.person,
    annotators: row.annotators,
    tags: row.tags,
    split: row.split,
    agreement: row.agreement,
    platform: closed.platform,
    resolution: closed.resolution,
    video,
    attachments,
    ...(brief && { brief }),
    actions: [...actions],
    keyframes: final,
    records: [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    ...(judged.size > 0 && { judged: Object.fromEntries(judged) }),
    figures: countRecording(steps, records, entry.goal).figures,
    files,
  };
}

/** What was known of its proof when it was frozen. */
export const frozenProof = ({ proof, proofSaid }: Pick<SnapshotRecording, 'proof' | 'proofSaid'>): ProofState =>
  proof ?? (proofSaid === undefined ? 'untried' : 'said');

/** A frozen recording as the data set's table shows it. */
export function rowOf(one: SnapshotRecording): DataRow {
  // Which frame a picture shows is not frozen as such; whether there is one, is.
  const pictures = new Map(one.keyframes.map(({ action, role }) => [`${role} ${action}`, 0]));
  const steps = one.actions.map((action) => stepOf(action, pictures));
  const records = toRecords(one.records);
  const kept = steps.filter(({ id }) => !records.has(removalId(id)));
  const goal = one.records.find((record) => record.id === GOAL_ID);
  return {
    recording: one.id,
    task: one.task,
    software: one.app.id,
    goal: (goal?.kind === 'goal' && goal.text) || one.goal,
    state: one.state,
    verdict: one.verdict,
    proof: frozenProof(one),
    ...(one.proofSaid && { proofSaid: one.proofSaid }),
    startedAt: one.startedAt,
    seconds: one.durationUs === null ? null : one.durationUs / 1e6,
    person: one.person,
    annotators: one.annotators,
    tags: one.tags,
    split: one.split,
    agreement: one.agreement,
    ...countRecording(steps, records, one.goal).row,
    // As it was counted when the version was frozen.
    subtasks: one.figures.subtasks.length,
    resolution: one.resolution.width > 0 ? `${one.resolution.width}x${one.resolution.height}` : null,
    judged: judgedFigures(new Map(Object.entries(one.judged ?? {})), kept),
  };
}
