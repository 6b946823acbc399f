import { expect, test } from 'vitest';
import { type TestTeam, testTeam } from './team-for-tests.ts';

/** One member who begins something by the hundred: they are told to wait, and others are answered as before. */

let team: TestTeam;
testTeam((made) => {
  team = made;
});

test('jobs: so many of one member wait or are at work, the others are refused at once, and a second member begins theirs', async () => {
  const [greedy, other] = [await team.member('manager', 'Greedy'), await team.member('manager', 'Modest')];
  // Nothing of theirs is over before all were asked for.
  await team.open.jobs.add('archive', 'held', ({ signal }) => {
    const { promise, reject } = Promise.withResolvers<null>();
    signal.addEventListener('abort', () => reject(signal.reason));
    return promise;
  });
  const begin = (cookie: string, n: number) =>
    team.call(cookie, 'archives.make', { ws: team.ws, out: `flood-${n}.tar`, version: null });
  // No more requests at once than one member may have.
  const answers = [];
  for (let n = 0; n < 55; n++) answers.push(await begin(greedy.cookie, n));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
  const refused = answers.slice(50);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 429));
  expect(refused[0]?.json).toMatchObject({
    code: 'TOO_MANY_TRIES',
    message: expect.stringContaining('50 jobs of yours'),
  });
  expect((await begin(other.cookie, 99)).status).toBe(200);
});
