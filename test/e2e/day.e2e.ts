import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { compositionSchema } from '../../schemas/composition.ts';
import { compositionRunSchema } from '../../schemas/composition-run.ts';
import { MARA, MARA_TASKS } from '../demo/day/mara.ts';
import { importInto, showAll } from '../demo/day/run-day.ts';
import { newWorkspace, studio } from '../support/cli.ts';

/** Two tasks of the day that ships: a service, a clock and an event on a real stage, shown once and played once. */

const workspace = newWorkspace();
afterAll(() => workspace.remove());

it('a shortened day is shown and played: mails that are there and one that comes, at the scenario’s time', async () => {
  const kept = ['meeting', 'wish'];
  const short = compositionSchema.parse({
    ...MARA,
    members: MARA.members.filter(({ id }) => kept.includes(id)),
    tasks: MARA.tasks?.filter(({ id }) => ['DAY_1', 'DAY_4'].includes(id)),
    edges: [],
    events: MARA.events?.filter(({ id }) => id === 'labels' || id === 'call'),
  });
  await importInto(workspace.path, short);
  const shown = await showAll(workspace.path, short.id, MARA_TASKS, () => undefined);
  expect(shown.results.map(({ outcome, why }) => [outcome, why])).toEqual([
    ['passed', ''],
    ['passed', ''],
  ]);
  const { json } = await studio([
    'run',
    '--composition',
    short.id,
    '--seed',
    '7',
    '--yes',
    '--json',
    '--workspace',
    workspace.path,
  ]);
  const run = compositionRunSchema.parse(json);
  expect(run.results).toMatchObject([
    {
      outcome: 'passed',
      values: [{ value: '11:30', right: true }],
      clock: { from: expect.stringMatching(/^2026-03-02T08:50/) },
    },
    {
      outcome: 'passed',
      values: [{ value: '2', right: true }],
      clock: { from: expect.stringMatching(/^2026-03-02T09:45/) },
    },
  ]);
  // The same seed: the same event, at the same time of the scenario.
  expect(run.events).toMatchObject([{ id: 'labels', kind: 'mail', before: 'wish', failed: null }]);
  expect(run.events?.map(({ at }) => at?.slice(0, 16))).toEqual(shown.events?.map(({ at }) => at?.slice(0, 16)));
  // Recordings have the machine's own time.
  const [recording] = run.results.flatMap((result) => result.recording ?? []);
  const made = fs.readFileSync(path.join(workspace.path, 'recordings', recording ?? '', 'recording.json'), 'utf8');
  expect(made).not.toContain('2026-03-02T0');
}, 240_000);
