import { beforeEach, expect, test } from 'vitest';
import { servedWorkspace, type TestServer } from '../../api/server-for-tests.ts';
import { type Store, sqlOf } from '../../store/store.ts';
import { touchReader } from './looks.ts';

let server: TestServer;
let ws: string;
servedWorkspace((made) => {
  ({ server, ws } = made);
});

const DOCUMENT = 'somewhere';
let store: Store;
beforeEach(async () => {
  ({ store } = (await server.studio.workspaces.get(ws)).workspace);
  const counts = { version: 0, steps: 0, done: 0 };
  const row = { id: DOCUMENT, recording_id: DOCUMENT, created_at: '2026-11-26T00:00:00Z', ...counts };
  await sqlOf(store).insertInto('documents').values(row).execute();
});

/** A gesture that sets the goal. */
async function write(at: Store, id: string, person: string, version: number): Promise<void> {
  const record = { kind: 'goal', id: 'goal', text: id };
  const changes = JSON.stringify([{ op: 'add', record }]);
  const row = { id, document_id: DOCUMENT, version, person, at: '2026-11-26T00:00:00Z', label: 'Set goal', changes };
  await sqlOf(at)
    .insertInto('annotation_transactions')
    .values({ ...row, undoes: null, redoes: null, state: 'done' })
    .execute();
}

test('what a transaction that was rolled back had touched is forgotten, though its version is another’s now', async () => {
  const reader = touchReader();
  const people = async () => [...(await reader.read(store, DOCUMENT, 1)).values()].flat().map(({ person }) => person);
  const failed = store.transaction(async (trx) => {
    await write(trx, 'first', 'Ada', 1);
    await reader.read(trx, DOCUMENT, 1);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  await write(store, 'second', 'Ben', 1);
  expect(await people()).toEqual(['Ben']);
  expect(await people()).toEqual(['Ben']);
});
