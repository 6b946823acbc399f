import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { append } from '../../../core/lists.ts';
import {
  ARCHIVE_SCHEMA,
  ARCHIVE_VERSION,
  type ArchiveLibrary,
  type ArchiveManifest,
  archiveLibrarySchema,
  VERSION_WITHOUT_COMPOSITIONS,
  VERSION_WITHOUT_RUNS,
} from '../../../schemas/archive.ts';
import { hasTerms, NO_TERMS } from '../../../schemas/dataset-terms.ts';
import { withoutDeviceName } from '../../../schemas/device-names.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Traveller } from '../../../schemas/history.ts';
import { readTerms } from '../../datasets/terms.ts';
import {
  type OpenVersion,
  readVersion,
  SNAPSHOT_FILE,
  VERSION_FILE,
  VERSIONS_FOLDER,
} from '../../datasets/versions.ts';
import { compositionsFor, travellingFiles, verifiersOf } from '../../documents/joined/carried-compositions.ts';
import { travellingRuns } from '../../documents/joined/carried-runs.ts';
import { fileIn, statOf } from '../../files/inside.ts';
import { safeParts } from '../../files/names.ts';
import { isOfVoice } from '../../recordings/voice.ts';
import { attachmentPlace, listAllAttachments } from '../../store/attachments.ts';
import { breathe } from '../../store/breathe.ts';
import { readSplits, readTags } from '../../store/curation.ts';
import { listPeople } from '../../store/people.ts';
import type { RecordingEntry } from '../../store/recordings.ts';
import { listStoredTasks } from '../../store/tasks.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type Carrier, isCarried } from '../carried.ts';
import { exactBytes } from '../exact-bytes.ts';
import { LIMITS } from '../limits.ts';
import { listOutgoing } from '../unpack.ts';
import { type SpooledText, takeable } from './takeable.ts';

/** The content of an archive at a path: a file of the workspace, or a text made for it. */
export type Content = { path: string; bytes: number } & ({ file: string } | { text: Buffer });

type ArchivePlan = {
  /** After archive.json, in this order. */
  contents: Content[];
  recordings: string[];
  compositions: number;
  /** The runs of its compositions. */
  runs: number;
  /** The frozen version that it is of, as it is called in the archive; null for recordings as they are. */
  version: OpenVersion | null;
  /** Files that are left out, each with the reason. */
  leftOut: string[];
};

export type ArchiveWishes = {
  /** Ids, or their beginnings; null: everything. Must be null with `dataset`. */
  recordings: readonly string[] | null;
  /** A frozen version: its recordings, and itself. */
  dataset?: string | null | undefined;
  carried: Carrier;
  /** With what people said. Absent: without. */
  voice?: boolean | undefined;
  /** Recordings with the words of their tasks, and nothing that says how far the work on them is. Absent: with everything. */
  bare?: boolean | undefined;
};

type Planning = { spool: string; signal: AbortSignal; report(share: number, message: string): void };

/**
 * The content of an archive of these recordings: their folders, what was said of them with its history, their tasks with their
 * files. Texts that are made for it go into `spool`, so that memory does not grow with their number. Throws
 * UNKNOWN_RECORDING, BAD_FILE (also for a recording of a version that no import would take), UNKNOWN_FILE for a version that
 * is not there; NOTHING_TO_EXPORT when nothing is left.
 */
