import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { englishLeft } from '../../support/english-left.ts';
import { cutIn } from '../../support/studio-cut.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { everyPlace, type Place } from '../../support/studio-tour.ts';

/** The pages in other languages: chosen in the settings, or the browser's; nothing stays English, nothing is cut. */

const studio = studioFixture();
let places: Place[];
beforeAll(async () => {
  places = await everyPlace(studio.server, studio.home);
}, 240_000);

/** What may stay: a name in the samples (of a workspace, of elements), fields of a version, types of the benchmark's actions. */
const MAY_STAY = new Set(['New workspace', 'Open', 'Copy', 'text', 'title', 'Scroll', 'Drag']);
/** Headings of the papers' tables, which are printed as the papers name them. */
const IN_PAPERS = ['Level', 'Runs', 'Tasks', 'Blocked', 'Scenario', 'Questions', 'Time', 'Place', 'Narration'];
/** The words that the samples' narrations use most, which that page counts; and the papers' own. */
const MAY_STAY_AT: Readonly<Record<string, readonly string[]>> = {
  'dataset-statistics': ['click', 'press', 'drag', 'type', 'scroll'],
  compositions: ['Overall'],
  composition: IN_PAPERS,
  'composition-run': IN_PAPERS,
  // An application of the sample, in table 4.
  verify: ['Notes'],
};

const shown = (page: Page): Promise<string | null> => page.locator('html').getAttribute('lang');

it('a language is chosen in the settings, shown at once and in the next window, and put back', async () => {
  const { page, context, faults } = await studio.open({}, '/settings');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  expect(await shown(page)).toBe('en');
  await page.getByRole('combobox', { name: 'Language', exact: true }).click();
  await page.getByRole('option', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
  expect(await shown(page)).toBe('de');
  await soon(async () => (await studio.api.settings.get()).pageLanguage).toBe('de');

  // A window of another browser: its first page is in that language, and is not loaded a second time.
  const other = await studio.open();
  expect(await shown(other.page)).toBe('de');
  await other.page.goto(`${studio.origin}/settings`);
  await other.page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
  await other.page.getByRole('combobox', { name: 'Sprache', exact: true }).click();
  await other.page.getByRole('option', { name: '简体中文' }).click();
  await other.page.getByRole('heading', { level: 1, name: '设置' }).waitFor();
  expect(await shown(other.page)).toBe('zh-Hans');
  expect(other.faults).toEqual([]);
  await other.context.close();

  await page.reload();
  await page.getByRole('heading', { level: 1, name: '设置' }).waitFor();
  await studio.api.settings.set({ values: { pageLanguage: null } });
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

describe('where the browser is German', () => {
  it('every page is, and nothing is cut in a small window', async () => {
    const { page, context, faults } = await studio.open({ language: 'de-AT', width: 1024, height: 700 });
    const wrong: unknown[] = [];
    for (const { name, at, ready } of places) {
      await page.goto(`${studio.origin}${at}`);
      await ready(page);
      const left = (await englishLeft(page)).filter(
        (text) => !MAY_STAY.has(text) && !MAY_STAY_AT[name]?.includes(text),
      );
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      const cut = await cutIn(page);
      const whole = left.length === 0 && wide <= 0 && cut.length === 0;
      if (!whole || (await shown(page)) !== 'de') wrong.push({ name, left, wide, cut });
    }
    expect(wrong).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  }, 300_000);
});
