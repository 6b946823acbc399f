import { type Documents, openDocuments } from '../annotate/documents.ts';
import { type Jobs, openJobs } from '../jobs/queue.ts';
import { openReviews, type ReviewParts, type Reviews } from '../review/service.ts';
import { openWorkspace as openStore, type Workspace } from '../store/workspace.ts';
import { createHub, type Hub } from './hub.ts';
import { realDir, workspaceId } from './recent.ts';

type LibraryChange = { what: 'tasks' | 'recordings' | 'software' | 'people' };

/** A workspace with everything that works on it. */
export type OpenWorkspace = {
  id: string;
  workspace: Workspace;
  documents: Documents;
  reviews: Reviews & ReviewParts;
  jobs: Jobs;
  /** What changed in the library. */
  changes: Hub<LibraryChange>;
  /** Something may have been added to a document or a review, here or by another process: look again. */
  annotated: Hub<true>;
  /** Reads recordings/ into the index, at most every `FRESH_MS`. */
  refresh(options?: { now: boolean }): Promise<void>;
  /** Begins a recording's document, so that its steps are counted in the library. Never throws: it is only a figure. */
  begin(recording: string): Promise<void>;
  close(): Promise<void>;
};

const FRESH_MS = 3000;
/** Recordings that are made ready when a workspace is opened: of the thousands that it may hold those that are opened next. */
const READY = 5;
/** How often a change by another process is looked for while somebody watches, ms. */
const OUTSIDE_MS = 700;
const EVERYTHING: readonly LibraryChange['what'][] = ['tasks', 'recordings', 'software', 'people'];

const newest = async (workspace: Workspace): Promise<string[]> =>
  (await workspace.indexedRecordings()).slice(0, READY).map(({ id }) => id);

/** Throws what store/workspace.ts says. */
export async function openWorkspace(dir: string, { create }: { create: boolean }): Promise<OpenWorkspace> {
  const real = realDir(dir);
  const workspace = openStore(real, { create });
  try {
    return await wire(workspaceId(real), workspace);
  } catch (error) {
    workspace.close();
    throw error;
  }
}

async function wire(id: string, workspace: Workspace): Promise<OpenWorkspace> {
  const documents = openDocuments(workspace);
  const reviews = openReviews(workspace, documents);
  const jobs = await openJobs(workspace);
  const changes = createHub<LibraryChange>();
  const annotated = createHub<true>();
  let refreshed = 0;
  let refreshing: Promise<void> | null = null;

  async function sync(): Promise<void> {
    const { added, changed, gone } = await workspace.syncIndex();
    void documents.prepare(refreshed > 0 ? [...added, ...changed] : await newest(workspace));
    refreshed = Date.now();
    if (added.length + changed.length + gone.length === 0) return;
    for (const what of EVERYTHING) changes.publish({ what });
  }
  async function refresh({ now } = { now: false }): Promise<void> {
    if (refreshing) await refreshing;
    if (!now && Date.now() - refreshed < FRESH_MS) return;
    refreshing = sync().finally(() => {
      refreshing = null;
    });
    await refreshing;
  }

  const library = (): void => {
    for (const what of ['tasks', 'recordings'] as const) changes.publish({ what });
  };
  async function begin(recording: string): Promise<void> {
    try {
      await documents.get(recording);
      library();
    } catch {
      // A recording that cannot be read says so where it is opened.
    }
  }

  const worked = (): void => {
    annotated.publish(true);
    library();
  };
  const stops = [documents.onTransaction(worked), reviews.onEvent(worked)];

  const timer = setInterval(() => {
    if (changes.readers() + annotated.readers() === 0) return;
    try {
      if (!workspace.changedOutside()) return;
    } catch {
      return; // A database that cannot be read says so to whoever asks for something.
    }
    annotated.publish(true);
    for (const what of EVERYTHING) changes.publish({ what });
  }, OUTSIDE_MS);
  timer.unref();

  await refresh({ now: true });
  return {
    id,
    workspace,
    documents,
    reviews,
    jobs,
    changes,
    annotated,
    refresh,
    begin,
    async close() {
      clearInterval(timer);
      for (const stop of stops) stop();
      changes.close();
      annotated.close();
      await jobs.close();
      await documents.close();
      workspace.close();
    },
  };
}
