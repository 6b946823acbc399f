import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SIGN_ROUTES, type TeamRole } from '../../../schemas/team-terms.ts';
import { ensurePages } from '../../../studio/api/build-pages.ts';
import { invite } from '../../../studio/api/members/invitations.ts';
import { openOidc } from '../../../studio/api/members/oidc.ts';
import { ACCOUNT } from '../../../studio/api/members/principal.ts';
import { createStudio } from '../../../studio/api/studio.ts';
import { listenTeam } from '../../../studio/api/team/listen-team.ts';
import type { Store } from '../../../studio/store/store.ts';
import { englishLeft } from '../../support/english-left.ts';
import { freePort } from '../../support/free-port.ts';
import { axeViolations, type Look, startShell } from '../../support/studio-browser.ts';
import { cutIn } from '../../support/studio-cut.ts';

/** The pages of a team's server in the browser's language, and what they grey out by role. */

let browser: Browser;
let origin: string;
let ws: string;
let store: Store;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const pages = await ensurePages(() => {});
  const folder = mkdtempSync(join(tmpdir(), 'studio-team-pages-'));
  const home = { config: join(folder, 'home'), data: join(folder, 'home') };
  const studio = createStudio({ version: '0.1.0', home });
  ({ id: ws } = await studio.workspaces.open(join(folder, 'lab'), { create: true }));
  const open = await studio.workspaces.get(ws);
  store = open.workspace.store;
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  // A service that is away: the page is the same.
  const wishes = { issuer: new URL(`http://127.0.0.1:${await freePort()}`), client: 'x', secret: null };
  const more = { name: 'Anmeldung der Universität Beispielstadt am Neckar', domains: [], role: 'annotator' } as const;
  const oidc = await openOidc({ ...wishes, ...more }, origin);
  const listening = await listenTeam({ studio, open, url: new URL(origin), pages, port, oidc });
  browser = await startShell();
  closing.push(
    () => browser.close(),
    () => listening.close(),
    () => studio.close(),
    async () => rmSync(folder, { recursive: true, force: true }),
  );
}, 240_000);
afterAll(async () => {
  for (const close of closing) await close();
});

const PASSWORD = 'four words that are long';
const linkFor = async (email: string, role: TeamRole, name: string): Promise<string> =>
  (await invite(store, ACCOUNT, { email, role, name, days: 7 })).link;

/** The cookie of somebody who accepted an invitation. */
async function member(email: string, role: TeamRole, name: string) {
  const code = new URL(await linkFor(email, role, name)).hash.slice(1);
  const headers = { origin, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ code, name, password: PASSWORD });
  const answer = await fetch(`${origin}${SIGN_ROUTES.accept}`, { method: 'POST', headers, body });
  const [pair = ''] = answer.headers.getSetCookie()[0]?.split(';') ?? [];
  const at = pair.indexOf('=');
  return { name: pair.slice(0, at), value: pair.slice(at + 1), url: origin };
}

async function pageFor(cookie: Awaited<ReturnType<typeof member>> | null, look: Look = {}): Promise<Page> {
  const { width = 1366, height = 768, scheme = 'light', language = 'en-US' } = look;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, locale: language });
  if (cookie) await context.addCookies([cookie]);
  return context.newPage();
}

test('in German nothing stays English and nothing is cut in a small window, light and dark', async () => {
  const owner = await member('ana@lab.test', 'owner', 'Ana');
  const long = 'wilhelmine.hildegard.von.oettingen-wallerstein@institut.universitaet-beispielstadt.example';
  const annotator = await member(long, 'annotator', 'Wilhelmine Hildegard von Oettingen-Wallerstein-Spielberg');
  await member('zhang@lab.test', 'reviewer', '张伟明');
  const wrong: unknown[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    const look = { language: 'de-DE', width: 1024, height: 700, scheme };
    for (const [name, cookie, at, ready] of [
      ['sign in', null, '/sign-in', 'Anmelden'],
      ['signed out', null, '/sign-in?out=1', 'Anmelden'],
      ['clock', null, '/sign-in?failed=clock', 'Anmelden'],
      ['other', null, '/sign-in?failed=other', 'Anmelden'],
      ['invited', null, new URL(await linkFor('late@lab.test', 'viewer', '')).href, 'Sie sind eingeladen'],
      ['members', owner, `/w/${ws}/members`, null],
      ['tokens', annotator, `/w/${ws}/members`, null],
    ] as const) {
      const page = await pageFor(cookie, look);
      await page.goto(new URL(at, origin).href);
      await page.getByRole('heading', { level: 1, ...(ready !== null && { name: ready }) }).waitFor();
      if (name === 'members') await page.getByText('张伟明').waitFor();
      if (name === 'invited') await page.getByText('late@lab.test').first().waitFor();
      const left = await englishLeft(page);
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      const cut = await cutIn(page);
      const violations = await axeViolations(page);
      if (left.length + cut.length + violations.length > 0 || wide > 0)
        wrong.push({ name, scheme, left, wide, cut, violations });
      await page.context().close();
    }
  }
  expect(wrong).toEqual([]);
}, 240_000);

test('what a role may not do is greyed out with the reason, and its key is not heard', async () => {
  const annotator = await member('ben@lab.test', 'annotator', 'Ben');
  const page = await pageFor(annotator);
  await page.goto(`${origin}/w/${ws}`);
  const add = page.getByRole('button', { name: 'New task' }).first();
  await add.waitFor();
  expect(await add.getAttribute('aria-disabled')).toBe('true');
  expect(await add.getAttribute('title')).toMatch(/^Your role \(Annotator\) does not include this\./);
  // It keeps the focus, so that the reason is read.
  await add.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('n');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('New task');
  expect(await page.getByRole('option', { name: /^New task/ }).count()).toBe(0);
  await page.context().close();

  const manager = await pageFor(await member('max@lab.test', 'manager', 'Max'));
  await manager.goto(`${origin}/w/${ws}`);
  await manager.getByRole('button', { name: 'New task' }).first().click();
  await manager.getByRole('dialog').waitFor();
  await manager.context().close();
});

test('a service that is away is told on the page, beside the password', async () => {
  const page = await pageFor(null);
  await page.goto(`${origin}/sign-in`);
  await page.getByRole('button', { name: /^Sign in with Anmeldung/ }).click();
  await page.getByRole('alert').filter({ hasText: 'It does not answer.' }).waitFor();
  await page.getByLabel('E-mail address').waitFor();
  await page.context().close();
});
