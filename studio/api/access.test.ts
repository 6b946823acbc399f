import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
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
const cookie = () => ({ cookie: `studio-${server.port}=${server.token}` });
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
        { cookie: `studio-${server.port}=${'x'.repeat(43)}` },
        { cookie: `studio-1=${server.token}` },
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

  test('the token in a header, or in the cookie of this port, is let in; both names of this machine are ours', async () => {
    const { port } = server;
    const allowed = [
      bearer(),
      cookie(),
      { ...cookie(), origin: `http://127.0.0.1:${port}` },
      { ...cookie(), host: `localhost:${port}`, origin: `http://localhost:${port}` },
      { ...cookie(), 'sec-fetch-site': 'same-origin' },
      { ...cookie(), 'sec-fetch-site': 'none' },
    ];
    for (const headers of allowed) expect((await server.raw('/api/workspaces', { headers })).status).toBe(200);
  });

  test('the printed address sets the cookie and goes on to the same page without the token', async () => {
    const { status, headers, body } = await server.raw(`/w/abc?token=${server.token}&tab=2`);
    expect([status, headers.location, body]).toEqual([303, '/w/abc?tab=2', '']);
    const [set] = headers['set-cookie'] ?? [];
    expect(set).toBe(`studio-${server.port}=${server.token}; Path=/; HttpOnly; SameSite=Strict`);
    expect((await server.raw('/', { headers: { cookie: set!.split(';')[0]! } })).status).toBe(200);
  });

  test('a wrong token in the address sets nothing, and one for the API is not taken from the address', async () => {
    const wrong = await server.raw(`/?token=${'x'.repeat(43)}`);
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await server.raw(`/api/workspaces?token=${server.token}`)).status).toBe(403);
  });

  test('the way on from the printed address never leads to another host', async () => {
    const { headers } = await server.raw(`//evil.example/?token=${server.token}`);
    expect(headers.location).toBe('/evil.example/');
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
