import { LRUCache } from 'lru-cache';
import { StudioError } from '../../schemas/errors.ts';
import { REPLICA_MARK } from '../../schemas/review.ts';
import type { ClosedRecording } from '../recordings/closed.ts';
import { derivedKey } from '../recordings/derived.ts';
import { folderOpener } from '../recordings/opener.ts';
import { listPeople } from '../store/people.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';

/**
 * A recording as the index has it, with what was derived of it, and the document in it that is meant: the main one, which
 * has the recording's id, or a person's own.
 */
export type Context = {
  id: string;
  entry: RecordingEntry;
  opened: ClosedRecording;
  document: string;
  /** Whose the document is; null: the main one. */
  owner: string | null;
};

/** Kept in memory: so many steps in all, of which 10,000 take about 10 MB; a recording counts as some of them at least. */
const KEPT_STEPS = 60_000;
const LEAST_STEPS = 200;
/** The longest counts as no more than this, so that a few are kept whatever their length. */
const MOST_STEPS = 10_000;

/** Opens recordings by id (or the start of one) and keeps the last few while their files stay as they are. */
export function recordingContexts(workspace: Workspace) {
  const kept = new LRUCache<string, { key: string; opened: ClosedRecording }>({
    maxSize: KEPT_STEPS,
    sizeCalculation: ({ opened }) => Math.min(Math.max(opened.page.steps.length, LEAST_STEPS), MOST_STEPS),
  });
  const opener = folderOpener();

  async function entryOf(recording: string): Promise<RecordingEntry> {
    try {
      return await workspace.getRecording(recording);
    } catch (error) {
      if (!(error instanceof StudioError) || error.code !== 'UNKNOWN_RECORDING') throw error;
      // Perhaps a folder that came since the index was made, or the start of an id.
      return workspace.resolveRecording(recording);
    }
  }

  /** The id of a document of a recording and whose it is. Throws USAGE when it is none of this recording's. */
  async function documentOf(id: string, document: string | undefined) {
    if (document === undefined || document === id) return { document: id, owner: null };
    const mark = `${id}${REPLICA_MARK}`;
    const owner = document.startsWith(mark) ? document.slice(mark.length) : '';
    const known = owner !== '' && (await listPeople(workspace.store)).some((person) => person.id === owner);
    if (known) return { document, owner };
    throw new StudioError(
      'USAGE',
      `"${document.slice(0, 200)}" is no document of recording ${id}: its main one is "${id}", a person's own "${mark}<person id>".`,
      { recording: id, document },
    );
  }

  return {
    entryOf,
    documentOf,
    /** Throws UNKNOWN_RECORDING, BAD_FILE, FUTURE_VERSION; USAGE for one that was not closed, or an unknown document. */
    async open(recording: string, named?: string): Promise<Context> {
      const entry = await entryOf(recording);
      const key = derivedKey(entry.folder);
      const known = kept.get(entry.folder);
      const opened = known?.key === key ? known.opened : await opener.open(entry.folder, key);
      kept.set(entry.folder, { key, opened });
      return { id: entry.id, entry, opened, ...(await documentOf(entry.id, named)) };
    },
    /** Derives long ones that nobody has opened yet, so that the first opening need not. Never throws. */
    async prepare(recordings: readonly string[]): Promise<void> {
      const entries = await Promise.all(recordings.map((id) => entryOf(id).catch(() => null)));
      await opener.prepare(entries.flatMap((entry) => (entry ? [entry.folder] : [])));
    },
    close: () => opener.close(),
  };
}
