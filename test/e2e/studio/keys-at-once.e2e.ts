import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { interceptRequests } from '../../support/intercept.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { annotatePage } from '../../support/studio-pages.ts';
import { makeRecording } from '../../support/studio-recording.ts';
import { addPeople, annotateAndSendBack, chooseByKeys, reviewOf } from '../../support/studio-review.ts';

/** Keys that are pressed sooner than the studio has answered, or a menu has gone, are neither lost nor misread. */

const studio = studioFixture();
let ws: string;

beforeAll(async () => {
  ws = await studio.newWorkspace();
});

/** Holds back the studio's answers to a procedure until `letGo` is called. */
async function hold(page: Page, procedure: string): Promise<{ letGo: () => void }> {
  let letGo = (): void => undefined;
  const held = new Promise<void>((done) => {
    letGo = done;
  });
  await interceptRequests(page, `**/rpc/${procedure}*`, async (route) => {
    await held;
    await route.continue();
  });
  return { letGo };
}

it('what was sent back is not submitted with an open step, though the studio has not heard of the repair yet', async () => {
  const made = await makeRecording(studio.recordings, { id: 'quick-repair', steps: 4 });
  const place = { server: studio.server, ws, recording: made.id };
  const [ana = '', ben = ''] = await addPeople(studio.server, ws, 'Ana', 'Ben');
  await annotateAndSendBack(place, ana, ben, made);
  const { page, context, faults } = await studio.open({}, `/w/${ws}`);
  await chooseByKeys(page, 'Ana');
  const work = await annotatePage(page, studio.server, ws, made.id);
  const { letGo } = await hold(page, 'annotation/apply');
  await soon(work.current).toBe(1);
  await page.keyboard.press('d');
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+H');
  await page.getByText(/Not submitted: 1 step is not done/).waitFor();
  await soon(work.current).toBe(1);
  expect(await page.getByRole('complementary', { name: 'What is missing' }).count()).toBe(0);
  letGo();
  await soon(async () => (await reviewOf(place, ana)).state).toBe('annotating');
  expect(faults).toEqual([]);
  await context.close();
});

it('a menu is gone when one of its items was chosen, so that the next key is the page’s', async () => {
  const { page, context, faults } = await studio.open({}, `/w/${ws}/insights`);
  await page.getByRole('heading', { name: 'Insights' }).waitFor();
  expect(await chooseAndPress(page)).toEqual({ chosen: 'closed', pressed: 'open' });
  expect(faults).toEqual([]);
  await context.close();
});

it('a menu that a key opens has the next key already, and keeps where that key went', async () => {
  const { page, context, faults } = await studio.open({}, `/w/${ws}/insights`);
  await page.getByRole('heading', { name: 'Insights' }).waitFor();
  await page.getByRole('button', { name: 'Export' }).and(page.locator(':enabled')).waitFor();
  expect(await openAndPress(page)).toEqual({ menus: 1, opened: 0, pressed: 1, later: 1 });
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
  await context.close();
});

/** Presses the key of the export's menu and ArrowDown, both in one task of the page. Gives the place of the item with the focus. */
async function openAndPress(page: Page): Promise<{ menus: number; opened: number; pressed: number; later: number }> {
  return page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const press = (key: string, code: string) => {
      const at = document.activeElement ?? document.body;
      at.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }));
      return Promise.resolve();
    };
    const focused = () =>
      [...document.querySelectorAll('[role=menuitem]')].indexOf(document.activeElement ?? document.body);
    await press('e', 'KeyE');
    const opened = focused();
    await press('ArrowDown', 'ArrowDown');
    const pressed = focused();
    for (let n = 0; n < 30; n++) await frame();
    return { menus: document.querySelectorAll('[role=menu]').length, opened, pressed, later: focused() };
  });
}

/** Chooses an item of the export's menu and presses its key, both in one task of the page, as when a busy page hears them. */
async function chooseAndPress(page: Page): Promise<{ chosen: string; pressed: string }> {
  await page.getByRole('button', { name: 'Export' }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('e');
  await page.locator('[role=menuitem]:focus').waitFor();
  return page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const state = () => (document.querySelector('[role=menu]') ? 'open' : 'closed');
    document.querySelector<HTMLElement>('[role=menuitem]:focus')?.click();
    await Promise.resolve();
    const chosen = state();
    const key = { key: 'e', code: 'KeyE', bubbles: true, cancelable: true };
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', key));
    for (let n = 0; n < 30; n++) await frame();
    return { chosen, pressed: state() };
  });
}
