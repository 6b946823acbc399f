import { openPlace } from '../store/place.ts';
import type { Workspace } from '../store/workspace.ts';

/** Opens a workspace for one piece of work and closes it, whatever happens. Throws what opening and the work throw. */
export const inWorkspace = async <T>(dir: string, work: (workspace: Workspace) => Promise<T>): Promise<T> =>
  during(await openPlace(dir, { create: false }), work);

/** The same; one that is missing is made. */
export const inWorkspaceOrNew = async <T>(dir: string, work: (workspace: Workspace) => Promise<T>): Promise<T> =>
  during(await openPlace(dir, { create: true }), work);

async function during<T>(workspace: Workspace, work: (workspace: Workspace) => Promise<T>): Promise<T> {
  try {
    return await work(workspace);
  } finally {
    await workspace.close();
  }
}
