import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { SIGN_ROUTES } from '../../../schemas/team-terms.ts';
import { addPerson } from '../../store/people.ts';
import { invite } from '../members/invitations.ts';
import { ACCOUNT } from '../members/principal.ts';
import { makeToken } from '../members/sessions.ts';
import { PASSWORD, TEAM_HOST, TEAM_ORIGIN, type TestTeam, testTeam } from './team-for-tests.ts';

/** A team's server, attacked as a stranger, a member and another page would. */

let team: TestTeam;
testTeam((made) => {
  team = made;
});

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  team.page(null, path, { method: 'POST', body: JSON.stringify(body), headers });
const signIn = (email: string, password: string, headers: Record<string, string> = {}) =>
  post(SIGN_ROUTES.signIn, { email, password }, headers);
const codeOf = (answer: { body: string }): string => JSON.parse(answer.body).code;
const newLink = async (email: string, days = 7) => {
  const { link } = await invite(team.store, ACCOUNT, { email, role: 'annotator', name: '', days });
  return new URL(link).hash.slice(1);
};
/** The server's clock goes on for rows of this table: what is kept is changed, not what is asked. */
function past(table: 'sessions' | 'tokens' | 'invitations', column: 'ends_at' | 'seen_at', days = 0): void {
  const sqlite = new Sqlite(join(team.dir, 'studio.sqlite'));
  sqlite
    .prepare(`update ${table} set ${column} = ?`)
    .run(new Date(Date.now() - days * 86_400_000 - 1000).toISOString());
  sqlite.close();
}

describe('signing in', () => {
  test('sets a cookie that no script, other page or unencrypted connection gets, and keeps neither secret', async () => {
    const { email, cookie } = await team.member('annotator', 'Ana');
    const answer = await signIn(`  ${email.toUpperCase()} `, PASSWORD);
    const [set = ''] = answer.headers['set-cookie'] ?? [];
    expect([answer.status, set]).toEqual([
      200,
      expect.stringMatching(/^__Host-studio=tss_[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict; Secure$/),
    ]);
    expect((await team.call(set.split(';')[0]!, 'team.me')).json).toMatchObject({ email, role: 'annotator' });
    const sqlite = new Sqlite(join(team.dir, 'studio.sqlite'), { readonly: true });
    const rows = ['members', 'sessions', 'invitations', 'people'].flatMap((table) =>
      sqlite.prepare(`select * from ${table}`).all(),
    );
    sqlite.close();
    const kept = JSON.stringify(rows);
    for (const secret of [PASSWORD, set.slice(14, 61), cookie.slice(14)]) expect(kept).not.toContain(secret);
    expect(kept).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
  });

  test('a wrong password and an unknown address are answered alike, and too many tries are not answered', async () => {
    const { email } = await team.member('viewer', 'Vic');
    const from = { 'x-forwarded-for': '203.0.113.7' };
    const wrong = await signIn(email, 'not the password', from);
    const unknown = await signIn('nobody@lab.test', 'not the password', from);
    expect([wrong.status, codeOf(wrong)]).toEqual([401, 'SIGNED_OUT']);
    expect(unknown.body).toBe(wrong.body);
    const answers = await Promise.all(Array.from({ length: 14 }, () => signIn(email, 'guess', from)));
    const statuses = answers.map(({ status }) => status).toSorted();
    // One of the ten was used above.
    expect(statuses).toEqual([...Array(9).fill(401), ...Array(5).fill(429)]);
    const limited = answers.find(({ status }) => status === 429)!;
    expect(codeOf(limited)).toBe('TOO_MANY_TRIES');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    // The right one neither, from there; from elsewhere the person comes in.
    expect((await signIn(email, PASSWORD, from)).status).toBe(429);
    expect((await signIn(email, PASSWORD, { 'x-forwarded-for': '198.51.100.1' })).status).toBe(200);
  });

  test('what the caller writes into X-Forwarded-For is not where it comes from', async () => {
    const { email } = await team.member('viewer', 'Wim');
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) {
      // A proxy adds the last; what stands before it came with the request.
      const forwarded = `10.1.1.${n}, 203.0.113.99`;
      statuses.push((await signIn(email, 'guess', { 'x-forwarded-for': forwarded })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });

  test('another page cannot sign anybody in or out, nor with a form', async () => {
    const { email, cookie } = await team.member('viewer', 'Xia');
    const body = JSON.stringify({ email, password: PASSWORD });
    for (const headers of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: `http://${TEAM_HOST}` },
      { origin: 'null' },
    ]) {
      const all = { 'content-type': 'application/json', ...headers };
      expect((await team.raw(SIGN_ROUTES.signIn, { method: 'POST', headers: all, body })).status).toBe(403);
      const out = await team.raw(SIGN_ROUTES.signOut, { method: 'POST', headers: { ...all, cookie } });
      expect(out.status).toBe(403);
    }
    // Neither a header of any page, nor JSON.
    expect((await team.raw(SIGN_ROUTES.signIn, { method: 'POST', body })).status).toBe(403);
    const form = await team.page(null, SIGN_ROUTES.signIn, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body,
    });
    expect([form.status, codeOf(form)]).toEqual([400, 'USAGE']);
    expect((await team.call(cookie, 'team.me')).status).toBe(200);
  });

  test('bad input is told as such', async () => {
    const long = await team.page(null, SIGN_ROUTES.signIn, { method: 'POST', body: `"${'x'.repeat(20_000)}"` });
    expect([long.status, codeOf(long)]).toEqual([400, 'USAGE']);
    expect((await post(SIGN_ROUTES.signIn, { email: 1 })).status).toBe(400);
    expect((await team.page(null, SIGN_ROUTES.signIn, { method: 'POST', body: '{' })).status).toBe(400);
    expect((await team.page(null, SIGN_ROUTES.signIn)).status).toBe(400);
    expect((await post('/team/nothing', {})).status).toBe(404);
    expect((await signIn('ana@lab.test', '')).status).toBe(401);
  });
});

