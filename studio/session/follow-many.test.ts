import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { toRecords } from '../../core/annotate/document.ts';
import { nameElement } from '../../core/annotate/edit.ts';
import { addClicks, ID } from '../documents/clicks-for-tests.ts';
import { addPerson } from '../store/people.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openSession } from './open-workspace.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

const PEOPLE = 30;
const GESTURES = 5;

test('what a gesture asks of the database does not grow with those who follow the document, and each sees each once', async () => {
  const open = await openSession(join(folders.make(), 'w'), { create: true });
  addClicks(open.workspace);
  await open.workspace.syncIndex();
  const ada = await addPerson(open.workspace.store, { name: 'Ada', email: null });
  const { documents } = open.unchecked;
  const first = await documents.get(ID);
  const stop = new AbortController();
  const seen = Array.from({ length: PEOPLE }, (): string[] => []);
  const following = seen.map(async (labels) => {
    const changes = await open.as(ada.id).documents.watch(ID, { since: first.version, signal: stop.signal });
    for await (const { label } of changes) labels.push(label);
  });
  await vi.waitFor(() => expect(open.annotated.readers()).toBe(PEOPLE));
  const asked = vi.spyOn(documents, 'since');
  const { steps } = await documents.openRecording(ID);
  const names = Array.from({ length: GESTURES }, (_, n) => `name ${n}`);
  for (const name of names) {
    const records = toRecords((await documents.get(ID)).records);
    const changes = nameElement(records, steps[0]!.id, name, 'hand');
    await open.as(ada.id).documents.apply(ID, { id: randomUUID(), label: name, changes });
  }
  await vi.waitFor(() => expect(seen.every((labels) => labels.length === GESTURES)).toBe(true));
  expect(seen).toEqual(seen.map(() => names));
  // Two a gesture: one that brings it, and one that finds nothing after it where it had come by the look before.
  expect(asked.mock.calls.length).toBeLessThanOrEqual(3 * GESTURES + 2);
  stop.abort();
  await Promise.all(following);
  await open.close();
});