export async function planArchive(
  workspace: Workspace,
  { recordings: ids, dataset = null, carried, voice = false, bare = false }: ArchiveWishes,
  { spool, signal, report }: Planning,
): Promise<ArchivePlan> {
  const version = dataset === null ? null : await readVersion(workspace, dataset);
  // Names that some system cannot keep are no longer taken; an old version of such a name goes out under another.
  const called = version && withoutDeviceName(version.info.name);
  const all = await workspace.listRecordings();
  const byId = new Map(all.map((entry) => [entry.id, entry]));
  const wanted = version
    ? version.entries.map(({ id }) => frozenEntry(byId, id, version.info.name))
    : ids === null
      ? all
      : await Promise.all(ids.map(async (id) => byId.get(id) ?? workspace.resolveRecording(id)));
  const leftOut: string[] = [];
  if (version && called !== null && called !== version.info.name) {
    leftOut.push(
      `the name "${version.info.name}": Windows keeps it for a device, so the version is called "${called}"`,
    );
  }
  const taken: { entry: RecordingEntry; texts: SpooledText[] }[] = [];
  const spelled = new Map<string, string>();
  const candidates = [...new Map(wanted.map((entry) => [entry.id, entry])).values()];
  for (const [at, entry] of candidates.sort((a, b) => (a.id < b.id ? -1 : 1)).entries()) {
    const { id } = entry;
    const other = version ? undefined : spelled.get(id.toLowerCase());
    if (other !== undefined) {
      leftOut.push(`${id}: on some systems it is the same name as ${other}`);
      continue;
    }
    const progress = (share: number): void =>
      report((at + share) / candidates.length, `checking every line (${at + 1} of ${candidates.length})`);
    const found = await takeable(entry, { carried, texts: join(spool, `${at}`), signal, report: progress });
    if ('why' in found) {
      if (version) throw lacksOne(version.info.name, id, found.why);
      leftOut.push(`${id}: ${found.why}`);
      continue;
    }
    taken.push({ entry, texts: found.texts });
    spelled.set(id.toLowerCase(), id);
  }
  if (taken.length === 0) {
    throw new StudioError(
      'NOTHING_TO_EXPORT',
      `There is no recording to put into the archive${leftOut.length > 0 ? ` (${leftOut[0]})` : ''}.`,
      {},
    );
  }
  const contents: Content[] = [];
  for (const { entry, texts } of taken) {
    await breathe();
    const place = `recordings/${entry.id}`;
    for (const { parts, size } of listOutgoing(entry.folder, LIMITS)) {
      if (!isCarried(parts) && (voice || !isOfVoice(parts)))
        contents.push({ path: [place, ...parts].join('/'), bytes: size, file: join(entry.folder, ...parts) });
    }
    for (const { name, bytes, file } of texts) contents.push({ path: `${place}/${name}`, bytes, file });
  }
  const entries = taken.map(({ entry }) => entry);
  const only = version || ids !== null ? new Set(entries.map(({ task }) => task)) : null;
  // A frozen version is what was frozen, and a bare recording is itself; compositions are as they are now.
  const { travelling, leftOut: odd } =
    version || bare ? { travelling: [], leftOut: [] } : compositionsFor(workspace, only);
  const runs = travellingRuns(workspace, travelling, ids === null ? null : new Set(entries.map(({ id }) => id)));
  append(leftOut, runs.leftOut);
  append(leftOut, odd);
  const wishes = { only, version, verifiers: verifiersOf(travelling) };
  const whole = await libraryOf(workspace, wishes, entries, leftOut);
  const { library, attachments } = bare ? { library: bareLibrary(whole.library), attachments: [] } : whole;
  refuseUntakeable(library);
  contents.unshift(textAt('library.json', `${JSON.stringify(library, null, 1)}\n`));
  return {
    contents: [
      ...contents,
      ...attachments,
      ...travelling.flatMap(travellingFiles).map(({ path, text }) => textAt(path, text)),
      ...runs.files.map(({ path, text }) => textAt(path, text)),
      ...(version && called ? versionFiles(workspace, version, called) : []),
    ],
    recordings: entries.map(({ id }) => id),
    compositions: travelling.length,
    runs: runs.files.length,
    version: version && called ? { ...version, info: { ...version.info, name: called } } : null,
    leftOut,
  };
}

/** Throws BAD_FILE rather than to make an archive that no import would take: a folder that was copied in may say anything. */
function refuseUntakeable(library: ArchiveLibrary): void {
  const result = archiveLibrarySchema.safeParse(library);
  if (result.success) return;
  const { path = [], message = 'it does not fit' } = result.error.issues[0] ?? {};
  const [list, at] = path;
  const one: unknown = Reflect.get(Reflect.get(library, list ?? '') ?? {}, at ?? '');
  const id = typeof one === 'object' && one !== null && 'id' in one ? ` "${String(one.id).slice(0, 80)}"` : '';
  throw new StudioError(
    'BAD_FILE',
    `No archive was made, since no import would take it: ${String(list ?? 'library')}${id}, field \`${String(path.at(-1) ?? '')}\`: ${message}. Change it, or leave it out.`,
    { field: path.map(String).join('.') },
  );
}

/** A version without one of its recordings is none. */
const lacksOne = (version: string, id: string, why: string): StudioError =>
  new StudioError('BAD_FILE', `No archive was made, since the version ${version} holds ${id}: ${why}.`, {
    version,
    recording: id,
  });

function frozenEntry(all: ReadonlyMap<string, RecordingEntry>, id: string, version: string): RecordingEntry {
  const entry = all.get(id);
  if (entry) return entry;
  throw new StudioError(
    'UNKNOWN_RECORDING',
    `The version ${version} holds the recording ${id}, which is no longer in this workspace. Put its folder back (trash/ has what was removed).`,
    { version, id },
  );
}

