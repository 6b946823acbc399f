import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { axeViolations } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { tabTo } from '../../support/studio-keys.ts';

/** A path of the studio's machine is chosen in a plain browser, by keyboard alone. */

const studio = studioFixture();
const { home } = studio;
let ws: string;

beforeAll(async () => {
  ws = await studio.newWorkspace();
  const work = home.dir('projects');
  for (const folder of ['first set', 'second set', '.hidden set'])
    fs.mkdirSync(path.join(work, folder), { recursive: true });
  await studio.api.workspaces.open({ dir: path.join(work, 'second set'), create: true });
  fs.writeFileSync(path.join(work, 'notes.txt'), 'x');
  fs.writeFileSync(path.join(work, 'team.tar'), 'x');
});

const browser = (page: Page) => page.getByRole('dialog', { name: /^Choose/ });
/** The first list is there: until then the field may still say where looking begins in another way. */
const listed = (page: Page) => soon(() => browser(page).getByRole('status').textContent()).toMatch(/entr(?:y|ies)/);
const options = (page: Page) => browser(page).getByRole('option').allTextContents();

it('opens a workspace that was found by arrows and by the beginning of its name', async () => {
  await studio.inWindow('/', async (page) => {
    await page.keyboard.press('f');
    const dialog = page.getByRole('dialog', { name: 'Open a folder' });
    const field = dialog.getByLabel('Folder on this machine');
    await field.fill(home.dir('projects'));
    await tabTo(page, dialog.getByRole('button', { name: 'Browse …' }));
    await page.keyboard.press('Enter');
    await soon(() => options(page)).toEqual(['first set', 'second set']);
    await soon(() => browser(page).getByRole('status').textContent()).toBe(
      '2 entries · 1 is hidden: type a dot to see them.',
    );
    expect(await axeViolations(page, '[role="dialog"]')).toEqual([]);

    // Hidden ones are there for who types a dot; the folder above by Alt+Up; and back by typing on.
    await page.keyboard.type('.');
    await soon(() => options(page)).toEqual(['.hidden set']);
    await page.keyboard.press('Alt+ArrowUp');
    await soon(() => options(page)).toContain('projects');
    // Enter comes before the list of what was typed: it is for that list.
    await page.keyboard.type('proj');
    await page.keyboard.press('Enter');
    await soon(() => options(page)).toEqual(['first set', 'second set']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await soon(() => browser(page).getByRole('option', { selected: true }).textContent()).toBe('second set');
    await page.keyboard.press('Enter');
    await browser(page).getByText('No folders in this one.').or(browser(page).getByRole('option')).first().waitFor();
    await page.keyboard.press('Control+Enter');
    await browser(page).waitFor({ state: 'detached' });
    await soon(() => field.inputValue()).toBe(path.join(home.dir('projects'), 'second set'));
    // The field has the focus again: Enter opens what was chosen.
    await page.locator('input:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor();
  });
});

it('Escape closes the list of folders alone; an error says what, where and what to do', async () => {
  await studio.inWindow('/', async (page) => {
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'New workspace' });
    await tabTo(page, dialog.getByRole('button', { name: 'Browse …' }));
    await page.keyboard.press('Enter');
    const field = browser(page).getByLabel('Path');
    await listed(page);
    await field.fill(`${home.dir('projects')}/never/was/`);
    const alert = browser(page).getByRole('alert');
    await soon(() => alert.textContent()).toContain(`There is no folder ${home.dir('projects')}/never/was. Check`);
    expect(await axeViolations(page, '[role="dialog"]')).toEqual([]);
    await page.keyboard.press('Escape');
    await browser(page).waitFor({ state: 'detached' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});

it('a file of the wanted end is taken by Enter; of what is written only the folder is chosen', async () => {
  await studio.inWindow(`/w/${ws}/export`, async (page) => {
    await page.getByRole('button', { name: 'Import an archive' }).click();
    const taking = page.getByRole('dialog', { name: 'Import an archive' });
    const from = taking.getByLabel('Archive on this machine');
    await from.fill(home.dir('projects'));
    await taking.getByRole('button', { name: 'Browse …' }).click();
    await soon(() => options(page)).toEqual(['first set', 'second set', 'team.tar']);
    await page.keyboard.type('team');
    await page.keyboard.press('Enter');
    await soon(() => from.inputValue()).toBe(path.join(home.dir('projects'), 'team.tar'));
    await page.keyboard.press('Escape');
    await taking.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Share as archive' }).click();
    const making = page.getByRole('dialog', { name: 'Share as archive' });
    const to = making.getByLabel('File on this machine');
    await soon(() => to.inputValue()).toMatch(/\.tar$/);
    const name = path.basename(await to.inputValue());
    await making.getByRole('button', { name: 'Browse …' }).click();
    await listed(page);
    await browser(page)
      .getByLabel('Path')
      .fill(`${home.dir('projects')}/`);
    await soon(() => options(page)).toEqual(['first set', 'second set']);
    await page.keyboard.press('Control+Enter');
    await soon(() => to.inputValue()).toBe(path.join(home.dir('projects'), name));
  });
});
