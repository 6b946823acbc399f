import { join } from 'node:path';
import { toRecords } from '../../core/annotate/document.ts';
import { matcher } from '../../core/curate/filter.ts';
import type { PictureRef } from '../../core/export/model.ts';
import type { ExportWishes } from '../../schemas/api/datasets.ts';
import type { SnapshotRecording } from '../../schemas/dataset.ts';
import { StudioError } from '../../schemas/errors.ts';
import { fileIn, findFile, placeIn } from '../files/inside.ts';
import { isPlainName } from '../files/names.ts';
import { ATTACHMENTS_FOLDER, KEYFRAMES_FOLDER } from '../recordings/folders.ts';
import type { Workspace } from '../store/workspace.ts';
import { type CandidateOptions, type RecordingParts, sourceOfCandidates } from './candidates.ts';
import { type CollectOptions, collectExport } from './collect.ts';
import type { ExportSource } from './export-source.ts';
import { isTaskFile } from './frozen-task.ts';
import { hashRecordingFile, sha256Of } from './hashes.ts';
import { datasetRows } from './rows.ts';
import { frozenProof } from './snapshot.ts';
import { type OpenVersion, readVersion } from './versions.ts';

/** The source of an export: the recordings that a filter finds now, or a frozen version, which later edits do not change. */
export async function exportSource(
  workspace: Workspace,
  source: ExportWishes['source'],
  options: CollectOptions,
): Promise<ExportSource> {
  if (source.kind === 'version') return versionSource(workspace, source.name, options);
  if (source.kind === 'runs') return collectExport(workspace, { ...options, runs: source.filter, recordings: 'every' });
  if (Object.values(source.filter).every((field) => field === undefined)) return collectExport(workspace, options);
  await workspace.syncIndex();
  const fits = matcher(source.filter);
  const { rows } = await datasetRows(workspace, { signal: options.signal, mask: options.mask });
  const only = new Set(rows.filter(fits).map(({ recording }) => recording));
  return collectExport(workspace, { ...options, only });
}

/**
 * A version's tasks, from its snapshot alone; of the recordings only files are read that the snapshot names, each compared
 * with its hash. Throws UNKNOWN_FILE, BAD_FILE as readVersion; while tasks are read, UNKNOWN_RECORDING when a recording is no
 * longer there, BAD_FILE when one of its files is another.
 */
async function versionSource(workspace: Workspace, name: string, options: CandidateOptions): Promise<ExportSource> {
  const version = await readVersion(workspace, name);
  await workspace.syncIndex();
  // In the order of the list of recordings: the newest first.
  const entries = version.entries.map((one) => ({ ...one, proof: frozenProof(one) }));
  const candidates = entries.toSorted((a, b) =>
    a.startedAt === b.startedAt ? (a.id < b.id ? -1 : 1) : a.startedAt < b.startedAt ? 1 : -1,
  );
  const source = sourceOfCandidates(candidates, ({ id }) => partsOf(workspace, version, id, options.signal), options);
  const { terms } = version.info;
  return { ...source, ...(terms && { terms }) };
}

async function partsOf(
  workspace: Workspace,
  version: OpenVersion,
  id: string,
  signal: AbortSignal | undefined,
): Promise<RecordingParts> {
  const one = await version.read(id);
  const folder = await folderOf(workspace, version, id);
  const stills = one.keyframes.map(({ file }) => `${KEYFRAMES_FOLDER}/${named(file)}`);
  const attachments = one.attachments.map(named);
  await verify(
    version,
    folder,
    one,
    [...stills, ...attachments.map((file) => `${ATTACHMENTS_FOLDER}/${file}`)],
    (path) => sha256Of(fileIn(folder, path), signal),
  );
  await verifyTask(version, workspace.dir, one, signal);
  // Videos are long; their hash is kept while size, time and inode stay.
  const video = one.video === null ? null : named(one.video);
  await verify(version, folder, one, video === null ? [] : [video], (path) =>
    hashRecordingFile(workspace, { id, folder }, path, signal),
  );
  const pictures = one.keyframes.map(({ role, action, file, width, height, origin }) => {
    const picture: PictureRef = { path: fileIn(folder, `${KEYFRAMES_FOLDER}/${named(file)}`), width, height, origin };
    return [`${role} ${action}`, picture] as const;
  });
  return {
    recordedGoal: one.recordedGoal,
    actions: one.actions,
    records: toRecords(one.records),
    pictures: new Map(pictures),
    judged: new Map(Object.entries(one.judged ?? {})),
    // It may be in the place for large files; whoever copies it asks for its bytes.
    video: video === null ? null : placeIn(folder, video),
    platform: one.platform,
    resolution: one.resolution,
    attachments: attachments.map((file) => ({ path: fileIn(folder, `${ATTACHMENTS_FOLDER}/${file}`) })),
    brief: one.brief ?? null,
    dir: workspace.dir,
  };
}

async function folderOf(workspace: Workspace, { info }: OpenVersion, id: string): Promise<string> {
  try {
    return (await workspace.getRecording(id)).folder;
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'UNKNOWN_RECORDING') throw error;
    throw new StudioError(
      'UNKNOWN_RECORDING',
      `The version ${info.name} holds the recording ${id}, which is no longer in this workspace. Put its folder back (trash/ has what was removed).`,
      { version: info.name, id },
    );
  }
}

async function verify(
  { info }: OpenVersion,
  folder: string,
  { id, files }: SnapshotRecording,
  paths: readonly string[],
  hash: (path: string) => Promise<{ sha256: string }>,
): Promise<void> {
  const known = new Map(files.map((file) => [file.path, file.sha256]));
  for (const path of new Set(paths)) {
    const expected = known.get(path);
    if (expected !== undefined && (await hash(path)).sha256 === expected) continue;
    throw new StudioError(
      'BAD_FILE',
      `${join(folder, path)} is not the file that was frozen in the version ${info.name}. Put it back, or freeze a new version.`,
      { file: join(folder, path), version: info.name, recording: id },
    );
  }
}

/** The files of a recording's task, each compared with its hash. Throws BAD_FILE. */
async function verifyTask(
  { info }: OpenVersion,
  dir: string,
  { task, brief }: SnapshotRecording,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const { file, name, sha256 } of brief?.files ?? []) {
    if (!isTaskFile(file)) {
      const message = `A snapshot names the file "${file.slice(0, 200)}", which leads elsewhere.`;
      throw new StudioError('BAD_FILE', message, { file, version: info.name });
    }
    const path = findFile(dir, file);
    if (path !== null && (await sha256Of(path, signal)).sha256 === sha256) continue;
    throw new StudioError(
      'BAD_FILE',
      `The file "${name}" of task ${task} is not as the version ${info.name} froze it (${file}). Put it back, or freeze a new version.`,
      { file, version: info.name, task },
    );
  }
}

/** A name inside the folder: a snapshot may have come from anywhere. */
function named(file: string): string {
  if (isPlainName(file)) return file;
  throw new StudioError('BAD_FILE', `A snapshot names the file "${file.slice(0, 200)}", which leads elsewhere.`, {
    file,
  });
}
