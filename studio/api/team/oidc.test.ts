import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { OIDC_CALLBACK, SIGN_ROUTES } from '../../../schemas/team-terms.ts';
import { CLIENT, type SignInService, startSignInService } from '../../../test/support/sign-in-service.ts';
import { addPerson } from '../../store/people.ts';
import { invite } from '../members/invitations.ts';
import { openOidc } from '../members/oidc.ts';
import { ACCOUNT } from '../members/principal.ts';
import { PASSWORD, TEAM_ORIGIN, type TeamAnswer, type TestTeam, testTeam } from './team-for-tests.ts';

/** Signing in by OpenID Connect at a real service, which lies where a test says so. */

let team: TestTeam;
let service: SignInService;
testTeam(
  (made) => {
    team = made;
  },
  async () => {
    service = await startSignInService(`${TEAM_ORIGIN}${OIDC_CALLBACK}`);
    const wishes = { issuer: new URL(service.issuer), client: CLIENT.id, secret: CLIENT.secret, name: 'the lab' };
    return openOidc({ ...wishes, domains: ['domain.test'], role: 'reviewer' }, TEAM_ORIGIN);
  },
);
afterEach(() => {
  service.lies = {};
});
beforeAll(() => () => service.close());

/** An account of the service whose address it has verified. */
function account(login: string, email: string, more: object = {}): string {
  service.accounts.set(login, { email, email_verified: true, name: login, ...more });
  return login;
}

const cookieOf = (answer: TeamAnswer, name: string): string | undefined =>
  answer.headers['set-cookie']?.find((one) => one.startsWith(`${name}=`))?.split(';')[0];
const begin = async (body: object = {}) => {
  const answer = await team.page(null, SIGN_ROUTES.oidcBegin, { method: 'POST', body: JSON.stringify(body) });
  return { url: String(JSON.parse(answer.body).url), kept: cookieOf(answer, '__Host-studio-oidc') ?? '', answer };
};
/** As a browser comes back from the service: from a page of another server, and with the cookies that it may send then. */
const back = (url: URL, kept: string, headers: Record<string, string> = {}) =>
  team.raw(`${url.pathname}${url.search}`, { headers: { 'sec-fetch-site': 'cross-site', cookie: kept, ...headers } });

async function signIn(login: string, body: object = {}) {
  const { url, kept } = await begin(body);
  const answer = await back(await service.signIn(url, login), kept);
  const to = new URL(answer.headers.location ?? '');
  return { answer, to, failed: to.searchParams.get('failed'), cookie: cookieOf(answer, '__Host-studio') ?? null };
}
const me = async (cookie: string | null) => (await team.call(cookie, 'team.me')).json;
const asInvited = (email: string, more: object = {}) =>
  invite(team.store, ACCOUNT, { email, role: 'annotator', name: '', days: 7, ...more });

