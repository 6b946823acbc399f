import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { SIGN_ROUTES } from '../../../schemas/team-terms.ts';
import { ACCOUNT } from '../members/principal.ts';
import { makeToken } from '../members/sessions.ts';
import { TEAM_HOST, TEAM_ORIGIN, type TestTeam, testTeam } from './team-for-tests.ts';

/** Bodies without an end, headers of proxies that are none, and the figures for whoever watches. */

let team: TestTeam;
testTeam(
  (made) => {
    team = made;
  },
  undefined,
  undefined,
  300,
);

/** Sends this head, then `piece` again and again until the connection is cut; gives what came back and how much was sent. */
function pour(head: string, piece: string): Promise<{ text: string; pieces: number }> {
  return new Promise((resolve) => {
    let pieces = 0;
    let text = '';
    let timer: NodeJS.Timeout | undefined;
    // Behind the head: what is written before there is a connection would be sent first.
    const socket = connect(team.port, '127.0.0.1', () => {
      socket.write(head);
      timer = setInterval(() => {
        if (piece !== '' && socket.writable && socket.write(piece)) pieces++;
      }, 1);
    });
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve({ text, pieces });
    });
  });
}

const head = (path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nHost: ${TEAM_HOST}\r\nOrigin: ${TEAM_ORIGIN}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;
const CHUNK = `10000\r\n${'x'.repeat(0x10000)}\r\n`;

test('a body that never ends is cut, of a stranger, at signing in and of a member', async () => {
  const { cookie } = await team.member('owner', 'Pours');
  const kinds = [
    ['/rpc/settings/get', 'Transfer-Encoding: chunked', '401'],
    [SIGN_ROUTES.signIn, 'Transfer-Encoding: chunked', '400'],
    [SIGN_ROUTES.oidcBegin, 'Transfer-Encoding: chunked', '404'],
    ['/rpc/settings/set', `Cookie: ${cookie}\r\nTransfer-Encoding: chunked`, '4'],
    [
      `/files/${team.ws}/attachments?task=none&role=material&name=a`,
      `Cookie: ${cookie}\r\nTransfer-Encoding: chunked`,
      '4',
    ],
  ] as const;
  for (const [path, more, status] of kinds) {
    const { text } = await pour(head(path, more), CHUNK);
    // A client that is still sending may lose the answer with the connection.
    if (text !== '') expect([path, text.slice(0, 12)]).toEqual([path, expect.stringMatching(`HTTP/1.1 ${status}`)]);
  }
  expect((await team.call(cookie, 'team.me')).status).toBe(200);
});

test('a body that stands still holds no connection', async () => {
  const { cookie } = await team.member('owner', 'Stands');
  for (const path of ['/rpc/settings/set', SIGN_ROUTES.signIn]) {
    const { text } = await pour(`${head(path, `Cookie: ${cookie}\r\nContent-Length: 1000`)}{"json":`, '');
    expect([path, text]).toEqual([path, expect.not.stringContaining('HTTP/1.1 200')]);
  }
  // One that goes on slowly is waited for.
  const body = JSON.stringify({ json: { values: { theme: 'dark' } } });
  const slow = new Promise<string>((resolve) => {
    const more = `Cookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\nContent-Length: ${body.length}`;
    const socket = connect(team.port, '127.0.0.1', () => socket.write(head('/rpc/settings/set', more)));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    const parts = body.match(/.{1,6}/g) ?? [];
    const timer = setInterval(() => {
      const next = parts.shift();
      if (next === undefined) clearInterval(timer);
      else socket.write(next);
    }, 400);
  });
  expect(await slow).toMatch(/^HTTP\/1\.1 200/);
});

test('headers of a proxy change neither whose server it is nor what is asked', async () => {
  const { cookie } = await team.member('viewer', 'Forwards');
  const plain = await team.page(cookie, '/api/team/me');
  const evil: Record<string, string>[] = [
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-proto': 'http' },
    { 'x-forwarded-prefix': '/evil' },
    { 'x-forwarded-port': '1' },
    { forwarded: 'for=127.0.0.1;host=evil.example;proto=http' },
    { 'x-original-url': '/api/settings' },
    { 'x-rewrite-url': '/health' },
    { 'x-http-method-override': 'DELETE' },
    { 'x-real-ip': '127.0.0.1' },
    { 'x-forwarded-for': `${'1.2.3.4, '.repeat(800)}x` },
  ];
  for (const headers of evil) {
    const answer = await team.page(cookie, '/api/team/me', { headers });
    expect([headers, answer.status, answer.body]).toEqual([headers, 200, plain.body]);
    // A page of another server does not become one of this by them.
    const other = await team.raw('/rpc/team/me', {
      method: 'POST',
      headers: { cookie, origin: 'https://evil.example', 'content-type': 'application/json', ...headers },
      body: '{}',
    });
    expect([headers, other.status]).toEqual([headers, 403]);
    const page = await team.raw('/', { headers });
    expect([page.status, JSON.stringify(page.headers).includes('evil'), page.body.includes('evil')]).toEqual([
      200,
      false,
      false,
    ]);
  }
});

test('figures are for whoever has the right to data, in the form of Prometheus, without a name of anybody', async () => {
  const owner = await team.member('owner', 'Watches');
  const annotator = await team.member('annotator', 'Annotates');
  expect((await team.page(null, '/metrics')).status).toBe(401);
  expect((await team.page(annotator.cookie, '/metrics')).status).toBe(403);
  expect(
    (await team.raw('/metrics', { headers: { cookie: owner.cookie, 'sec-fetch-site': 'cross-site' } })).status,
  ).toBe(403);
  const token = async (scopes: readonly ['see'] | readonly ['data']) => {
    const wishes = { member: owner.email, name: 'x', scopes, days: 1 };
    const { secret } = await makeToken(team.store, ACCOUNT, wishes);
    return team.raw('/metrics', { headers: { authorization: `Bearer ${secret}` } });
  };
  expect((await token(['see'])).status).toBe(403);
  await team.call(owner.cookie, 'tasks.list', { ws: team.ws });
  await team.call(owner.cookie, 'made.up', { ws: team.ws });
  const { status, headers, body } = await token(['data']);
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const lines = body.trimEnd().split('\n');
  for (const line of lines) {
    expect(line).toMatch(
      /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+="[^"\\\n]*"(,[a-z_]+="[^"\\\n]*")*\})? -?\d+(\.\d+)?(e[+-]?\d+)?)$/,
    );
  }
  expect(lines).toContain('studio_requests_total{kind="rpc",route="tasks.list",status="200"} 1');
  expect(lines).toContain('studio_members 5');
  const count = (name: string) => Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]);
  expect(count('studio_request_seconds_bucket{kind="rpc",le="+Inf"}')).toBe(
    count('studio_request_seconds_count{kind="rpc"}'),
  );
  expect(count('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  // A made-up call makes no label, and nobody has a name here.
  for (const word of ['made.up', team.ws, owner.name, owner.email, owner.id]) expect(body).not.toContain(word);
});
