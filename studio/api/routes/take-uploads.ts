import { join } from 'node:path';
import { log, passedOver } from '../../../native/log/log.ts';
import type { UploadReceipt } from '../../../schemas/api/uploads.ts';
import { type ErrorBody, errorBody, isPassing, StudioError } from '../../../schemas/errors.ts';
import { pathExists } from '../../files/folder.ts';
import { openArchive } from '../../import/archive/read-archive.ts';
import { LIMITS } from '../../import/limits.ts';
import type { Home } from '../../session/home.ts';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import type { Work } from '../../store/jobs/queue.ts';
import { noteSender } from '../../store/senders.ts';
import { principalOfWork } from '../members/sessions.ts';
import { heldIn } from '../uploads/held.ts';
import type { UploadNote } from '../uploads/note.ts';
import type { TeamUploads } from '../uploads/team-uploads.ts';
import { openUploads, type UploadLimits } from '../uploads/uploads.ts';
import { takeArriving } from './archives.ts';

/** An upload that came whole is checked and taken in by a job, once, whatever becomes of the connection and of this process. */

/** A job that had to give up is begun again after so long, ms. */
const AGAIN_MS = 5000;
const SWEEP_MS = 3_600_000;

/** A defect of ours may pass, but is not tried for ever. */
const MOST_DEFECTS = 3;

type Taking = { job: string | null; failures: number; failedAt: number; error: ErrorBody | null };

/** Whether the archive itself is at fault: it is not tried again, and its bytes go. */
const isForGood = (code: string, failures: number): boolean =>
  code === 'FORBIDDEN' || (!isPassing(code) && (code !== 'INTERNAL' || failures >= MOST_DEFECTS));

export function openTeamUploads(open: OpenWorkspace, home: Home, limits: UploadLimits): TeamUploads {
  const uploads = openUploads(open.workspace.dir, limits, Date.now, heldIn(open.workspace));
  const takings = new Map<string, Taking>();
  const timer = setInterval(() => {
    try {
      uploads.sweep();
    } catch (error) {
      passedOver('uploads not swept')(error);
    }
  }, SWEEP_MS);
  timer.unref();

  /** The work of the job; says at the end how it ended, so that it is not done again. */
  const workOf =
    (note: UploadNote): Work =>
    async (tools) => {
      const taking = takings.get(note.id)!;
      try {
        const { message } = await takeIn(note, tools);
        return message;
      } catch (error) {
        taking.failedAt = performance.now();
        const body = errorBody(error);
        // Stopped by a person it is not begun again; a server that closes goes on with it at its next start.
        const isStopped = tools.signal.aborted && !open.isClosed();
        const { code, message } = isStopped
          ? { code: 'CANCELLED', message: 'It was stopped on the server, on the page Jobs. Nothing of it was kept.' }
          : body;
        if (isStopped || (!tools.signal.aborted && isForGood(body.code, ++taking.failures))) {
          await forgetAside(note);
          uploads.end(note, { state: 'refused', code, message });
        } else taking.error = body;
        throw error;
      } finally {
        taking.job = null;
      }
    };

  /** Bytes that a refused upload left aside would be counted as nobody's. */
  async function forgetAside(note: UploadNote): Promise<void> {
    try {
      await open.background.run('forgetArchive', { file: uploads.file(note) }, { alone: true });
    } catch (error) {
      // It was no archive at all, or its bytes are gone: then nothing of it lies aside.
      log.info('nothing aside of an upload', { name: note.id, error });
    }
  }

  async function takeIn(note: UploadNote, tools: Parameters<Work>[0]): Promise<{ message: string }> {
    const file = uploads.file(note);
    const alone = { ...tools, alone: true };
    if (!(await mayBringAll(open, note))) await open.background.run('mayBeBrought', { file }, alone);
    const asker = { config: home.config, person: note.owner, isLocal: false };
    const taken = await takeArriving(open, { file, asker, cameWhole: true }, tools);
    await noteSender(open.workspace.store, [...taken.recordings, ...taken.known], note.owner);
    const { manifest, files } = await open.background.run('confirmTaken', { file }, alone);
    uploads.end(note, {
      state: 'taken',
      manifest,
      recordings: taken.recordings,
      known: taken.known,
      forked: taken.forked,
      files: [...files],
      warnings: taken.warnings,
    });
    return taken;
  }

  async function ensure(note: UploadNote): Promise<Taking> {
    const known = takings.get(note.id);
    if (known && (known.job !== null || performance.now() - known.failedAt < AGAIN_MS)) return known;
    const failures = known?.failures ?? 0;
    const taking: Taking = { job: '', failures, failedAt: Number.NEGATIVE_INFINITY, error: known?.error ?? null };
    takings.set(note.id, taking);
    try {
      const job = await open.jobs.add('import', await subjectOf(uploads.file(note)), workOf(note), null, note.owner);
      // Its end may have come first.
      if (taking.job !== null) taking.job = job.id;
    } catch (error) {
      takings.delete(note.id);
      throw error;
    }
    return taking;
  }

  async function areHere(recordings: readonly string[]): Promise<boolean> {
    const here = new Map((await open.workspace.listAll()).map(({ id, folder }) => [id, folder]));
    const places = recordings.map((id) => here.get(id) ?? join(open.workspace.recordingsDir, id));
    return (await Promise.all(places.map(pathExists))).every((isHere) => isHere);
  }

  async function stateOf(taking: Taking): Promise<Pick<UploadReceipt, 'progress' | 'message' | 'error'>> {
    const job = taking.job ? (await open.jobs.get(taking.job)).job : null;
    const error = taking.error && { code: taking.error.code, message: taking.error.message };
    return { progress: job?.progress ?? 0, message: job?.message ?? null, error };
  }

  return {
    uploads,
    async receipt(note) {
      const base = { ...NOTHING, upload: note.id, bytes: note.bytes };
      if (note.end?.state === 'taken' && !(await areHere([...note.end.recordings, ...note.end.known]))) {
        // Removed since: who asks whether it arrived must not be told so.
        await uploads.remove(note);
        throw new StudioError('UNKNOWN_FILE', 'What was sent is no longer here. Begin it anew.', {});
      }
      if (note.end?.state === 'taken') return { ...base, ...note.end, offset: note.bytes };
      if (note.end) {
        const { code, message } = note.end;
        return { ...base, offset: note.bytes, state: 'refused', error: { code, message } };
      }
      const offset = uploads.size(note);
      if (offset < note.bytes) return { ...base, offset, state: 'receiving' };
      const taking = await ensure(note);
      return { ...base, offset, state: 'checking', ...(await stateOf(taking)) };
    },
    async goOn() {
      uploads.sweep();
      for (const note of uploads.waiting()) await ensure(note);
    },
    close: () => clearInterval(timer),
  };
}

