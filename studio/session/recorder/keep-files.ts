import { setTimeout as sleep } from 'node:timers/promises';
import { bytesInWords, plural } from '../../../core/words.ts';
import { filesPlace } from '../../files/kept/place.ts';
import { isReadyToKeep } from '../../recordings/bytes.ts';
import { breathe } from '../../store/breathe.ts';
import type { OpenWorkspace } from '../open-workspace.ts';

/** Between two looks for recordings that are ready, ms. */
const LOOK_MS = 10_000;
/** After a place that did not take them it is twice as long each time, up to this, ms. */
const MOST_MS = 3_600_000;

/**
 * Moves large files of closed recordings to the place that this process was given, as long as the workspace is open, by jobs that
 * are told where people look. Does nothing where no place was given.
 */
export async function keepLargeFiles(open: OpenWorkspace, lookMs = LOOK_MS): Promise<void> {
  if (filesPlace() === null) return;
  /** Recordings of which nothing large is left here. */
  const done = new Set<string>();
  let wait = lookMs;
  while (!open.isClosed()) {
    const ready = await readyIn(open, done);
    if (ready.length > 0) {
      const state = await keep(open, ready);
      if (state === 'done') for (const { id } of ready) done.add(id);
      wait = state === 'done' ? lookMs : state === 'failed' ? Math.min(2 * wait, MOST_MS) : MOST_MS;
    }
    await sleep(wait, undefined, { ref: false });
  }
}

type Ready = { id: string; folder: string };

async function readyIn(open: OpenWorkspace, done: Set<string>): Promise<Ready[]> {
  const ready: Ready[] = [];
  for (const { id, folder, phase } of await open.workspace.listAll()) {
    if (phase !== 'closed' || done.has(id)) continue;
    await breathe();
    if (isReadyToKeep(folder)) ready.push({ id, folder });
  }
  return ready;
}

async function keep(open: OpenWorkspace, ready: readonly Ready[]): Promise<string> {
  const subject = ready.length === 1 ? ready[0]!.id : plural(ready.length, 'recording');
  const job = await open.jobs.add('keep', subject, async ({ signal, report }) => {
    const folders = ready.map(({ folder }) => folder);
    const { files, bytes } = await open.background.run('keep', { folders }, { signal, report, alone: true });
    open.changes.publish({ what: 'recordings' });
    return `${plural(files, 'file')}, ${bytesInWords(bytes)}`;
  });
  return (await open.jobs.finished(job.id)).state;
}
