import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { KEPT_LIST, keptList } from './list.ts';

/**
 * The bytes of all files of a folder, also those that lie in the place for large files; nothing of the folder `without` directly in
 * it, and nothing that a link leads to.
 */
export async function folderBytes(root: string, without: string | null = null): Promise<number> {
  let sum = 0;
  const walk = async (folder: string): Promise<void> => {
    // A folder that goes meanwhile takes no room.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (folder !== root || entry.name !== without) await walk(path);
      } else if (entry.isFile()) {
        sum += (await lstat(path).catch(() => null))?.size ?? 0;
        if (entry.name === KEPT_LIST) sum += farBytes(folder);
      }
    }
  };
  await walk(root);
  return sum;
}

/** 0 where the list cannot be read: whoever opens the recording is told. */
function farBytes(folder: string): number {
  try {
    return (keptList(folder)?.files ?? []).reduce((sum, { bytes }) => sum + bytes, 0);
  } catch {
    return 0;
  }
}
