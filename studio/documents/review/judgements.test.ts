import { beforeAll, expect, test } from 'vitest';
import type { StepError } from '../../../schemas/review.ts';
import { servedWorkspace, type TestServer } from '../../api/server-for-tests.ts';
import { addClicks } from '../clicks-for-tests.ts';
import { type Team, teamOf } from './people-for-tests.ts';

let server: TestServer;
let ws: string;
let team: Team;
servedWorkspace((made) => {
  ({ server, ws } = made);
});
beforeAll(async () => {
  team = teamOf(server, ws);
  const { workspace } = await server.studio.workspaces.get(ws);
  for (const id of ['one', 'two']) addClicks(workspace, id);
  await workspace.syncIndex();
});

test('the dashboard says how well judges of trajectories agree, all together and each two (R19)', async () => {
  const people = [];
  for (const name of ['Ada', 'Ben', 'Cleo'])
    people.push((await server.client.people.add({ ws, name, email: null })).id);
  const [ada, ben, cleo] = people as [string, string, string];
  const judgements = async () => (await server.client.review.dashboard({ ws })).judgements;
  const wrong: StepError = { kind: 'planning', execution: null, recoverable: true };
  const judge = async (person: string, recording: string, said: readonly (boolean | null)[]) => {
    for (const [at, { id: action }] of (await team.steps(recording)).entries()) {
      const grounded = said[at];
      if (grounded == null) continue;
      const error = grounded ? null : wrong;
      await team.send(person, recording, { type: 'judge', action, grounded, error, comment: '' });
    }
  };
  await judge(ada, 'one', [true, true, false, false]);
  expect(await judgements()).toMatchObject({ recordings: 0, pairs: [], agreement: { groundedKappa: { value: null } } });
  await judge(ben, 'one', [true, true, false, true]);
  await judge(ada, 'two', [true, false, true, true]);
  await judge(cleo, 'two', [true, false, null, null]);

  const found = await judgements();
  expect(found.recordings).toBe(2);
  expect(found.pairs.map(({ people: pair, recordings }) => [pair, recordings])).toEqual(
    [
      [[ada, ben].toSorted(), 1],
      [[ada, cleo].toSorted(), 1],
    ].toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
  );
  const pair = (other: string) => found.pairs.find(({ people: both }) => both.includes(other))!.agreement;
  // 3 of 4 alike; 0.5 * 0.75 + 0.5 * 0.25 = 0.5 by chance.
  expect(pair(ben).groundedKappa).toMatchObject({ value: 0.5, n: 4 });
  expect(pair(ben).errorKappa).toMatchObject({ value: 0.5, n: 4 });
  expect(pair(cleo).groundedKappa).toMatchObject({ value: 1, n: 2 });
  expect(found.agreement.groundedAlpha.n).toBe(6);
  expect(found.agreement.groundedAlpha.value).toBeGreaterThan(0);
});
