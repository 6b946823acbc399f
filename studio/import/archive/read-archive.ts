import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { bytesInWords, plural } from '../../../core/words.ts';
import {
  ARCHIVE_SCHEMA,
  ARCHIVE_VERSION,
  type ArchiveManifest,
  archiveManifestSchema,
  VERSION_WITHOUT_RUNS,
} from '../../../schemas/archive.ts';
import { COMPOSITION_ID } from '../../../schemas/composition-terms.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import { SNAPSHOT_FILE, VERSION_FILE, VERSIONS_FOLDER } from '../../datasets/versions.ts';
import { compositionPath, verificationPath } from '../../documents/joined/carried-compositions.ts';
import { runPath } from '../../documents/joined/run-files.ts';
import { safeParts } from '../../files/names.ts';
import { padding, readTarHeader, TAR_BLOCK, type TarEntry } from '../../files/tar.ts';
import { type ImportLimits, LIMITS } from '../limits.ts';
import { parseLine, refuseLater } from '../lines.ts';
import { isLeftOut } from '../names.ts';
import { refused } from './frozen.ts';

/** recordings/<id>/ and what a recording may hold, or attachments/<task>/<file>. */
const DEPTH = LIMITS.depth + 2;
const CHUNK = 1 << 20;

export const MANIFEST_FILE = 'archive.json';
const VERSION_FILES = [SNAPSHOT_FILE, VERSION_FILE];
const versionFile = (name: string, file: string): string => `${VERSIONS_FOLDER}/${name}/${file}`;

export type ArchiveFile = ArchiveManifest['files'][number] & { parts: string[] };

export type OpenArchive = {
  manifest: ArchiveManifest;
  /** By path. */
  files: ReadonlyMap<string, ArchiveFile>;
  /** Hash of archive.json, which names the archive. */
  hash: string;
  bytes: number;
  /**
   * Every file in its order. `take` is called with the file and a reader of its bytes, and may leave it unread. Ends with
   * whether the archive is whole: false when it stops before its end.
   */
  each(take: (file: ArchiveFile, read: () => AsyncGenerator<Buffer>, at: number) => Promise<void>): Promise<boolean>;
  close(): Promise<void>;
};

/** True for a .tar that begins as an archive of ours does. Never throws. */
export async function isArchive(path: string): Promise<boolean> {
  // A pipe would wait for its writer for ever, and whoever waits for the answer with it.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => null);
  try {
    const entry = file && (await file.stat()).isFile() && (await headAt(file, TAR_BLOCK));
    return Boolean(entry && entry.path.split('/')[1] === MANIFEST_FILE);
  } catch {
    return false;
  } finally {
    await file?.close();
  }
}