describe('a session', () => {
  test('is refused for another host, another page, and what no page sends', async () => {
    const { cookie } = await team.member('owner', 'Olga');
    const body = JSON.stringify({ json: {} });
    const json = { cookie, 'content-type': 'application/json' };
    const refused: Record<string, string>[] = [
      { host: 'evil.example', origin: TEAM_ORIGIN },
      { host: `${TEAM_HOST}:8443`, origin: TEAM_ORIGIN },
      { origin: 'https://evil.example' },
      { origin: `http://${TEAM_HOST}` },
      { origin: 'null' },
      { origin: TEAM_ORIGIN, 'sec-fetch-site': 'cross-site' },
      { origin: TEAM_ORIGIN, 'sec-fetch-site': 'same-site' },
      // A form of another page in an old browser: neither header.
      {},
      { 'sec-fetch-site': 'none' },
      // Believed from nobody.
      { 'x-forwarded-host': TEAM_HOST, host: 'evil.example', origin: TEAM_ORIGIN },
    ];
    for (const headers of refused) {
      const { status } = await team.raw('/rpc/settings/get', {
        method: 'POST',
        headers: { ...json, ...headers },
        body,
      });
      expect([headers, status]).toEqual([headers, 403]);
      const upload = `/files/${team.ws}/attachments?task=x&role=material&name=a`;
      expect((await team.raw(upload, { method: 'POST', headers: { ...json, ...headers }, body: 'x' })).status).toBe(
        403,
      );
    }
    // Streams and pictures for another page.
    for (const path of ['/api/recorder/changes', `/files/${team.ws}/recordings/x/page.json`]) {
      const headers = { cookie, 'sec-fetch-site': 'cross-site' };
      expect([path, (await team.raw(path, { headers })).status]).toEqual([path, 403]);
    }
    expect((await team.page(cookie, '/rpc/settings/get', { method: 'POST', body })).status).toBe(200);
    // A page that is opened from a mail is sent without the cookie, and holds nothing of anybody.
    const opened = await team.raw('/w/x', { headers: { 'sec-fetch-site': 'cross-site', accept: 'text/html' } });
    expect([opened.status, opened.body.includes('studio-team')]).toEqual([200, true]);
  });

  test('ends with signing out, with its time, and when it was not used for a week', async () => {
    const { email, cookie } = await team.member('viewer', 'Yan');
    const again = (await signIn(email, PASSWORD)).headers['set-cookie']![0]!.split(';')[0]!;
    const out = await team.page(cookie, SIGN_ROUTES.signOut, { method: 'POST' });
    expect(out.headers['set-cookie']?.[0]).toMatch(/^__Host-studio=; Max-Age=0; /);
    expect((await team.call(cookie, 'team.me')).status).toBe(401);
    expect((await team.call(again, 'team.me')).status).toBe(200);
    past('sessions', 'seen_at', 7);
    expect((await team.call(again, 'team.me')).status).toBe(401);
    const third = (await signIn(email, PASSWORD)).headers['set-cookie']![0]!.split(';')[0]!;
    past('sessions', 'ends_at');
    expect((await team.call(third, 'team.me')).status).toBe(401);
    for (const made of ['__Host-studio=', '__Host-studio=tss_x', `__Host-studio=${'x'.repeat(9000)}`, 'studio-4747=x'])
      expect((await team.call(made, 'team.me')).status).toBe(401);
  });

  test('is ended everywhere by a manager, and what it follows ends with it', async () => {
    const { cookie: manager } = await team.member('manager', 'Mia');
    const { id, cookie } = await team.member('annotator', 'Zoe');
    const { over } = await follow(cookie, `/api/workspaces/${team.ws}/changes`);
    expect((await team.call(cookie, 'team.signOut', { ws: team.ws, member: 'Mia' })).status).toBe(403);
    const { json } = await team.call(manager, 'team.signOut', { ws: team.ws, member: id });
    expect(json).toMatchObject({ id, sessions: 1 });
    await over;
    expect((await team.call(cookie, 'team.me')).status).toBe(401);
  });

  test('a role that is changed holds at once, also for what is followed', async () => {
    const { cookie: owner } = await team.member('owner', 'Otto');
    const { id, cookie } = await team.member('manager', 'Uma');
    const { over } = await follow(cookie, `/api/workspaces/${team.ws}/changes`);
    expect((await team.call(owner, 'team.setRole', { ws: team.ws, member: id, role: 'viewer' })).status).toBe(200);
    await over;
    expect((await team.call(cookie, 'team.members', { ws: team.ws })).status).toBe(403);
    expect((await team.call(owner, 'team.remove', { ws: team.ws, member: id })).status).toBe(200);
    expect((await team.call(cookie, 'team.me')).status).toBe(401);
    // Their name stays with their work, and an invitation makes them a member again.
    const names = (await team.call(owner, 'people.list', { ws: team.ws })).json as { id: string; name: string }[];
    expect(names).toContainEqual(expect.objectContaining({ id, name: 'Uma' }));
    expect((await team.member('reviewer', 'Uma')).id).toBe(id);
  });
});

