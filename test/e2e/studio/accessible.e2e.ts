import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, openStudio, startBrowser, type Watched } from '../../support/studio-browser.ts';
import { type StudioServer, startServer, studioHome } from '../../support/studio-server.ts';
import { everyPlace, type Place } from '../../support/studio-tour.ts';

/** axe finds nothing serious on any page, light or dark, and every control that has a key shows it. */

const home = studioHome();
let server: StudioServer;
let browser: Browser;
let places: Place[];
beforeAll(async () => {
  server = await startServer({ home: home.home });
  browser = await startBrowser();
  places = await everyPlace(server, home);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  home.remove();
});

async function visit(look: { scheme: 'light' | 'dark' }, each: (watched: Watched, place: Place) => Promise<void>) {
  const watched = await openStudio(browser, server.address, look);
  for (const place of places) {
    await watched.page.goto(`${server.origin}${place.at}`);
    await place.ready(watched.page);
    await each(watched, place);
  }
  expect(watched.faults).toEqual([]);
  await watched.context.close();
}

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  it('axe finds nothing serious or critical on any page', { timeout: 300_000 }, async () => {
    const found: Record<string, unknown> = {};
    await visit({ scheme }, async ({ page }, { name }) => {
      const violations = await axeViolations(page);
      if (violations.length > 0) found[name] = violations;
    });
    expect(found).toEqual({});
  });
});

it('every page has one main heading, a title of its own and a place to begin for the keyboard', async () => {
  const titles = new Set<string>();
  await visit({ scheme: 'light' }, async ({ page }, { name }) => {
    expect([name, await page.locator('main').count()]).toEqual([name, 1]);
    expect([name, await page.locator('h1').count()]).toEqual([name, 1]);
    titles.add(await page.title());
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect([name, await page.evaluate(() => document.activeElement !== document.body)]).toEqual([name, true]);
  });
  expect(titles.size).toBeGreaterThan(6);
});

it('every visible control that a command does shows its key', { timeout: 240_000 }, async () => {
  const without: string[] = [];
  let seen = 0;
  await visit({ scheme: 'light' }, async ({ page }, { name }) => {
    const controls = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, a[href], [role=button], [role=switch]')]
        .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 0)
        .filter((element) => element.hasAttribute('aria-keyshortcuts') || element.querySelector('kbd') !== null)
        .map((element) => ({
          said: element.getAttribute('aria-label') ?? element.textContent ?? '',
          keys: element.getAttribute('aria-keyshortcuts') ?? '',
          shown: [...element.querySelectorAll('kbd')].map((kbd) => kbd.textContent?.trim()).join(' '),
        })),
    );
    seen += controls.length;
    for (const { said, keys, shown } of controls) if (shown === '') without.push(`${name}: ${said} (${keys})`);
  });
  expect(without).toEqual([]);
  // A test that sees no control would pass for ever.
  expect(seen).toBeGreaterThan(60);
});

it('the list of keys names every command with its key, and opens by ?', async () => {
  const { page, context } = await openStudio(browser, server.address);
  const annotate = places.find(({ name }) => name === 'annotate')!;
  await page.goto(`${server.origin}${annotate.at}`);
  await annotate.ready(page);
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog');
  for (const label of ['Confirm and go on', 'Undo', 'Split the subtask here', 'Command palette', 'New task']) {
    await dialog.getByText(label, { exact: true }).first().waitFor();
  }
  expect(await dialog.locator('kbd').count()).toBeGreaterThan(60);
  await context.close();
});
