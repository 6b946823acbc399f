import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import type { Workspace } from '../store/workspace.ts';
import { countedRows, datasetRows } from './rows.ts';
import { addRecording } from './workspace-for-tests.ts';

/** Two programs on one workspace, of which each has its own rules for actions. */

const rules = vi.hoisted(() => ({ actions: 7 }));
vi.mock('../../schemas/actions.ts', async (original) => ({
  ...(await original<typeof import('../../schemas/actions.ts')>()),
  get ACTION_RULES_VERSION() {
    return rules.actions;
  },
}));
const { derive } = vi.hoisted(() => ({ derive: vi.fn() }));
vi.mock('../recordings/derive.ts', async (original) => {
  const whole = await original<typeof import('../recordings/derive.ts')>();
  derive.mockImplementation(whole.derive);
  return { ...whole, derive };
});

let workspace: Workspace;
freshWorkspaces((made) => {
  workspace = made;
});
beforeEach(async () => {
  await addRecording(workspace, { id: 'aaaa', task: 'GIMP_1', screens: [40, 200] });
  await addRecording(workspace, { id: 'bbbb', task: 'GIMP_2', screens: [40] });
});
afterEach(() => {
  derive.mockClear();
});

/** How many recordings a program of these rules counts and derives anew when it looks at the data set. */
async function look(actions: number): Promise<[counted: number, derived: number]> {
  rules.actions = actions;
  derive.mockClear();
  let counted = 0;
  const { rows, uncounted } = await datasetRows(workspace, { report: () => counted++ });
  expect([uncounted, rows.map(({ steps }) => steps).sort()]).toEqual([0, [1, 2]]);
  // Another look finds all of it.
  expect((await datasetRows(workspace, { budgetMs: -1 })).uncounted).toBe(0);
  const figures = (await countedRows(workspace)).map((row) => row.figures);
  expect(figures.every((each) => each !== null)).toBe(true);
  return [counted, derive.mock.calls.length];
}

test.each([
  [7, 8],
  [8, 7],
  [9, 10],
])('two programs of rules %i and %i come to an end, each with its own counts', async (first, second) => {
  expect(await look(first)).toEqual([2, 2]);
  expect(await look(second)).toEqual([2, 2]);
  // The newer one may have written over the older one's: once.
  await look(first);
  for (const each of [second, first, second, first]) expect(await look(each), `rules ${each}`).toEqual([0, 0]);
});

test('a recording that changes is counted anew once by each, and what the older one kept of it goes', async () => {
  for (const each of [8, 7, 8]) await look(each);
  const folder = join(workspace.recordingsDir, 'aaaa');
  const kept = () => readdirSync(join(folder, 'derived')).sort();
  expect(kept()).toEqual([expect.stringMatching(/^recording-\d+\.7\.\d+\.jsonl$/), 'recording.jsonl']);
  writeRecording(folder, { ...readRecording(folder), span: { start: 0, end: 9_000_000 } });
  await workspace.syncIndex();
  const derived = async (actions: number) => (await look(actions))[1];
  expect(await derived(8)).toBe(1);
  expect(kept()).toEqual(['recording.jsonl']);
  expect(await derived(7)).toBe(1);
  expect([await derived(8), await derived(7), await derived(8)]).toEqual([0, 0, 0]);
});