/** Resolves when the stream is over; given when it has begun. */
function follow(cookie: string, path: string): Promise<{ over: Promise<void> }> {
  return new Promise((begun, reject) => {
    const headers = { host: TEAM_HOST, cookie, 'sec-fetch-site': 'same-origin' };
    const request = httpRequest({ host: '127.0.0.1', port: team.port, path, headers }, (response) => {
      expect(response.statusCode).toBe(200);
      const over = new Promise<void>((done) => response.on('close', () => done()).resume());
      begun({ over });
    });
    request.on('error', reject).end();
  });
}

describe('an invitation', () => {
  test('is for one use, also of two at once', async () => {
    const code = await newLink('two@lab.test');
    const seen = await post(SIGN_ROUTES.look, { code });
    expect(JSON.parse(seen.body)).toEqual({ email: 'two@lab.test', name: '', role: 'annotator', known: false });
    const answers = await Promise.all(
      ['First', 'Second'].map((name) => post(SIGN_ROUTES.accept, { code, name, password: PASSWORD })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await post(SIGN_ROUTES.look, { code })).status).toBe(401);
  });

  test('that has ended, was taken back, is another or is guessed is refused in the same words', async () => {
    const { cookie: manager } = await team.member('manager', 'Nia');
    const [ended, back, replaced] = [
      await newLink('e@lab.test'),
      await newLink('b@lab.test'),
      await newLink('r@lab.test'),
    ];
    await newLink('r@lab.test');
    expect((await team.call(manager, 'team.uninvite', { ws: team.ws, invitation: 'b@lab.test' })).status).toBe(200);
    const sqlite = new Sqlite(join(team.dir, 'studio.sqlite'));
    sqlite.prepare("update invitations set ends_at = '2026-01-01T00:00:00.000Z' where email = 'e@lab.test'").run();
    sqlite.close();
    const bodies = new Set<string>();
    for (const code of [ended, back, replaced, `tsi_${'x'.repeat(43)}`, '', 'x'.repeat(200)]) {
      const answer = await post(SIGN_ROUTES.accept, { code, name: 'Eve', password: PASSWORD });
      expect([code, answer.status]).toEqual([code, 401]);
      bodies.add(answer.body);
    }
    expect(bodies.size).toBe(1);
  });

  test('many guesses at once are as few as one after another, and one that holds is none', async () => {
    const from = { 'x-forwarded-for': '192.0.2.45' };
    const held = await newLink('held@lab.test');
    for (let n = 0; n < 3; n++) expect((await post(SIGN_ROUTES.look, { code: held }, from)).status).toBe(200);
    const guess = (_: unknown, n: number) =>
      post(SIGN_ROUTES.look, { code: `tsi_${String(n).padStart(43, '1')}` }, from);
    const statuses = (await Promise.all(Array.from({ length: 90 }, guess))).map(({ status }) => status);
    expect([statuses.filter((one) => one === 401).length, statuses.filter((one) => one === 429).length]).toEqual([
      60, 30,
    ]);
  });

  test('guesses are counted by place', async () => {
    const from = { 'x-forwarded-for': '192.0.2.44' };
    const statuses: number[] = [];
    for (let n = 0; n < 62; n++)
      statuses.push((await post(SIGN_ROUTES.look, { code: `tsi_${String(n).padStart(43, '0')}` }, from)).status);
    expect([statuses.indexOf(429), statuses.at(-1)]).toEqual([60, 429]);
    const bearer = { authorization: 'Bearer tst_guess', ...from };
    expect((await team.raw('/api/settings', { headers: bearer })).status).toBe(429);
  });

  test('wants a password that is one, and a name that nobody has', async () => {
    const code = await newLink('new@lab.test');
    await team.member('viewer', 'Taken Name');
    for (const password of ['short', 'aaaaaaaaaaaaaaaa', 'my new@lab.test pass', 'x1y2'.repeat(60)]) {
      const answer = await post(SIGN_ROUTES.accept, { code, name: 'New', password });
      expect([password, answer.status, codeOf(answer)]).toEqual([password, 400, 'USAGE']);
    }
    const taken = await post(SIGN_ROUTES.accept, { code, name: 'taken NAME', password: PASSWORD });
    expect([taken.status, codeOf(taken)]).toEqual([409, 'CONFLICT']);
    expect((await post(SIGN_ROUTES.accept, { code, name: 'New', password: PASSWORD })).status).toBe(200);
  });

  test('of a member sets a new password and ends their sessions; the role stays', async () => {
    const { id, email, cookie } = await team.member('reviewer', 'Rita');
    const code = await newLink(email);
    const other = 'another four words';
    expect((await post(SIGN_ROUTES.accept, { code, name: 'ignored', password: other })).status).toBe(200);
    expect((await team.call(cookie, 'team.me')).status).toBe(401);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    const again = (await signIn(email, other)).headers['set-cookie']![0]!.split(';')[0]!;
    expect((await team.call(again, 'team.me')).json).toMatchObject({ id, name: 'Rita', role: 'reviewer' });
  });
});

