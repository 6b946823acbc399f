import { log, passedOver } from '../../native/log/log.ts';
import type { WorkspaceChange } from '../../schemas/api/recordings.ts';
import { errorBody, isPassing } from '../../schemas/errors.ts';
import { openDocuments } from '../documents/documents.ts';
import { reviewGate } from '../documents/review/gate.ts';
import { openReviews } from '../documents/review/service.ts';
import { hasSettled, lastChangeIn, waitsIn } from '../import/waiting.ts';
import { breathe } from '../store/breathe.ts';
import { callMarks } from '../store/jobs/call-marks.ts';
import { createHub, type Hub } from '../store/jobs/hub.ts';
import { type Jobs, openJobs } from '../store/jobs/queue.ts';
import { whileBusy } from '../store/patience.ts';
import { openPlace } from '../store/place.ts';
import { workFigures } from '../store/progress.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';
import { type AsPerson, asPerson, EVERY_RECORDING, type Unchecked } from './as.ts';
import { type Background, backgroundHere, openBackground } from './background.ts';
import { backgroundWithWorkers } from './background-with-workers.ts';
import { changesOfCompositions } from './changes-of-compositions.ts';
import { gatherListNews } from './list-news.ts';
import { lookedForAgain, looksAt } from './looks.ts';
import { realDir, workspaceId } from './recent.ts';
import { sharedLook } from './shared-look.ts';

/** A workspace with everything that works on it. */
export type OpenWorkspace = {
  id: string;
  workspace: Workspace;
  /** Annotation and review as somebody may see them. Undefined: somebody who does not say who they are. */
  as(person: string | undefined): AsPerson;
  /** The same without any check of rights: for work that no person asks for. Not for routes and commands. */
  unchecked: Unchecked;
  jobs: Jobs;
  /** Work that reads the whole data set, in threads. */
  background: Background;
  /** Changes of the library and of long work. */
  changes: Hub<WorkspaceChange>;
  /**
   * Something may have been added to a document or a review of this recording (`EVERY_RECORDING`: of any, by another
   * process): look again.
   */
  annotated: Hub<string>;
  /**
   * Reads recordings/ into the index, at most every three seconds. What passes by itself and could not be written is tried again
   * at the next question; with `now` it is thrown.
   */
  refresh(options?: { now: boolean }): Promise<void>;
  /** Begins a recording's document, so that its steps are counted in the library. Never throws: it is only a figure. */
  begin(recording: string): Promise<void>;
  isClosed(): boolean;
  close(): Promise<void>;
};

/**
 * A page asks for its lists and begins to follow the changes at the same time. A change between the two would be in neither
 * and the page would show the old list until the next one; longer than any list takes to be read.
 */
const RECENT_MS = 30_000;
/** Recordings that are made ready when a workspace is opened: of the thousands that it may hold those that are opened next. */
const READY = 5;
/** How often a change by another process is looked for while somebody watches, ms; folders every three seconds. */
const OUTSIDE_MS = 700;
/** How often lists are told of work on recordings, at most, ms. */
const LISTS_MS = 1500;
/** A folder that changed within this time may still be copied: it is looked at again, ms. */
const COPIED_MS = 60_000;
/** While threads of this studio write, a change by another process is told after so long at most, ms. */
const OURS_MS = 10_000;

const LIBRARY: readonly WorkspaceChange['what'][] = ['tasks', 'recordings', 'software', 'people'];

/** On a full disk, or while another program holds the database, lists show what the index has, and whoever writes is told. */
function letPass(error: unknown): void {
  if (!isPassing(errorBody(error).code)) throw error;
}

/** 0 for a folder that went meanwhile. */
function changeIn(folder: string): number {
  try {
    return lastChangeIn(folder);
  } catch {
    return 0;
  }
}

const newest = async (workspace: Workspace): Promise<string[]> =>
  (await workspace.indexedRecordings()).slice(0, READY).map(({ id }) => id);

/**
 * Throws what store/workspace.ts says. `brief`: for one question or change, after which it is closed; nothing is begun that
 * takes longer (copied annotation is not taken, long recordings are not prepared), and folders are read when they are asked for.
 * `config`: the user's own folder (Home), where a job that they begin is marked as theirs; without it none can be begun again.
 */
export async function openSession(
  dir: string,
  { create, brief = false, config }: { create: boolean; brief?: boolean; config?: string },
): Promise<OpenWorkspace> {
  const real = realDir(dir);
  const workspace = await whileBusy(() => openPlace(real, { create, busyMs: 0 }));
  await breathe();
  try {
    return await wire(workspaceId(real), workspace, { brief, config });
  } catch (error) {
    workspace.close();
    throw error;
  }
}

const keyOf = ({ what, job }: WorkspaceChange): string => `${what} ${job?.id ?? ''}`;

function tellLists(changes: Hub<WorkspaceChange>): void {
  for (const what of ['tasks', 'recordings'] as const) changes.publish({ what });
}

/** Until the jobs are closed. */
async function tellJobs(jobs: Jobs, changes: Hub<WorkspaceChange>): Promise<void> {
  for await (const job of jobs.watch()) changes.publish({ what: 'jobs', job });
}

/** Threads, and workers where the database can hand them work. */
function backgroundOf({ dir, work }: Workspace): Background {
  const own = openBackground(dir);
  return work === null ? own : backgroundWithWorkers(own, work);
}

type Wishes = { brief: boolean; config: string | undefined };

