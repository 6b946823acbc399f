import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { leadingFile } from '../../../studio/cli/open-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { makeRecording } from '../../support/studio-recording.ts';

/** Nobody but the person at this machine gets in, nothing outside the workspace gets out, and no text becomes markup. */

const MARKUP = '<img src=x onerror="window.pwned=1"><script>window.pwned=2</script>';
const studio = studioFixture();
const { home } = studio;
let ws: string;
let task: string;

beforeAll(async () => {
  ws = await studio.newWorkspace();
  task = (await studio.api.tasks.create({ ws, software: 'gimp', goal: `Goal ${MARKUP}`, notes: MARKUP })).id;
  await makeRecording(studio.recordings, {
    id: 'rec-markup',
    steps: 4,
    task: { id: task, goal: `Goal ${MARKUP}` },
    window: `Window ${MARKUP}`,
  });
});

/** A request with exactly these headers: fetch would not send another Host. */
function raw(
  where: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port: studio.server.port, path: where, method, headers, setHost: false },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (text: string) => {
          body += text;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
      },
    );
    request.on('error', reject).end();
  });
}

const own = () => ({ host: `127.0.0.1:${studio.server.port}` });
const withToken = () => ({ ...own(), authorization: `Bearer ${studio.server.token}` });
const PLACES = () => [
  '/',
  '/rpc/workspaces/recent',
  '/api/workspaces',
  `/files/${ws}/recordings/rec-markup/frames/0.png`,
];

it('answers a request that has the token and comes from here', async () => {
  expect((await raw('/api/workspaces', withToken())).status).toBe(200);
});

it('refuses every address without the token', async () => {
  for (const place of PLACES()) expect([place, (await raw(place, own())).status]).toEqual([place, 403]);
});

it('refuses a wrong token, of the same length too', async () => {
  const wrong = [...studio.server.token].reverse().join('');
  for (const token of ['', 'x', wrong]) {
    const answer = await raw('/api/workspaces', { ...own(), authorization: `Bearer ${token}` });
    expect([token, answer.status]).toEqual([token, 403]);
  }
  expect((await raw(`/?token=${wrong}`, own())).status).toBe(403);
});

it('refuses another Host, even with the token (DNS rebinding)', async () => {
  for (const host of [
    'evil.example',
    `evil.example:${studio.server.port}`,
    `127.0.0.1.evil.example:${studio.server.port}`,
    '127.0.0.1:1',
  ]) {
    for (const place of PLACES()) {
      expect([host, place, (await raw(place, { ...withToken(), host })).status]).toEqual([host, place, 403]);
    }
  }
});

it('refuses another Origin and another site, even with the token', async () => {
  for (const origin of ['http://evil.example', 'null', `http://127.0.0.1:${studio.server.port + 1}`]) {
    expect([origin, (await raw('/api/workspaces', { ...withToken(), origin })).status]).toEqual([origin, 403]);
  }
  for (const site of ['cross-site', 'same-site']) {
    const answer = await raw('/api/workspaces', { ...withToken(), 'sec-fetch-site': site });
    expect([site, answer.status]).toEqual([site, 403]);
  }
});

it('gives no file outside the workspace, however the path is written', async () => {
  fs.writeFileSync(home.dir('secret.png'), 'secret');
  const escapes = [
    `/files/${ws}/recordings/../../../secret.png`,
    `/files/${ws}/recordings/..%2f..%2f..%2fsecret.png/frames/0.png`,
    `/files/${ws}/recordings/%2e%2e/frames/0.png`,
    `/files/${ws}/recordings/rec-markup/frames/..%2f..%2f..%2f..%2fsecret.png`,
    `/files/${ws}/recordings/rec-markup/frames/%2e%2e%5c%2e%2e%5csecret.png`,
    `/files/${ws}/recordings/rec-markup/frames/-1.png`,
    `/files/${ws}/recordings/rec-markup/frames/99999.png`,
    `/files/${ws}/attachments/..%2f..%2fsecret.png`,
    `/files/${ws}/attachments/%00`,
    `/files/..%2f..%2f/attachments/x`,
    `/..%2f..%2fpackage.json`,
    `/assets/..%2f..%2f..%2fpackage.json`,
    `//evil.example/%2e%2e/%2e%2e/etc/passwd`,
  ];
  for (const place of escapes) {
    const answer = await raw(place, withToken());
    // A page's address that nobody knows shows the page, which says so; a file is never given.
    const given = answer.status === 200 && !answer.body.includes('<div id="root">');
    expect([place, given, answer.body.includes('secret'), answer.body.includes('"trajectory-studio"')]).toEqual([
      place,
      false,
      false,
      false,
    ]);
  }
});