/** Opens an archive and checks what it says it holds. Throws BAD_FILE, FUTURE_VERSION. */
export async function openArchive(path: string, limits: ImportLimits, signal: AbortSignal): Promise<OpenArchive> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    const why = whyNot(error);
    throw new StudioError(
      'BAD_FILE',
      `${path} cannot be read: ${why}. Check its path.`,
      { file: path },
      { cause: error },
    );
  });
  const info = await file.stat();
  const bytes = info.size;
  try {
    if (!info.isFile()) {
      throw new StudioError('BAD_FILE', `${path} is no file and so no archive. Name the .tar file.`, { file: path });
    }
    const first = await headAt(file, 0);
    const top = first?.kind === 'folder' ? first.path.replace(/\/$/, '') : null;
    const entry = await headAt(file, TAR_BLOCK);
    if (top === null || !entry || entry.path !== `${top}/${MANIFEST_FILE}`) {
      throw new StudioError('BAD_FILE', `${path} is no workspace archive: it does not begin with ${MANIFEST_FILE}.`, {
        file: path,
      });
    }
    safeParts(top, { depth: 1 });
    if (entry.size > limits.jsonBytes) throw refused(`${MANIFEST_FILE} is larger than ${limits.jsonBytes / 1e6} MB`);
    const text = await readExactly(file, entry.size, 2 * TAR_BLOCK);
    if (text === null) throw refused(`it ends inside ${MANIFEST_FILE}`);
    const manifest = parseManifest(path, text);
    const files = checkListed(manifest, limits);
    const start = 2 * TAR_BLOCK + entry.size + padding(entry.size);
    return {
      manifest,
      files,
      hash: createHash('sha256').update(text).digest('hex'),
      bytes,
      each: (take) => walk(file, { start, top, files, limits, signal }, take),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Values in archive.json: each file has four, and there is room to say how many are too many. Thirty million would be gigabytes of memory. */
const MOST_VALUES = 8 * LIMITS.entries;

function parseManifest(path: string, text: Buffer): ArchiveManifest {
  const parsed = parseLine(text, archiveManifestSchema, MOST_VALUES);
  if ('value' in parsed) return parsed.value;
  refuseLater(path, text, { schema: ARCHIVE_SCHEMA, newest: ARCHIVE_VERSION });
  throw refused(`${MANIFEST_FILE}: ${parsed.why}`);
}

/**
 * Names, counts and sizes, before a byte is written. Two spellings of one name would be one file on some systems. Throws
 * BAD_FILE.
 */
export function checkListed(
  { version, files, recordings, dataset }: ArchiveManifest,
  limits: ImportLimits,
): Map<string, ArchiveFile> {
  if (files.length > limits.entries) throw refused(`it holds more than ${limits.entries} files`);
  const known = new Map<string, ArchiveFile>();
  const spelled = new Set<string>();
  const folders = new Set<string>();
  const ids = new Set(recordings);
  let bytes = 0;
  for (const file of files) {
    const parts = safeParts(file.path, { depth: DEPTH });
    const [place, id = ''] = parts;
    const isOurs =
      file.path === 'library.json' ||
      (place === 'attachments' && parts.length === 3) ||
      (version >= VERSION_WITHOUT_RUNS && compositionAt(file.path) !== null) ||
      (version === ARCHIVE_VERSION && runAt(file.path) !== null) ||
      (place === VERSIONS_FOLDER && parts.length === 3 && id === dataset?.name && VERSION_FILES.includes(parts[2]!)) ||
      (place === 'recordings' && parts.length > 2 && ids.has(id) && !isLeftOut(parts.slice(2)));
    if (!isOurs || parts.some((part) => part.startsWith('.')))
      throw refused(`"${file.path.slice(0, 200)}" has no place in an archive`);
    const spelling = file.path.normalize('NFC').toLowerCase();
    if (spelled.has(spelling)) throw refused(`"${file.path.slice(0, 200)}" stands in it twice`);
    spelled.add(spelling);
    for (let end = spelling.indexOf('/'); end >= 0; end = spelling.indexOf('/', end + 1)) {
      folders.add(spelling.slice(0, end));
    }
    known.set(file.path, { ...file, parts });
    bytes += file.bytes;
  }
  const both = [...spelled].find((path) => folders.has(path));
  if (both !== undefined) throw refused(`"${both.slice(0, 200)}" stands in it as a file and as a folder`);
  const lonely = [...known.keys()].find((path) => {
    const id = compositionAt(path);
    return id !== null && !known.has(compositionPath(id));
  });
  if (lonely !== undefined) throw refused(`"${lonely}" is of no composition in it`);
  if (!known.has('library.json')) throw refused('it holds no library.json');
  if (dataset) {
    const lacking = VERSION_FILES.find((name) => !known.has(versionFile(dataset.name, name)));
    if (lacking) throw refused(`it holds no ${versionFile(dataset.name, lacking)}`);
    if (known.get(versionFile(dataset.name, SNAPSHOT_FILE))?.sha256 !== dataset.hash) {
      throw refused(`the snapshot of the version ${dataset.name} does not have the hash of that version`);
    }
  }
  if (bytes > limits.bytes) {
    throw refused(`it is ${bytesInWords(bytes)} large; at most ${bytesInWords(limits.bytes)} are taken`);
  }
  return known;
}

/** The composition that a file is of, or whose verification it is; null: neither. */
function compositionAt(path: string): string | null {
  const id = /^[^/]+[/]([^/.]+)[.]jsonl?$/.exec(path)?.[1] ?? '';
  const isOne = COMPOSITION_ID.test(id) && (path === compositionPath(id) || path === verificationPath(id));
  return isOne ? id : null;
}

/** The run of a composition that a file is; null: none. */
function runAt(path: string): string | null {
  const id = /[/]([0-9a-f]{12})[.]json$/.exec(path)?.[1] ?? '';
  return path === runPath(id) ? id : null;
}

/** The ids of the runs of compositions in an archive. */
export const runsIn = (files: ReadonlyMap<string, ArchiveFile>): string[] =>
  [...files.keys()].flatMap((path) => runAt(path) ?? []);

/** The ids of the compositions in an archive. */
export const compositionsIn = (files: ReadonlyMap<string, ArchiveFile>): string[] => [
  ...new Set([...files.keys()].flatMap((path) => compositionAt(path) ?? [])),
];

type Walk = {
  start: number;
  top: string;
  files: ReadonlyMap<string, ArchiveFile>;
  limits: ImportLimits;
  signal: AbortSignal;
};

async function walk(
  file: FileHandle,
  { start, top, files, limits, signal }: Walk,
  take: (file: ArchiveFile, read: () => AsyncGenerator<Buffer>, at: number) => Promise<void>,
): Promise<boolean> {
  const seen = new Set<string>();
  let at = start;
  for (let entries = 0; ; entries++) {
    signal.throwIfAborted();
    if (entries > limits.entries) throw refused(`it holds more than ${limits.entries} files`);
    const entry = await headAt(file, at);
    if (entry === undefined) return false;
    if (entry === null) break;
    const path = entry.path.startsWith(`${top}/`) ? entry.path.slice(top.length + 1) : null;
    const known = path === null ? undefined : files.get(path);
    if (!known || entry.kind !== 'file')
      throw refused(`"${entry.path.slice(0, 200)}" is not among the files that it names`);
    if (seen.has(known.path)) throw refused(`"${known.path.slice(0, 200)}" stands in it twice`);
    if (entry.size !== known.bytes)
      throw refused(`"${known.path}" has ${plural(entry.size, 'byte')}, not the ${known.bytes} that it should`);
    seen.add(known.path);
    const body = at + TAR_BLOCK;
    let short = false;
    async function* read(): AsyncGenerator<Buffer> {
      for (let done = 0; done < entry!.size; ) {
        signal.throwIfAborted();
        const chunk = await readExactly(file, Math.min(CHUNK, entry!.size - done), body + done);
        if (chunk === null) {
          short = true;
          return;
        }
        yield chunk;
        done += chunk.length;
      }
    }
    await take(known, read, at);
    if (short) return false;
    at = body + entry.size + padding(entry.size);
  }
  const missing = [...files.keys()].find((path) => !seen.has(path));
  if (missing !== undefined) throw refused(`"${missing}" is named but not in it`);
  return true;
}

/** The header at a place: null for the end of the archive, undefined when the file ends before. Throws BAD_FILE. */
async function headAt(file: FileHandle, at: number): Promise<TarEntry | null | undefined> {
  const block = await readExactly(file, TAR_BLOCK, at);
  return block === null ? undefined : readTarHeader(block, at);
}

async function readExactly(file: FileHandle, length: number, at: number): Promise<Buffer | null> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) return null;
    done += bytesRead;
  }
  return bytes;
}

