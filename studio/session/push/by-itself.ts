import { setTimeout as sleep } from 'node:timers/promises';
import { plural } from '../../../core/words.ts';
import { log } from '../../../native/log/log.ts';
import { isActive } from '../../../schemas/api/job-state.ts';
import type { Job } from '../../../schemas/api/models.ts';
import type { OutgoingRecording, SendingWishes } from '../../../schemas/api/team-server.ts';
import { type ErrorBody, errorBody, isPassing, StudioError } from '../../../schemas/errors.ts';
import { isLive } from '../../capture/recover.ts';
import { wantsKeyframes } from '../../recordings/finish.ts';
import { tasksFromServers } from '../../store/recorders.ts';
import type { OpenWorkspace } from '../open-workspace.ts';
import { holdJournal, journaled, readJournal } from './journal.ts';
import { hasVoice, type Pushed, pushRecording } from './push.ts';
import { greet, type PushPatience } from './send.ts';
import { readServer } from './server-file.ts';
import { passes, type TeamServer } from './wire.ts';

/** Recordings of tasks that were taken from a team's server go there by themselves, by jobs, as long as the workspace is open. */

export type SendingDesk = {
  /** The account's own folder, which holds the server and its token. */
  config: string;
  version: string;
  wishes(): SendingWishes;
  /** Between two looks for recordings that are finished, ms. */
  lookMs?: number;
  patience?: PushPatience;
};

const LOOK_MS = 5000;
/** A server that cannot be asked is asked again after twice as long each time, up to this, ms. */
const MOST_MS = 60_000;
const GREET_MS = 20_000;

/** Why nothing can be sent from a workspace now, from the last time that it was tried. */
const aways = new WeakMap<OpenWorkspace, ErrorBody>();

export const awayOf = (open: OpenWorkspace): ErrorBody | null => aways.get(open) ?? null;

/** Never throws; ends soon after the workspace is closed. */
export async function sendByItself(open: OpenWorkspace, sender: SendingDesk): Promise<void> {
  const { lookMs = LOOK_MS } = sender;
  let wait = lookMs;
  while (!open.isClosed()) {
    const isWell = await sendDue(open, sender).catch((error: unknown) => {
      if (!open.isClosed()) log.warn('recordings not sent', { workspace: open.id, error });
      return false;
    });
    wait = isWell ? lookMs : Math.min(2 * wait, Math.max(lookMs, MOST_MS));
    await sleep(wait, undefined, { ref: false });
  }
}

/** Sends what waits, one after another; false: something has to wait. */
async function sendDue(open: OpenWorkspace, sender: SendingDesk): Promise<boolean> {
  const server = sender.wishes().on ? readServer(sender.config) : null;
  const due = server === null ? [] : await dueFor(open, server.origin);
  if (server === null || due.length === 0) {
    aways.delete(open);
    return true;
  }
  try {
    await greet(server, AbortSignal.timeout(GREET_MS));
    aways.delete(open);
  } catch (error) {
    aways.set(open, errorBody(error));
    return false;
  }
  for (const { id } of due) {
    // It may take hours, and a person may have changed their mind meanwhile.
    if (open.isClosed() || !sender.wishes().on) return true;
    const job = await beginPush(open, server, id, sender);
    const { state } = await open.jobs.finished(job.id);
    if (state === 'failed') return false;
  }
  return true;
}

type Due = { id: string; task: string };

/** Finished recordings of the server's tasks that it does not have yet, the oldest first. */
async function dueFor(open: OpenWorkspace, origin: string): Promise<Due[]> {
  const { workspace } = open;
  const tasks = await tasksFromServers(workspace.store);
  if (![...tasks.values()].includes(origin)) return [];
  const atWork = await sending(open);
  return (await workspace.indexedRecordings())
    .filter(({ task, phase, played }) => phase === 'closed' && played === null && tasks.get(task) === origin)
    .filter(({ id, folder }) => {
      if (atWork.has(id) || isLive(folder) || wantsKeyframes(folder)) return false;
      const journal = readJournal(workspace, id);
      return journal?.to !== origin || (journal.confirmedAt === null && !journal.held);
    })
    .map(({ id, task }) => ({ id, task }))
    .reverse();
}