it('an import or an export of a path that is not whole, or of a recording that is not there, is refused in words', async () => {
  await expect(studio.api.recordings.import({ ws, path: '../x' })).rejects.toMatchObject({ code: 'USAGE' });
  await expect(studio.api.recordings.open({ ws, recording: '../../etc' })).rejects.toMatchObject({
    code: 'UNKNOWN_RECORDING',
  });
});

it('a page has a strict policy, and nothing but the studio may frame or read it', async () => {
  const answer = await studio.server.ask('/');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
});

/** A server of somebody else on this machine, which keeps what it is sent. */
async function stranger() {
  const heard: string[] = [];
  const server = http.createServer((request, response) => {
    heard.push(JSON.stringify(request.headers));
    response.setHeader('content-type', 'text/html').end('<h1>Elsewhere</h1>');
  });
  server.listen(0);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { heard, port, close: () => server.close() };
}

it('another server on this machine is given nothing that lets it in', async () => {
  const { page, context } = await studio.open();
  const other = await stranger();
  const cookies = (await context.cookies()).map(({ value }) => value);
  expect(cookies).toHaveLength(1);
  for (const name of ['127.0.0.1', 'localhost']) {
    await page.goto(`http://${name}:${other.port}/`);
    expect(await page.locator('h1').textContent()).toBe('Elsewhere');
  }
  expect(other.heard.length).toBeGreaterThanOrEqual(2);
  for (const secret of [studio.server.token, ...cookies]) expect(other.heard.join()).not.toContain(secret);
  // The cookie of a browser is no token, and good under the pages' name alone.
  for (const value of cookies) {
    const headers: Record<string, string>[] = [
      { authorization: `Bearer ${value}` },
      { cookie: `studio-${studio.server.port}=${value}`, 'sec-fetch-site': 'same-origin' },
    ];
    for (const one of headers) expect((await raw('/api/workspaces', { ...own(), ...one })).status).toBe(403);
  }
  await page.goto(`${studio.origin}/`);
  await page.getByRole('heading', { name: 'Trajectory Studio' }).waitFor();
  other.close();
  await context.close();
});

it('the file that a browser is started with signs it in, once', async () => {
  const answer = await studio.server.ask('/login?once', { method: 'POST' });
  const { url }: { url: string } = JSON.parse(await answer.text());
  const { file, remove } = leadingFile({ config: home.dir('leading'), data: home.dir('leading') }, url);
  const signedIn = await studio.browser.newContext();
  const page = await signedIn.newPage();
  await page.goto(pathToFileURL(file).href);
  await page.getByRole('heading', { name: 'Trajectory Studio' }).waitFor();
  expect(page.url()).toBe(`${studio.origin}/`);
  // A reload and a typed address stay in; the same file in another browser does not get in.
  await page.reload();
  await page.getByRole('heading', { name: 'Trajectory Studio' }).waitFor();
  const other = await studio.browser.newContext();
  const late = await other.newPage();
  await late.goto(pathToFileURL(file).href);
  await late.getByText('prints a new one').waitFor();
  remove();
  await signedIn.close();
  await other.close();
});

it('signing in leaves no token in the address, and a cookie that scripts cannot read', async () => {
  const { page, context } = await studio.open();
  expect(page.url()).not.toContain(studio.server.token);
  expect(page.url()).not.toContain('code=');
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  expect(await page.evaluate(() => document.cookie)).toBe('');
  await context.close();
});

it('markup in goals, notes, window titles and names is shown as text and does nothing', async () => {
  const { page, context, faults } = await studio.open();
  const opened = await studio.api.recordings.open({ ws, recording: 'rec-markup' });
  const step = opened.steps[0]!;
  expect(step.window).toContain(MARKUP);
  for (const place of [`/w/${ws}`, `/w/${ws}/tasks/${task}`, `/w/${ws}/recordings`, `/w/${ws}/recordings/rec-markup`]) {
    await page.goto(`${studio.origin}${place}`);
    await page.getByText('<img src=x', { exact: false }).first().waitFor({ state: 'attached' });
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(await page.evaluate(() => Reflect.get(window, 'pwned'))).toBeUndefined();
  }
  expect(faults).toEqual([]);
  await context.close();
});
