import { createHash } from 'node:crypto';
import { existsSync, lstatSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ARCHIVE_SCHEMA,
  ARCHIVE_VERSION,
  type ArchiveLibrary,
  type ArchiveManifest,
} from '../../../schemas/archive.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Traveller } from '../../../schemas/history.ts';
import { readSplits, readTags } from '../../datasets/tags.ts';
import {
  type OpenVersion,
  readVersion,
  SNAPSHOT_FILE,
  VERSION_FILE,
  VERSIONS_FOLDER,
  versionsDir,
} from '../../datasets/versions.ts';
import { isLive } from '../../record/recover.ts';
import { listPeople } from '../../store/people.ts';
import type { RecordingEntry } from '../../store/recordings.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type Carrier, isCarried } from '../carried.ts';
import { exactBytes } from '../exact-bytes.ts';
import { LIMITS } from '../limits.ts';
import { listFiles } from '../unpack.ts';

/** What stands in an archive at a path: a file of the workspace, or a text made for it. */
export type Content = { path: string; bytes: number } & ({ file: string } | { text: Buffer });

type ArchivePlan = {
  /** After archive.json, in this order. */
  contents: Content[];
  recordings: string[];
  /** The frozen version that it is of; null for recordings as they are. */
  version: OpenVersion | null;
  /** What is not in it and why. */
  leftOut: string[];
};

export type ArchiveWishes = {
  /** Ids, or their beginnings; null: everything. Must be null with `dataset`. */
  recordings: readonly string[] | null;
  /** A frozen version: its recordings, and itself. */
  dataset?: string | null | undefined;
  carried: Carrier;
};

/**
 * What an archive of these recordings holds: their folders, what was said of them with its history, their tasks with their
 * files. Texts that are made for it go into `spool`, so that memory does not grow with their number. Throws
 * UNKNOWN_RECORDING, BAD_FILE, UNKNOWN_FILE for a version that is not there; NOTHING_TO_EXPORT when nothing is left.
 */
export async function planArchive(
  workspace: Workspace,
  { recordings: ids, dataset = null, carried }: ArchiveWishes,
  spool: string,
): Promise<ArchivePlan> {
  const version = dataset === null ? null : await readVersion(workspace, dataset);
  const all = await workspace.listRecordings();
  const wanted = version
    ? version.entries.map(({ id }) => frozenEntry(all, id, version.info.name))
    : ids === null
      ? all
      : await Promise.all(ids.map((id) => workspace.resolveRecording(id)));
  const leftOut: string[] = [];
  const taken: RecordingEntry[] = [];
  for (const entry of wanted.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (taken.at(-1)?.id === entry.id) continue;
    if (isLive(entry.folder)) leftOut.push(`${entry.id}: it is being recorded`);
    else taken.push(entry);
  }
  if (taken.length === 0) {
    throw new StudioError(
      'NOTHING_TO_EXPORT',
      `There is no recording to put into the archive${leftOut.length > 0 ? ` (${leftOut[0]})` : ''}.`,
      {},
    );
  }
  const contents: Content[] = [];
  for (const { id, folder } of taken) {
    for (const { parts, size } of listFiles(folder, LIMITS)) {
      const path = ['recordings', id, ...parts].join('/');
      if (!isCarried(parts)) contents.push({ path, bytes: size, file: join(folder, ...parts) });
    }
    for (const { name, text } of await carried(id)) {
      const file = join(spool, `${contents.length}`);
      writeFileSync(file, text);
      contents.push({ path: `recordings/${id}/${name}`, bytes: Buffer.byteLength(text), file });
    }
  }
  const only = version || ids !== null ? new Set(taken.map(({ task }) => task)) : null;
  const { library, attachments } = await libraryOf(workspace, only, taken, leftOut);
  contents.unshift(textAt('library.json', `${JSON.stringify(library, null, 1)}\n`));
  return {
    contents: [...contents, ...attachments, ...(version ? versionFiles(workspace, version) : [])],
    recordings: taken.map(({ id }) => id),
    version,
    leftOut,
  };
}

function frozenEntry(all: readonly RecordingEntry[], id: string, version: string): RecordingEntry {
  const entry = all.find((one) => one.id === id);
  if (entry) return entry;
  throw new StudioError(
    'UNKNOWN_RECORDING',
    `The version ${version} holds the recording ${id}, which is no longer in this workspace. Put its folder back (trash/ has what was removed).`,
    { version, id },
  );
}

