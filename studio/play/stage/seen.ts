import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '../../files/atomic.ts';
import { readIn } from '../../files/inside.ts';
import { stageFolder } from './home.ts';

/** What the last copy of a stage's home has of it, kept with the stage: by it the next copy knows what changed since. */

const SEEN_FILE = 'copied.json';
const MOST_BYTES = 64 << 20;

const seenSchema = z.object({
  root: z.string(),
  copy: z.string().regex(/^[0-9a-f]{12}$/),
  files: z.array(z.tuple([z.string(), z.string()])),
});

/** `files`: the identity of each file, by its path. */
export type CopiedFiles = { copy: string; files: ReadonlyMap<string, string> };

/** A file with the same is the same: no program can set back when its content or its rights were changed (ctime). */
export const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(' ');

/** Null when there was no copy into this folder yet; then everything is copied. */
export function readSeen(stage: string, root: string): CopiedFiles | null {
  try {
    const seen = seenSchema.parse(JSON.parse(readIn(stageFolder(stage), SEEN_FILE, MOST_BYTES).toString('utf8')));
    return seen.root === root ? { copy: seen.copy, files: new Map(seen.files) } : null;
  } catch {
    return null; // None, or one that a kill left half.
  }
}

export function writeSeen(
  stage: string,
  { root, copy, files }: { root: string; copy: string; files: ReadonlyMap<string, string> },
): void {
  writeFileAtomic(join(stageFolder(stage), SEEN_FILE), JSON.stringify({ root, copy, files: [...files] }));
}
