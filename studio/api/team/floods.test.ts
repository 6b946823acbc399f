import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { StudioError } from '../../../schemas/errors.ts';
import { createTurns } from '../turns.ts';
import { TEAM_HOST, TEAM_ORIGIN, type TestTeam, testTeam } from './team-for-tests.ts';

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

test('calls: those of one member are few at once, and what reads the whole data set has a bound; their gestures do not wait for it', async () => {
  const [greedy, other] = [await team.member('viewer', 'Asks much'), await team.member('viewer', 'Asks once')];
  let [now, most] = [0, 0];
  const gate = Promise.withResolvers<void>();
  const run = vi.spyOn(team.open.background, 'run').mockImplementation(async () => {
    most = Math.max(most, ++now);
    await gate.promise;
    now--;
    throw new StudioError('BAD_FILE', 'Not read in this test.', {});
  });
  const ask = ({ cookie }: { cookie: string }) =>
    team.call(cookie, 'dataset.compare', { ws: team.ws, from: 'a', to: 'b' });
  const many = Array.from({ length: 30 }, () => ask(greedy));
  const refused = await Promise.all(many.slice(20));
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 429));
  expect(refused[0]?.json).toMatchObject({
    code: 'TOO_MANY_TRIES',
    message: expect.stringContaining('20 questions of yours'),
  });
  expect(most).toBe(2);
  // Everything else is answered meanwhile, to both.
  const ids = [greedy, other].map(({ cookie }) => team.call(cookie, 'team.me'));
  expect((await Promise.all(ids)).map(({ status }) => status)).toEqual([200, 200]);
  const one = ask(other);
  await vi.waitFor(() => expect(now).toBe(3));
  gate.resolve();
  expect(await one).toMatchObject({ json: { code: 'BAD_FILE' } });
  for (const answer of await Promise.all(many.slice(0, 20)))
    expect(answer).toMatchObject({ json: { code: 'BAD_FILE' } });
  expect(most).toBe(3);
  run.mockRestore();
});

test('a member whose calls wait loses none of them, and one that is given up takes nobody’s turn', async () => {
  const turns = createTurns();
  const principal = { kind: 'member', id: 'a' } as never; // No more of it is looked at.
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const control = new AbortController();
  const begin = (name: string, signal?: AbortSignal) =>
    turns({ principal, name: 'recordings.list', signal }, async () => {
      order.push(name);
      await gate.promise;
    });
  const first = ['1', '2', '3', '4'].map((name) => begin(name));
  const given = begin('given up', control.signal);
  const last = begin('5');
  control.abort(new Error('gone'));
  await vi.waitFor(() => expect(order).toEqual(['1', '2', '3', '4']));
  gate.resolve();
  await Promise.all([...first, last]);
  await expect(given).rejects.toThrow('gone');
  expect(order).toEqual(['1', '2', '3', '4', '5']);
});

test('tokens: a member has so many that hold, and makes another when one is revoked', async () => {
  const { cookie } = await team.member('viewer', 'Makes tokens');
  const make = () => team.call(cookie, 'team.makeToken', { ws: team.ws, name: 'one more', scopes: ['see'], days: 1 });
  const ids: string[] = [];
  for (let n = 0; n < 50; n++) ids.push(String(Reflect.get(Object((await make()).json), 'id')));
  expect(await make()).toMatchObject({ status: 400, json: { message: expect.stringContaining('You have 50 tokens') } });
  expect((await team.call(cookie, 'team.revokeToken', { ws: team.ws, token: ids[0] })).status).toBe(200);
  expect((await make()).status).toBe(200);
});

test('requests: somebody who asks once does not wait for those of a member who asked fifty times before', async () => {
  const [greedy, other] = [await team.member('viewer', 'Asks fifty times'), await team.member('viewer', 'Asks now')];
  for (const { cookie } of [greedy, other]) await team.call(cookie, 'team.me');
  const all = await Promise.all(
    [...Array.from({ length: 50 }, () => greedy), other].map(async ({ id, cookie }) => {
      const socket = connect(team.port, '127.0.0.1');
      socket.write(`GET /health HTTP/1.1\r\nhost: ${TEAM_HOST}\r\n\r\n`);
      await once(socket, 'data');
      return { id, cookie, socket };
    }),
  );
  const order: string[] = [];
  const over = all.map(async ({ id, socket }) => {
    const [answer] = await once(socket, 'data');
    order.push(id);
    socket.destroy();
    return Number(String(answer).split(' ')[1]);
  });
  // All are there in one turn of the server's loop, the other's as the last.
  for (const { cookie, socket } of all) {
    const lines = [`host: ${TEAM_HOST}`, `cookie: ${cookie}`, `origin: ${TEAM_ORIGIN}`, 'sec-fetch-site: same-origin'];
    const body = JSON.stringify({ json: { ws: team.ws } });
    const head = ['POST /rpc/team/invite HTTP/1.1', ...lines, 'content-type: application/json'];
    socket.write(`${head.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  }
  expect(new Set(await Promise.all(over))).toEqual(new Set([403]));
  expect(order.indexOf(other.id)).toBeLessThan(20);
});

test('an answer with many texts asks once at most where the workspace lies', async () => {
  const reader = await team.member('viewer', 'Reads');
  const recent = vi.spyOn(team.studio.workspaces, 'recent');
  for (let n = 0; n < 3; n++) expect((await team.call(reader.cookie, 'jobs.list', { ws: team.ws })).status).toBe(200);
  expect(recent.mock.calls.length).toBeLessThanOrEqual(1);
  recent.mockRestore();
});
