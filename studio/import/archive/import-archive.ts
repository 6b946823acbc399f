import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { append } from '../../../core/lists.ts';
import { bytesInWords, plural } from '../../../core/words.ts';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import { type ArchiveLibrary, archiveLibrarySchema } from '../../../schemas/archive.ts';
import { errorBody, isPassing, StudioError } from '../../../schemas/errors.ts';
import { tornFamilies } from '../../datasets/families.ts';
import { takePeople } from '../../documents/arrival.ts';
import type { Documents } from '../../documents/documents.ts';
import { readTravelling, takeTravelling } from '../../documents/joined/carried-compositions.ts';
import { readTravellingRuns, takeTravellingRuns } from '../../documents/joined/carried-runs.ts';
import { flushFolder, flushTree } from '../../files/atomic.ts';
import { diskRoom, pathExists } from '../../files/folder.ts';
import { withFolderLock } from '../../files/folder-lock.ts';
import { move } from '../../files/move.ts';
import { makePrivate, makeTreePrivate } from '../../files/private.ts';
import { readRecording, writeRecording } from '../../store/recording-folder.ts';
import type { Workspace } from '../../store/workspace.ts';
import { noteArrival } from '../arrival-file.ts';
import { checkRecording } from '../check-recording.ts';
import { infoOf } from '../import-recording.ts';
import { type ImportLimits, KEEP_FREE, LIMITS } from '../limits.ts';
import { readBoundedJson } from '../lines.ts';
import { takeCarried } from '../take-carried.ts';
import { takeWaiting } from '../waiting.ts';
import { comingVersion, landVersion, readArrivedVersion, skipper } from './arriving-version.ts';
import { refused } from './frozen.ts';
import { takeLibrary } from './library.ts';
import { type Newer, type OnFork, takeNewer } from './newer.ts';
import { type ArchiveFile, compositionsIn, type OpenArchive, openArchive, runsIn, wrongHash } from './read-archive.ts';

export type ArchiveImportOptions = {
  documents: Documents;
  signal: AbortSignal;
  report(share: number, message: string): void;
  limits?: ImportLimits;
  /** The name of its frozen version here; default: the name that it has there. */
  versionAs?: string | undefined;
  /** What becomes of work that went on differently here and there; default: the work here stays. */
  onFork?: OnFork | undefined;
  /** It is known to have come whole: one that ends early, or says that it holds more than it does, is at fault itself. */
  cameWhole?: boolean | undefined;
  /** Asked only when stills must be compared with a master; default: the one that is installed. */
  ffmpeg?: () => Promise<FfmpegInfo>;
};

export type TakenArchive = {
  recordings: string[];
  /** The frozen version in it, as it is called here. `known`: it was here already, with the same hash. */
  dataset: { name: string; known: boolean } | null;
  /** Were here already. */
  known: string[];
  /** Of those, whose work goes on here as the archive says, and whose went on differently here and there. */
  newer: Omit<Newer, 'warnings'>;
  /** Bytes that an earlier, interrupted import had brought and that were found right. */
  resumed: number;
  warnings: string[];
  /** Tasks to which a recipe or checks came: nothing of them is run before a person agrees to it. */
  setUp: string[];
};

/** The archive itself is at fault, or stands for something else that is here. */
const REFUSED: ReadonlySet<string> = new Set(['BAD_FILE', 'FUTURE_VERSION', 'TARGET_EXISTS', 'USAGE']);
/** Names with a dot first are no recordings to the index. */
const STAGING = '.archive-';
/** How old the leftovers of an interrupted import must be to be removed, ms. */
const FORGOTTEN = 7 * 24 * 3_600_000;

/**
 * Takes a workspace archive. Every file is compared with its hash, every recording checked as any import, before the first
 * of them is seen; refused, nothing of it stays. Interrupted (stopped, killed, the archive not copied whole), what came
 * whole stays aside, and the next import of the same archive goes on after it.
 * A frozen version of a name that stands for another content here is refused before anything is read: TARGET_EXISTS.
 * Throws BAD_FILE, FUTURE_VERSION, DISK_FULL, CANCELLED.
 */
