import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import type { ArchiveManifest } from '../../../schemas/archive.ts';
import { versionNameSchema } from '../../../schemas/dataset.ts';
import { errorBody, StudioError } from '../../../schemas/errors.ts';
import {
  listVersions,
  type OpenVersion,
  readVersion,
  VERSION_FILE,
  VERSIONS_FOLDER,
  versionNames,
} from '../../datasets/versions.ts';
import { flushFolder, flushTree, writeFileAtomic } from '../../files/atomic.ts';
import { folderIn } from '../../files/inside.ts';
import { move } from '../../files/move.ts';
import { ATTACHMENTS_FOLDER, KEYFRAMES_FOLDER } from '../../recordings/folders.ts';
import type { Workspace } from '../../store/workspace.ts';
import { HISTORY_FILE } from '../history-file.ts';
import type { ImportLimits } from '../limits.ts';
import { type ArrivedVersion, checkArrivedVersion, refused } from './frozen.ts';
import type { ArchiveFile, OpenArchive } from './read-archive.ts';
import { takeVouched } from './vouched.ts';

/** The frozen version in an archive: what it is called there and will be called here. */
type ComingVersion = { name: string; as: string; hash: string; known: boolean };

/**
 * Looked at before anything of the archive is read. The same hash under the same name is the same version, and stays as it
 * is; another hash under the name is refused: a name that is cited stands for one content. Throws TARGET_EXISTS, USAGE.
 */
export function comingVersion(
  workspace: Workspace,
  { dataset }: ArchiveManifest,
  wanted: string | undefined,
): ComingVersion | null {
  if (!dataset) {
    if (wanted === undefined) return null;
    throw new StudioError('USAGE', 'The archive holds no frozen version that could be called otherwise.', {});
  }
  const parsed = versionNameSchema.safeParse(wanted ?? dataset.name);
  if (!parsed.success) {
    const why = parsed.error.issues[0]?.message ?? 'it does not fit';
    throw new StudioError('USAGE', `"${wanted?.slice(0, 80)}" cannot be a version's name: ${why}.`, { name: wanted });
  }
  const as = parsed.data;
  // Names that differ only in case would fall together on Windows and macOS.
  const here = versionNames(workspace).find((one) => one.toLowerCase() === as.toLowerCase());
  if (here === undefined) return { ...dataset, as, known: false };
  const info = listVersions(workspace).versions.find(({ name }) => name === here);
  if (here === as && info?.hash === dataset.hash) return { ...dataset, as, known: true };
  throw new StudioError(
    'TARGET_EXISTS',
    `There is a version ${here} here already with other content (hash ${info?.hash.slice(0, 12) ?? 'unknown'}…, the archive's has ${dataset.hash.slice(0, 12)}…). Nothing was taken. Give it another name here (on the command line: \`--version-as NAME\`).`,
    { version: here, hash: dataset.hash },
  );
}

/**
 * Recordings that need not be unpacked: those that are here already (`known`: their folders). Of those that a version is about, files that are not here
 * come along, in case the version needs them; and the history of each, in case the work on it went on.
 */
export function skipper(
  { dataset }: ArchiveManifest,
  known: ReadonlyMap<string, string>,
): (file: ArchiveFile) => boolean {
  return ({ parts }) => {
    const [place, id = '', ...inside] = parts;
    const folder = known.get(id);
    if (place !== 'recordings' || folder === undefined) return false;
    // Its history says whether the work went on elsewhere.
    if (inside.length === 1 && inside[0] === HISTORY_FILE) return false;
    if (!dataset || !mayBeNeeded(inside)) return true;
    return existsSync(join(folder, ...inside));
  };
}

const mayBeNeeded = (inside: readonly string[]): boolean =>
  inside.length === 1
    ? /\.(mp4|mkv)$/.test(inside[0]!)
    : inside.length === 2 && [KEYFRAMES_FOLDER, ATTACHMENTS_FOLDER].includes(inside[0]!);

type Arriving = {
  workspace: Workspace;
  archive: OpenArchive;
  staging: string;
  known: ReadonlyMap<string, string>;
  limits: ImportLimits;
  signal: AbortSignal;
};

/** Reads and checks the version that was unpacked: its hash, every line, every file that it needs. Throws BAD_FILE, FUTURE_VERSION. */
export async function readArrivedVersion(
  { name }: ComingVersion,
  { workspace, archive, staging, known, limits, signal }: Arriving,
): Promise<ArrivedVersion & { version: OpenVersion }> {
  const info = archive.files.get(`versions/${name}/${VERSION_FILE}`);
  if (info && info.bytes > limits.jsonBytes) throw refused(`${info.path} is larger than ${limits.jsonBytes / 1e6} MB`);
  try {
    const version = await readVersion({ dir: staging }, name, { mostLine: limits.jsonBytes });
    return { version, ...(await checkArrivedVersion(workspace, version, archive.manifest, known, signal)) };
  } catch (error) {
    // Messages name the file in the archive, not the copy that is gone by now.
    const { code, message, details } = errorBody(error);
    if (!message.includes(staging)) throw error;
    throw new StudioError(code, message.replaceAll(staging + sep, ''), details, { cause: error });
  }
}

/**
 * Puts the version, and what it needs of recordings that are here, in their places. Doing it again is as doing it once. Gives
 * what was left out of recordings that are here.
 */
export async function landVersion(
  workspace: Workspace,
  staging: string,
  { name, as, known }: ComingVersion,
  { version, missing }: ArrivedVersion & { version: OpenVersion },
  ffmpeg: () => Promise<FfmpegInfo>,
): Promise<string[]> {
  const warnings = await takeVouched(workspace, staging, missing, ffmpeg);
  if (known) return warnings;
  const folder = join(staging, 'versions', name);
  if (as !== name)
    writeFileAtomic(join(folder, VERSION_FILE), `${JSON.stringify({ ...version.info, name: as }, null, 2)}\n`);
  const versions = folderIn(workspace.dir, VERSIONS_FOLDER);
  await flushTree(folder);
  await move(folder, join(versions, as));
  flushFolder(versions);
  return warnings;
}
