import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, still, type Violation } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { everyPlace, type Place } from '../../support/studio-tour.ts';

/** axe finds nothing serious on any page, light or dark, and every control that has a key shows it when asked. */

const studio = studioFixture();
let places: Place[];
beforeAll(async () => {
  places = await everyPlace(studio.server, studio.home);
}, 240_000);

type Scheme = 'light' | 'dark';
type Control = { said: string; keys: string; shown: string };
type Seen = {
  name: string;
  violations: Record<Scheme, Violation[]>;
  mains: number;
  headings: number;
  title: string;
  controls: Control[];
  /** Tab goes to something. */
  reached: boolean;
  /** Words that are smaller than 11 px. */
  tiny: string[];
};

/**
 * The findings of axe now and in the other colours; the page stays in those. They are chosen on the page, as its key does,
 * while the system keeps its own: a page that follows the system in parts would be half of each.
 */
async function inBoth(page: Page): Promise<Seen['violations']> {
  const first = (await shownScheme(page)) === 'dark' ? 'dark' : 'light';
  const second = first === 'light' ? 'dark' : 'light';
  const before = await axeViolations(page);
  await page.keyboard.press('Alt+t');
  if ((await shownScheme(page)) !== second) await switchOnPage(page, second);
  // The same page in other colours: everything else of it was read just now.
  const after = await axeViolations(page, null, 'colours');
  return first === 'light' ? { light: before, dark: after } : { light: after, dark: before };
}

const shownScheme = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));

/** A dialog has all keys: what Alt+T would do is done from outside. */
async function switchOnPage(page: Page, scheme: Scheme): Promise<void> {
  await page.evaluate((value) => document.documentElement.setAttribute('data-mantine-color-scheme', value), scheme);
}

