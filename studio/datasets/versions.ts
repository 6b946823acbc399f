import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { compareRecordings, compareTasks } from '../../core/curate/compare.ts';
import {
  type DatasetVersion,
  datasetVersionSchema,
  knownVersionNameSchema,
  type SnapshotRecording,
  snapshotHeadSchema,
  snapshotRecordingSchema,
  VERSION_VERSION,
  type VersionComparison,
} from '../../schemas/dataset.ts';
import { errorBody, StudioError, whyNot } from '../../schemas/errors.ts';
import { fileIn, findFile, findFolder } from '../files/inside.ts';
import { misfit, readVersioned } from '../files/versioned.ts';
import { isOwnMark } from '../store/own-mark.ts';
import type { Workspace } from '../store/workspace.ts';

/** Frozen versions of the data set: versions/<name>/ with version.json and snapshot.jsonl. */

export const VERSIONS_FOLDER = 'versions';
export const VERSION_FILE = 'version.json';
export const SNAPSHOT_FILE = 'snapshot.jsonl';

/** A recording in a snapshot, without what an export reads only when its turn comes. */
type SnapshotEntry = Omit<SnapshotRecording, 'actions' | 'keyframes' | 'records' | 'files' | 'figures'>;

/** What a version is marked by. */
export const versionMark = (hash: string): string => `version ${hash}`;

export type OpenVersion = {
  info: DatasetVersion;
  /** By id. */
  entries: SnapshotEntry[];
  /** In the order of `entries`, one at a time. */
  recordings(): AsyncGenerator<SnapshotRecording>;
  /** Throws UNKNOWN_RECORDING. */
  read(id: string): Promise<SnapshotRecording>;
};

/** The newest first. A folder that cannot be read is told by name. */
export function listVersions(workspace: Pick<Workspace, 'dir'>): {
  versions: DatasetVersion[];
  unreadable: { name: string; message: string }[];
} {
  const versions: DatasetVersion[] = [];
  const unreadable: { name: string; message: string }[] = [];
  for (const name of versionNames(workspace)) {
    try {
      versions.push(readInfo(workspace, name));
    } catch (error) {
      const { code, message } = errorBody(error);
      if (code === 'INTERNAL') throw error;
      unreadable.push({ name, message });
    }
  }
  versions.sort((a, b) =>
    a.createdAt === b.createdAt ? (a.name < b.name ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1,
  );
  return { versions, unreadable };
}

export function versionNames(workspace: Pick<Workspace, 'dir'>): string[] {
  const dir = findFolder(workspace.dir, VERSIONS_FOLDER);
  if (dir === null) return [];
  // A name with a dot first is a version that is being written.
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}

/**
 * A version, its snapshot compared with its hash. Throws UNKNOWN_FILE with the versions there are, BAD_FILE when it was
 * changed or is no version, FUTURE_VERSION. `mostLine`: bytes of a line, for one that came from elsewhere. The proofs of a version
 * that was not frozen in this workspace are what somebody says; where only its folder is given, they are as they were written.
 */
export async function readVersion(
  workspace: Pick<Workspace, 'dir'> & Partial<Pick<Workspace, 'store'>>,
  name: string,
  { mostLine = Number.POSITIVE_INFINITY }: { mostLine?: number } = {},
): Promise<OpenVersion> {
  const info = readInfo(workspace, name);
  const file = fileIn(workspace.dir, `${VERSIONS_FOLDER}/${info.name}/${SNAPSHOT_FILE}`);
  const { sha256, lines } = await scan(file, mostLine);
  if (sha256 !== info.hash) {
    throw new StudioError(
      'BAD_FILE',
      `${file} is not what was frozen as ${name}: its hash is ${sha256.slice(0, 12)}…, not ${info.hash.slice(0, 12)}…. Put the version back from a copy; the work itself is untouched.`,
      { file, hash: sha256, expected: info.hash },
    );
  }
  const { store } = workspace;
  const isOwn = store === undefined || (await isOwnMark(store, versionMark(info.hash), info.mark));
  const believed = <T extends Pick<SnapshotRecording, 'proof' | 'proofSaid'>>(one: T): T =>
    isOwn ? one : { ...one, ...said(one) };
  return { info, entries: lines.map(({ entry }) => believed(entry)), recordings, read };

  async function* recordings(): AsyncGenerator<SnapshotRecording> {
    const handle = await open(file, 'r');
    try {
      for (const line of lines) yield believed(await readLine(handle, line));
    } finally {
      await handle.close();
    }
  }
  async function read(id: string): Promise<SnapshotRecording> {
    const line = lines.find(({ entry }) => entry.id === id);
    if (!line) {
      throw new StudioError('UNKNOWN_RECORDING', `The version ${name} holds no recording "${id}".`, {
        id,
        version: name,
      });
    }
    const handle = await open(file, 'r');
    try {
      return believed(await readLine(handle, line));
    } finally {
      await handle.close();
    }
  }
}

/** The same as somebody says it. */
function said({
  proof,
  proofSaid,
}: Pick<SnapshotRecording, 'proof' | 'proofSaid'>): Pick<SnapshotRecording, 'proof' | 'proofSaid'> {
  return proof === 'proven' ? { proof: undefined, proofSaid: proofSaid ?? '' } : {};
}

function readInfo(workspace: Pick<Workspace, 'dir'>, wanted: string): DatasetVersion {
  const name = knownVersionNameSchema.safeParse(wanted);
  const path = name.success ? `${VERSIONS_FOLDER}/${name.data}/${VERSION_FILE}` : null;
  const file = path && findFile(workspace.dir, path);
  if (!name.success || !file || !path) {
    const known = versionNames(workspace).join(', ') || 'none yet';
    throw new StudioError(
      'UNKNOWN_FILE',
      `There is no version "${wanted.slice(0, 80)}" in this workspace (${known}).`,
      {
        version: wanted.slice(0, 80),
      },
    );
  }
  const info = readVersioned(workspace.dir, path, { schema: datasetVersionSchema, newest: VERSION_VERSION });
  if (info.name !== name.data) throw misfit(file, 'name', 'it is called otherwise');
  return info;
}

type Line = { entry: SnapshotEntry; from: number; bytes: number };

/** One pass over the snapshot: its hash, and where each recording's line lies. */
async function scan(file: string, mostLine: number): Promise<{ sha256: string; lines: Line[] }> {
  const hash = createHash('sha256');
  const lines: Line[] = [];
  let parts: Buffer[] = [];
  let from = 0;
  let number = 0;
  const take = (end: number): void => {
    const bytes = end - from;
    const value = parseLine(file, ++number, Buffer.concat(parts));
    if (number === 1) check(file, number, snapshotHeadSchema, value);
    else lines.push({ entry: entryOf(check(file, number, snapshotRecordingSchema, value)), from, bytes });
    parts = [];
    from = end + 1;
  };
  let at = 0;
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
      const buffer = chunk as Buffer; // A stream without an encoding gives Buffers.
      hash.update(buffer);
      let start = 0;
      for (let end = buffer.indexOf(10); end >= 0; end = buffer.indexOf(10, start)) {
        parts.push(buffer.subarray(start, end));
        take(at + end);
        start = end + 1;
      }
      if (start < buffer.length) parts.push(buffer.subarray(start));
      at += buffer.length;
      if (at - from > mostLine) {
        throw new StudioError('BAD_FILE', `${file} line ${number + 1}: the line is longer than ${mostLine} bytes.`, {
          file,
          line: number + 1,
        });
      }
    }
  } catch (error) {
    if (error instanceof StudioError) throw error;
    const why = whyNot(error);
    throw new StudioError('BAD_FILE', `${file} cannot be read: ${why}.`, { file }, { cause: error });
  }
  return { sha256: hash.digest('hex'), lines };
}

