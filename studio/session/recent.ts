import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import type { WorkspaceInfo } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { isWorkspace } from '../store/workspace-file.ts';

const fileSchema = z.array(z.object({ dir: z.string(), openedAt: z.iso.datetime() }));
type Entry = z.infer<typeof fileSchema>[number];

/** The workspaces opened before, in one file of the user's. */
type Recent = {
  /** The latest first. */
  list(): WorkspaceInfo[];
  /** The folder of this id; undefined when it was never opened here, or forgotten. */
  dirOf(id: string): string | undefined;
  /** Puts it first. `dir`: as `realDir` gives it. */
  add(dir: string): WorkspaceInfo;
  forget(id: string): void;
};

const MOST = 50;

export function openRecent(file: string): Recent {
  const read = (): Entry[] => {
    try {
      return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      return []; // A list of what was open before is no reason to stop anybody.
    }
  };
  const write = (entries: readonly Entry[]): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileAtomic(file, `${JSON.stringify(entries.slice(0, MOST), null, 2)}\n`);
  };
  return {
    list: () => read().map(({ dir, openedAt }) => infoOf(dir, openedAt)),
    dirOf: (id) => read().find(({ dir }) => workspaceId(dir) === id)?.dir,
    add(dir) {
      const openedAt = new Date().toISOString();
      write([{ dir, openedAt }, ...read().filter((entry) => entry.dir !== dir)]);
      return infoOf(dir, openedAt);
    },
    forget: (id) => write(read().filter(({ dir }) => workspaceId(dir) !== id)),
  };
}

const infoOf = (dir: string, openedAt: string): WorkspaceInfo => ({
  id: workspaceId(dir),
  name: basename(dir) || dir,
  dir,
  exists: isWorkspace(dir),
  openedAt,
});

/** 12 hex digits of the real path: the same for every way to write it, and an address that tells no path. */
export function workspaceId(dir: string): string {
  return createHash('sha256').update(dir).digest('hex').slice(0, 12);
}

/** The real path of a folder that is there, for one that is not yet: of the nearest folder above it. */
export function realDir(dir: string): string {
  const path = resolve(dir);
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realDir(parent), basename(path));
}

/** The path that a person typed: `~` is the home. Throws USAGE when it is not absolute: relative to what, on a page? */
export function typedPath(text: string, field: string): string {
  const trimmed = text.trim();
  const path = trimmed === '~' || /^~[/\\]/.test(trimmed) ? join(homedir(), trimmed.slice(1)) : trimmed;
  if (isAbsolute(path) && !path.includes('\0')) return resolve(path);
  throw new StudioError(
    'USAGE',
    `"${text.slice(0, 200)}" is no whole path. Write it from the root on, or from ~ (your home).`,
    {
      field,
    },
  );
}
