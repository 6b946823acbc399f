import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { link, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { bytesInWords } from '../../core/words.ts';
import { StudioError } from '../../schemas/errors.ts';
import { isLive } from '../capture/recover.ts';
import { diskRoom } from '../files/folder.ts';
import { padding, TAR_BLOCK, tarHeader } from '../files/tar.ts';
import { isOfVoice } from '../recordings/voice.ts';
import type { Workspace } from '../store/workspace.ts';
import { type CarriedText, isCarried } from './carried.ts';
import { whyUntakeable } from './check-recording.ts';
import { exactBytes } from './exact-bytes.ts';
import { KEEP_FREE, LIMITS } from './limits.ts';
import { checkTarget, refuseExisting } from './target.ts';
import { type Listed, listOutgoing } from './unpack.ts';

type ExportOptions = {
  signal: AbortSignal;
  report(progress: number, message: string): void;
  /** The database's facts about it (carried.ts). */
  carried: readonly CarriedText[];
  /** With what the person said. Absent: without. */
  voice?: boolean | undefined;
};

/**
 * Writes one recording as a folder, or as an archive when `out` ends in .tstar or .tar (one format; the desktop app opens
 * the first by a double click); whole under its name or not at all. Throws BAD_FILE for one that no import would take,
 * UNKNOWN_RECORDING, WORKSPACE_BUSY while it is recorded, TARGET_EXISTS, USAGE, DISK_FULL, CANCELLED.
 */
export async function exportRecording(
  workspace: Workspace,
  id: string,
  out: string,
  { signal, report, carried, voice = false }: ExportOptions,
): Promise<{ out: string; bytes: number }> {
  const { folder } = await workspace.getRecording(id);
  const target = resolve(out);
  if (isLive(folder)) {
    throw new StudioError('WORKSPACE_BUSY', `${basename(folder)} is being recorded. Stop the recording first.`, {});
  }
  checkTarget(target, workspace);
  const files = listOutgoing(folder, LIMITS).filter(({ parts }) => !isCarried(parts) && (voice || !isOfVoice(parts)));
  const all = files.reduce((sum, { size }) => sum + size, 0);
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID().slice(0, 8)}.part`);
  const progress = (done: number): void => report(0.3 + (0.7 * done) / Math.max(1, all), 'writing');
  try {
    const checking = (share: number): void => report(0.3 * share, 'checking every line');
    const why = await whyUntakeable(folder, { id, said: null, signal, report: checking });
    if (why !== null) {
      throw new StudioError('BAD_FILE', `${id} was not written: ${why}.`, { recording: id });
    }
    await checkRoom(all, dirname(target));
    if (/\.(?:tar|tstar)$/i.test(target)) {
      await writeTar(folder, files, temporary, { top: basename(folder), carried, signal, progress });
      await putFile(temporary, target);
    } else {
      await mkdir(temporary);
      await writeFolder(folder, files, temporary, { signal, progress });
      for (const { name, text } of carried) await writeFile(join(temporary, name), text);
      refuseExisting(target);
      renameSync(temporary, target);
    }
    return { out: target, bytes: all };
  } catch (error) {
    if (signal.aborted) throw new StudioError('CANCELLED', 'The export was stopped; nothing was kept.', {});
    throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function checkRoom(bytes: number, dir: string): Promise<void> {
  const { free } = await diskRoom(dir);
  if (bytes + KEEP_FREE <= free) return;
  const message = `The recording is ${bytesInWords(bytes)} large, and ${bytesInWords(KEEP_FREE)} stay free; ${dir} has ${bytesInWords(free)}. Free some space and try again.`;
  throw new StudioError('DISK_FULL', message, { bytes });
}

/** Under its name at once and never over another file; FAT and some network folders know no links. */
async function putFile(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target);
  } catch {
    refuseExisting(target);
    renameSync(temporary, target);
  }
}

async function writeFolder(
  folder: string,
  files: readonly Listed[],
  to: string,
  { signal, progress }: Pick<TarOptions, 'signal' | 'progress'>,
): Promise<void> {
  let done = 0;
  const folders = new Set<string>();
  for (const { parts, size } of files) {
    const target = join(to, ...parts);
    const parent = dirname(target);
    if (!folders.has(parent)) await mkdir(parent, { recursive: true });
    folders.add(parent);
    const file = await open(target, 'wx');
    try {
      for await (const bytes of exactBytes(join(folder, ...parts), size, signal)) {
        await file.write(bytes);
        done += bytes.length;
        progress(done);
      }
    } finally {
      await file.close();
    }
  }
}

type TarOptions = {
  /** The one folder in it. */
  top: string;
  carried: readonly CarriedText[];
  signal: AbortSignal;
  progress(done: number): void;
};

async function writeTar(
  folder: string,
  files: readonly Listed[],
  to: string,
  { top, carried, signal, progress }: TarOptions,
): Promise<void> {
  const target = await open(to, 'wx');
  let done = 0;
  try {
    await target.write(tarHeader({ path: `${top}/`, size: 0, kind: 'folder' }));
    for (const { parts, size } of files) {
      await target.write(tarHeader({ path: [top, ...parts].join('/'), size, kind: 'file' }));
      for await (const bytes of exactBytes(join(folder, ...parts), size, signal)) {
        await target.write(bytes);
        done += bytes.length;
        progress(done);
      }
      await target.write(Buffer.alloc(padding(size)));
    }
    for (const { name, text } of carried) {
      const bytes = Buffer.from(text);
      await target.write(tarHeader({ path: `${top}/${name}`, size: bytes.length, kind: 'file' }));
      await target.write(Buffer.concat([bytes, Buffer.alloc(padding(bytes.length))]));
    }
    await target.write(Buffer.alloc(2 * TAR_BLOCK));
    await target.sync();
  } finally {
    await target.close();
  }
}
