import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DevStudio, startDev } from '../../support/dev-studio.ts';
import { openStudio, startShell } from '../../support/studio-browser.ts';
import { until } from '../../support/until.ts';

/** `npm run dev`: what a developer changes is on the page without a new start of anything by hand. */

let dev: DevStudio;
let browser: Browser;
beforeAll(async () => {
  [dev, browser] = await Promise.all([startDev(), startShell()]);
});
afterAll(async () => {
  await browser?.close();
  await dev?.stop();
});

test('a changed style, a changed text and a changed route are there, and the page stays signed in', async () => {
  const { page, context } = await openStudio(browser, dev);
  const title = page.locator('h1');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));

  dev.change('renderer/welcome/page.module.css', 'letter-spacing: -0.02em;', 'letter-spacing: 7px;');
  await until('the style', async () => (await title.evaluate((one) => getComputedStyle(one).letterSpacing)) === '7px');

  dev.change('renderer/welcome/page.tsx', "{tr('Trajectory Studio')}", "{'A changed title'}");
  await page.getByRole('heading', { name: 'A changed title' }).waitFor();
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);

  const health = (): Promise<string> => page.evaluate(async () => (await fetch('/health')).text());
  expect(await health()).toContain('"trajectory-studio"');
  dev.change('studio/api/handler.ts', "name: 'trajectory-studio'", "name: 'changed'");
  // Requests that come while the studio starts again wait for it.
  await until('the route', async () => (await health()).includes('"changed"'));
  await page.reload();
  await page.getByRole('heading', { name: 'A changed title' }).waitFor();
  await context.close();
});

test('another site gets nothing through it', async () => {
  const address = new URL(await dev.login());
  const asked = (headers: Record<string, string>): Promise<Response> =>
    fetch(`http://127.0.0.1:${address.port}/health`, { headers: { host: address.host, ...headers } });
  expect((await asked({ origin: 'http://evil.example' })).status).toBe(403);
  expect((await asked({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await asked({})).status).toBe(403);
});
