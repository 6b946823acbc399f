import { beforeAll, expect, it } from 'vitest';
import { axeViolations, still } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { makeRecording } from '../../support/studio-recording.ts';
import { addPeople, chooseByKeys } from '../../support/studio-review.ts';

/** Work that is given to a named person, by keyboard: many recordings at once, then found first by who has it. */

const studio = studioFixture();
let ws: string;
let ada: string;

beforeAll(async () => {
  ws = await studio.newWorkspace();
  [, ada = ''] = await addPeople(studio.server, ws, 'Mia', 'Ada', 'Ben');
  for (const id of ['one', 'two', 'three']) {
    await makeRecording(studio.recordings, { id, steps: 2, pictures: 'plain', width: 320, height: 180 });
  }
  await studio.api.recordings.list({ ws });
});

const assignments = async () =>
  (await studio.api.recordings.list({ ws }))
    .map(({ id, assigned }) => [id, ...(assigned?.annotate?.people ?? [])])
    .sort();

it('recordings are assigned by keys, shown, filtered, given back by undo, and first in the work of who has them', {
  timeout: 120_000,
}, async () => {
  await studio.inWindow(`/w/${ws}/recordings`, async (page) => {
    await chooseByKeys(page, 'Mia');
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Shift+A');
    const dialog = page.getByRole('dialog', { name: 'Assign work' });
    await dialog.getByText('3 recordings').waitFor();
    await page.keyboard.type('Ada');
    await page.getByRole('option', { name: 'Ada' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('To be done by (optional)').fill('2026-01-05');
    await still(page);
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await page.getByText('3 recordings assigned to Ada').waitFor();
    await soon(assignments).toEqual([
      ['one', ada],
      ['three', ada],
      ['two', ada],
    ]);
    await page.getByRole('columnheader', { name: 'Assigned to' }).waitFor();
    await page.getByText('overdue 5 Jan').first().waitFor();

    await page.keyboard.press('Control+z');
    await soon(assignments).toEqual([['one'], ['three'], ['two']]);
    await page.keyboard.press('Escape');
    await studio.api.review.assign({ ws, person: ada, recordings: ['two'], work: 'annotate', to: ['Ada'] });
    await page.goto(`${studio.origin}/w/${ws}/recordings?assigned=${ada}`);
    await soon(() => page.getByRole('row').count()).toBe(2);

    // Names that come late are no reason to show what the studio calls people.
    const names = Promise.withResolvers<void>();
    await page.route('**/rpc/people/list*', async (route) => {
      await names.promise;
      await route.continue();
    });
    await page.goto(`${studio.origin}/w/${ws}/work`);
    await page.getByRole('heading', { name: 'Assigned to others' }).waitFor();
    const kept = page.getByRole('listitem').last();
    expect(await kept.innerText()).toContain('Assigned to …; you may still take it.');
    names.resolve();
    await soon(() => kept.innerText()).toContain('Assigned to Ada; you may still take it.');
    await chooseByKeys(page, 'Ada');
    await page.getByRole('heading', { name: 'Assigned to you' }).waitFor();
    expect(await page.getByRole('listitem').first().innerText()).toContain('Assigned to you, waiting to be annotated.');
    // From here too: what is highlighted is given to somebody else.
    await page.keyboard.press('Shift+A');
    await dialog.waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard.type('Ben');
    await page.getByRole('option', { name: 'Ben' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await page.getByText('1 recording assigned to Ben').waitFor();
    await page.getByRole('heading', { name: 'Assigned to others' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Assigned to you' }).count()).toBe(0);
  });
});
