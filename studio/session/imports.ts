import { type Documents, openDocuments } from '../documents/documents.ts';
import { reviewGate } from '../documents/review/gate.ts';
import { type ArchiveImportOptions, importArchive } from '../import/archive/import-archive.ts';
import { type AnyOptions, importAny } from '../import/import-any.ts';
import type { Workspace } from '../store/workspace.ts';

/** Imports bring annotation whole, with everybody's history, and tell nobody of it: no right to read is asked. */

/** Throws what import-any.ts says. */
export const importInto = (workspace: Workspace, path: string, options: Omit<AnyOptions, 'documents'>) =>
  withDocuments(workspace, (documents) => importAny(workspace, path, { ...options, documents }));

/** Throws what import/archive/import-archive.ts says. */
export const importArchiveInto = (
  workspace: Workspace,
  file: string,
  options: Omit<ArchiveImportOptions, 'documents'>,
) => withDocuments(workspace, (documents) => importArchive(workspace, file, { ...options, documents }));

/** The documents of a workspace for one piece of work; they are closed before it ends. */
export async function withDocuments<T>(workspace: Workspace, work: (documents: Documents) => Promise<T>): Promise<T> {
  const documents = openDocuments(workspace, reviewGate());
  try {
    return await work(documents);
  } finally {
    await documents.close();
  }
}