async function wire(id: string, workspace: Workspace, { brief, config }: Wishes): Promise<OpenWorkspace> {
  const documents = openDocuments(workspace, reviewGate());
  const reviews = openReviews(workspace, documents);
  const background = brief ? backgroundHere(workspace) : backgroundOf(workspace);
  const marks = config === undefined ? undefined : callMarks(config);
  const jobs = await openJobs(workspace, marks, () => background.atOnce());
  const changes = createHub<WorkspaceChange>(undefined, { ms: RECENT_MS, keyOf });
  const annotated = createHub<string>();
  /** No look through the folders has gone to its end by now. */
  let isFirst = true;
  /** Since when a change by another connection waits to be told. */
  let outside: number | null = null;
  let closed = false;
  const joinedAnew = changesOfCompositions(workspace.dir);

  /** Recordings whose folders may still be copied, or wait for an import to end: they are looked at again. */
  const coming = new Set<string>();
  /** When a file of a recording had changed last as it was taken: what has not changed since needs no second look. */
  const offered = new Map<string, number>();

  /**
   * Recordings that wait in folders (copied in with their annotation, or left by an import that was interrupted) are taken by
   * a job, so that it is told. An import that runs now takes what it brings itself; what was copied in meanwhile is taken after
   * it, and what comes into a folder later, when it is whole. Default: of all recordings.
   */
  async function offerWaiting(only?: ReadonlySet<string>): Promise<void> {
    if (only?.size === 0) return;
    const ready: [entry: RecordingEntry, change: number][] = [];
    for (const one of await workspace.indexedRecordings()) {
      await breathe();
      if (!(only?.has(one.id) ?? true)) continue;
      coming.delete(one.id);
      const change = changeIn(one.folder);
      if (!hasSettled(change, COPIED_MS)) coming.add(one.id);
      const isNews = !offered.has(one.id) || (hasSettled(change) && offered.get(one.id) !== change);
      if (isNews && waitsIn(one)) ready.push([one, change]);
    }
    if (ready.length === 0) return;
    if ((await jobs.list()).some(({ kind, state }) => kind === 'import' && state === 'running')) {
      for (const [{ id }] of ready) coming.add(id);
      return;
    }
    for (const [{ id }, change] of ready) offered.set(id, change);
    const subject = ready.length === 1 ? ready[0]![0].id : `${ready.length} recordings`;
    await jobs.add('arrival', subject, async ({ signal }) => {
      const recordings = ready.map(([{ id }]) => id);
      const { taken, warnings } = await background.run('takeArrived', { recordings }, { signal, alone: true });
      for (const what of LIBRARY) changes.publish({ what });
      for (const id of recordings) annotated.publish(id);
      const said = [...(taken.length > 0 ? [`Taken from the folder: ${taken.join('; ')}`] : []), ...warnings];
      return said.length > 0 ? said.join('; ') : 'Everything was taken already.';
    });
  }
  async function sync(): Promise<void> {
    const { added, changed, gone, moved } = await workspace.syncIndex();
    if (brief) return;
    // A job, so that it is told where people look.
    if (moved.length > 0) await jobs.add('task', 'recordings that were copied in', async () => moved.join('; '));
    void documents.prepare(isFirst ? await newest(workspace) : [...added, ...changed]);
    await offerWaiting(isFirst ? undefined : new Set([...added, ...changed, ...coming]));
    isFirst = false;
    if (added.length + changed.length + gone.length === 0) return;
    for (const what of LIBRARY) changes.publish({ what });
  }
  const looks = looksAt(sync);
  const { refresh } = looks;
  workspace.getRecording = lookedForAgain(workspace, looks);

  const lists = gatherListNews({
    everyMs: LISTS_MS,
    figuresOf: (recordings) => workFigures(workspace.store, recordings),
    tell: () => tellLists(changes),
  });
  // It says so to a person where it is opened.
  const begin = (recording: string): Promise<void> =>
    documents.get(recording).then(lists.changed, passedOver('recording not begun', { workspace: id, recording }));

  void tellJobs(jobs, changes);
  const stops = [
    documents.onTransaction((recording) => {
      annotated.publish(recording);
      lists.worked(recording);
    }),
    reviews.onEvent((recording) => {
      annotated.publish(recording);
      lists.changed();
    }),
    () => lists.close(),
  ];

  const timer = setInterval(() => {
    if (changes.readers() + annotated.readers() === 0) return;
    // Nobody may ask for a list again: a folder that is put in while one is shown must be found without a question.
    if (changes.readers() > 0) refresh().catch(passedOver('folders not read', { workspace: id }));
    if (joinedAnew()) changes.publish({ what: 'compositions' });
    try {
      if (workspace.changedOutside()) outside ??= performance.now();
    } catch (error) {
      // It says so to whoever asks for something.
      log.warn('database not read', { workspace: id, error });
      return;
    }
    if (outside === null) return;
    // Most likely our own thread, which writes all the time and says itself what lists must know.
    if (background.hasWorked() && performance.now() - outside < OURS_MS) return;
    outside = null;
    annotated.publish(EVERY_RECORDING);
    for (const what of [...LIBRARY, 'jobs'] as const) changes.publish({ what });
  }, OUTSIDE_MS);
  timer.unref();

  if (!brief) await refresh().catch(letPass);
  const lines = sharedLook((recording: string, version: number, document: string | undefined) =>
    documents.since(recording, version, document),
  );
  const unchecked: Unchecked = { workspace, documents, reviews, background, annotated, lines };
  return {
    id,
    workspace,
    as: (person) => asPerson(unchecked, person),
    unchecked,
    jobs,
    background,
    changes,
    annotated,
    refresh: (options) => (options?.now ? refresh(options) : refresh().catch(letPass)),
    begin,
    isClosed: () => closed,
    async close() {
      closed = true;
      clearInterval(timer);
      for (const stop of stops) stop();
      changes.close();
      annotated.close();
      await jobs.close();
      await background.close();
      await documents.close();
      await looks.over();
      workspace.close();
    },
  };
}
