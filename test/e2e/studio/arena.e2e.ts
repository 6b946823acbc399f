import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addRun } from '../../../studio/datasets/run-for-tests.ts';
import { addRecording } from '../../../studio/datasets/workspace-for-tests.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { addPeople, chooseByKeys } from '../../support/studio-review.ts';
import { until } from '../../support/until.ts';

/** The arena by keys alone: outcomes are ranked without names, which come when a person has ranked all that is there. */

const studio = studioFixture();
let ws = '';
const NAMES = /m-[123]|r-(?:one|two|three)|direct/;

beforeAll(async () => {
  const workspace = { recordingsDir: studio.recordings };
  ws = await studio.newWorkspace();
  await addRecording(workspace, { id: 'shown', task: 'GIMP_1' });
  await addRun(workspace, { id: 'r-one', passed: true, model: 'm-1', answer: 'Forty-two' });
  await addRun(workspace, { id: 'r-two', passed: false, model: 'm-2' });
  await addRun(workspace, { id: 'r-three', passed: false, model: 'm-3' });
  await addPeople(studio, ws, 'Ana', 'Ben');
  await until('the runs', async () => (await studio.api.runs.list({ ws })).runs.length === 3);
}, 300_000);

const shownText = (page: Page): Promise<string> => page.locator('main').innerText();

/** Ranks what was answered first, the other two as good as each other. Gives the letters, the best first. */
async function rank(page: Page): Promise<string[]> {
  const answered = page.getByRole('figure').filter({ hasText: 'It answered: “Forty-two”' });
  const [, best = ''] = /^Outcome ([A-C])/.exec(await answered.getByRole('button').innerText()) ?? [];
  const [second = '', third = ''] = ['A', 'B', 'C'].filter((letter) => letter !== best);
  await page.keyboard.press(best.toLowerCase());
  await page.keyboard.press(second.toLowerCase());
  await page.keyboard.press(`Shift+${third}`);
  await page
    .getByRole('status')
    .filter({ hasText: `${best} > ${second} = ${third}` })
    .waitFor();
  return [best, second, third];
}

it('a person ranks by keys, sees names only then, takes it back and ranks again', async () => {
  await studio.inWindow(`/w/${ws}/runs`, async (page) => {
    await chooseByKeys(page, 'Ana');
    await page.keyboard.press('r');
    await page.getByText('0 ranked by you, 1 left').waitFor();
    await soon(() => page.getByRole('figure').count()).toBe(4);
    expect(await shownText(page)).not.toMatch(NAMES);
    expect(await axeViolations(page)).toEqual([]);
    const [best, second, third] = await rank(page);
    // One that was placed wrong is taken back, and placed behind.
    await page.keyboard.press('Backspace');
    await page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${best} > ${second}$`) })
      .waitFor();
    await page.keyboard.press(third!.toLowerCase());
    await page
      .getByRole('status')
      .filter({ hasText: `${best} > ${second} > ${third}` })
      .waitFor();
    await page.keyboard.press('Enter');
    const table = page.getByRole('table');
    await table.getByRole('row', { name: /^direct m-1 1\.00/ }).waitFor();
    await page.getByText(/^1 ranking by 1 person\..*nothing can be said of how far people agree\.$/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('u');
    await page.getByText('0 ranked by you, 1 left').waitFor();
    expect(await shownText(page)).not.toMatch(NAMES);
    // What was placed is there still: whoever presses a letter again puts it behind the others.
    await rank(page);
    await page.keyboard.press('Enter');
    await table.getByRole('row', { name: /^direct m-1 1\.00/ }).waitFor();
    for (const model of ['m-2', 'm-3'])
      await table.getByRole('row', { name: new RegExp(`^direct ${model} 2\\.50`) }).waitFor();
  });
});

it('another person sees no names before they have ranked, and then how far the two agree', async () => {
  await studio.inWindow(`/w/${ws}/arena`, async (page) => {
    await chooseByKeys(page, 'Ben');
    await page.getByText('0 ranked by you, 1 left').waitFor();
    await soon(() => page.getByRole('figure').count()).toBe(4);
    expect(await shownText(page)).not.toMatch(NAMES);
    await rank(page);
    await page.keyboard.press('Enter');
    await page.getByText(/^2 rankings by 2 people\..*Agreement \(Kendall’s W, 0 to 1\): 1\.00\.$/).waitFor();
  });
});