describe('who comes in', () => {
  test('somebody who is invited, as that role, and then again without an invitation', async () => {
    await asInvited('ana@lab.test', { role: 'manager' });
    account('ana', 'Ana@Lab.test', { name: 'Ana Lyst' });
    const { answer, to, cookie } = await signIn('ana', { to: '/w/x?y=1' });
    expect([answer.status, to.href]).toEqual([303, `${TEAM_ORIGIN}/w/x?y=1`]);
    expect(await me(cookie)).toMatchObject({ name: 'Ana Lyst', email: 'ana@lab.test', role: 'manager' });
    const set = answer.headers['set-cookie'] ?? [];
    expect(set.find((one) => one.startsWith('__Host-studio='))).toMatch(
      /; Max-Age=86\d{3}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    // The state that the browser kept on the way is gone.
    expect(set).toContain('__Host-studio-oidc=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure');
    // The same rights as with a password: every call of a manager, none of an owner.
    expect((await team.call(cookie, 'team.invitations', { ws: team.ws })).json).toEqual([]);
    expect((await team.call(cookie, 'runs.human', { ws: team.ws })).status).toBe(403);
    // Also when the address changes there later.
    account('ana', 'married@lab.test');
    const again = await signIn('ana');
    expect(await me(again.cookie)).toMatchObject({ email: 'ana@lab.test', role: 'manager' });
    const out = await team.page(again.cookie, SIGN_ROUTES.signOut, { method: 'POST' });
    expect([out.status, (await team.call(again.cookie, 'team.me')).status]).toEqual([200, 401]);
    expect(await me(cookie)).toMatchObject({ role: 'manager' });
  });

  test('a member with a password, who keeps it; and nobody by another account of their address', async () => {
    const { id, email } = await team.member('viewer', 'Both');
    const { cookie } = await signIn(account('both', email));
    expect(await me(cookie)).toMatchObject({ id, role: 'viewer' });
    const body = JSON.stringify({ email, password: PASSWORD });
    expect((await team.page(null, SIGN_ROUTES.signIn, { method: 'POST', body })).status).toBe(200);
    expect((await signIn(account('both-2', email))).failed).toBe('other');
    // Until a manager invites the address again.
    await asInvited(email);
    expect(await me((await signIn('both-2')).cookie)).toMatchObject({ id, role: 'viewer' });
    expect((await signIn('both')).failed).toBe('other');
  });

  test('an address of the domain, as the role for it; another and a longer one not', async () => {
    const { cookie } = await signIn(account('dora', 'dora@domain.test'));
    expect(await me(cookie)).toMatchObject({ name: 'dora', role: 'reviewer' });
    for (const email of [
      'eve@other.test',
      'eve@sub.domain.test',
      'eve@evil-domain.test',
      'eve@domain.test.evil.test',
    ]) {
      expect([email, (await signIn(account(`eve ${email}`, email))).failed]).toEqual([email, 'uninvited']);
    }
  });

  test('no address, and none that the service has not verified', async () => {
    await asInvited('mia@lab.test');
    for (const more of [
      { email_verified: false },
      { email_verified: undefined },
      { email: undefined },
      { email: 'x' },
    ]) {
      expect((await signIn(account('mia', 'mia@lab.test', more))).failed).toBe('mail');
    }
    expect((await signIn(account('mia', 'mia@lab.test'))).failed).toBe(null);
  });

  test('nobody who was taken out, not by the domain nor by another address, until they are invited', async () => {
    const { cookie } = await signIn(account('lee', 'lee@domain.test'));
    const { cookie: owner } = await team.member('owner', 'Takes Out');
    const { id } = (await me(cookie)) as { id: string };
    expect((await team.call(owner, 'team.remove', { ws: team.ws, member: id })).status).toBe(200);
    expect((await team.call(cookie, 'team.me')).status).toBe(401);
    expect((await signIn('lee')).failed).toBe('left');
    expect((await signIn(account('lee', 'lee-2@domain.test'))).failed).toBe('left');
    expect((await signIn(account('lee-new', 'lee@domain.test'))).failed).toBe('left');
    await asInvited('lee@domain.test', { role: 'viewer' });
    expect(await me((await signIn('lee-new')).cookie)).toMatchObject({ id, role: 'viewer' });
  });

  test('an invitation that has ended or was used is none', async () => {
    await asInvited('old@lab.test', { days: 0 });
    expect((await signIn(account('old', 'old@lab.test'))).failed).toBe('uninvited');
    const { email } = await team.member('viewer', 'Used Link');
    expect((await team.call(null, 'team.me')).status).toBe(401);
    expect((await signIn(account('used-link', email))).failed).toBe(null);
  });

  test('a name that somebody has gets the address behind it, and theirs stays theirs', async () => {
    const first = await addPerson(team.store, { name: 'Same Name', email: null });
    for (const [login, name, shown] of [
      ['same', 'same  NAME', 'same NAME (same@domain.test)'],
      ['me-1', 'me', 'me (me-1@domain.test)'],
      ['none', '', 'none'],
      ['odd', '\u202e\u0000 Odd', 'Odd'],
    ] as const) {
      const { cookie } = await signIn(account(login, `${login}@domain.test`, { name }));
      const told = (await me(cookie)) as { id: string; name: string };
      expect([login, told.name, told.id === first.id]).toEqual([login, shown, false]);
    }
  });
});

describe('what comes back is refused, with the reason', () => {
  const HOUR = 3_600_000;
  test.each<readonly [string, SignInService['lies']]>([
    ['audience', { claims: (claims) => ({ ...claims, aud: 'another' }) }],
    ['audience', { claims: (claims) => ({ ...claims, aud: [CLIENT.id, 'another'], azp: 'another' }) }],
    ['nonce', { claims: (claims) => ({ ...claims, nonce: 'of another sign-in' }) }],
    ['odd', { claims: ({ nonce: _, ...claims }) => claims }],
    ['issuer', { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) }],
    ['signature', { signed: 'by another' }],
    ['signature', { signed: 'not' }],
    ['signature', { signed: 'by the secret' }],
    ['signature', { claims: (claims) => ({ ...claims, sub: 'somebody else' }), signed: 'by another' }],
    ['expired', { claims: (claims) => ({ ...claims, exp: Number(claims.exp) - 7200 }) }],
    // As short as Keycloak's.
    ['clock', { clockMs: -HOUR, claims: (claims) => ({ ...claims, exp: Number(claims.iat) + 300 }) }],
    ['clock', { clockMs: HOUR }],
    ['odd', { bytes: 2_000_000 }],
    ['away', { status: 503, bytes: 10 }],
  ])('%s %#', async (failed, lies) => {
    const login = account('liar', 'liar@domain.test');
    service.lies = lies;
    const found = await signIn(login, { to: '/w/x' });
    expect([found.failed, found.cookie]).toEqual([failed, null]);
    expect(found.to.href).toBe(`${TEAM_ORIGIN}/sign-in?failed=${failed}&to=%2Fw%2Fx`);
    service.lies = {};
    expect((await signIn(login)).failed).toBe(null);
  });

  test('a code that was used, in the same browser or another', async () => {
    const { url, kept } = await begin();
    const there = await service.signIn(url, account('twice', 'twice@domain.test'));
    // Another browser, or a thief with the address alone.
    const thief = await begin();
    expect((await back(there, '')).headers.location).toContain('failed=late');
    expect((await back(there, thief.kept)).headers.location).toContain('failed=late');
    expect((await back(there, kept)).headers.location).toBe(`${TEAM_ORIGIN}/`);
    const again = await back(there, kept);
    expect([again.headers.location, cookieOf(again, '__Host-studio')]).toEqual([
      `${TEAM_ORIGIN}/sign-in?failed=used`,
      undefined,
    ]);
  });

  test("a code of another's sign-in, put into one's own: PKCE and state hold it", async () => {
    const victim = await begin();
    const stolen = await service.signIn(victim.url, account('victim', 'victim@domain.test'));
    const own = await begin();
    const mixed = new URL(stolen);
    mixed.searchParams.set('state', new URL(own.url).searchParams.get('state')!);
    expect((await back(mixed, own.kept)).headers.location).toContain('failed=used');
  });

  test('an answer of another service, a refusal, and what is no answer', async () => {
    const answer = async (search: Record<string, string>, state = true) => {
      const { url, kept } = await begin();
      const all = { ...(state && { state: new URL(url).searchParams.get('state')! }), iss: service.issuer, ...search };
      const there = new URL(`${TEAM_ORIGIN}${OIDC_CALLBACK}?${new URLSearchParams(all)}`);
      return new URL((await back(there, kept)).headers.location!).searchParams.get('failed');
    };
    expect(await answer({ code: 'x', iss: 'https://evil.example' })).toBe('issuer');
    expect(await answer({ error: 'access_denied' })).toBe('denied');
    expect(await answer({ error: 'temporarily_unavailable' })).toBe('away');
    expect(await answer({ error: 'invalid_request' })).toBe('client');
    expect(await answer({ code: 'made up' })).toBe('used');
    expect(await answer({ code: 'x' }, false)).toBe('late');
    expect(await answer({})).not.toBe(null);
  });

  test('a cookie that is old, cut or of somebody’s making', async () => {
    const login = account('cook', 'cook@domain.test');
    const { url, kept } = await begin();
    const there = await service.signIn(url, login);
    const [name = '', value = ''] = kept.split('=');
    const read = JSON.parse(Buffer.from(value, 'base64url').toString('utf8'));
    const made = (change: object) =>
      `${name}=${Buffer.from(JSON.stringify({ ...read, ...change })).toString('base64url')}`;
    for (const cookie of [
      made({ at: Date.now() - 601_000 }),
      made({ at: Date.now() + 3_600_000 }),
      made({ at: 'now' }),
      made({ state: '' }),
      kept.slice(0, -20),
      `${name}=${'x'.repeat(5000)}`,
    ]) {
      expect((await back(there, cookie)).headers.location).toContain('failed=late');
    }
    expect((await back(there, made({ to: '//evil.example/' }))).headers.location).toBe(`${TEAM_ORIGIN}/`);
  });

  test('no address leads to another server', async () => {
    const login = account('way', 'way@domain.test');
    for (const [to, there] of [
      ['//evil.example', '/'],
      ['https://evil.example/', '/'],
      ['/\\evil.example', '/'],
      ['/\t/evil.example', '/'],
      ['/x/..//evil.example/a', '//evil.example/a'],
      [OIDC_CALLBACK, '/'],
      ['/w/x', '/w/x'],
    ] as const) {
      expect([to, (await signIn(login, { to })).to.href]).toEqual([to, `${TEAM_ORIGIN}${there}`]);
    }
  });
});

