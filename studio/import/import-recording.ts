import { type Stats, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Imported, type ImportOptions, landRecording } from './land.ts';
import { placeOwn } from './own-task.ts';
import { copyFolder, unpackTar } from './unpack.ts';
import type { ImportWishes } from './wishes.ts';

/**
 * Takes a recording folder or a .tar of one into a workspace. It is copied first and checked as a copy, so that nothing
 * can change between the look and the use; it appears under its id only when all is sound. `wishes`: software, task, goal and
 * person that the copy has from then on; a task of its id that has another goal here is never taken for its own (own-task.ts).
 * Throws BAD_FILE (what is wrong, with file and line), FUTURE_VERSION, TARGET_EXISTS for an id that is there, DISK_FULL,
 * CANCELLED; nothing is left behind then.
 */
export async function importRecording(
  workspace: Workspace,
  path: string,
  { wishes = {}, ...options }: ImportOptions & { wishes?: Pick<ImportWishes, 'app' | 'goal' | 'task' | 'person'> },
): Promise<Imported> {
  const source = resolve(path);
  const kind = kindOf(source, workspace);
  const place: ImportOptions['place'] = (folder, recording) => placeOwn(workspace, folder, recording, wishes);
  return landRecording(workspace, source, { ...options, place }, async ({ folder, limits, signal, report }) => {
    const unpack = kind === 'folder' ? copyFolder : unpackTar;
    await unpack(source, folder, {
      limits,
      signal,
      report: (done, all) => report(done / Math.max(1, all), 'copying'),
    });
  });
}

function kindOf(source: string, { recordingsDir }: Workspace): 'folder' | 'archive' {
  const info = infoOf(source);
  if (source === recordingsDir || source.startsWith(recordingsDir + sep)) {
    throw new StudioError('USAGE', `${source} lies in this workspace already.`, { file: source });
  }
  return info.isDirectory() ? 'folder' : 'archive';
}

/** Throws BAD_FILE when there is no such file or folder; what is neither (a pipe) would wait for ever. */
export function infoOf(source: string): Stats {
  let info: Stats;
  try {
    info = statSync(source);
  } catch (error) {
    throw new StudioError('BAD_FILE', `${source} cannot be read: ${whyNot(error)}. Check its path.`, { file: source });
  }
  if (info.isFile() || info.isDirectory()) return info;
  throw new StudioError('BAD_FILE', `${source} is neither a file nor a folder, but a device or pipe.`, {
    file: source,
  });
}
