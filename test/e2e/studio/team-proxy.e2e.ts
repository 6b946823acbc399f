import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OIDC_CALLBACK } from '../../../schemas/team-terms.ts';
import { ensurePages } from '../../../studio/api/build-pages.ts';
import { CLI, studio } from '../../support/cli.ts';
import { freePort } from '../../support/free-port.ts';
import { mustNotWarn, run, type Started, start } from '../../support/process.ts';
import { CLIENT, type SignInService, startSignInService } from '../../support/sign-in-service.ts';
import { axeViolations, startShell } from '../../support/studio-browser.ts';
import { until } from '../../support/until.ts';

/**
 * A team's server as its administrator sets it up by docs/team.md: the command, deploy/Caddyfile in front of it with a
 * certificate, a real service of OpenID Connect, and people in browsers.
 */

const DEPLOY = join(import.meta.dirname, '..', '..', '..', 'deploy');
let folder: string;
let browser: Browser;
let service: SignInService;
let caddy: Started;
const servers: Started[] = [];
let origin: string;
let port: number;
const env = (): NodeJS.ProcessEnv => ({
  ...process.env,
  TRAJECTORY_STUDIO_HOME: join(folder, 'home'),
  XDG_DATA_HOME: join(folder, 'caddy'),
  XDG_CONFIG_HOME: join(folder, 'caddy'),
});
const workspace = () => join(folder, 'lab');

beforeAll(async () => {
  await ensurePages(() => {});
  folder = mkdtempSync(join(tmpdir(), 'studio-proxy-'));
  const outside = await freePort();
  port = await freePort();
  origin = `https://localhost:${outside}`;
  service = await startSignInService(`${origin}${OIDC_CALLBACK}`);
  writeFileSync(join(folder, 'oidc-secret'), `${CLIENT.secret}\n`, { mode: 0o600 });
  // The file as it ships, with this machine's names, and a certificate of Caddy's own since nobody can ask for one here.
  const shipped = readFileSync(join(DEPLOY, 'Caddyfile'), 'utf8');
  const own = shipped
    .replace(/^studio\.lab\.org/m, `localhost:${outside}`)
    .replace('127.0.0.1:4747', `127.0.0.1:${port}`);
  expect(own).not.toMatch(/^studio|:4747/m);
  const options = '{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n';
  writeFileSync(join(folder, 'Caddyfile'), options + own);
  caddy = await start('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    env: env(),
  });
  browser = await startShell();
}, 240_000);
afterAll(async () => {
  await browser?.close();
  for (const server of servers) await server.stop();
  await caddy?.stop();
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(): Promise<Started> {
  const given = ['--workspace', workspace(), '--url', origin, '--port', String(port), '--no-build', '--json'];
  const oidc = ['--oidc', service.issuer, '--client', CLIENT.id, '--oidc-secret-file', join(folder, 'oidc-secret')];
  const more = ['--oidc-name', 'Lab login', '--oidc-domain', 'domain.test'];
  const server = await start(process.execPath, [CLI, 'serve', '--team', ...given, ...oidc, ...more], { env: env() });
  servers.push(server);
  await until('the server to listen', () => {
    if (server.exit()) throw new Error(server.stderr());
    return server.stdout().includes('"url"') || undefined;
  });
  expect(server.stderr()).not.toContain('warning');
  return server;
}

/** A command of the administrator, on the same machine. */
async function command(...words: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr, status } = await run(
    process.execPath,
    [CLI, ...words, '--workspace', workspace(), '--json'],
    {
      env: env(),
    },
  );
  if (status !== 0) throw new Error(stderr || stdout);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

/** A request through the proxy, whose certificate is its own; gives the first bytes of what goes on. */
const ask = (path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const asked = request(
      `${origin}${path}`,
      { headers, rejectUnauthorized: false, servername: 'localhost' },
      (response) => {
        let text = '';
        const done = () => resolve({ status: response.statusCode ?? 0, text });
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (response.headers['content-type']?.startsWith('text/event-stream')) {
            done();
            asked.destroy();
          }
        });
        response.on('end', done);
      },
    );
    asked.on('error', reject).end();
  });

async function newPage(): Promise<Page> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    locale: 'en-US',
    viewport: { width: 1366, height: 768 },
  });
  return context.newPage();
}

async function signInThere(page: Page, login: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Lab login' }).click();
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('x');
  await page.getByRole('button', { name: 'Sign-in' }).click();
}

