import { randomUUID } from 'node:crypto';
import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { log, passedOver } from '../../../native/log/log.ts';
import { isActive } from '../../../schemas/api/job-state.ts';
import type { Job } from '../../../schemas/api/models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { removeKilledMoves } from '../../files/move.ts';
import { describeHolder, endedHere } from '../../files/process-id.ts';
import { readHolder } from '../../files/read-holder.ts';
import { isLong } from '../../recordings/derived.ts';
import { finishWhole, wantsKeyframes } from '../../recordings/finish.ts';
import { isCopyLeft, makePlaybackCopy, wantsPlaybackCopy } from '../../recordings/playback.ts';
import { readTexts, type TextOptions, textsCost } from '../../recordings/texts/read-texts.ts';
import { breathe } from '../../store/breathe.ts';
import type { Work } from '../../store/jobs/queue.ts';
import type { OpenWorkspace } from '../open-workspace.ts';
import { recoverAll } from './recover-all.ts';

/** Stands in a recording while the studio prepares it; found later, it says that this ended the program. */
const MARKER = '.preparing';

/**
 * Does what a crash left undone (D2). Never in the way of opening: the rest of the workspace is used meanwhile. A recording
 * at which preparing ended the program is not begun again by itself, or no opening would ever succeed; a failed job says so,
 * and can be tried again.
 */
export async function repairWorkspace(open: OpenWorkspace): Promise<void> {
  const { workspace, changes } = open;
  for (const folder of [workspace.recordingsDir, join(workspace.dir, 'trash')]) await removeKilledMoves(folder);
  const { recovered } = await recoverAll(workspace, () => undefined);
  if (recovered.length > 0) changes.publish({ what: 'recordings' });
  for (const { id, folder } of await workspace.listAll()) {
    await breathe();
    if (wantsKeyframes(folder)) await (endedAt(folder) ? sayEnded(open, id) : prepare(open, id, folder));
    else if (wantsPlaybackCopy(folder)) await makeCopy(open, id, folder);
  }
}

/** Recordings that wait to be prepared, or are, by workspace. */
const preparing = new WeakMap<OpenWorkspace, Map<string, Promise<Job>>>();

/**
 * A job that makes a recording's keyframes and its playback copy; the same job for whoever asks before it is over. On a full
 * disk it fails, and begins again by itself when there is room. `turn`: the member of a team whose turn it takes.
 */
export function prepare(open: OpenWorkspace, id: string, folder: string, turn?: string): Promise<Job> {
  const those = preparing.get(open) ?? new Map<string, Promise<Job>>();
  preparing.set(open, those);
  const known = those.get(id);
  if (known) return known;
  const adding = addPreparing(open, id, folder, turn);
  those.set(id, adding);
  const over = (): void => {
    if (those.get(id) === adding) those.delete(id);
  };
  void adding.then((job) => open.jobs.finished(job.id)).then(over, over);
  return adding;
}

function addPreparing(open: OpenWorkspace, id: string, folder: string, turn: string | undefined): Promise<Job> {
  const work: Work = async ({ signal, report }) => {
    const marker = join(folder, MARKER);
    try {
      writeFileAtomic(marker, JSON.stringify(describeHolder(randomUUID(), process.pid)));
      const { warnings, waits } =
        isLong(folder) || open.background.atOnce() > 1
          ? await open.background.run('finish', { folder }, { signal, report, alone: true })
          : await finishWhole(open.workspace, folder, { signal, report });
      await open.begin(id);
      if (waits) throw new StudioError(waits.code, waits.message, waits.details);
      return warnings.length > 0 ? warnings.join('; ') : 'Keyframes and the playback copy are there.';
    } finally {
      rmSync(marker, { force: true });
      preparing.get(open)?.delete(id);
    }
  };
  return addPatient(open, { kind: 'prepare', id, folder, work, turn });
}

type Patient = { kind: string; id: string; folder: string; work: Work; turn?: string | undefined };

/** The job may not even have begun: it is noted in a database that is on the same disk. */
async function addPatient(open: OpenWorkspace, { kind, id, folder, work, turn }: Patient): Promise<Job> {
  const job = await open.jobs.add(kind, id, work, null, turn);
  void open.jobs.finished(job.id).then(({ error }) => {
    if (error?.code === 'DISK_FULL') void prepareWhenRoom(open, id, folder);
  });
  return job;
}

/** How often it is looked whether there is room again, ms. */
const ROOM_MS = 2000;
/** Less is not tried: it would be full again at once. */
const ROOM_BYTES = 64 * 2 ** 20;
const waiting = new WeakMap<OpenWorkspace, Set<string>>();

