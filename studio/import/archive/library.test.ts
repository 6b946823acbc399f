import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import { attach } from '../../store/attachments.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { sqlOf } from '../../store/store.ts';
import { updateTask } from '../../store/task-rows.ts';
import { type Both, take, workspacesIn, write } from './bench-for-tests.ts';

/** What an archive says of tasks and software that are here already: it stays as it is here, and what differs is told. */

const folders = temporaryFolders();
const workspaces = workspacesIn(folders);
afterEach(async () => {
  await workspaces.close();
  folders.clean();
});

async function withTask(recording: string): Promise<Both> {
  const both = workspaces.open();
  await addRecording(both.workspace, { id: recording, task: 'GIMP_1', goal: 'Count the pages' });
  return both;
}
const answerOf = ({ workspace: { store } }: Both) =>
  sqlOf(store)
    .selectFrom('tasks')
    .select(['answer', 'source_url', 'kind'])
    .where('id', '=', 'GIMP_1')
    .executeTakeFirstOrThrow();

test('a task that is here keeps its words, and the archive’s others are told; its files come', async () => {
  const [there, here] = [await withTask('aaaa'), await withTask('bbbb')];
  await updateTask(there.workspace.store, 'GIMP_1', {
    answer: '42',
    sourceUrl: 'https://example.org/v',
    kind: 'simple',
  });
  await attach(there.workspace, {
    task: 'GIMP_1',
    role: 'material',
    name: 'a.txt',
    body: Readable.from([Buffer.from('x')]),
  });
  const out = join(folders.make(), 'all.tar');
  await write(there, out);
  const before = await answerOf(here);
  const { warnings } = await take(here, out);
  expect(await answerOf(here)).toEqual(before);
  const told = (list: readonly string[]) => list.filter((warning) => warning.includes('stays as it is here'));
  expect(told(warnings)).toEqual(['task GIMP_1 stays as it is here; the archive has another source, answer, kind']);
  expect(await sqlOf(here.workspace.store).selectFrom('attachments').select('name').execute()).toEqual([
    { name: 'a.txt' },
  ]);
  // The same archive again says nothing new of what is the same.
  await updateTask(here.workspace.store, 'GIMP_1', {
    answer: '42',
    sourceUrl: 'https://example.org/v',
    kind: 'simple',
  });
  expect(told((await take(here, out)).warnings)).toEqual([]);
});