/** Every place once, in one window: loaded in light and switched to dark, the next one the other way round. */
describe('on every page', () => {
  const seen: Seen[] = [];
  let faults: string[] = [];
  /** What pages asked for and were refused. */
  const refused: string[] = [];
  beforeAll(async () => {
    const watched = await studio.open({ scheme: 'light' });
    const { page, context } = watched;
    page.on('response', (answer) => {
      // One recording of the tour has no video, so no pictures.
      const path = new URL(answer.url()).pathname;
      if (answer.status() >= 400 && !path.includes('/without-video/'))
        refused.push(`${answer.status()} ${path} of ${page.url()}`);
    });
    for (const { name, at, ready } of places) {
      await page.goto(`${studio.origin}${at}`);
      await ready(page);
      const violations = await inBoth(page);
      const [mains, headings] = [await page.locator('main').count(), await page.locator('h1').count()];
      const title = await page.title();
      const tiny = await page.evaluate(wordsBelow, 11);
      await page.keyboard.down('Alt');
      await page.locator('html[data-keys=held]').waitFor();
      const controls = await controlsWithKeys(page);
      await page.keyboard.up('Alt');
      await page.locator('html:not([data-keys])').waitFor();
      // Last: keys change what is shown.
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      const reached = await page.evaluate(() => document.activeElement !== document.body);
      seen.push({ name, violations, mains, headings, title, controls, reached, tiny });
    }
    faults = watched.faults;
    await context.close();
  }, 900_000);

  it('nothing is thrown, and the page keeps its own policy', () => {
    expect(seen.map(({ name }) => name)).toEqual(places.map(({ name }) => name));
    expect(faults).toEqual([]);
  });

  it('no page asks for what is refused', () => {
    expect(refused).toEqual([]);
  });

  it('nothing is written smaller than 11 px', () => {
    expect(seen.flatMap(({ name, tiny }) => tiny.map((words) => ({ name, words })))).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('axe finds nothing serious or critical, %s', (scheme) => {
    expect(seen.length).toBeGreaterThan(40);
    expect(seen.flatMap(({ name, violations }) => violations[scheme].map((one) => ({ name, ...one })))).toEqual([]);
  });

  it('there is one main heading, a title of its own and a place to begin for the keyboard', () => {
    for (const { name, mains, headings, reached } of seen) {
      expect({ name, mains, headings, reached }).toEqual({ name, mains: 1, headings: 1, reached: true });
    }
    expect(new Set(seen.map(({ title }) => title)).size).toBeGreaterThan(6);
  });

  it('every visible control that a command does shows its key while Alt is held', () => {
    const controls = seen.flatMap((one) => one.controls.map((control) => ({ name: one.name, ...control })));
    expect(controls.filter(({ shown }) => shown === '')).toEqual([]);
    // A test that sees no control would pass for ever.
    expect(controls.length).toBeGreaterThan(60);
    // The whole key: a digit alone means something else on many pages.
    const places = controls.filter(({ keys }) => /^Alt\+\d$/.test(keys));
    expect(places.filter(({ keys, shown }) => shown !== keys.replace('+', ' '))).toEqual([]);
    expect(new Set(places.map(({ keys }) => keys)).size).toBeGreaterThanOrEqual(7);
  });
});

/** In the page: words in sight that are written smaller than this. */
function wordsBelow(px: number): string[] {
  const small: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const { parentElement: around, textContent } = node;
    if (!around?.checkVisibility() || textContent?.trim() === '') continue;
    if (Number.parseFloat(getComputedStyle(around).fontSize) < px) small.push(textContent ?? '');
  }
  return small;
}

const controlsWithKeys = (page: Page): Promise<Control[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a[href], [role=button], [role=switch]')]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 0)
      .filter((element) => element.hasAttribute('aria-keyshortcuts') || element.querySelector('kbd') !== null)
      .map((element) => ({
        said: element.getAttribute('aria-label') ?? element.textContent ?? '',
        keys: element.getAttribute('aria-keyshortcuts') ?? '',
        shown: [...element.querySelectorAll('kbd')]
          .filter((kbd) => kbd.checkVisibility())
          .map((kbd) => kbd.textContent?.trim())
          .join(' '),
      })),
  );

/** Pages whose menus are all the menus that there are, and each menu by the first word of its button. */
const WITH_MENUS = [
  ...['library', 'recordings', 'task-checks', 'annotate', 'insights', 'dataset', 'dataset-statistics', 'evaluate'],
];
const MENUS = [
  ...['Actions', 'Check', 'Columns', 'Download', 'Download:', 'Export', 'Go', 'More', 'Views', 'Workspace', 'Zoom'],
];

it('axe finds nothing in any menu that is open, and Escape closes it', { timeout: 240_000 }, async () => {
  const { page, context } = await studio.open();
  const found = new Map<string, Violation[]>();
  for (const { at, ready } of places.filter(({ name }) => WITH_MENUS.includes(name))) {
    await page.goto(`${studio.origin}${at}`);
    await ready(page);
    // What comes later may bring more of them, and switch some off meanwhile.
    await still(page);
    // A dialog lies over the menus of its page.
    const dialog = page.getByRole('dialog');
    const room = (await dialog.count()) > 0 ? dialog : page.locator('body');
    const buttons = room.locator('[aria-haspopup=menu]:enabled:visible');
    const names = await buttons.evaluateAll((all) =>
      all.map((one) => {
        const said = one.getAttribute('aria-label') ?? (one instanceof HTMLElement ? one.innerText : '');
        return said.trim().split(/\s/)[0] ?? '';
      }),
    );
    for (const [n, name] of names.entries()) {
      if (found.has(name)) continue;
      await buttons.nth(n).click();
      const menu = page.getByRole('menu');
      await menu.waitFor();
      found.set(name, await axeViolations(page, '[role=menu]'));
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
    }
  }
  await context.close();
  expect([...found].filter(([, violations]) => violations.length > 0)).toEqual([]);
  expect([...found.keys()].sort()).toEqual(MENUS);
});

it('the list of keys names every command with its key, opens by ? and closes by Escape', async () => {
  const { page, context } = await studio.open();
  const annotate = places.find(({ name }) => name === 'annotate')!;
  await page.goto(`${studio.origin}${annotate.at}`);
  await annotate.ready(page);
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog');
  for (const label of ['Confirm and continue', 'Undo', 'Split the subtask here', 'Command palette']) {
    await dialog.getByText(label, { exact: true }).first().waitFor();
  }
  // Those of other pages do not stand between.
  expect(await dialog.getByText('New task', { exact: true }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Show the keys of all pages' }).click();
  await dialog.getByText('New task', { exact: true }).first().waitFor();
  expect(await dialog.locator('kbd').count()).toBeGreaterThan(60);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await context.close();
});
