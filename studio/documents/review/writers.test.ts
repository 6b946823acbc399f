import type { KyselyPlugin, RootOperationNode } from 'kysely';
import { expect, test, vi } from 'vitest';
import { startReview } from '../../../core/review/project.ts';
import { breathe } from '../../store/breathe.ts';
import { freshWorkspaces } from '../../store/fresh-for-tests.ts';
import { Store, sqlOf } from '../../store/store.ts';
import type { Workspace } from '../../store/workspace.ts';
import { reviewReader } from './log.ts';
import { documentsNow } from './situation.ts';

vi.mock('../../store/breathe.ts', { spy: true });

let workspace: Workspace;
freshWorkspaces((made) => {
  workspace = made;
});

const RECORDINGS = 60;
const LINES = 10;
const ids = Array.from({ length: RECORDINGS }, (_, n) => `rec-${String(n).padStart(3, '0')}`);

async function writeLines(document: string, from: number, people: readonly string[]): Promise<void> {
  const version = from + people.length - 1;
  const created_at = '2026-01-01';
  await sqlOf(workspace.store)
    .insertInto('documents')
    .values({ id: document, recording_id: document, version, steps: 9, done: 0, created_at })
    .onConflict((on) => on.column('id').doUpdateSet({ version }))
    .execute();
  const lines = people.map((person, at) => ({
    document_id: document,
    version: from + at,
    id: `${document}-${from + at}`,
    person,
    label: 'x',
    changes: '[]',
    at: created_at,
    undoes: null,
    redoes: null,
    state: 'done' as const,
  }));
  await sqlOf(workspace.store).insertInto('annotation_transactions').values(lines).execute();
}

/** Questions to the database, and the number of rows that come back. */
function watched(): { store: Store; statements: () => number; rows: () => number } {
  let [statements, rows] = [0, 0];
  const plugin: KyselyPlugin = {
    transformQuery({ node }): RootOperationNode {
      statements++;
      return node;
    },
    transformResult: async ({ result }) => {
      rows += result.rows.length;
      return result;
    },
  };
  return {
    store: new Store(sqlOf(workspace.store).withPlugin(plugin)),
    statements: () => statements,
    rows: () => rows,
  };
}

test('who wrote in a document is read once, afterwards only what was added', async () => {
  const people = Array.from({ length: LINES }, (_, n) => (n === 0 ? 'studio' : n % 2 === 0 ? 'ana' : 'ben'));
  for (const id of ids) await writeLines(id, 1, people);
  const { store, statements, rows } = watched();
  const first = await documentsNow(store, null, () => undefined);
  expect([...first.keys()].toSorted()).toEqual(ids);
  expect(new Set([...first.values()].map(({ authors }) => authors.join(' ')))).toEqual(new Set(['ana ben']));
  // The documents, and some dozens of logs a statement.
  expect(statements()).toBeLessThan(RECORDINGS / 10);
  vi.mocked(breathe).mockClear();

  await writeLines('rec-007', LINES + 1, ['eva']);
  const before = [statements(), rows()] as const;
  const again = await documentsNow(store, null, () => undefined);
  expect(again.get('rec-007')).toMatchObject({ version: LINES + 1, authors: ['ana', 'ben', 'eva'] });
  expect(again.get('rec-008')).toEqual(first.get('rec-008'));
  expect(statements() - before[0]).toBe(2);
  expect(rows() - before[1]).toBe(RECORDINGS + 1);
  // Others may come in between any two of them.
  expect(vi.mocked(breathe).mock.calls.length).toBeGreaterThanOrEqual(RECORDINGS);
  // The same as the transaction of somebody who writes sees it.
  expect(await documentsNow(workspace.store, ids, () => undefined)).toEqual(again);
});

test('a document that came back by an import is read anew', async () => {
  const { store } = watched();
  await writeLines('rec-000', 1, ['studio', 'ana', 'ana']);
  expect((await documentsNow(store, null, () => undefined)).get('rec-000')?.authors).toEqual(['ana']);
  await sqlOf(workspace.store).deleteFrom('annotation_transactions').execute();
  await sqlOf(workspace.store).deleteFrom('documents').execute();
  await writeLines('rec-000', 1, ['studio', 'ben', 'ben', 'ben']);
  await sqlOf(workspace.store).updateTable('documents').set({ created_at: '2026-02-02' }).execute();
  expect((await documentsNow(store, null, () => undefined)).get('rec-000')?.authors).toEqual(['ben']);
});

test('reviews of recordings that have no log cost no statement each', async () => {
  const { store, statements } = watched();
  vi.mocked(breathe).mockClear();
  const rows = ids.map((id) => ({ id, state: 'annotating' as const }));
  const reviews = await reviewReader().loadAll(store, rows);
  expect(reviews.size).toBe(RECORDINGS);
  expect(reviews.get('rec-001')).toEqual(startReview('annotating'));
  expect(statements()).toBe(1);
  expect(vi.mocked(breathe)).toHaveBeenCalledTimes(RECORDINGS);
});
