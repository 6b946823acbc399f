import { expect, test } from 'vitest';
import { cost } from '../../test/support/growth.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import { sqlOf } from '../store/store.ts';
import { listTaskRows } from '../store/task-rows.ts';
import type { Workspace } from '../store/workspace.ts';

let workspace: Workspace;
freshWorkspaces((made) => {
  workspace = made;
});

test('5,000 of them, each with a recording, cost each no more than three times what 625 do', async () => {
  const at = '2026-05-04T10:20:30.456Z';
  const numbers = Array.from({ length: 5000 }, (_, i) => i + 1);
  const add = async (from: number, to: number): Promise<void> => {
    const some = numbers.slice(from, to);
    const task = {
      prefix: 'PPT',
      software_id: 'powerpoint',
      goal: 'Insert a picture',
      state: 'open' as const,
      created_by: null,
      created_at: at,
    };
    await sqlOf(workspace.store)
      .insertInto('tasks')
      .values(some.map((number) => ({ ...task, id: `PPT_${number}`, number })))
      .execute();
    const recording = {
      software_id: 'powerpoint',
      goal: '',
      phase: 'closed',
      verdict: null,
      sync: null,
      started_at: at,
      duration_us: 1,
      frames: 1,
      dropped: 0,
      events: 1,
      person_id: null,
      stamp: '',
    };
    await sqlOf(workspace.store)
      .insertInto('recordings')
      .values(
        some.map((number) => ({ ...recording, id: `r${number}`, folder: `r${number}`, task_id: `PPT_${number}` })),
      )
      .execute();
  };
  const list = () => listTaskRows(workspace.store);
  await add(0, 625);
  expect(await list()).toHaveLength(625);
  const few = await cost(list);
  for (let from = 625; from < 5000; from += 625) await add(from, from + 625);
  expect(await list()).toHaveLength(5000);
  expect((await cost(list)) / few).toBeLessThan(24);
});