describe('an invitation that a manager made', () => {
  const lookAt = async (code: string) => (await post(SIGN_ROUTES.look, { code })).status;
  const accept = (code: string, name: string) =>
    post(SIGN_ROUTES.accept, { code, name, password: 'taken over by them' });
  const madeBy = async (cookie: string, wishes: object): Promise<string> => {
    const { json } = await team.call(cookie, 'team.invite', { ws: team.ws, role: 'annotator', ...wishes });
    return new URL(Reflect.get(json as object, 'link')).hash.slice(1);
  };

  test.each([
    ['left', 'team.remove', {}],
    ['manages nobody any more', 'team.setRole', { role: 'annotator' }],
  ] as const)('ends when they have %s', async (why, call, more) => {
    const { cookie: owner } = await team.member('owner', `Owner of ${why}`);
    const { id: member, cookie } = await team.member('manager', `Manager who ${why}`);
    const email = `back.${call}@lab.test`.toLowerCase();
    const code = await madeBy(cookie, { email, role: 'manager' });
    expect(await lookAt(code)).toBe(200);
    expect((await team.call(owner, call, { ws: team.ws, member, ...more })).status).toBe(200);
    expect([await lookAt(code), (await accept(code, `Back by ${call}`)).status]).toEqual([401, 401]);
    const { json } = await team.call(owner, 'team.invitations', { ws: team.ws });
    expect(json).toContainEqual(expect.objectContaining({ email, ended: true }));
    // Invited anew by whoever may, they come in.
    expect(await lookAt(await madeBy(owner, { email, role: 'viewer' }))).toBe(200);
  });

  test('gives no owner a new password: not of a member who became one since', async () => {
    const { cookie: owner } = await team.member('owner', 'Owner of all');
    const { cookie } = await team.member('manager', 'Manager who waits');
    const { id: member, email } = await team.member('annotator', 'Rises');
    const code = await madeBy(cookie, { email });
    expect((await team.call(owner, 'team.setRole', { ws: team.ws, member, role: 'owner' })).status).toBe(200);
    expect([await lookAt(code), (await accept(code, 'Rises')).status]).toEqual([401, 401]);
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  });

  test('makes nobody a person who came in under another address since', async () => {
    const { cookie: owner } = await team.member('owner', 'Owner of names');
    const { cookie } = await team.member('manager', 'Manager of names');
    await addPerson(team.store, { name: 'Petra', email: null });
    const code = await madeBy(cookie, { email: 'not.petra@lab.test', person: 'Petra' });
    const own = await madeBy(owner, { email: 'petra@lab.test', person: 'Petra', role: 'owner' });
    expect((await post(SIGN_ROUTES.accept, { code: own, name: '', password: PASSWORD })).status).toBe(200);
    expect([await lookAt(code), (await accept(code, '')).status]).toEqual([401, 401]);
    const again = (await signIn('petra@lab.test', PASSWORD)).headers['set-cookie']![0]!.split(';')[0]!;
    expect((await team.call(again, 'team.me')).json).toMatchObject({ name: 'Petra', role: 'owner' });
  });
});