async function readLine(handle: FileHandle, { from, bytes }: Line): Promise<SnapshotRecording> {
  const buffer = Buffer.alloc(bytes);
  await handle.read(buffer, 0, bytes, from);
  // The scan has checked this very line.
  return JSON.parse(buffer.toString('utf8')) as SnapshotRecording;
}

function entryOf(one: SnapshotRecording): SnapshotEntry {
  const { actions: _a, keyframes: _k, records: _r, files: _f, figures: _n, judged: _j, ...entry } = one;
  return entry;
}

function parseLine(file: string, line: number, text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch (error) {
    const why = whyNot(error);
    throw new StudioError('BAD_FILE', `${file} line ${line} is not JSON: ${why}.`, { file, line }, { cause: error });
  }
}

function check<T>(
  file: string,
  line: number,
  schema: {
    safeParse(value: unknown): {
      success: boolean;
      data?: T;
      error?: { issues: { path: PropertyKey[]; message: string }[] };
    };
  },
  value: unknown,
): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data as T; // A success has data.
  const issue = result.error?.issues[0];
  const field = issue?.path.join('.') ?? '';
  throw new StudioError('BAD_FILE', `${file} line ${line}: field \`${field}\`: ${issue?.message ?? 'does not fit'}.`, {
    file,
    line,
    field,
  });
}

/** The changes from one version to another. Both are read one recording at a time. Throws as readVersion. */
export async function compareVersions(
  workspace: Pick<Workspace, 'dir'>,
  from: string,
  to: string,
): Promise<VersionComparison> {
  const [before, after] = [await readVersion(workspace, from), await readVersion(workspace, to)];
  const recordings: VersionComparison['recordings'] = { added: [], removed: [], changed: [] };
  const [old, now] = [before, after].map(({ entries }) => new Map(entries.map((entry) => [entry.id, entry])));
  const named = ({ id, task }: SnapshotEntry) => ({ recording: id, task });
  for (const entry of before.entries) if (!now!.has(entry.id)) recordings.removed.push(named(entry));
  for (const entry of after.entries) if (!old!.has(entry.id)) recordings.added.push(named(entry));
  if (before.info.hash !== after.info.hash) {
    for await (const one of after.recordings()) {
      if (!old!.has(one.id)) continue;
      const changed = compareRecordings(await before.read(one.id), one);
      if (changed) recordings.changed.push(changed);
    }
  }
  const tasksOf = ({ entries }: OpenVersion): Set<string> => new Set(entries.map(({ task }) => task));
  return {
    from,
    to,
    equal: before.info.hash === after.info.hash,
    tasks: compareTasks(tasksOf(before), tasksOf(after), recordings),
    recordings,
  };
}