type CheckedArchive = { recordings: string[]; dataset: string | null; files: number; bytes: number };

/** Reads a whole archive and compares every file with its hash; writes nothing. Throws BAD_FILE, CANCELLED. */
export async function checkArchive(
  path: string,
  {
    signal,
    report,
    limits = LIMITS,
  }: { signal: AbortSignal; report(share: number, message: string): void; limits?: ImportLimits },
): Promise<CheckedArchive> {
  const archive = await openArchive(path, limits, signal);
  try {
    const whole = await archive.each(async (file, read, at) => {
      const hash = createHash('sha256');
      for await (const chunk of read()) hash.update(chunk);
      report(at / archive.bytes, 'checking every file');
      if (hash.digest('hex') !== file.sha256 && archive.bytes >= at + TAR_BLOCK + file.bytes)
        throw wrongHash(file.path);
    });
    if (!whole) throw refused('it ends early: it was not copied whole');
    const { manifest, bytes } = archive;
    return {
      recordings: manifest.recordings,
      dataset: manifest.dataset?.name ?? null,
      files: manifest.files.length,
      bytes,
    };
  } catch (error) {
    if (signal.aborted) throw new StudioError('CANCELLED', 'The check was stopped.', {});
    throw error;
  } finally {
    await archive.close();
  }
}

export const wrongHash = (path: string): StudioError =>
  new StudioError(
    'BAD_FILE',
    `The archive cannot be taken: "${path}" does not have the content that it should (its hash differs). Nothing was kept.`,
    {
      file: path,
    },
  );