describe('roles', () => {
  test('a manager neither makes, changes, invites nor signs out an owner', async () => {
    const { cookie } = await team.member('manager', 'Max');
    const { id, email } = await team.member('owner', 'Ove');
    const { id: own } = (await team.call(cookie, 'team.me')).json as { id: string };
    for (const [name, input] of [
      ['team.setRole', { member: id, role: 'viewer' }],
      ['team.setRole', { member: own, role: 'owner' }],
      ['team.remove', { member: id }],
      ['team.signOut', { member: id }],
      ['team.invite', { email: 'more@lab.test', role: 'owner' }],
      // Its link would sign in as the owner.
      ['team.invite', { email, role: 'viewer' }],
    ] as const) {
      const { status, json } = await team.call(cookie, name, { ws: team.ws, ...input });
      expect([name, input, status, Reflect.get(json as object, 'code')]).toEqual([name, input, 403, 'FORBIDDEN']);
    }
    expect((await team.call(cookie, 'team.setRole', { ws: team.ws, member: 'nobody', role: 'viewer' })).status).toBe(
      400,
    );
  });

  test('nobody works as somebody else', async () => {
    const { id, name, cookie } = await team.member('annotator', 'Ann');
    const other = await team.member('annotator', 'Ben');
    for (const person of [other.id, other.name, 'system']) {
      const input = { ws: team.ws, person, recording: 'none' };
      for (const call of ['annotation.undo', 'annotation.get', 'review.queue', 'recordings.list', 'tasks.list']) {
        expect([call, (await team.call(cookie, call, input)).status]).toEqual([call, 403]);
      }
      const api = await team.page(cookie, `/api/workspaces/${team.ws}/tasks?person=${encodeURIComponent(person)}`);
      expect(api.status).toBe(403);
      const picture = `/files/${team.ws}/recordings/none/small.jpg?person=${encodeURIComponent(person)}`;
      expect((await team.page(cookie, picture)).status).toBe(403);
    }
    for (const person of [id, name, 'me', undefined]) {
      const input = { ws: team.ws, ...(person !== undefined && { person }) };
      expect((await team.call(cookie, 'tasks.list', input)).json).toEqual([]);
    }
    // Somebody may be looked up.
    expect((await team.call(cookie, 'people.find', { ws: team.ws, person: 'Ben' })).json).toEqual({ id: other.id });
  });

  test('a manager invites somebody new, and somebody whose work is there already', async () => {
    const { cookie } = await team.member('manager', 'Inviter');
    const { json: person } = await team.call(cookie, 'people.add', { ws: team.ws, name: 'Old Hand', email: null });
    const asked = { ws: team.ws, email: 'old@lab.test', role: 'annotator' };
    const { json } = await team.call(cookie, 'team.invite', { ...asked, person: 'Old Hand' });
    const code = new URL(String(Reflect.get(json as object, 'link'))).hash.slice(1);
    expect(JSON.parse((await post(SIGN_ROUTES.look, { code })).body)).toMatchObject({ name: 'Old Hand', known: true });
    const accepted = await post(SIGN_ROUTES.accept, { code, name: 'ignored', password: PASSWORD });
    const own = accepted.headers['set-cookie']![0]!.split(';')[0]!;
    const { json: me } = await team.call(own, 'team.me');
    expect(me).toMatchObject({ id: Reflect.get(person as object, 'id'), name: 'Old Hand', role: 'annotator' });
    const fresh = await team.call(cookie, 'team.invite', { ...asked, email: 'fresh@lab.test' });
    expect([fresh.status, Reflect.get(fresh.json as object, 'known')]).toEqual([200, false]);
  });

  test('settings are each one’s own', async () => {
    const [a, b] = [await team.member('viewer', 'Set A'), await team.member('viewer', 'Set B')];
    expect((await team.call(a.cookie, 'settings.set', { values: { theme: 'dark' } })).json).toEqual({ theme: 'dark' });
    expect((await team.call(a.cookie, 'settings.get')).json).toEqual({ theme: 'dark' });
    expect((await team.call(b.cookie, 'settings.get')).json).toEqual({});
    expect(team.studio.settings.get()).toEqual({});
  });
});