/** `called`: its name in the archive. */
function versionFiles(workspace: Workspace, { info }: OpenVersion, called: string): Content[] {
  return [SNAPSHOT_FILE, VERSION_FILE].map((name) => {
    const path = `${VERSIONS_FOLDER}/${called}/${name}`;
    if (name === VERSION_FILE && called !== info.name) {
      return textAt(path, `${JSON.stringify({ ...info, name: called }, null, 2)}\n`);
    }
    const file = fileIn(workspace.dir, `${VERSIONS_FOLDER}/${info.name}/${name}`);
    return { path, bytes: statSync(file).size, file };
  });
}

function textAt(path: string, value: string): Content {
  const text = Buffer.from(value);
  return { path, bytes: text.length, text };
}

type LibraryWishes = {
  /** These tasks; null: all. */
  only: ReadonlySet<string> | null;
  version: OpenVersion | null;
  /** Who verified compositions that go along. */
  verifiers: readonly Traveller[];
};

/** The tasks with their software and files. */
async function libraryOf(
  workspace: Workspace,
  { only, version, verifiers }: LibraryWishes,
  taken: readonly RecordingEntry[],
  leftOut: string[],
): Promise<{ library: ArchiveLibrary; attachments: Content[] }> {
  const { store } = workspace;
  const isIn = ({ id }: { id: string }): boolean => only === null || only.has(id);
  const tasks = (await listStoredTasks(store, 'id')).filter(isIn);
  const used = new Set([...tasks.map(({ software_id: id }) => id), ...taken.map(({ app }) => app)]);
  const software = (await workspace.listSoftware())
    .filter(({ id }) => used.has(id))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const rows = await listAllAttachments(store, 'id');
  const files: Content[] = [];
  const attachments: ArchiveLibrary['attachments'] = [];
  for (const row of rows.filter(({ task_id: id }) => isIn({ id }))) {
    const found = attachmentHere(workspace, row.file);
    if ('why' in found) {
      leftOut.push(`the file "${row.name}" of task ${row.task_id}: ${found.why}`);
      continue;
    }
    files.push({ path: row.file, ...found });
    const { id, task_id: task, role, name, created_at: createdAt } = row;
    attachments.push({ id, task, role, name, file: row.file, createdAt });
  }
  const [tags, splits] = [await readTags(store), await readSplits(store)];
  const people = await peopleOf(workspace, taken, verifiers);
  // A version's are those that it was frozen with.
  const terms = version ? (version.info.terms ?? NO_TERMS) : await readTerms(store);
  const library: ArchiveLibrary = {
    ...(people.length > 0 && { people }),
    ...(hasTerms(terms) && { terms }),
    software,
    tasks: tasks.map(({ id, software_id, goal, state, platform, source_url, notes, answer, kind }) => {
      const split = splits.get(id);
      return {
        id,
        software: software_id,
        goal,
        state,
        platform,
        sourceUrl: source_url,
        notes,
        ...(answer !== '' && { answer }),
        ...(kind !== 'full' && { kind }),
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

/** Without what somebody who only records may not say (recorder-brings.ts). */
function bareLibrary({ people, software, tasks, recordings }: ArchiveLibrary): ArchiveLibrary {
  return {
    ...(people && { people }),
    software,
    tasks: tasks.map(({ split: _split, answer: _answer, ...task }) => ({ ...task, state: 'open' })),
    recordings: recordings.map(({ id }) => ({ id, state: 'recorded' })),
    attachments: [],
  };
}

/** The database may be somebody else's: a plain file of attachments/ goes out, under a name that every system can keep. */
function attachmentHere(workspace: Workspace, path: string): { file: string; bytes: number } | { why: string } {
  try {
    safeParts(path, { depth: 3 });
    const file = attachmentPlace(workspace, path);
    const info = statOf(workspace.dir, path);
    return info ? { file, bytes: info.size } : { why: 'it is missing from the workspace' };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { why: error.message };
  }
}

/** Those who demonstrated, and who verified: the latter also when they are no longer of this workspace. */
async function peopleOf(
  { store }: Workspace,
  taken: readonly RecordingEntry[],
  verifiers: readonly Traveller[],
): Promise<Traveller[]> {
  const names = new Set(taken.map(({ person }) => person));
  const verified = new Set(verifiers.map(({ id }) => id));
  const here = (await listPeople(store)).map(({ id, name }) => ({ id, name }));
  const known = new Set(here.map(({ id }) => id));
  return [
    ...here.filter(({ id, name }) => names.has(name) || verified.has(id)),
    ...verifiers.filter(({ id }) => !known.has(id)),
  ].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The manifest: reads every file once for its hash. */
export async function manifestOf(
  { contents, recordings, compositions, runs, version: frozen }: ArchivePlan,
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
    version: compositions === 0 ? VERSION_WITHOUT_COMPOSITIONS : runs === 0 ? VERSION_WITHOUT_RUNS : ARCHIVE_VERSION,
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