export async function importArchive(
  workspace: Workspace,
  path: string,
  options: ArchiveImportOptions,
): Promise<TakenArchive> {
  const source = resolve(path);
  if (!infoOf(source).isFile()) {
    throw new StudioError('BAD_FILE', `${source} is a folder and no archive. Name the .tar file.`, { file: source });
  }
  const { signal, report } = options;
  let begun = false;
  const work = (): Promise<TakenArchive> => {
    begun = true;
    return takeWhole(workspace, source, options);
  };
  try {
    // Two that unpack the same archive into one folder would write into, name and remove each other's files.
    return await withFolderLock(workspace.recordingsDir, 'import-archive', work, {
      signal,
      onWait: () => report(0, 'waiting for another archive that is being imported into this workspace'),
    });
  } catch (error) {
    // No room even for the lock: the work itself says how much it needs.
    if (!begun && errorBody(error).code === 'DISK_FULL') return work();
    throw error;
  }
}

async function takeWhole(workspace: Workspace, source: string, options: ArchiveImportOptions): Promise<TakenArchive> {
  const { signal, report, limits = LIMITS } = options;
  await forgetOld(workspace);
  const archive = await openArchive(source, limits, signal);
  const staging = stagingOf(workspace, archive);
  try {
    if (options.cameWhole) refuseHollow(archive);
    // Finishes what an earlier import left undone; its recordings count as here from now on.
    await workspace.syncIndex();
    const owed = await takeWaiting(workspace, options.documents, { signal });
    const coming = comingVersion(workspace, archive.manifest, options.versionAs);
    const known = await knownOf(workspace, archive.manifest.recordings);
    const isNew = (await mkdir(staging, { recursive: true })) !== undefined;
    await checkRoom(archive, staging);
    const skips = skipper(archive.manifest, known);
    const { resumed, whole } = await unpack(archive, { staging, isNew }, skips, signal, report);
    if (!whole) {
      if (options.cameWhole) throw refused('it ends early');
      throw await endsEarly(source, staging);
    }
    const library = readBoundedJson(join(staging, 'library.json'), archiveLibrarySchema, limits);
    checkLibrary(library, archive);
    const travelling = readTravelling(staging, compositionsIn(archive.files));
    const runs = readTravellingRuns(staging, runsIn(archive.files));
    const fresh = archive.manifest.recordings.filter((id) => !known.has(id));
    const warnings = [...owed.warnings, ...(await checkAll(fresh, staging, limits, signal, report))];
    const version = coming
      ? await readArrivedVersion(coming, { workspace, archive, staging, known, limits, signal })
      : null;
    append(warnings, version?.warnings ?? []);
    signal.throwIfAborted();
    const landed = await land(workspace, options.documents, { staging, library, fresh, travelling, runs });
    append(warnings, landed.warnings);
    const onFork = options.onFork ?? 'ours';
    const wishes = { staging, library, known: [...known.keys()], onFork, limits, signal };
    const { warnings: odd, ...newer } = await takeNewer(workspace, options.documents, wishes);
    append(warnings, odd);
    if (coming && version)
      append(warnings, await landVersion(workspace, staging, coming, version, options.ffmpeg ?? installedFfmpeg));
    await rm(staging, { recursive: true, force: true });
    report(1, 'imported');
    return {
      recordings: fresh,
      dataset: coming && { name: coming.as, known: coming.known },
      known: [...known.keys()],
      newer,
      resumed,
      warnings,
      setUp: landed.setUp,
    };
  } catch (error) {
    if (signal.aborted) {
      throw new StudioError(
        'CANCELLED',
        'The import was stopped. Nothing of it is seen; importing the same archive again goes on.',
        {},
      );
    }
    const { code, details } = errorBody(error);
    // Only what is wrong with the archive itself is thrown away; a full disk, a lock or a defect of ours is no fault of it.
    const mayGoOn = !REFUSED.has(code) || details.resumable === true;
    if (!mayGoOn) await rm(staging, { recursive: true, force: true });
    throw error;
  } finally {
    await archive.close();
  }
}

const stagingOf = ({ recordingsDir }: Workspace, { hash }: OpenArchive): string =>
  join(recordingsDir, `${STAGING}${hash.slice(0, 24)}`);

/** Throws BAD_FILE for an archive whose files would be longer than the whole of it. */
function refuseHollow({ manifest, bytes }: OpenArchive): void {
  const said = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  if (said > bytes) throw refused(`it says that it holds ${bytesInWords(said)}, and is ${bytesInWords(bytes)} long`);
}

/** Removes what an import of this archive left aside to go on with. */
export async function forgetStaged(workspace: Workspace, source: string, signal: AbortSignal): Promise<void> {
  const archive = await openArchive(source, LIMITS, signal);
  await archive.close();
  const staging = stagingOf(workspace, archive);
  if (!(await pathExists(staging))) return;
  const remove = () => rm(staging, { recursive: true, force: true });
  await withFolderLock(workspace.recordingsDir, 'import-archive', remove, { signal });
}