test('a token is ended by its time and by revoking, and makes no other', async () => {
  const { email, cookie } = await team.member('manager', 'Tom');
  const wishes = { name: 'nightly', scopes: ['see', 'members'], days: 1 };
  const made = (await team.call(cookie, 'team.makeToken', { ws: team.ws, ...wishes })).json as {
    id: string;
    secret: string;
  };
  const asToken = (path: string, init: { method?: string; body?: string } = {}) =>
    team.raw(path, {
      ...init,
      headers: { authorization: `Bearer ${made.secret}`, 'content-type': 'application/json' },
    });
  expect((await asToken('/api/team/me')).status).toBe(200);
  expect(
    (await asToken(`/api/workspaces/${team.ws}/team/tokens`, { method: 'POST', body: JSON.stringify(wishes) })).status,
  ).toBe(403);
  expect((await asToken(`/api/workspaces/${team.ws}/versions`, { method: 'POST', body: '{}' })).status).toBe(403);
  // A cookie beside a token is not looked at: the token is what was meant.
  const both = await team.raw('/api/team/me', { headers: { authorization: 'Bearer tst_wrong', cookie } });
  expect(both.status).toBe(401);
  const listed = JSON.stringify((await team.call(cookie, 'team.tokens', { ws: team.ws })).json);
  expect(listed).toContain('nightly');
  expect(listed).not.toContain(made.secret);
  expect((await team.call(cookie, 'team.revokeToken', { ws: team.ws, token: made.id.slice(0, 8) })).status).toBe(200);
  expect((await asToken('/api/team/me')).status).toBe(401);
  const { secret } = await makeToken(team.store, ACCOUNT, { member: email, name: 'old', scopes: ['see'], days: 1 });
  past('tokens', 'ends_at');
  expect((await team.raw('/api/team/me', { headers: { authorization: `Bearer ${secret}` } })).status).toBe(401);
});
