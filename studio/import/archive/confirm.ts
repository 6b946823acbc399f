import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { StudioError } from '../../../schemas/errors.ts';
import { readIn } from '../../files/inside.ts';
import { wholeBytes } from '../../files/kept/bytes.ts';
import { hasBytes } from '../../files/kept/list.ts';
import { breathe } from '../../store/breathe.ts';
import type { Workspace } from '../../store/workspace.ts';
import { isCarried } from '../carried.ts';
import { LIMITS } from '../limits.ts';
import { type ArchiveFile, openArchive } from './read-archive.ts';

/** A file of an archive that lies in the workspace with the same content: what was read there has this hash. */
export type ConfirmedFile = { path: string; sha256: string };

/**
 * Reads the files of an archive's recordings where they lie in this workspace, and compares them with the hashes that the archive
 * names. Throws CONFLICT where the workspace has another recording of the same id; what is made again from the rest (stills, the
 * copy for playing) may differ, and is then not among those that are confirmed.
 */
export async function confirmArchive(
  workspace: Workspace,
  path: string,
  { signal, report }: { signal: AbortSignal; report(share: number, message: string): void },
): Promise<{ manifest: string; files: ConfirmedFile[] }> {
  const archive = await openArchive(path, LIMITS, signal);
  try {
    const folders = new Map<string, string>();
    for (const id of archive.manifest.recordings) folders.set(id, (await workspace.getRecording(id)).folder);
    const files: ConfirmedFile[] = [];
    await archive.each(async (file, read, at) => {
      report(at / archive.bytes, 'comparing what is stored');
      const [place, id = '', ...rest] = file.parts;
      const folder = folders.get(id);
      if (place !== 'recordings' || folder === undefined || isCarried(rest)) return;
      const name = rest.join('/');
      const same =
        (await hashIn(folder, name, signal)) === file.sha256 ||
        (name === 'recording.json' && isSameHead(await textOf(file, read), folder));
      if (same) files.push({ path: file.path, sha256: file.sha256 });
      else if (!isMadeAgain(rest)) throw isAnother(id, name);
    });
    return { manifest: archive.hash, files };
  } finally {
    await archive.close();
  }
}

/** Stills and the copy for playing: the server may have made its own. */
export const isMadeAgain = (parts: readonly string[]): boolean =>
  parts[0] === 'keyframes' || (parts.length === 1 && parts[0]!.endsWith('.mp4'));

/** Null where it is nowhere. Videos may be in the place for large files, and are read there. */
async function hashIn(folder: string, name: string, signal: AbortSignal): Promise<string | null> {
  if (!hasBytes(folder, name)) return null;
  const hash = createHash('sha256');
  for await (const piece of wholeBytes(folder, name, signal)) {
    hash.update(piece);
    await breathe();
  }
  return hash.digest('hex');
}

async function textOf({ bytes }: ArchiveFile, read: () => AsyncGenerator<Buffer>): Promise<string> {
  if (bytes > LIMITS.jsonBytes) return '';
  const pieces: Buffer[] = [];
  for await (const piece of read()) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** The task may have another id here, and the copy for playing another name; everything else is as it came. */
function isSameHead(came: string, folder: string): boolean {
  try {
    const [one, other] = [came, readIn(folder, 'recording.json').toString('utf8')].map((text) => {
      const { task: _task, playback: _playback, ...rest } = JSON.parse(text) as Record<string, unknown>;
      return rest;
    });
    return isDeepStrictEqual(one, other);
  } catch {
    return false;
  }
}

const isAnother = (id: string, name: string): StudioError =>
  new StudioError(
    'CONFLICT',
    `The workspace has another recording ${id}: its ${name} is not what was sent. Both stay as they are; look at them, and move one to the trash.`,
    { recording: id, file: name },
  );