/** Waits until there is more room than now on the recording's disk and prepares it then; until the workspace is closed. */
export async function prepareWhenRoom(
  open: OpenWorkspace,
  id: string,
  folder: string,
  free: (folder: string) => number = freeBytes,
): Promise<void> {
  const those = waiting.get(open) ?? new Set();
  waiting.set(open, those);
  if (those.has(id)) return;
  those.add(id);
  try {
    const enough = free(folder) + ROOM_BYTES;
    for (;;) {
      await sleep(ROOM_MS, undefined, { ref: false });
      if (open.isClosed()) return;
      if (free(folder) < enough) continue;
      those.delete(id);
      await prepare(open, id, folder);
      return;
    }
  } catch (error) {
    // The folder is gone, or the workspace is: the next opening looks at what is missing.
    log.warn('recording not prepared', { recording: id, error });
  } finally {
    those.delete(id);
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** A job that makes the playback copy of a recording whose steps are there. */
function makeCopy(open: OpenWorkspace, id: string, folder: string): Promise<Job> {
  const work: Work = async ({ signal, report }) => {
    const warnings: string[] = [];
    const progress = (text: string, share = 0): void => {
      if (text.startsWith('warning: ')) warnings.push(text.slice('warning: '.length));
      report(share, text);
    };
    const waits = await makePlaybackCopy(folder, await findFfmpeg(), progress, signal);
    if (waits) throw new StudioError(waits.code, waits.message, waits.details);
    await open.workspace.indexRecording(folder);
    open.changes.publish({ what: 'recordings' });
    return warnings.length > 0 ? warnings.join('; ') : 'The playback copy is there.';
  };
  return addPatient(open, { kind: 'playback', id, folder, work });
}

/** Recordings whose left copy was begun here, by workspace. */
const copiesBegun = new WeakMap<OpenWorkspace, Set<string>>();

/**
 * A recording is looked at whose copy was to be made by a process that ended: it is made now, once for each opening of the
 * workspace, so that one which cannot be made is not begun again by each look. Never throws.
 */
export async function makeLeftCopy(open: OpenWorkspace, id: string): Promise<void> {
  const begun = copiesBegun.get(open) ?? new Set();
  copiesBegun.set(open, begun);
  if (begun.has(id)) return;
  try {
    const { folder } = await open.workspace.getRecording(id);
    // Two pages may look at once.
    if (begun.has(id) || !isCopyLeft(folder)) return;
    begun.add(id);
    // One that waits for its turn here makes it.
    const jobs = await open.jobs.list();
    if (jobs.some((job) => job.subject === id && isActive(job))) return;
    await makeCopy(open, id, folder);
  } catch (error) {
    // Nobody asked for it: the next opening of the workspace looks again.
    log.warn('copy not begun', { recording: id, error });
  }
}

/** Begins the jobs after a recording that nobody waits for. */
export async function makeBehind(
  open: OpenWorkspace,
  id: string,
  folder: string,
  { texts, copy }: { texts: TextOptions | null; copy: boolean },
): Promise<void> {
  if (texts) await makeTexts(open, id, folder, texts).catch(passedOver('texts not begun', { recording: id }));
  if (copy) await makeCopy(open, id, folder).catch(passedOver('copy not begun', { recording: id }));
}

/** A job that reads texts in the pictures of a recording whose steps are there, for the presses that no program named. */
function makeTexts(open: OpenWorkspace, id: string, folder: string, options: TextOptions): Promise<Job> {
  return open.jobs.add('texts', id, async ({ signal, report }) => {
    const progress = (done: number, all: number): void => report(done / all, `texts: ${done} of ${all}`);
    const texts = await readTexts(folder, options, { signal, progress });
    return textsCost(texts);
  });
}

/** True when the last attempt to prepare it ended its program. A machine that was switched off is no sign of that. */
function endedAt(folder: string): boolean {
  const holder = readHolder(join(folder, MARKER));
  return holder !== null && endedHere(holder);
}

const sayEnded = (open: OpenWorkspace, id: string): Promise<Job> =>
  open.jobs.add('prepare', id, async () => {
    throw new StudioError(
      'INTERRUPTED',
      `The program ended while it made the pictures of ${id}, so they were not begun again by themselves. The recording may be damaged; everything else works. Try again here, or run \`npm run studio -- keyframes ${id} --workspace DIR --out FOLDER\` in a terminal.`,
      { recording: id },
    );
  });
