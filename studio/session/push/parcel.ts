import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { type ArchiveManifest, archiveManifestSchema } from '../../../schemas/archive.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { openHandleIn, readIn, statOf } from '../../files/inside.ts';
import { padding, TAR_BLOCK, tarHeader } from '../../files/tar.ts';
import { readVersioned } from '../../files/versioned.ts';
import { type ArchiveWishes, manifestOf, planArchive } from '../../import/archive/plan.ts';
import { checkListed, MANIFEST_FILE } from '../../import/archive/read-archive.ts';
import { LIMITS } from '../../import/limits.ts';
import type { Workspace } from '../../store/workspace.ts';

/**
 * The archive of one recording as it is sent: never written as a whole, so that it takes no room beside the recording. What is
 * made for it lies in outgoing/<recording>/ of the workspace, the rest is read from the recording, which never changes. Any part
 * of its bytes can be read at any time, today and after a restart, and is the same.
 */
export type Parcel = {
  /** The hash of archive.json, which names it. */
  manifest: string;
  /** The version of archive.json: what a server must read at least. */
  archive: number;
  files: ArchiveManifest['files'];
  /** Bytes of the whole archive. */
  bytes: number;
  /** Only the recording, without annotation, tags and files of tasks. */
  bare: boolean;
  voice: boolean;
  leftOut: string[];
  /** Its bytes from `from` to before `to`, in pieces of 256 kB at most. Throws BAD_FILE where a file is not as it was. */
  read(from: number, to: number): AsyncGenerator<Buffer>;
};

export const OUTGOING_FOLDER = 'outgoing';
export const outgoingOf = (recording: string): string => `${OUTGOING_FOLDER}/${recording}`;
const FILE = 'parcel.json';
const TOP = 'workspace';
const PIECE = 256 * 1024;

const parcelSchema = z.object({
  version: z.literal(1),
  bare: z.boolean(),
  voice: z.boolean(),
  leftOut: z.array(z.string()),
  /** After archive.json, in this order; `file` inside the workspace. */
  contents: z.array(z.object({ path: z.string(), bytes: z.int().min(0), file: z.string() })),
});
type Stored = z.infer<typeof parcelSchema>;

type Packing = {
  bare: boolean;
  voice: boolean;
  carried: ArchiveWishes['carried'];
  /** This program's version. */
  version: string;
  signal: AbortSignal;
  report(share: number, message: string): void;
};

/**
 * Packs a recording anew. Throws UNKNOWN_RECORDING, NOTHING_TO_EXPORT where it is still recorded or damaged, BAD_FILE where no
 * import would take it.
 */
export async function packParcel(
  workspace: Workspace,
  recording: string,
  { bare, voice, carried, version, signal, report }: Packing,
): Promise<Parcel> {
  const folder = join(workspace.dir, ...outgoingOf(recording).split('/'));
  const spool = join(folder, 'texts');
  await rm(spool, { recursive: true, force: true });
  await mkdir(spool, { recursive: true, mode: 0o700 });
  const wishes = { recordings: [recording], voice, bare, carried: bare ? async () => [] : carried };
  const checking = (share: number, message: string): void => report(0.4 * share, message);
  const plan = await planArchive(workspace, wishes, { spool, signal, report: checking });
  const all = plan.contents.reduce((sum, { bytes }) => sum + bytes, 0) || 1;
  let read = 0;
  const manifest = await manifestOf(plan, version, signal, (bytes) => {
    read += bytes;
    report(0.4 + (0.6 * read) / all, 'hashing');
  });
  checkListed(manifest, LIMITS);
  const contents = plan.contents.map((content) => {
    const { path, bytes } = content;
    if ('file' in content) return { path, bytes, file: relative(workspace.dir, content.file).split(sep).join('/') };
    writeFileAtomic(join(folder, path), content.text);
    return { path, bytes, file: `${outgoingOf(recording)}/${path}` };
  });
  writeFileAtomic(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest)}\n`);
  const stored: Stored = { version: 1, bare, voice, leftOut: plan.leftOut, contents };
  writeFileAtomic(join(folder, FILE), `${JSON.stringify(stored)}\n`);
  return parcelOf(workspace, recording, stored);
}

/** The parcel that was packed before; null where there is none, or a file of it is not as it was. */
export function openParcel(workspace: Workspace, recording: string): Parcel | null {
  try {
    const stored = readVersioned(workspace.dir, `${outgoingOf(recording)}/${FILE}`, {
      schema: parcelSchema,
      newest: 1,
    });
    if (stored.contents.some(({ file, bytes }) => statOf(workspace.dir, file)?.size !== bytes)) return null;
    return parcelOf(workspace, recording, stored);
  } catch (error) {
    if (error instanceof StudioError) return null;
    throw error;
  }
}

function parcelOf({ dir }: Workspace, recording: string, { contents, ...stored }: Stored): Parcel {
  const file = `${outgoingOf(recording)}/${MANIFEST_FILE}`;
  const text = readIn(dir, file);
  const manifest = archiveManifestSchema.parse(JSON.parse(text.toString('utf8')));
  const spans = spansOf([{ path: MANIFEST_FILE, bytes: text.length, file }, ...contents]);
  return {
    manifest: createHash('sha256').update(text).digest('hex'),
    archive: manifest.version,
    files: manifest.files,
    bytes: spans.at(-1)!.end,
    bare: stored.bare,
    voice: stored.voice,
    leftOut: stored.leftOut,
    async *read(from, to) {
      for (const span of spans) {
        const [begin, end] = [Math.max(from, span.start), Math.min(to, span.end)];
        if (begin >= end) continue;
        if ('block' in span) yield span.block.subarray(begin - span.start, end - span.start);
        else yield* bytesOf(dir, span.file, begin - span.start, end - span.start);
      }
    },
  };
}

/** A part of the archive: bytes that are made, or those of a file. `end`: of the byte after it. */
type Span = { start: number; end: number } & ({ block: Buffer } | { file: string });

function spansOf(contents: Stored['contents']): Span[] {
  const spans: Span[] = [];
  let at = 0;
  const put = (bytes: number, what: { block: Buffer } | { file: string }): void => {
    spans.push({ start: at, end: at + bytes, ...what });
    at += bytes;
  };
  const block = (bytes: Buffer): void => put(bytes.length, { block: bytes });
  block(tarHeader({ path: `${TOP}/`, size: 0, kind: 'folder' }));
  for (const { path, bytes, file } of contents) {
    block(tarHeader({ path: `${TOP}/${path}`, size: bytes, kind: 'file' }));
    put(bytes, { file });
    block(Buffer.alloc(padding(bytes)));
  }
  block(Buffer.alloc(2 * TAR_BLOCK));
  return spans;
}

async function* bytesOf(dir: string, path: string, from: number, to: number): AsyncGenerator<Buffer> {
  const file = await openHandleIn(dir, path);
  try {
    for (let at = from; at < to; ) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, to - at));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) {
        const message = `${path} became shorter while it was sent. Push the recording again.`;
        throw new StudioError('BAD_FILE', message, { file: path });
      }
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