function versionFiles(workspace: Workspace, { info }: OpenVersion): Content[] {
  return [SNAPSHOT_FILE, VERSION_FILE].map((name) => {
    const file = join(versionsDir(workspace), info.name, name);
    return { path: `${VERSIONS_FOLDER}/${info.name}/${name}`, bytes: statSync(file).size, file };
  });
}

function textAt(path: string, value: string): Content {
  const text = Buffer.from(value);
  return { path, bytes: text.length, text };
}

/** The tasks (all when null) with their software and files. */
async function libraryOf(
  workspace: Workspace,
  only: ReadonlySet<string> | null,
  taken: readonly RecordingEntry[],
  leftOut: string[],
): Promise<{ library: ArchiveLibrary; attachments: Content[] }> {
  const { db } = workspace;
  const isIn = ({ id }: { id: string }): boolean => only === null || only.has(id);
  const tasks = (await db.selectFrom('tasks').selectAll().orderBy('id').execute()).filter(isIn);
  const used = new Set([...tasks.map(({ software_id: id }) => id), ...taken.map(({ app }) => app)]);
  const software = (await workspace.listSoftware())
    .filter(({ id }) => used.has(id))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const rows = await db.selectFrom('attachments').selectAll().orderBy('id').execute();
  const files: Content[] = [];
  const attachments: ArchiveLibrary['attachments'] = [];
  for (const row of rows.filter(({ task_id: id }) => isIn({ id }))) {
    const file = join(workspace.dir, ...row.file.split('/'));
    const info = existsSync(file) ? lstatSync(file) : undefined;
    if (!info?.isFile()) {
      leftOut.push(`the file "${row.name}" of task ${row.task_id}: it is missing from the workspace`);
      continue;
    }
    files.push({ path: row.file, bytes: info.size, file });
    const { id, task_id: task, role, name, created_at: createdAt } = row;
    attachments.push({ id, task, role, name, file: row.file, createdAt });
  }
  const [tags, splits] = [await readTags(db), await readSplits(db)];
  const people = await demonstratorsOf(workspace, taken);
  const library: ArchiveLibrary = {
    ...(people.length > 0 && { people }),
    software,
    tasks: tasks.map(({ id, software_id, goal, state, platform, source_url, notes }) => {
      const split = splits.get(id);
      return {
        id,
        software: software_id,
        goal,
        state,
        platform,
        sourceUrl: source_url,
        notes,
        ...(split !== undefined && { split }),
      };
    }),
    recordings: taken.map(({ id, state }) => {
      const own = tags.get(id);
      return { id, state, ...(own && { tags: own }) };
    }),
    attachments,
  };
  return { library, attachments: files };
}

async function demonstratorsOf({ db }: Workspace, taken: readonly RecordingEntry[]): Promise<Traveller[]> {
  const names = new Set(taken.map(({ person }) => person));
  return (await listPeople(db))
    .filter(({ name }) => names.has(name))
    .map(({ id, name }) => ({ id, name }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The manifest: reads every file once for its hash. */
export async function manifestOf(
  { contents, recordings, version: frozen }: ArchivePlan,
  version: string,
  signal: AbortSignal,
  read: (bytes: number) => void,
): Promise<ArchiveManifest> {
  const files: ArchiveManifest['files'] = [];
  for (const content of contents) {
    const hash = createHash('sha256');
    for await (const chunk of chunksOf(content, signal)) {
      hash.update(chunk);
      read(chunk.length);
    }
    files.push({ path: content.path, bytes: content.bytes, sha256: hash.digest('hex') });
  }
  return {
    schema: ARCHIVE_SCHEMA,
    version: ARCHIVE_VERSION,
    tool: { name: 'trajectory-studio', version },
    recordings,
    ...(frozen && { dataset: { name: frozen.info.name, hash: frozen.info.hash } }),
    files,
  };
}

/** Exactly `bytes` bytes of a content. Throws BAD_FILE when the file was cut since. */
export async function* chunksOf(content: Content, signal: AbortSignal): AsyncGenerator<Buffer> {
  if ('text' in content) yield content.text;
  else yield* exactBytes(content.file, content.bytes, signal);
}
