import { StudioError } from '../../schemas/errors.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Opened, openedKey, openFolder } from './opened.ts';

/** A recording as the index has it, with what was derived of it. */
export type Context = { id: string; entry: RecordingEntry; opened: Opened };

/** Recordings kept in memory: one of 10,000 steps takes about 10 MB. */
const KEPT = 6;

/** Opens recordings by id (or the start of one) and keeps the last few while their files stay as they are. */
export function recordingContexts(workspace: Workspace) {
  const kept = new Map<string, { key: string; opened: Opened }>();

  async function entryOf(recording: string): Promise<RecordingEntry> {
    try {
      return await workspace.getRecording(recording);
    } catch (error) {
      if (!(error instanceof StudioError) || error.code !== 'UNKNOWN_RECORDING') throw error;
      // Perhaps a folder that came since the index was made, or the start of an id.
      return workspace.resolveRecording(recording);
    }
  }

  return {
    entryOf,
    /** Throws UNKNOWN_RECORDING, BAD_FILE, FUTURE_VERSION; USAGE for one that was not closed. */
    async open(recording: string): Promise<Context> {
      const entry = await entryOf(recording);
      const key = openedKey(entry.folder);
      const known = kept.get(entry.folder);
      const opened = known?.key === key ? known.opened : openFolder(entry.folder, key);
      kept.delete(entry.folder);
      kept.set(entry.folder, { key, opened });
      for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest);
      return { id: entry.id, entry, opened };
    },
  };
}
