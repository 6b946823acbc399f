import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { proofOf, sessionOf } from './logins.ts';
import { startTestServer, type TestServer } from './server-for-tests.ts';

const folders = temporaryFolders();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer(folders.make());
});
afterAll(async () => {
  await server.close();
  folders.clean();
});

const bearer = () => ({ authorization: `Bearer ${server.token}` });
/** Headers as a browser that was signed in sends them from one of our pages. */
const cookie = () => ({
  cookie: `studio-${server.port}=${sessionOf(server.token, server.pagesHost)}`,
  host: server.pagesHost,
  'sec-fetch-site': 'same-origin',
});
/** Every kind of thing that is served. */
const PATHS = ['/', '/assets/app-1a2b.js', '/api/workspaces', '/api/openapi.json', '/health', '/files/0/attachments/0'];

describe('who may ask', () => {
  test.each(PATHS)(
    '%s is refused without the token, with a wrong one, from another host and another origin',
    async (path) => {
      const wrong = `Bearer ${'x'.repeat(43)}`;
      const refused: Record<string, string>[] = [
        {},
        { authorization: wrong },
        { authorization: `Bearer ${server.token.slice(0, -1)}` },
        { ...cookie(), cookie: `studio-${server.port}=${'x'.repeat(43)}` },
        { ...cookie(), cookie: cookie().cookie.replace(/^studio-\d+/, 'studio-1') },
        // The token is no session, and a session no token: who is given one by a browser cannot use it otherwise.
        { ...cookie(), cookie: `studio-${server.port}=${server.token}` },
        { authorization: `Bearer ${sessionOf(server.token, server.pagesHost)}` },
        { ...cookie(), authorization: `Bearer ${sessionOf(server.token, server.pagesHost)}` },
        // A session counts under the pages' own name alone, which no other server is visited by.
        { ...cookie(), host: `127.0.0.1:${server.port}` },
        { ...cookie(), host: `localhost:${server.port}` },
        { cookie: cookie().cookie, host: server.pagesHost },
        { ...bearer(), host: 'evil.example' },
        { ...bearer(), host: `evil.example:${server.port}` },
        { ...bearer(), host: '127.0.0.1:1' },
        { ...bearer(), origin: 'http://evil.example' },
        { ...bearer(), origin: 'null' },
        { ...bearer(), origin: `http://127.0.0.1:${server.port + 1}` },
        { ...bearer(), origin: `https://127.0.0.1:${server.port}` },
        { ...cookie(), 'sec-fetch-site': 'cross-site' },
        { ...cookie(), 'sec-fetch-site': 'same-site' },
      ];
      for (const headers of refused) {
        const { status, body } = await server.raw(path, { headers });
        expect([headers, status]).toEqual([headers, 403]);
        expect(JSON.parse(body)).toMatchObject({
          code: 'FORBIDDEN',
          message: expect.stringContaining('npm start'),
          details: {},
        });
      }
    },
  );

  test('a procedure that changes something is refused the same way', async () => {
    const body = JSON.stringify({ values: { theme: 'dark' } });
    const headers = { 'content-type': 'application/json', origin: 'http://evil.example', ...cookie() };
    expect((await server.raw('/api/settings', { method: 'POST', headers, body })).status).toBe(403);
    expect(await server.client.settings.get()).toEqual({});
  });

  test('the token in a header, or a session in the cookie of this port, is let in; the token under every name of ours', async () => {
    const { port, pagesHost } = server;
    const allowed = [
      bearer(),
      { ...bearer(), host: `localhost:${port}`, origin: `http://localhost:${port}` },
      { ...bearer(), host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` },
      { ...bearer(), host: pagesHost, origin: `http://${pagesHost}` },
      cookie(),
      { ...cookie(), origin: `http://${pagesHost}` },
      { ...cookie(), 'sec-fetch-site': 'none' },
    ];
    for (const headers of allowed) expect((await server.raw('/api/workspaces', { headers })).status).toBe(200);
  });

  const codeOf = (address: string): string => new URL(address).searchParams.get('code')!;
  const visit = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    server.raw(path, { method, headers: { host: server.pagesHost, ...headers } });
  const goesTo = (body: string): string | undefined => /content="0;url=([^"]*)"/.exec(body)?.[1];

  test('a code sets the cookie of a session and goes on to the same page without it; the token is in neither', async () => {
    const code = codeOf(server.login('once'));
    const { status, headers, body } = await visit(`/w/abc?code=${code}&tab=2`, { 'sec-fetch-site': 'cross-site' });
    expect([status, goesTo(body)]).toEqual([200, '/w/abc?tab=2']);
    const [set] = headers['set-cookie'] ?? [];
    expect(set).toBe(`${cookie().cookie}; Path=/; HttpOnly; SameSite=Strict`);
    expect(`${set}${body}${server.login('printed')}`).not.toContain(server.token);
    expect((await visit('/', { cookie: set!.split(';')[0]!, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  test('a code for one use dies with it; a browser that is signed in goes on all the same', async () => {
    const address = `/?code=${codeOf(server.login('once'))}`;
    expect((await visit(address)).status).toBe(200);
    const again = await visit(address);
    expect([again.status, again.headers['set-cookie']]).toEqual([403, undefined]);
    expect(again.body).toContain('prints a new one');
    const known = await visit(address, { cookie: cookie().cookie, 'sec-fetch-site': 'none' });
    expect([known.status, goesTo(known.body), known.headers['set-cookie']]).toEqual([200, '/', undefined]);
  });

  test('a printed code serves a second browser too', async () => {
    const address = `/?code=${codeOf(server.login('printed'))}`;
    for (const _browser of ['first', 'second']) expect((await visit(address)).headers['set-cookie']).toHaveLength(1);
  });

  test('what only looks ahead uses no code up', async () => {
    const address = `/?code=${codeOf(server.login('once'))}`;
    expect((await visit(address, { 'sec-purpose': 'prefetch' })).status).toBe(403);
    expect((await visit(address, {}, 'HEAD')).status).toBe(403);
    expect((await visit(address)).headers['set-cookie']).toHaveLength(1);
  });

  test('another name of this machine leads to that of the pages, and tells it to nobody without a code', async () => {
    const code = codeOf(server.login('once'));
    const host = `localhost:${server.port}`;
    const { body, headers } = await visit(`/w/abc?code=${code}`, { host });
    expect([goesTo(body), headers['set-cookie']]).toEqual([`http://${server.pagesHost}/w/abc?code=${code}`, undefined]);
    for (const path of ['/?code=wrong', '/', '/w/abc', '/proof?nonce=a']) {
      expect((await visit(path, { host })).body).not.toContain(server.pagesHost);
    }
    expect((await visit(`/?code=${code}`)).status).toBe(200);
  });

  test('a wrong code sets nothing, nor does the token, and none is taken from the address of the API', async () => {
    for (const path of [`/?code=${'x'.repeat(32)}`, `/?code=${server.token}`, `/?token=${server.token}`]) {
      const { status, headers } = await visit(path);
      expect([path, status, headers['set-cookie']]).toEqual([path, 403, undefined]);
    }
    const code = codeOf(server.login('printed'));
    expect((await visit(`/api/workspaces?code=${code}`)).status).toBe(403);
  });

  test('the way on never leads to another host, and a page cannot be broken by its address', async () => {
    const code = codeOf(server.login('printed'));
    expect(goesTo((await visit(`//evil.example/?code=${code}`)).body)).toBe('/evil.example/');
    const { body } = await visit(`/%22%3E%3Cscript%3E?code=${code}&a=%22%3E%3Cscript%3E`);
    expect(body).not.toContain('<script>');
  });

  test('a new address is given to who has the token, not to a page', async () => {
    const given = await server.fetch('/login?once', { method: 'POST' });
    const { url } = await given.json();
    expect(new URL(url).host).toBe(server.pagesHost);
    expect((await visit(`/?code=${codeOf(url)}`)).headers['set-cookie']).toHaveLength(1);
    expect((await visit('/login', cookie(), 'POST')).status).toBe(403);
    expect((await server.fetch('/login')).status).toBe(403);
  });

  test('whoever asks is told a proof of the token, which is another for each question, and not the token', async () => {
    const answers = await Promise.all(['a', 'b'].map((nonce) => server.raw(`/proof?nonce=${nonce}`)));
    expect(answers.map(({ body }) => JSON.parse(body))).toEqual([
      { proof: proofOf(server.token, 'a') },
      { proof: proofOf(server.token, 'b') },
    ]);
    for (const nonce of ['', 'x'.repeat(101), '%0a']) {
      expect((await server.raw(`/proof?nonce=${nonce}`)).status).toBe(403);
    }
    expect((await server.raw('/proof?nonce=a', { headers: { host: 'evil.example' } })).status).toBe(403);
  });

  test.each([
    ['/api/settings', 'POST'],
    ['/files/0/attachments?task=a&role=material&name=a', 'POST'],
    ['/assets/app-1a2b.js', 'GET'],
  ])('a client that breaks off in the middle of %s harms nobody', async (path, method) => {
    for (const token of [server.token, 'wrong']) {
      const socket = connect(server.port, '127.0.0.1');
      const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"values"`;
      await new Promise<void>((done) => socket.write(head, () => done()));
      await new Promise((done) => setTimeout(done, 30));
      socket.resetAndDestroy();
    }
    await new Promise((done) => setTimeout(done, 30));
    expect((await server.fetch('/health')).status).toBe(200);
  });

  test('a body that is too large is refused', async () => {
    const body = JSON.stringify({ values: { a: 'x'.repeat(34 * 1024 * 1024) } });
    const response = await server.fetch('/api/settings', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(await response.json()).toMatchObject({ code: 'USAGE' });
    expect(await server.client.settings.get()).toEqual({});
  });

  test('what is no request of ours is answered with 400', async () => {
    for (const head of [
      'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
      'GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n',
      'nonsense\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
    ]) {
      const socket = connect(server.port, '127.0.0.1');
      socket.write(head);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
      socket.destroy();
    }
  });

  test('two starts have two tokens', async () => {
    const other = await startTestServer(folders.make());
    expect(other.token).not.toBe(server.token);
    expect(other.token).toMatch(/^[\w-]{43}$/);
    await other.close();
  });
});

describe('paths', () => {
  const OUT = [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/assets/../../secret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2fetc%2fpasswd',
    '//etc/passwd',
    '/assets/app-1a2b.js%00.png',
    '/%00',
    '/%ff',
    '/assets/',
    'http://evil.example/etc/passwd',
  ];
  test.each(OUT)('%s gives nothing that lies outside', async (path) => {
    const { status, body } = await server.raw(path, { headers: { ...bearer(), accept: 'text/html' } });
    expect(body).not.toContain('outside');
    expect(body).not.toContain('root:');
    // The page itself (for its router to say "no such page") or a refusal; never a file.
    expect(status === 200 ? body.includes('<title>Page</title>') : [400, 404].includes(status)).toBe(true);
  });

  test('files of the pages are served as they are, every other address is the page', async () => {
    const script = await server.fetch('/assets/app-1a2b.js');
    expect([script.headers.get('content-type'), await script.text()]).toEqual([
      'text/javascript; charset=utf-8',
      'export {};',
    ]);
    for (const path of ['/', '/w/abc', '/w/abc/recordings/2026.05']) {
      const page = await server.fetch(path, { headers: { accept: 'text/html' } });
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    expect((await server.fetch('/assets/gone.js', { headers: { accept: 'text/html' } })).status).toBe(404);
    expect((await server.fetch('/', { method: 'POST' })).status).toBe(400);
  });
});

describe('what a browser is told', () => {
  test('the page has a strict policy with a nonce of its own each time, which stands in it for its styles', async () => {
    const first = await server.fetch('/');
    const policy = first.headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]) {
      expect(policy.split('; ')).toContain(rule);
    }
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    expect(await first.text()).toContain(`<meta property="csp-nonce" nonce="${nonce}" />`);
    expect((await server.fetch('/')).headers.get('content-security-policy')).not.toBe(policy);
  });

  test('the page is told the language that is chosen, and nothing else that stands in that setting', async () => {
    const told = async (pageLanguage: unknown): Promise<string[]> => {
      await server.client.settings.set({ values: { pageLanguage } });
      return (await (await server.fetch('/settings')).text()).match(/<meta name="page-language"[^>]*>/g) ?? [];
    };
    expect(await told('zh-Hans')).toEqual(['<meta name="page-language" content="zh-Hans" />']);
    for (const other of [null, 7, ['de'], '', '"><script src="/assets/x.js">']) expect(await told(other)).toEqual([]);
  });

  test.each([...PATHS, '/api/nope'])('%s cannot be framed, sniffed or read by another page', async (path) => {
    const { headers } = await server.fetch(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});
