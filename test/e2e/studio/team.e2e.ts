import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePages } from '../../../studio/api/build-pages.ts';
import { invite } from '../../../studio/api/members/invitations.ts';
import { ACCOUNT } from '../../../studio/api/members/principal.ts';
import { createStudio } from '../../../studio/api/studio.ts';
import { listenTeam } from '../../../studio/api/team/listen-team.ts';
import { freePort } from '../../support/free-port.ts';
import { axeViolations, startShell } from '../../support/studio-browser.ts';

/** Invited by a link, signed in, inviting others, signed out: a team's server in a browser. */

let browser: Browser;
let link: string;
let origin: string;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const pages = await ensurePages(() => {});
  const folder = mkdtempSync(join(tmpdir(), 'studio-team-'));
  const home = { config: join(folder, 'home'), data: join(folder, 'home') };
  const studio = createStudio({ version: '0.1.0', home });
  const { id } = await studio.workspaces.open(join(folder, 'lab'), { create: true });
  const open = await studio.workspaces.get(id);
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const listening = await listenTeam({ studio, open, url: new URL(origin), pages, port, recheckMs: 100 });
  const wishes = { email: 'ana@lab.test', role: 'owner', name: 'Ana', days: 7 } as const;
  link = (await invite(open.workspace.store, ACCOUNT, wishes)).link;
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

it('an invitation becomes a member who invites another, is signed out and signs in again', async () => {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, locale: 'en-US' });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(`${origin}/w/anything/recordings?x=1`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await axeViolations(page)).toEqual([]);

  await page.goto(link);
  await page.getByText('ana@lab.test signs in as Owner').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(await page.getByLabel('Your name').inputValue()).toBe('Ana');
  await page.getByRole('textbox', { name: 'New password' }).fill('four words that are long');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Signed in as Ana' }).waitFor();

  await page.keyboard.press('Alt+m');
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  await page.getByRole('row', { name: /Ana \(you\)/ }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('n');
  await page.getByRole('dialog').getByLabel('E-mail address').fill('ben@lab.test');
  await page.keyboard.press('Enter');
  const made = page.getByRole('status', { name: 'The link' });
  expect(await made.textContent()).toMatch(new RegExp(`^${origin}/invitation#tsi_[\\w-]{43}$`));
  expect(await axeViolations(page, '[role="dialog"]')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Take the invitation of ben@lab.test back' }).waitFor();

  await page.getByRole('button', { name: 'Signed in as Ana' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('E-mail address').fill('ana@lab.test');
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'not right' }).waitFor();
  await page.getByRole('textbox', { name: 'Password' }).fill('four words that are long');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Signed in as Ana' }).waitFor();
  // The link was for one use.
  await page.goto(link);
  await page.reload();
  await page.getByRole('alert').filter({ hasText: 'does not hold' }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
