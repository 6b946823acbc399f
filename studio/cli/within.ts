import { type OpenWorkspace, openSession } from '../session/open-workspace.ts';
import { openWorkspace as openStore, type Workspace } from '../store/workspace.ts';

/** Opens a workspace for one piece of work and closes it, whatever happens. Throws what opening and the work throw. */
export const inWorkspace = async <T>(dir: string, work: (workspace: Workspace) => Promise<T>): Promise<T> =>
  during(openStore(dir, { create: false }), work);

/** The same; one that is missing is made. */
export const inWorkspaceOrNew = async <T>(dir: string, work: (workspace: Workspace) => Promise<T>): Promise<T> =>
  during(openStore(dir, { create: true }), work);

/** The same for work that needs documents or reviews too. */
export const inOpenWorkspace = async <T>(dir: string, work: (open: OpenWorkspace) => Promise<T>): Promise<T> =>
  during(await openSession(dir, { create: false }), work);

async function during<W extends { close(): void | Promise<void> }, T>(
  open: W,
  work: (open: W) => Promise<T>,
): Promise<T> {
  try {
    return await work(open);
  } finally {
    await open.close();
  }
}
