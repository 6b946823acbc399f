import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StudioError } from '../../../schemas/errors.ts';
import { recordingIdSchema } from '../../../schemas/names.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { findFolder } from '../../files/inside.ts';
import { readVersioned } from '../../files/versioned.ts';
import type { Workspace } from '../../store/workspace.ts';
import { OUTGOING_FOLDER, outgoingOf } from './parcel.ts';

/**
 * How far a recording is on its way to a server: outgoing/<recording>/push.json beside the workspace's other folders, never in the
 * recording. It holds no token.
 */

const journalSchema = z.object({
  version: z.literal(1),
  /** The origin of the server. */
  to: z.string(),
  /** The upload there; null before it was begun. */
  upload: z.string().nullable(),
  /** The local copy goes when it is confirmed. */
  free: z.boolean(),
  voice: z.boolean(),
  startedAt: z.iso.datetime(),
  /** When the server had confirmed every hash; null before. */
  confirmedAt: z.iso.datetime().nullable(),
  /** The copy here was removed after that. */
  freed: z.boolean().optional(),
  /**
   * It is not sent by itself: a person stopped it (`stopped`), or the server refused it for good. Cleared when somebody has it
   * sent again.
   */
  held: z.object({ code: z.string(), message: z.string() }).nullable().optional(),
});
export type Journal = z.infer<typeof journalSchema>;

const FILE = 'push.json';

/** Null where it was never sent, or the note cannot be read: it is begun anew then, which sends nothing twice. */
export function readJournal({ dir }: Pick<Workspace, 'dir'>, recording: string): Journal | null {
  try {
    return readVersioned(dir, `${outgoingOf(recording)}/${FILE}`, { schema: journalSchema, newest: 1 });
  } catch (error) {
    if (error instanceof StudioError && error.code === 'BAD_FILE') return null;
    throw error;
  }
}

export function writeJournal({ dir }: Pick<Workspace, 'dir'>, recording: string, journal: Journal): void {
  const folder = join(dir, OUTGOING_FOLDER, recording);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileAtomic(join(folder, FILE), `${JSON.stringify(journal)}\n`);
}

/** What was packed for a recording that has arrived is no longer needed; that it has, stays noted. */
export function tidyOutgoing(workspace: Pick<Workspace, 'dir'>, recording: string, journal: Journal): void {
  const folder = findFolder(workspace.dir, outgoingOf(recording));
  if (folder !== null) {
    for (const name of readdirSync(folder))
      if (name !== FILE) rmSync(join(folder, name), { recursive: true, force: true });
  }
  writeJournal(workspace, recording, journal);
}

/** Notes that a recording is not sent by itself any more, and why. */
export function holdJournal(
  workspace: Pick<Workspace, 'dir'>,
  recording: string,
  { to, ...held }: { to: string; code: string; message: string },
): void {
  const known = readJournal(workspace, recording);
  const begun = {
    version: 1 as const,
    to,
    upload: null,
    free: false,
    voice: false,
    startedAt: new Date().toISOString(),
  };
  writeJournal(workspace, recording, { ...begun, confirmedAt: null, ...(known?.to === to && known), held });
}

/** The recordings of which something is noted. */
export async function journaled({ dir }: Pick<Workspace, 'dir'>): Promise<string[]> {
  const folder = findFolder(dir, OUTGOING_FOLDER);
  return folder === null ? [] : (await readdir(folder)).filter((name) => isRecordingId(name));
}

const isRecordingId = (name: string): boolean => recordingIdSchema.safeParse(name).success;