/**
 * Whether its sender may bring the work of others in it: as it was when they began it, and as it is now. Throws FORBIDDEN for one
 * who may send no recordings any more.
 */
async function mayBringAll({ workspace }: OpenWorkspace, { owner, id, whole }: UploadNote): Promise<boolean> {
  const sender = await principalOfWork(workspace.store, owner, id);
  if (!sender?.member.rights.has('record')) {
    throw new StudioError(
      'FORBIDDEN',
      'Whoever sent it may send no recordings here any more. Nothing of it was kept.',
      {},
    );
  }
  return whole && sender.member.rights.has('manage');
}

/** A longer list of files is not read for a name, bytes: others would wait meanwhile. */
const MOST_FOR_NAME = 256 * 1024;

/** The recordings in it, as its job is called. */
async function subjectOf(file: string): Promise<string> {
  try {
    const limits = { ...LIMITS, jsonBytes: MOST_FOR_NAME };
    const archive = await openArchive(file, limits, new AbortController().signal);
    await archive.close();
    const [first, ...more] = archive.manifest.recordings;
    if (first !== undefined) return more.length === 0 ? first : `${first} and ${more.length} more`;
  } catch (error) {
    // The work itself says what is wrong with it.
    log.info('upload is no archive', { error });
  }
  return 'upload';
}

const NOTHING = {
  progress: 0,
  message: null,
  error: null,
  recordings: [],
  known: [],
  forked: [],
  warnings: [],
  manifest: null,
  files: [],
};

/** Throws USAGE on a machine of one's own. */
export function uploadsOf({ uploads }: { uploads?: TeamUploads }): TeamUploads {
  if (uploads) return uploads;
  throw new StudioError('USAGE', "Recordings are sent to a team's server; this is a studio of one machine.", {});
}
