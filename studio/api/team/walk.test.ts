import { beforeAll, expect, test } from 'vitest';
import { ROLE_RIGHTS, ROUTE_RIGHTS, type RouteName } from '../../../core/team/rights.ts';
import { contract } from '../../../schemas/api/contract.ts';
import { FILE_ROUTES } from '../../../schemas/api/routes.ts';
import { type TEAM_RIGHTS, TEAM_ROLES, type TeamRole } from '../../../schemas/team-terms.ts';
import { ACCOUNT } from '../members/principal.ts';
import { makeToken } from '../members/sessions.ts';
import { type TestTeam, testTeam } from './team-for-tests.ts';

/** Every route by every role, by nobody, and by tokens of each right alone: the table of rights is what is done. */

let team: TestTeam;
testTeam((made) => {
  team = made;
});

const cookies = new Map<TeamRole, string>();
beforeAll(async () => {
  for (const role of TEAM_ROLES) cookies.set(role, (await team.member(role)).cookie);
});

/** As the contract has them, not as the table does. */
const ROUTES = Object.entries(contract).flatMap(([room, calls]) =>
  Object.keys(calls).map((call) => `${room}.${call}` as RouteName),
);

/** Refused for want of a right: a refusal of another kind comes from what was asked. */
const isRefused = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && Reflect.get(Reflect.get(json, 'data') ?? {}, 'needed') !== undefined;

/** Calls without any field of their own: those that would end something are asked for a workspace that is not there. */
const input = (name: string) => (name === 'settings.set' ? { values: {} } : { ws: 'not-here' });

test('the table has every route, and no other', () => {
  expect(Object.keys(ROUTE_RIGHTS).toSorted()).toEqual(ROUTES.toSorted());
  expect(ROUTES.length).toBeGreaterThan(130);
});

test('nobody who has not signed in is answered by any route', async () => {
  for (const name of ROUTES) {
    const { status, json } = await team.call(null, name, input(name));
    expect([name, status, Reflect.get(json as object, 'code')]).toEqual([name, 401, 'SIGNED_OUT']);
  }
});

test.each(TEAM_ROLES)('%s: every route is answered or refused as the table says', async (role) => {
  for (const name of ROUTES) {
    const needed = ROUTE_RIGHTS[name];
    const may = needed !== 'nobody' && ROLE_RIGHTS[role].includes(needed);
    const { status, json } = await team.call(cookies.get(role)!, name, input(name));
    expect([name, isRefused(json) ? 'refused' : 'may']).toEqual([name, may ? 'may' : 'refused']);
    if (!may) expect([name, status]).toEqual([name, 403]);
    expect(status).not.toBe(401);
  }
});

test('a token may what its scopes say, and no more than its member', async () => {
  const { email } = await team.member('annotator', 'Token Holder');
  for (const scope of ROLE_RIGHTS.annotator) {
    const { secret } = await makeToken(team.store, ACCOUNT, { member: email, name: 'x', scopes: [scope], days: 1 });
    for (const name of ROUTES) {
      const answer = await team.raw(`/rpc/${name.replace('.', '/')}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ json: input(name) }),
      });
      const json: unknown = answer.body.startsWith('{') ? Reflect.get(JSON.parse(answer.body), 'json') : null;
      expect([scope, name, isRefused(json)]).toEqual([scope, name, ROUTE_RIGHTS[name] !== scope]);
    }
  }
  const beyond = makeToken(team.store, ACCOUNT, { member: email, name: 'x', scopes: ['see', 'manage'], days: 1 });
  await expect(beyond).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('files by every role, and by nobody', async () => {
  const files: readonly (readonly [method: string, path: string, right: (typeof TEAM_RIGHTS)[number]])[] = [
    ['GET', FILE_ROUTES.frame(team.ws, 'none', 0), 'see'],
    ['GET', FILE_ROUTES.smallPicture(team.ws, 'none', 'small'), 'see'],
    ['GET', FILE_ROUTES.playback(team.ws, 'none'), 'see'],
    ['GET', FILE_ROUTES.voice(team.ws, 'none'), 'see'],
    ['GET', FILE_ROUTES.page(team.ws, 'none'), 'see'],
    ['GET', FILE_ROUTES.attachment(team.ws, '00000000-0000-4000-8000-000000000000'), 'see'],
    ['GET', FILE_ROUTES.liveScreen(team.ws, 'none'), 'see'],
    ['GET', FILE_ROUTES.run(team.ws, 'none', 'result.json'), 'data'],
    ['GET', FILE_ROUTES.template(team.ws, 'none', ['x']), 'data'],
    ['GET', FILE_ROUTES.questionPicture(team.ws, 'none', 'a/b.png'), 'data'],
    ['POST', FILE_ROUTES.preview(team.ws), 'data'],
    ['POST', FILE_ROUTES.predictions(team.ws), 'manage'],
    ['OPTIONS', FILE_ROUTES.uploads(team.ws), 'record'],
    ['POST', FILE_ROUTES.uploads(team.ws), 'record'],
    ['HEAD', FILE_ROUTES.uploads(team.ws, 'none'), 'record'],
    ['GET', FILE_ROUTES.uploads(team.ws, 'none'), 'record'],
    ['PATCH', FILE_ROUTES.uploads(team.ws, 'none'), 'record'],
    ['DELETE', FILE_ROUTES.uploads(team.ws, 'none'), 'record'],
    ['POST', `/files/${team.ws}/attachments?task=none&role=material&name=a`, 'manage'],
  ];
  for (const [method, path, right] of files) {
    expect([path, (await team.page(null, path, { method })).status]).toEqual([path, 401]);
    for (const role of TEAM_ROLES) {
      const { status, body } = await team.page(cookies.get(role)!, path, { method });
      const may = ROLE_RIGHTS[role].includes(right);
      // A HEAD has no words.
      const refused = status === 403 && (method === 'HEAD' || body.includes('"needed"'));
      expect([role, method, path, refused]).toEqual([role, method, path, !may]);
    }
  }
  // A method that no route takes is nobody's.
  expect((await team.page(cookies.get('owner')!, FILE_ROUTES.page(team.ws, 'x'), { method: 'DELETE' })).status).toBe(
    403,
  );
  expect((await team.page(cookies.get('owner')!, '/api/openapi.json')).status).toBe(200);
  expect((await team.page(null, '/api/openapi.json')).status).toBe(401);
});

test('acts of a review want their own rights', async () => {
  const acts = [
    [{ type: 'begin' }, ['annotator', 'reviewer', 'manager', 'owner']],
    [{ type: 'claim' }, ['reviewer', 'manager', 'owner']],
    [{ type: 'release' }, ['reviewer', 'manager', 'owner']],
    [{ type: 'reopen', comment: 'Again' }, ['reviewer', 'manager', 'owner']],
    [{ type: 'plan', replicas: 2 }, ['manager', 'owner']],
    [{ type: 'assign', work: 'annotate', to: [], due: null }, ['manager', 'owner']],
  ] as const;
  for (const [act, roles] of acts) {
    for (const role of TEAM_ROLES) {
      const sent = { ws: team.ws, recording: 'none', id: crypto.randomUUID(), act };
      const { json } = await team.call(cookies.get(role)!, 'review.send', sent);
      expect([act.type, role, isRefused(json)]).toEqual([act.type, role, !roles.some((one) => one === role)]);
    }
  }
});