test('set up, invited, signed in at the service and by password, followed through the proxy, started again', async () => {
  let server = await serve();
  await until('the proxy to answer', async () => (await ask('/ready').catch(() => null))?.status === 200 || undefined);
  expect(await ask('/health')).toEqual({ status: 200, text: '{"ok":true}' });
  // By another name the proxy knows no server.
  expect((await ask('/sign-in', { host: 'evil.example' })).text).toBe('');

  // The owner, by the link that the command prints.
  const { invitation } = (await command('invite', 'ana@lab.test', '--role', 'owner', '--name', 'Ana')) as {
    invitation: { link: string };
  };
  expect(invitation.link.startsWith(`${origin}/invitation#`)).toBe(true);
  const ana = await newPage();
  const faults: string[] = [];
  ana.on('pageerror', (error) => faults.push(String(error)));
  await ana.goto(invitation.link);
  await ana.getByRole('textbox', { name: 'New password' }).fill('four words that are long');
  await ana.keyboard.press('Enter');
  await ana.getByRole('button', { name: 'Signed in as Ana' }).waitFor();

  // Signed out, and in again at the service, which asks for the password since she signed out.
  await ana.getByRole('button', { name: 'Signed in as Ana' }).click();
  await ana.getByRole('menuitem', { name: 'Sign out' }).click();
  await ana.getByRole('status').filter({ hasText: 'You are signed out here.' }).waitFor();
  expect(await axeViolations(ana)).toEqual([]);
  service.accounts.set('ana', { email: 'ana@lab.test', email_verified: true, name: 'Ana Elsewhere' });
  await signInThere(ana, 'ana');
  await ana.getByRole('button', { name: 'Signed in as Ana' }).waitFor();

  // Somebody of the domain, who asked for a page of the workspace first; and a stranger, who is told why not.
  service.accounts.set('ben', { email: 'ben@domain.test', email_verified: true, name: 'Ben' });
  service.accounts.set('eve', { email: 'eve@evil.test', email_verified: true, name: 'Eve' });
  const ben = await newPage();
  await ben.goto(`${origin}/settings`);
  await signInThere(ben, 'eve');
  await ben.getByRole('alert').filter({ hasText: 'This account is not invited.' }).waitFor();
  expect(await axeViolations(ben)).toEqual([]);
  await signInThere(ben, 'ben');
  await ben.getByRole('button', { name: 'Signed in as Ben' }).waitFor();
  expect(new URL(ben.url()).pathname).toBe('/settings');
  const { members } = (await command('people', 'members')) as { members: { name: string; role: string }[] };
  expect(members.map(({ name, role }) => [name, role])).toEqual([
    ['Ana', 'owner'],
    ['Ben', 'annotator'],
  ]);

  // Streams come through the proxy as they are written; figures by a token.
  const { token } = (await command('tokens', 'make', 'watch', '--member', 'ana@lab.test', '--scopes', 'see,data')) as {
    token: { secret: string };
  };
  const bearer = { authorization: `Bearer ${token.secret}` };
  const me = JSON.parse((await ask('/api/team/me', bearer)).text) as { ws: string };
  expect((await ask(`/api/workspaces/${me.ws}/changes`, bearer)).status).toBe(200);
  expect((await ask('/metrics', bearer)).text).toContain('studio_members 2\n');

  // Started again: who was signed in stays so. What was ended by a command is.
  server.child.kill('SIGTERM');
  expect(await server.exited).toEqual({ status: 0, signal: null });
  mustNotWarn(server);
  server = await serve();
  await ben.reload();
  await ben.getByRole('button', { name: 'Signed in as Ben' }).waitFor();
  await command('people', 'remove', 'ben@domain.test');
  await ben.reload();
  await ben.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signInThere(ben, 'ben').catch(() => undefined);
  await ben.getByRole('alert').filter({ hasText: 'no member any more' }).waitFor();

  // Without the service, passwords work.
  await service.close();
  const page = await newPage();
  await page.goto(`${origin}/sign-in`);
  await page.getByLabel('E-mail address').fill('ana@lab.test');
  await page.getByRole('textbox', { name: 'Password' }).fill('four words that are long');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Signed in as Ana' }).waitFor();
  expect(faults).toEqual([]);
  await server.stop();
});

test('what an administrator types wrong is told before anything starts', async () => {
  const wrong = async (...words: string[]) => {
    const given = ['serve', '--team', '--workspace', workspace(), '--url', origin, '--no-build', '--json', ...words];
    const { error, status } = await studio(given);
    expect(status).toBe(2);
    expect(error?.code).toBe('USAGE');
    return error?.message;
  };
  expect(await wrong('--oidc', 'http://id.lab.test', '--client', 'x')).toContain('https');
  expect(await wrong('--oidc', 'id.lab.test', '--client', 'x')).toContain('no address');
  expect(await wrong('--oidc', 'https://id.lab.test')).toContain('--client');
  expect(await wrong('--client', 'x')).toContain('--oidc');
  const whole = ['--oidc', 'https://id.lab.test', '--client', 'x'];
  expect(await wrong(...whole, '--oidc-role', 'viewer')).toContain('--oidc-domain');
  expect(await wrong(...whole, '--oidc-domain', 'lab.test', '--oidc-role', 'owner')).toContain('invited by name');
  expect(await wrong(...whole, '--oidc-domain', 'not a domain')).toContain('--oidc-domain');
});
