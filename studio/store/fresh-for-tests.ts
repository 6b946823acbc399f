import { afterEach, beforeEach } from 'vitest';
import { temporaryFolders } from './recording-for-tests.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/**
 * Gives each test of the file a new workspace, which is closed and removed after it, and after what the file's own `afterEach`
 * does. Returns the folders that it is made with, for others that are removed with it.
 */
export function freshWorkspaces(give: (workspace: Workspace) => void): ReturnType<typeof temporaryFolders> {
  const folders = temporaryFolders();
  let workspace: Workspace;
  beforeEach(() => {
    workspace = openWorkspace(folders.make(), { create: true });
    give(workspace);
  });
  afterEach(() => {
    workspace.close();
    folders.clean();
  });
  return folders;
}
