import { expect, test, vi } from 'vitest';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import { freshWorkspaces } from '../../store/fresh-for-tests.ts';
import { sqlOf } from '../../store/store.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { Documents } from '../documents.ts';
import { comparisons } from './figures.ts';

/** Figures are of documents and of the steps that they stand on: another version of the rules for actions counts anew. */

const rules = vi.hoisted(() => ({ actions: 7 }));
vi.mock('../../../schemas/actions.ts', async (original) => ({
  ...(await original<typeof import('../../../schemas/actions.ts')>()),
  get ACTION_RULES_VERSION() {
    return rules.actions;
  },
}));

let workspace: Workspace;
freshWorkspaces((made) => {
  workspace = made;
});

test('two programs of different rules keep their own figures, and neither takes the other’s', async () => {
  const { store } = workspace;
  await addRecording(workspace, { id: 'rec', task: 'GIMP_1', screens: [40] });
  const row = { recording_id: 'rec', version: 3, steps: 0, done: 0, created_at: '' };
  await sqlOf(store)
    .insertInto('documents')
    .values([
      { ...row, id: 'rec' },
      { ...row, id: 'rec-two' },
    ])
    .onConflict((on) => on.doNothing())
    .execute();
  const look = vi.fn(async (recording: string, id = recording) => ({
    id,
    folder: workspace.dir,
    version: 3,
    steps: [],
    records: new Map(),
  }));
  const sides = [
    { id: 'rec', person: 'ana' },
    { id: 'rec-two', person: 'ben' },
  ];
  /** How many documents a program of these rules reads for the figures. */
  async function read(actions: number): Promise<number> {
    rules.actions = actions;
    look.mockClear();
    await comparisons(store, { look } as unknown as Documents).figures('rec', sides);
    return look.mock.calls.length;
  }
  expect([await read(7), await read(7), await read(8), await read(7), await read(8)]).toEqual([2, 0, 2, 0, 0]);
});
