import { type Documents, openDocuments } from '../annotate/documents.ts';
import { type OpenWorkspace, openWorkspace } from '../library/open-workspace.ts';
import { openWorkspace as openStore, type Workspace } from '../store/workspace.ts';

/** Opens a workspace for one piece of work and closes it, whatever happens. Throws what opening and the work throw. */
export const inWorkspace = async <T>(dir: string, work: (workspace: Workspace) => Promise<T>): Promise<T> =>
  during(openStore(dir, { create: false }), work);

/** The same; one that is missing is made. */
export const inWorkspaceOrNew = async <T>(dir: string, work: (workspace: Workspace) => Promise<T>): Promise<T> =>
  during(openStore(dir, { create: true }), work);

/** The same for work that needs documents or reviews too. */
export const inOpenWorkspace = async <T>(dir: string, work: (open: OpenWorkspace) => Promise<T>): Promise<T> =>
  during(await openWorkspace(dir, { create: false }), work);

/** The documents of a workspace that is open, for one piece of work; they are closed before the workspace is. */
export const withDocuments = async <T>(workspace: Workspace, work: (documents: Documents) => Promise<T>): Promise<T> =>
  during(openDocuments(workspace), work);

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
