import { type Documents, openDocuments } from '../../documents/documents.ts';
import { reviewGate } from '../../documents/review/gate.ts';
import { openWorkspace, type Workspace } from '../../store/workspace.ts';
import { carriedTexts } from '../carried.ts';
import { type ArchiveOptions, exportArchive } from './export-archive.ts';
import { type ArchiveImportOptions, importArchive } from './import-archive.ts';

/** Shared by the tests of archives. */

export type Both = { workspace: Workspace; documents: Documents };

/** Is never stopped and says nothing. */
export const calm = { signal: new AbortController().signal, report: () => undefined };

/** New workspaces with their documents, in folders that `folders` makes. `close` closes all that are open. */
export function workspacesIn(folders: { make(): string }) {
  const opened: Both[] = [];
  return {
    open(): Both {
      const workspace = openWorkspace(folders.make(), { create: true });
      const both = { workspace, documents: openDocuments(workspace, reviewGate()) };
      opened.push(both);
      return both;
    },
    async close(): Promise<void> {
      for (const { workspace, documents } of opened.splice(0)) {
        await documents.close();
        workspace.close();
      }
    },
  };
}

/** Everything in the workspace as an archive, unless `more` says what. */
export const write = ({ workspace }: Pick<Both, 'workspace'>, out: string, more: Partial<ArchiveOptions> = {}) =>
  exportArchive(workspace, out, {
    ...calm,
    recordings: null,
    carried: (recording) => carriedTexts(workspace, recording),
    version: '1',
    ...more,
  });

export const take = ({ workspace, documents }: Both, path: string, more: Partial<ArchiveImportOptions> = {}) =>
  importArchive(workspace, path, { ...calm, documents, ...more });
