import { request as httpRequest } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { TEAM_HOST, TEAM_ORIGIN, type TestTeam, testTeam } from './team-for-tests.ts';

/** A stream that somebody has followed for long, who is signed out then. */

let team: TestTeam;
testTeam((made) => {
  team = made;
});

/** Resolves when the stream is over; given when it has begun. */
function follow(cookie: string, path: string, body: string): Promise<{ over: Promise<void> }> {
  return new Promise((begun, reject) => {
    const sent = body === '' ? {} : { origin: TEAM_ORIGIN, 'content-type': 'application/json' };
    const headers = { host: TEAM_HOST, cookie, 'sec-fetch-site': 'same-origin', ...sent };
    const method = body === '' ? 'GET' : 'POST';
    const request = httpRequest({ host: '127.0.0.1', port: team.port, path, method, headers }, (response) => {
      expect(response.statusCode).toBe(200);
      begun({ over: new Promise<void>((done) => response.on('close', () => done()).resume()) });
    });
    request.on('error', reject).end(body);
  });
}

test.each(['GET', 'POST'])(
  'by %s: it ends, also when memory was tidied meanwhile',
  { timeout: 20_000 },
  async (method) => {
    const { cookie: manager } = await team.member('manager', `Manages ${method}`);
    const { id, cookie } = await team.member('annotator', `Follows ${method}`);
    const { over } =
      method === 'GET'
        ? await follow(cookie, `/api/workspaces/${team.ws}/changes`, '')
        : await follow(cookie, '/rpc/recordings/watch', JSON.stringify({ json: { ws: team.ws } }));
    setFlagsFromString('--expose-gc');
    const tidy = runInNewContext('gc') as () => void;
    for (let n = 0; n < 5; n++) {
      tidy();
      await new Promise((done) => setTimeout(done, 20));
    }
    await team.call(manager, 'team.signOut', { ws: team.ws, member: id });
    await over;
    expect((await team.call(cookie, 'team.me')).status).toBe(401);
  },
);
