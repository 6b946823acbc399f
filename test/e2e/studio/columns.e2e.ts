import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { axeViolations, still } from '../../support/studio-browser.ts';
import { makeDataset, type SmallDataset } from '../../support/studio-dataset.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { arrowTo } from '../../support/studio-keys.ts';

/** The columns of the lists: chosen by keys, kept, part of a saved view. */

const studio = studioFixture();
let set: SmallDataset;
beforeAll(async () => {
  set = await makeDataset(studio.server, studio.home.dir('small set'));
}, 240_000);

const headsOf = async (page: Page) =>
  (await page.getByRole('grid').getByRole('row').first().getByRole('columnheader').allInnerTexts())
    .slice(1)
    .map((text) => text.trim());

it('columns are chosen by keys, kept over a reload, and come with a view', { timeout: 120_000 }, async () => {
  const atFirst = ['Task', 'Goal', 'Software', 'State', 'Steps', 'Length', 'Resolution', 'Person', 'Split', 'Tags'];
  const chosen = ['Task', 'Goal', 'Software', 'State', 'Proof', 'Steps', 'Length', 'Person', 'Split', 'Tags'];
  const own = (kind: string) => `${kind}:dataset:${set.ws}:`;
  await studio.inWindow(`/w/${set.ws}/dataset?software=gimp`, async (page) => {
    const heads = () => soon(() => headsOf(page));
    await heads().toEqual(atFirst);
    await page.keyboard.press('Shift+C');
    const box = (name: string) => page.getByRole('menuitemcheckbox', { name, exact: true });
    await arrowTo(page, box('Proof'));
    await page.keyboard.press('Space');
    await soon(() => box('Proof').getAttribute('aria-checked')).toBe('true');
    await arrowTo(page, box('Resolution'));
    await page.keyboard.press('Space');
    await heads().toEqual(chosen);
    expect(await axeViolations(page)).toEqual([]);
    // A letter and Escape are the menu's: nothing is tagged, the filter stays.
    await page.keyboard.press('t');
    await page.keyboard.press('Escape');
    await box('Proof').waitFor({ state: 'hidden' });
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Software: GIMP' }).waitFor();

    await page.keyboard.press('Shift+V');
    await arrowTo(page, page.getByRole('menuitem', { name: /^Save filters, order and columns/ }));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Save as a view' }).waitFor();
    await page.keyboard.type('Proofs');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'View: Proofs' }).waitFor();
    await soon(async () => (await studio.api.settings.get())[own('views')]).toHaveLength(1);

    // Reset, here and for the next time.
    await page.keyboard.press('Shift+C');
    await arrowTo(page, page.getByRole('menuitem', { name: 'Reset columns' }));
    await page.keyboard.press('Enter');
    await heads().toEqual(atFirst);
    await page.keyboard.press('Escape');
    await soon(async () => (await studio.api.settings.get())[own('columns')] ?? null).toBeNull();

    // Views from before, and from another version: the columns at first, and those that are known.
    const [proofs] = (await studio.api.settings.get())[own('views')] as unknown[];
    const other = { name: 'Other', search: 'software=gimp&columns=task%2Cholograms%2Cgoal' };
    await studio.api.settings.set({
      values: { [own('views')]: [proofs, { name: 'Old', search: 'software=gimp' }, other] },
    });
    await page.reload();
    await page.getByRole('button', { name: 'View: Old' }).waitFor();
    const take = async (name: string) => {
      await page.keyboard.press('Shift+V');
      await arrowTo(page, page.getByRole('menuitem', { name, exact: true }));
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `View: ${name}` }).waitFor();
    };
    await take('Proofs');
    await heads().toEqual(chosen);
    await take('Other');
    await heads().toEqual(['Task', 'Goal']);
    await take('Old');
    await heads().toEqual(atFirst);
    await take('Proofs');

    // They are there at a plain address too, and the palette leads to a view with its own.
    await soon(async () => (await studio.api.settings.get())[own('columns')]).toContain('proof');
    await page.goto(`${new URL(page.url()).origin}/w/${set.ws}/dataset`);
    await heads().toEqual(chosen);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Old');
    await page.getByRole('option', { name: /Old \(Data set\)/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'View: Old' }).waitFor();
    await heads().toEqual(atFirst);
    await soon(async () => (await studio.api.settings.get())[own('columns')] ?? null).toBeNull();
    await studio.api.settings.set({ values: { [own('views')]: null } });
  });
});

it('with every column a list scrolls inside of itself in a small window', { timeout: 120_000 }, async () => {
  // The Library is the workspace's own page.
  for (const list of ['', '/recordings', '/dataset']) {
    await studio.inWindow(
      `/w/${set.ws}${list}`,
      async (page) => {
        await page.getByRole('grid').getByRole('row').nth(1).waitFor();
        await page.keyboard.press('Shift+C');
        const boxes = page.getByRole('menuitemcheckbox');
        await boxes.first().waitFor();
        for (const box of await boxes.all())
          if ((await box.getAttribute('aria-checked')) === 'false') {
            await box.click();
            await soon(() => box.getAttribute('aria-checked')).toBe('true');
          }
        const names = (await boxes.allInnerTexts()).map((name) => name.trim());
        await page.keyboard.press('Escape');
        await still(page);
        const heads = await page.getByRole('grid').getByRole('columnheader').allInnerTexts();
        expect(heads.map((head) => head.trim())).toEqual(expect.arrayContaining(names));
        const cut = await page.evaluate(() => ({
          heads: [...document.querySelectorAll('[role="columnheader"]')]
            .filter((head) => head.scrollWidth > head.clientWidth + 1)
            .map((head) => head.textContent),
          page: document.documentElement.scrollWidth - innerWidth,
          scrolls: [document.querySelector('[role="grid"]')?.parentElement].map(
            (scroller) => scroller!.scrollWidth > scroller!.clientWidth,
          ),
        }));
        expect(cut).toEqual({ heads: [], page: 0, scrolls: [true] });
        expect(await axeViolations(page)).toEqual([]);
        await page.keyboard.press('Shift+C');
        await page.getByRole('menuitem', { name: 'Reset columns' }).click();
        await soon(async () =>
          Object.entries(await studio.api.settings.get()).filter(
            ([key, value]) => key.startsWith('columns:') && value !== null,
          ),
        ).toEqual([]);
      },
      { width: 1024, height: 700 },
    );
  }
});
