import { afterEach, beforeEach } from 'vitest';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Documents, openDocuments } from './documents.ts';
import { reviewGate } from './review/gate.ts';

/** Like freshWorkspaces, with the workspace's documents open until after the file's own `afterEach`. */
export function freshDocuments(
  give: (workspace: Workspace, documents: Documents) => void,
): ReturnType<typeof freshWorkspaces> {
  let workspace: Workspace;
  let documents: Documents;
  const folders = freshWorkspaces((made) => {
    workspace = made;
  });
  beforeEach(() => {
    documents = openDocuments(workspace, reviewGate());
    give(workspace, documents);
  });
  afterEach(() => documents.close());
  return folders;
}
