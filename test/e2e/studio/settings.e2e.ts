import { beforeAll, expect, it } from 'vitest';
import { interceptRequests } from '../../support/intercept.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';

/** Keys can be changed, conflicts are refused in words, and everything is kept. */

const studio = studioFixture();
let ws: string;
beforeAll(async () => {
  ws = await studio.newWorkspace();
});

it('a key that another command has, or the browser, is refused with its name; a free one counts at once and stays', async () => {
  const { page, context, faults } = await studio.open({}, '/settings');
  const find = page.getByRole('textbox', { name: 'Find a command' });
  await find.fill('new task');
  const change = page.getByRole('button', { name: 'Change the key of New task' });
  await change.click();
  await page.keyboard.press('s');
  await page.getByRole('alert').filter({ hasText: 'already “Add software”' }).waitFor();
  await page.keyboard.press('Control+w');
  await page.getByRole('alert').filter({ hasText: 'Ctrl+W' }).waitFor();
  expect((await studio.api.settings.get()).keys ?? null).toBeNull();

  await page.keyboard.press('Alt+g');
  await soon(async () => (await studio.api.settings.get()).keys).toEqual({ 'library.new': ['Alt+G'] });
  await page.goto(`${studio.origin}/w/${ws}`);
  await page.getByRole('heading', { name: 'No tasks yet' }).waitFor();
  await soon(() =>
    page
      .getByRole('button', { name: /^New task/ })
      .first()
      .textContent(),
  ).toMatch(/Alt/);
  await page.keyboard.press('n');
  expect(await page.getByRole('dialog', { name: 'New task' }).count()).toBe(0);
  await page.keyboard.press('Alt+g');
  await page.getByRole('dialog', { name: 'New task' }).waitFor();
  await page.keyboard.press('Escape');

  // The key that became free can be given to another; then the old one cannot be put back.
  await page.goto(`${studio.origin}/settings`);
  await find.fill('add software');
  await page.getByRole('button', { name: 'Change the key of Add software' }).click();
  await page.keyboard.press('n');
  await soon(async () => (await studio.api.settings.get()).keys).toEqual({
    'library.new': ['Alt+G'],
    'library.software': ['N'],
  });
  await find.fill('new task');
  await page.getByRole('button', { name: 'Reset the key of New task' }).click();
  await page.getByRole('alert').filter({ hasText: 'already “Add software”' }).waitFor();
  await page.getByRole('button', { name: 'Reset all shortcuts' }).click();
  await soon(async () => (await studio.api.settings.get()).keys ?? null).toBeNull();
  expect(faults).toEqual([]);
  await context.close();
});

it('the theme is switched by key on any page, and kept for the next window', async () => {
  const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme');
  const first = await studio.open({ scheme: 'light' });
  expect(await first.page.evaluate(scheme)).toBe('light');
  await first.page.keyboard.press('Alt+t');
  await soon(() => first.page.evaluate(scheme)).toBe('dark');
  await first.context.close();
  await soon(async () => (await studio.api.settings.get()).theme).toBe('dark');
  const second = await studio.open({ scheme: 'light' });
  await soon(() => second.page.evaluate(scheme)).toBe('dark');
  await second.context.close();
});

it('of two changes the later one holds, on the page and in the studio, even when the first takes long', async () => {
  await studio.api.settings.set({ values: { theme: 'light' } });
  const { page, context } = await studio.open();
  const scheme = () => page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));
  await soon(scheme).toBe('light');
  let sent = 0;
  let answered = 0;
  await interceptRequests(page, '**/rpc/settings/set*', async (route) => {
    sent += 1;
    if (sent === 1) await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
  });
  page.on('response', (response) => {
    if (response.url().includes('/rpc/settings/set')) answered += 1;
  });
  await page.keyboard.press('Alt+t');
  await soon(scheme).toBe('dark');
  await page.keyboard.press('Alt+t');
  await soon(scheme).toBe('light');
  await soon(() => answered).toBe(2);
  expect((await studio.api.settings.get()).theme).toBe('light');
  expect(await scheme()).toBe('light');
  await context.close();
});

it('the command palette gives the marked command another key, refuses a taken one with its name, and does it then', async () => {
  await studio.inWindow(`/w/${ws}`, async (page) => {
    await page.getByRole('heading', { name: 'No tasks yet' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new task');
    await page.keyboard.press('F2');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByText('Press the new key of “New task”').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('s');
    await palette.getByText('already “Add software”').waitFor();
    // Escape leaves the key alone, and the palette open.
    await page.keyboard.press('Escape');
    await palette.getByText('changes its key').waitFor();
    await palette.getByTitle('Change the key of “New task” (F2)').click();
    await page.keyboard.press('Alt+g');
    await soon(async () => (await studio.api.settings.get()).keys).toEqual({ 'library.new': ['Alt+G'] });
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New task' }).waitFor();
    await studio.api.settings.set({ values: { keys: null } });
  });
});

it('the command palette finds a command by words and does it', async () => {
  const { page, context } = await studio.open();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('settings');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await context.close();
});

it('the list of all keys has those of the open page first and no other page’s, until they are asked for or looked for', async () => {
  const { page, context, faults } = await studio.open({}, `/w/${ws}`);
  await page.getByRole('heading', { name: 'No tasks yet' }).waitFor();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  await dialog.waitFor();
  const scopes = () => dialog.getByRole('heading', { level: 3 }).allTextContents();
  const own = await scopes();
  expect(own).toContain('Library');
  expect(own.at(-1)).toBe('Everywhere');
  expect(own).not.toContain('Annotate');

  await dialog.getByRole('button', { name: 'Show the keys of all pages' }).click();
  await soon(scopes).toContain('Annotate');
  // The open page's still come first.
  expect((await scopes()).slice(0, own.length)).toEqual(own);
  await dialog.getByRole('button', { name: 'Only the keys of this page' }).click();
  await soon(scopes).toEqual(own);
  await dialog.getByRole('textbox', { name: 'Find a key' }).fill('narration');
  await soon(scopes).toContain('Annotate and fix');
  expect(faults).toEqual([]);
  await context.close();
});
