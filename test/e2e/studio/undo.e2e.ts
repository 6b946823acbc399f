import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { axeViolations, heard } from '../../support/studio-browser.ts';
import { makeDataset, type SmallDataset } from '../../support/studio-dataset.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';

/** After an act in a list: what was done is said in a line of its own, and one key or click takes it back. */

const studio = studioFixture();
let set: SmallDataset;
beforeAll(async () => {
  set = await makeDataset(studio.server, studio.home.dir('small set'));
}, 240_000);

const rows = async () => (await studio.api.dataset.rows({ ws: set.ws })).rows;
const said = (page: Page, words: string | RegExp) => page.getByRole('status').filter({ hasText: words }).waitFor();

it('tags and splits come back as they were', { timeout: 240_000 }, async () => {
  const [first, second] = (await rows()).toSorted((a, b) => (a.recording < b.recording ? -1 : 1));
  await studio.api.dataset.tag({ ws: set.ws, recordings: [first!.recording], add: ['pilot'], remove: [] });
  await studio.api.dataset.split({ ws: set.ws, tasks: [first!.task], split: 'test' });
  const before = await rows();
  const chosen = [first!.recording, second!.recording].map(encodeURIComponent).join(',');
  await studio.inWindow(`/w/${set.ws}/dataset?recordings=${chosen}`, async (page) => {
    await page.getByText('2 of 6 recordings').waitFor();
    await heard(page);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('t');
    await page.getByRole('dialog', { name: 'Tag 2 recordings' }).waitFor();
    await page.keyboard.type('pilot');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await said(page, 'Tags of 2 recordings changed');
    await soon(async () => (await rows()).filter(({ tags }) => tags.includes('pilot')).length).toBe(2);
    expect(await axeViolations(page)).toEqual([]);
    // It lies in a line of its own, over nothing.
    const line = await page.getByRole('button', { name: 'Undo' }).boundingBox();
    const main = await page.locator('#main').boundingBox();
    expect(line!.y).toBeGreaterThanOrEqual(main!.y + main!.height);
    await page.keyboard.press('Control+z');
    await said(page, 'Undone: Tags of 2 recordings changed');
    expect(await rows()).toEqual(before);

    await page.keyboard.press('s');
    await page.getByRole('dialog', { name: 'Assign split' }).waitFor();
    await page.keyboard.type('train');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Assign split' }).click();
    await said(page, /put into train$/);
    expect((await rows()).find(({ recording }) => recording === first!.recording)?.split).toBe('train');
    await page.getByRole('button', { name: 'Undo' }).click();
    await said(page, /^Undone: .*put into train$/);
    expect(await rows()).toEqual(before);
    await page.getByRole('button', { name: 'Close the message' }).click();
    await soon(() => page.getByText('Undone').count()).toBe(0);
  });
});

it('recordings come back from the trash with everything that was said of them, and tasks are opened again', {
  timeout: 240_000,
}, async () => {
  const before = await rows();
  const list = () => studio.api.recordings.list({ ws: set.ws });
  const known = (await list()).length;
  await studio.inWindow(`/w/${set.ws}/recordings`, async (page) => {
    await page.getByText('6 recordings').waitFor();
    await heard(page);
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await page.getByText('2 recordings selected').waitFor();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Move to the trash' }).click();
    await said(page, '2 recordings moved to the trash');
    expect((await list()).length).toBe(known - 2);
    await page.keyboard.press('Control+z');
    await said(page, 'Undone: 2 recordings moved to the trash');
    expect((await list()).length).toBe(known);
    expect(await rows()).toEqual(before);
  });
  const states = async () => (await studio.api.tasks.list({ ws: set.ws })).map(({ state }) => state);
  const open = await states();
  await studio.inWindow(`/w/${set.ws}`, async (page) => {
    await page.getByText('6 tasks').waitFor();
    await heard(page);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('c');
    await said(page, '6 tasks closed');
    await soon(states).not.toContain('open');
    await page.keyboard.press('Control+z');
    await said(page, 'Undone: 6 tasks closed');
    expect(await states()).toEqual(open);
  });
});