/** Recordings that are here with their folders: by the folders, which are the truth. */
async function knownOf(workspace: Workspace, ids: readonly string[]): Promise<Map<string, string>> {
  const here = new Map((await workspace.listAll()).map(({ id, folder }) => [id, folder]));
  const known = new Map<string, string>();
  for (const id of ids) {
    const folder = here.get(id) ?? join(workspace.recordingsDir, id);
    if (await pathExists(folder)) known.set(id, folder);
  }
  return known;
}

/** Only here: most archives need no ffmpeg. */
async function installedFfmpeg(): Promise<FfmpegInfo> {
  return (await import('../../../native/ffmpeg/find.ts')).findFfmpeg();
}

type Unpacked = { resumed: number; whole: boolean };

async function unpack(
  archive: OpenArchive,
  { staging, isNew }: { staging: string; isNew: boolean },
  skips: (file: ArchiveFile) => boolean,
  signal: AbortSignal,
  report: ArchiveImportOptions['report'],
): Promise<Unpacked> {
  let resumed = 0;
  const folders = new Set<string>();
  const whole = await archive.each(async (file, read, at) => {
    report((0.6 * at) / archive.bytes, 'unpacking');
    if (skips(file)) return;
    const target = join(staging, ...file.parts);
    // Nothing is there of an import that has only begun.
    if (!isNew && (await isWhole(target, file, signal))) {
      resumed += file.bytes;
      return;
    }
    const folder = dirname(target);
    if (!folders.has(folder)) await mkdir(folder, { recursive: true });
    folders.add(folder);
    await unpackOne(file, target, read);
  });
  return { resumed, whole };
}

/** Whole and right, or not there at all: what is being written has another name. */
async function unpackOne(file: ArchiveFile, target: string, read: () => AsyncGenerator<Buffer>): Promise<void> {
  const part = `${target}.part`;
  const hash = createHash('sha256');
  let done = 0;
  const handle = await openAnew(part);
  try {
    for await (const chunk of read()) {
      hash.update(chunk);
      await handle.write(chunk);
      done += chunk.length;
    }
  } catch (error) {
    if (hasCode(error, 'ENOSPC')) {
      throw new StudioError(
        'DISK_FULL',
        'The disk is full. What came whole is kept: free some space and import the archive again.',
        {},
      );
    }
    throw error;
  } finally {
    await handle.close();
    if (done < file.bytes) await rm(part, { force: true });
  }
  if (done < file.bytes) return;
  if (hash.digest('hex') !== file.sha256) throw wrongHash(file.path);
  await rename(part, target);
}

/** An empty file, whatever an interrupted import left there. */
async function openAnew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx');
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    await rm(path, { force: true });
    return open(path, 'wx');
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

async function isWhole(path: string, { bytes, sha256 }: ArchiveFile, signal: AbortSignal): Promise<boolean> {
  const info = await lstat(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  });
  if (!info?.isFile() || info.size !== bytes) return false;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal })) hash.update(chunk as Buffer);
  return hash.digest('hex') === sha256;
}

/** Every recording as any import: its own id in its own folder. */
async function checkAll(
  ids: readonly string[],
  staging: string,
  limits: ImportLimits,
  signal: AbortSignal,
  report: ArchiveImportOptions['report'],
): Promise<string[]> {
  const warnings: string[] = [];
  for (const [at, id] of ids.entries()) {
    try {
      const checked = await checkRecording(join(staging, 'recordings', id), limits, signal, (share) =>
        report(0.6 + (0.35 * (at + share)) / ids.length, `checking every line (${at + 1} of ${ids.length})`),
      );
      if (checked.recording.id !== id) {
        throw new StudioError('BAD_FILE', `it calls itself ${checked.recording.id}. Nothing was kept.`, {});
      }
      if (checked.recording.state !== 'closed')
        throw new StudioError('BAD_FILE', 'it was not closed. Nothing was kept.', {});
      append(
        warnings,
        checked.warnings.map((warning) => `${id}: ${warning}`),
      );
    } catch (error) {
      const { code, message, details } = errorBody(error);
      if (isPassing(code)) throw error;
      throw new StudioError(code, `Recording ${id} of the archive: ${message}`, details, { cause: error });
    }
  }
  return warnings;
}