describe('its addresses', () => {
  test('PKCE, state and nonce are new each time; after signing out the service asks anew', async () => {
    const [first, second] = [new URL((await begin()).url), new URL((await begin({ again: true })).url)];
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first.searchParams.get(name)!.length).toBeGreaterThan(20);
      expect(first.searchParams.get(name)).not.toBe(second.searchParams.get(name));
    }
    expect(first.searchParams.get('code_challenge_method')).toBe('S256');
    expect([first.searchParams.get('prompt'), second.searchParams.get('prompt')]).toEqual([null, 'login']);
    expect(first.href).not.toContain(CLIENT.secret.split(' ')[1]);
  });

  test('begin from a page of this server alone', async () => {
    for (const path of [SIGN_ROUTES.oidcBegin, SIGN_ROUTES.oidcEnd]) {
      const headers = { origin: 'https://evil.example', 'content-type': 'application/json' };
      expect((await team.raw(path, { method: 'POST', headers, body: '{}' })).status).toBe(403);
      expect((await team.raw(path, { method: 'POST', body: '{}' })).status).toBe(403);
      expect((await team.raw(path)).status).toBe(400);
    }
    expect((await team.page(null, OIDC_CALLBACK, { method: 'POST', body: '{}' })).status).toBe(404);
    const other = await team.raw(`${OIDC_CALLBACK}?code=x`, { headers: { host: 'evil.example' } });
    expect(other.status).toBe(403);
  });

  test('the service’s own sessions are ended at its own address', async () => {
    const answer = await team.page(null, SIGN_ROUTES.oidcEnd, { method: 'POST', body: '{}' });
    const { url } = JSON.parse(answer.body) as { url: string };
    expect(url).toBe(`${service.issuer}/session/end?client_id=${CLIENT.id}`);
    expect((await fetch(url)).status).toBe(200);
  });

  test('the page is told the name of the service', async () => {
    const { body } = await team.raw('/sign-in', { headers: { accept: 'text/html' } });
    expect(body).toContain('<meta name="studio-sign-in" content="the lab" />');
  });

  test('tries that fail are counted by place', async () => {
    const from = { 'x-forwarded-for': '192.0.2.45' };
    const url = new URL(`${TEAM_ORIGIN}${OIDC_CALLBACK}?code=x&state=y`);
    const reasons: (string | null)[] = [];
    for (let n = 0; n < 62; n++)
      reasons.push(new URL((await back(url, '', from)).headers.location!).searchParams.get('failed'));
    expect([reasons.indexOf('tries'), reasons.at(-1)]).toEqual([60, 'tries']);
  });
});

test('an invitation of a manager who has left lets nobody in, nor takes its account a member for its own', async () => {
  const { cookie: owner } = await team.member('owner', 'Owner here');
  const { id: member, cookie } = await team.member('manager', 'Manager who leaves');
  const wishes = { ws: team.ws, email: 'sock@lab.test', role: 'manager' };
  expect((await team.call(cookie, 'team.invite', wishes)).status).toBe(200);
  expect((await team.call(owner, 'team.remove', { ws: team.ws, member })).status).toBe(200);
  expect((await signIn(account('sock', 'sock@lab.test'))).failed).toBe('uninvited');
});
