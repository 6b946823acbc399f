import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { NOVELS } from '../../../core/compositions/novels-for-tests.ts';
import { addRecording } from '../../../studio/datasets/workspace-for-tests.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { addPeople, chooseByKeys } from '../../support/studio-review.ts';

/** Four people verify a composition on the page: the design, two by themselves, one blind. */

const PEOPLE = ['Ada', 'Ben', 'Cem', 'Dea'];

const studio = studioFixture();
let ws: string;
beforeAll(async () => {
  ws = await studio.newWorkspace();
  await addPeople(studio.server, ws, ...PEOPLE);
  for (const name of PEOPLE.slice(0, 3))
    for (const n of [1, 2])
      await addRecording({ recordingsDir: studio.recordings }, { id: `${name.toLowerCase()}-${n}`, task: `GIMP_${n}` });
  const folder = path.join(path.dirname(studio.recordings), 'compositions');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'novels.json'), JSON.stringify(NOVELS));
  await studio.api.recordings.list({ ws });
});

const as = (name: string, work: (page: Page) => Promise<void>): Promise<void> =>
  studio.inWindow(`/w/${ws}/compositions/novels/verify`, async (page) => {
    await chooseByKeys(page, name);
    // What they can take is there.
    await page
      .getByRole('button', { name: /^Take it/ })
      .first()
      .waitFor();
    await work(page);
  });
const standing = async () =>
  (await studio.api.compositions.verification({ ws, composition: 'novels' })).standing.stages.map(({ done }) => done);

/** Answers both questions with recordings of their own, and hands in. */
async function answers(page: Page, name: string, year: string): Promise<void> {
  for (const [n, label, text] of [
    [1, 'Answer: name', 'Kafka'],
    [2, 'Answer: year', year],
  ] as const) {
    await page.getByRole('textbox', { name: label }).fill(text);
    await page
      .getByRole('combobox', { name: 'Recording' })
      .nth(n - 1)
      .fill(`${name.toLowerCase()}-${n}`);
    await page.getByRole('option', { name: `${name.toLowerCase()}-${n}` }).click();
  }
  await page.keyboard.press('Control+Enter');
}

it('each stage is done by others, who see what their stage shows; then it is verified, with a human row', async () => {
  await as('Ada', async (page) => {
    await page.keyboard.press('1');
    await page.getByRole('region', { name: 'Your work' }).waitFor();
    await answers(page, 'Ada', '1883');
    await soon(standing).toEqual([['Ada'], [], []]);
    // The author cannot verify it, too.
    await page.keyboard.press('2');
    await page.keyboard.press('3');
    expect(await page.getByRole('region', { name: 'Your work' }).count()).toBe(0);
  });
  for (const name of ['Ben', 'Cem'])
    await as(name, async (page) => {
      await page.keyboard.press('2');
      await page.getByRole('region', { name: 'Your work' }).waitFor();
      // They see the questions, and neither the true answers nor those of others.
      await page.getByText('Who wrote The Trial?').waitFor();
      expect(await page.getByText(/Kafka|1883/).count()).toBe(0);
      await answers(page, name, '1883');
      await soon(async () => (await standing())[1]).toContain(name);
    });
  await as('Dea', async (page) => {
    // Nothing of it is shown to somebody who may still do it blind.
    await page.getByText('No more is shown here until you open the composition').waitFor();
    await page.keyboard.press('3');
    await page.getByRole('region', { name: 'Your work' }).getByText('When was the author of The Trial born?').waitFor();
    expect(await page.getByText(/Who wrote|Kafka|1883/).count()).toBe(0);
    await page.getByRole('textbox', { name: 'What you found' }).fill('Kafka\n1883');
    await page.keyboard.press('Control+Enter');
    await soon(standing).toEqual([['Ada'], ['Ben', 'Cem'], ['Dea']]);
    // Now all of it is there, side by side, with the human row.
    const table = page.getByRole('table').filter({ hasText: 'True' });
    await table.getByRole('columnheader', { name: /Ben/ }).waitFor();
    expect(await page.getByRole('img', { name: 'Differs' }).count()).toBe(0);
  });
  const shown = await studio.api.compositions.verification({ ws, composition: 'novels' });
  expect(shown.standing.verified).toBe(true);
  const human = shown.tables.find(({ title }) => title.includes('human row'));
  expect(human?.rows[1]?.slice(0, 4)).toEqual(['human', '1', '1', '100.0']);
});
