import { afterAll, expect, it } from 'vitest';
import type { Documents } from '../documents/documents.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { withDocuments } from './imports.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

it('documents are closed after the work, also when it fails, and the workspace stays open', async () => {
  const workspace = openWorkspace(folders.make(), { create: true });
  try {
    const closed: string[] = [];
    const watch = (documents: Documents, name: string): void => {
      const close = documents.close.bind(documents);
      documents.close = async () => {
        await close();
        closed.push(name);
      };
    };
    expect(await withDocuments(workspace, async (documents) => watch(documents, 'good'))).toBeUndefined();
    const failed = withDocuments(workspace, async (documents) => {
      watch(documents, 'bad');
      throw new Error('the work failed');
    });
    await expect(failed).rejects.toThrow('the work failed');
    expect(closed).toEqual(['good', 'bad']);
    expect(await workspace.listTasks()).toEqual([]);
  } finally {
    workspace.close();
  }
});