/** The jobs that send recordings now, by recording. */
async function sending(open: OpenWorkspace): Promise<Map<string, Job>> {
  const jobs = (await open.jobs.list()).filter((job) => job.kind === 'push' && isActive(job));
  return new Map(jobs.map((job) => [job.subject, job]));
}

/** A job that sends a recording; one that was stopped or refused before goes on. Throws UNKNOWN_RECORDING. */
export async function beginPush(
  open: OpenWorkspace,
  server: TeamServer,
  recording: string,
  { version, wishes, patience }: Pick<SendingDesk, 'version' | 'wishes' | 'patience'>,
  asked: Parameters<OpenWorkspace['jobs']['add']>[3] = null,
): Promise<Job> {
  const { workspace } = open;
  const { id, folder } = await workspace.getRecording(recording);
  const now = (await sending(open)).get(id);
  if (now) return now;
  return open.jobs.add(
    'push',
    id,
    async ({ signal, report }) => {
      const { free, voice } = wishes();
      const keepsVoice = free && !voice && hasVoice(folder);
      try {
        const pushed = await pushRecording(workspace, id, {
          server,
          voice,
          version,
          signal,
          report,
          free: free && !keepsVoice,
          ...(patience && { patience }),
        });
        open.changes.publish({ what: 'recordings' });
        return said(pushed, keepsVoice);
      } catch (error) {
        if (signal.aborted && !open.isClosed()) {
          hold(open, id, server, new StudioError('CANCELLED', 'You stopped it. What arrived stays there.', {}));
        } else if (!signal.aborted && isForGood(error)) hold(open, id, server, error);
        throw error;
      }
    },
    asked,
  );
}

function hold({ workspace }: OpenWorkspace, id: string, { origin }: TeamServer, error: unknown): void {
  const { code, message } = errorBody(error);
  holdJournal(workspace, id, { to: origin, code, message });
}

/** It would be refused again. What is wrong with the token or the whole server is found before the next is begun. */
function isForGood(error: unknown): boolean {
  const { code } = errorBody(error);
  if (code === 'FORBIDDEN') return true;
  return !passes(error) && !isPassing(code) && code !== 'UNREACHABLE' && code !== 'FUTURE_VERSION';
}

function said({ to, confirmed, freed, warnings }: Pushed, keepsVoice: boolean): string {
  const here = freed
    ? 'the copy here was removed'
    : keepsVoice
      ? 'the copy here stays, since what was said was not sent'
      : 'the copy here stays';
  return [`${to} has it and confirmed ${plural(confirmed, 'file')} by hash; ${here}.`, ...warnings].join(' ');
}

/** Recordings of the server's tasks, and others that were sent there, with how far each is; the newest first. */
export async function outgoing(open: OpenWorkspace, origin: string): Promise<OutgoingRecording[]> {
  const { workspace } = open;
  const tasks = await tasksFromServers(workspace.store);
  const jobs = await sending(open);
  const here = new Map((await workspace.indexedRecordings()).map((entry) => [entry.id, entry]));
  const theirs = [...here.values()].filter(({ task, played }) => played === null && tasks.get(task) === origin);
  const ids = new Set([...theirs.map(({ id }) => id), ...(await journaled(workspace))]);
  const rows: OutgoingRecording[] = [];
  for (const recording of [...ids].sort().reverse()) {
    const journal = readJournal(workspace, recording);
    const known = journal?.to === origin ? journal : null;
    const entry = here.get(recording);
    if (!known && !entry) continue;
    const job = jobs.get(recording);
    const base = {
      recording,
      task: entry?.task ?? null,
      goal: entry?.goal ?? '',
      here: entry !== undefined,
      job: job?.id ?? null,
      progress: job?.progress ?? 0,
      message: job?.message ?? null,
      confirmedAt: known?.confirmedAt ?? null,
      error: known?.held ?? null,
    };
    const state = job ? 'sending' : known?.confirmedAt ? 'there' : known?.held ? 'held' : 'waiting';
    rows.push({ ...base, state: entry?.phase === 'recording' ? 'recording' : state });
  }
  return rows;
}
