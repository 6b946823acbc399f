import { createHash } from 'node:crypto';
import { open, opendir } from 'node:fs/promises';
import { findFolder, readIn, statOf } from './inside.ts';
import { isPlainName } from './names.ts';
import { padding, TAR_BLOCK, tarHeader } from './tar.ts';

/** Paths below a folder, with `/`, in the order of their names; folders before what is in them. */
export type Below = { files: string[]; folders: string[] };

/**
 * Everything below a folder inside `root`, which may be somebody else's and change meanwhile; or why it is not taken: `many` are more
 * than `most` entries, `stranger` is the first link, device or pipe, or a name that is none here. No link is followed. Null: there
 * is no such folder. Throws BAD_FILE for a link in its way.
 */
export async function everythingBelow(
  root: string,
  path: string,
  most: number,
): Promise<Below | { many: true } | { stranger: string } | null> {
  if (findFolder(root, path) === null) return null;
  const [files, folders]: [string[], string[]] = [[], []];
  for (const under of withLater(folders)) {
    const folder = findFolder(root, under === '' ? path : `${path}/${under}`);
    if (folder === null) continue; // It was removed meanwhile.
    for await (const entry of await opendir(folder)) {
      const name = under === '' ? entry.name : `${under}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (!isPlainName(entry.name) || entry.name.includes('\uFFFD') || !(isFolder || entry.isFile()))
        return { stranger: name };
      (isFolder ? folders : files).push(name);
      if (files.length + folders.length > most) return { many: true };
    }
  }
  return { files: files.sort(), folders: folders.sort() };
}

/** The folder itself, then each that is added meanwhile. */
function* withLater(folders: readonly string[]): Generator<string> {
  yield '';
  yield* folders;
}

type Packed = { file: string; bytes: number; sha256: string };

/**
 * Packs what is below a folder inside `root` into a new .tar at `to`, each file as it is read now. Throws BAD_FILE for more than
 * `most` bytes, for a name that is too long, and for what is no plain file any more.
 */
export async function packBelow(
  root: string,
  path: string,
  { below, to, most }: { below: Below; to: string; most: number },
): Promise<Packed[]> {
  const packed: Packed[] = [];
  const tar = await open(to, 'wx', 0o600);
  try {
    for (const folder of below.folders)
      await tar.appendFile(tarHeader({ path: `${folder}/`, size: 0, kind: 'folder' }));
    let left = most;
    for (const file of below.files) {
      const isProgram = ((statOf(root, `${path}/${file}`)?.mode ?? 0) & 0o100) !== 0;
      const content = readIn(root, `${path}/${file}`, left);
      left -= content.length;
      await tar.appendFile(tarHeader({ path: file, size: content.length, kind: 'file', isProgram }));
      await tar.appendFile(content);
      await tar.appendFile(Buffer.alloc(padding(content.length)));
      packed.push({ file, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') });
    }
    await tar.appendFile(Buffer.alloc(2 * TAR_BLOCK));
  } finally {
    await tar.close();
  }
  return packed;
}