function checkLibrary({ attachments, recordings }: ArchiveLibrary, { files, manifest }: OpenArchive): void {
  const stray = attachments.find(({ file }) => !file.startsWith('attachments/') || !files.has(file));
  if (stray)
    throw new StudioError(
      'BAD_FILE',
      `library.json names the file "${stray.file.slice(0, 200)}", which is not in the archive. Nothing was kept.`,
      {},
    );
  const ids = new Set(manifest.recordings);
  const other = recordings.find(({ id }) => !ids.has(id));
  if (other)
    throw new StudioError(
      'BAD_FILE',
      `library.json names the recording "${other.id}", which is not in the archive. Nothing was kept.`,
      {},
    );
}

type Landing = {
  staging: string;
  library: ArchiveLibrary;
  fresh: readonly string[];
  travelling: ReturnType<typeof readTravelling>;
  runs: ReturnType<typeof readTravellingRuns>;
};

/**
 * From here on nothing is refused. Each recording gets its name with a note in it of what it is still owed, so that a kill
 * anywhere leaves it to be finished: by the next import, or when the workspace is opened (H8).
 */
async function land(
  workspace: Workspace,
  documents: Documents,
  { staging, library, fresh, travelling, runs }: Landing,
): Promise<{ warnings: string[]; setUp: string[] }> {
  const came = new Map(fresh.map((id) => [id, readRecording(join(staging, 'recordings', id))]));
  const joined = travelling.flatMap(({ composition }) => composition.members.flatMap(({ task }) => task ?? []));
  const arriving = new Set([...[...came.values()].map(({ task }) => task.id), ...joined]);
  const { warnings, renamed, setUp } = await takeLibrary(workspace, library, staging, arriving);
  const said = new Map(library.recordings.map((one) => [one.id, one]));
  for (const id of fresh) {
    const folder = join(workspace.recordingsDir, id);
    const staged = join(staging, 'recordings', id);
    const { state = null, tags = [] } = said.get(id) ?? {};
    const recording = came.get(id);
    const task = recording && renamed.get(recording.task.id);
    if (task !== undefined) writeRecording(staged, { ...recording!, task: { ...recording!.task, id: task } });
    noteArrival(staged, id, { state, tags });
    makePrivate(staged);
    await makeTreePrivate(staged);
    // The database keeps what it is told through a power cut: so must the files that it names.
    await flushTree(staged);
    await move(staged, folder);
    flushFolder(workspace.recordingsDir);
    await workspace.indexRecording(folder);
  }
  for (const id of fresh) {
    const odd = await takeCarried(workspace, documents, id, join(workspace.recordingsDir, id));
    append(
      warnings,
      odd.warnings.map((one) => `${id}: ${one}`),
    );
  }
  if (travelling.length > 0) {
    append(warnings, await takeTravelling(workspace, travelling, { tasks: renamed, people: takePeople }));
  }
  append(warnings, takeTravellingRuns(workspace, runs, renamed));
  append(warnings, await tornFamilies(workspace));
  return { warnings, setUp };
}

async function checkRoom({ manifest }: OpenArchive, staging: string): Promise<void> {
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const { free } = await diskRoom(staging);
  if (bytes - (await sizeOf(staging)) + KEEP_FREE <= free) return;
  // Nothing of it is there yet: a refusal leaves no folder behind.
  if ((await readdir(staging)).length === 0) await rm(staging, { recursive: true, force: true });
  const needs = bytesInWords(bytes + KEEP_FREE);
  const message = `The archive holds ${bytesInWords(bytes)}, and ${bytesInWords(KEEP_FREE)} stay free for recordings and the database: together ${needs}, of which ${bytesInWords(free)} are free. Free some space and try again.`;
  throw new StudioError('DISK_FULL', message, { bytes });
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

async function sizeOf(folder: string): Promise<number> {
  let sum = 0;
  for (const { parentPath, name } of await filesIn(folder)) sum += (await stat(join(parentPath, name))).size;
  return sum;
}

async function endsEarly(source: string, staging: string): Promise<StudioError> {
  const { length: kept } = await filesIn(staging);
  return new StudioError(
    'BAD_FILE',
    `${source} ends early: it was not copied whole. ${plural(kept, 'file')} came whole and wait aside; copy the archive again and import it again to go on.`,
    { file: source, resumable: true },
  );
}

async function forgetOld({ recordingsDir }: Workspace): Promise<void> {
  for (const name of await readdir(recordingsDir)) {
    if (!name.startsWith(STAGING)) continue;
    const path = join(recordingsDir, name);
    const { mtimeMs } = await stat(path);
    if (Math.abs(Date.now() - mtimeMs) > FORGOTTEN) await rm(path, { recursive: true, force: true });
  }
}
