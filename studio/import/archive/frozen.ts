import type { ArchiveManifest } from '../../../schemas/archive.ts';
import type { SnapshotRecording } from '../../../schemas/dataset.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { isTaskFile } from '../../datasets/frozen-task.ts';
import { hashRecordingFile } from '../../datasets/hashes.ts';
import type { OpenVersion } from '../../datasets/versions.ts';
import { isPlainName } from '../../files/names.ts';
import { ATTACHMENTS_FOLDER, KEYFRAMES_FOLDER } from '../../recordings/folders.ts';
import type { Workspace } from '../../store/workspace.ts';

/** A frozen version and the files that its exports read, on the way out and on the way in. */

/** The files of a recording without which a version cannot be exported, inside its folder. */
function neededFiles({ keyframes, attachments, video }: SnapshotRecording): string[] {
  return [
    ...new Set([
      ...keyframes.map(({ file }) => `${KEYFRAMES_FOLDER}/${file}`),
      ...attachments.map((file) => `${ATTACHMENTS_FOLDER}/${file}`),
      ...(video === null ? [] : [video]),
    ]),
  ].sort();
}

/** A file of the recording's folder or of a folder in it, and no way out of it. */
const isPlain = (path: string): boolean => {
  const parts = path.split('/');
  return parts.length <= 2 && parts.every((part) => isPlainName(part) && !/^\.|[:\p{C}]/u.test(part));
};

/**
 * Compares what a version froze with what goes into the archive. A file that its exports need must be the same; of the
 * others (a master that was deleted, a line that was added) it is told. Throws BAD_FILE.
 */
export async function checkFrozen(version: OpenVersion, { files }: ArchiveManifest, told: string[]): Promise<void> {
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  for await (const one of version.recordings()) {
    const needed = new Set(neededFiles(one));
    for (const { path, sha256 } of one.files) {
      if (hashes.get(`recordings/${one.id}/${path}`) === sha256) continue;
      if (needed.has(path)) {
        throw new StudioError(
          'BAD_FILE',
          `${path} of ${one.id} is not the file that was frozen in the version ${version.info.name}. Put it back, or freeze a new version.`,
          { file: path, version: version.info.name, recording: one.id },
        );
      }
      told.push(`${path} of ${one.id}: not as it was frozen; exports of the version do not need it`);
    }
    for (const { file, name, sha256 } of one.brief?.files ?? []) {
      if (hashes.get(file) === sha256) continue;
      throw new StudioError(
        'BAD_FILE',
        `The file "${name}" of task ${one.task} is not the one that was frozen in the version ${version.info.name}. Put it back, or freeze a new version.`,
        { file, version: version.info.name, task: one.task },
      );
    }
  }
}

/** A still or file that a version needs of a recording that is here without it. */
export type Missing = { id: string; path: string; sha256: string };

export type ArrivedVersion = {
  /** Files that the version needs, to be put into recordings that are here without them. */
  missing: Missing[];
  /** Files here that are not what was frozen. */
  warnings: string[];
};

/**
 * Checks an arriving version: every recording of it in the archive, every file that it needs in the archive with the
 * hash that was frozen. Of recordings that are here already it is told what is missing and what is other. Throws BAD_FILE.
 */
export async function checkArrivedVersion(
  workspace: Workspace,
  version: OpenVersion,
  { files, recordings, dataset }: ArchiveManifest,
  known: { has(id: string): boolean },
  signal: AbortSignal,
): Promise<ArrivedVersion> {
  const { info, entries } = version;
  if (dataset?.name !== info.name || dataset.hash !== info.hash) {
    throw refused(`versions/${info.name}/version.json is not the version that archive.json names`);
  }
  const ids = new Set(recordings);
  const stray = entries.find(({ id }) => !ids.has(id));
  if (stray)
    throw refused(`the version ${info.name} holds the recording ${stray.id.slice(0, 100)}, which is not in it`);
  const counts = { tasks: new Set<string>(), recordings: 0, subtasks: 0, actions: 0 };
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const found: ArrivedVersion = { missing: [], warnings: [] };
  for await (const one of version.recordings()) {
    counts.tasks.add(one.task);
    counts.recordings++;
    counts.subtasks += one.figures.subtasks.length;
    counts.actions += one.figures.narrationWords.length;
    const frozen = new Map(one.files.map(({ path, sha256 }) => [path, sha256]));
    for (const path of neededFiles(one)) {
      if (!isPlain(path)) throw refused(`the version ${info.name} names the file "${path.slice(0, 200)}"`);
      const sha256 = frozen.get(path);
      if (sha256 === undefined || hashes.get(`recordings/${one.id}/${path}`) !== sha256) {
        throw refused(`${path} of ${one.id} is not in it as the version ${info.name} froze it`);
      }
      if (known.has(one.id)) await compareHere(workspace, { id: one.id, path, sha256 }, found, signal);
    }
    for (const { file, sha256 } of one.brief?.files ?? []) {
      if (!isTaskFile(file)) throw refused(`the version ${info.name} names the file "${file.slice(0, 200)}"`);
      if (hashes.get(file) !== sha256) {
        throw refused(`${file} of task ${one.task} is not in it as the version ${info.name} froze it`);
      }
    }
  }
  const { tasks, ...others } = counts;
  const real = { tasks: tasks.size, ...others };
  const odd = (Object.keys(real) as (keyof typeof real)[]).find((name) => real[name] !== info.counts[name]); // Its own keys.
  if (odd) throw refused(`the version ${info.name} says ${info.counts[odd]} ${odd}, but holds ${real[odd]}`);
  return found;
}

async function compareHere(
  workspace: Workspace,
  { id, path, sha256 }: Missing,
  { missing, warnings }: ArrivedVersion,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { folder } = await workspace.getRecording(id);
    const here = await hashRecordingFile(workspace, { id, folder }, path, signal);
    if (here.sha256 !== sha256) {
      warnings.push(`${path} of ${id} is another file here than the version froze: the version cannot be exported`);
    }
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    // Its folder is here but cannot be read: then nothing is put into it.
    if (error.code === 'UNKNOWN_RECORDING') return;
    if (error.code !== 'BAD_FILE') throw error;
    if (error.details.missing === true) missing.push({ id, path, sha256 });
    else warnings.push(error.message);
  }
}

export const refused = (why: string): StudioError =>
  new StudioError('BAD_FILE', `The archive cannot be taken: ${why}. Nothing was kept.`, {});
