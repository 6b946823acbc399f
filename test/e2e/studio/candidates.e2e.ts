import { beforeAll, expect, it } from 'vitest';
import { type ScriptedAnswer, startModelServer } from '../../../studio/models/model-server-for-tests.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { makeRecording } from '../../support/studio-recording.ts';

/** Candidates of the steps of a recording: asked for in the page, and judged there by key. */

const studio = studioFixture();
let ws = '';

beforeAll(async () => {
  await makeRecording(studio.recordings, { id: 'made', steps: 3, width: 640, height: 360 });
  ws = await studio.newWorkspace();
}, 300_000);

it('a model is asked in the page from the list of recordings; people say by key what is right', async () => {
  const { steps } = await studio.api.recordings.open({ ws, recording: 'made' });
  let n = 0;
  const server = await startModelServer((): ScriptedAnswer => {
    const [x, y] = steps[0]!.start;
    // The first step's first answer is right, all others press what nobody pressed.
    return { kind: 'answer', text: n++ === 0 ? `pyautogui.click(${x}, ${y})` : 'pyautogui.press("f9")' };
  });
  try {
    await studio.inWindow(`/w/${ws}/recordings`, async (page) => {
      await page
        .getByRole('row', { name: /made|GIMP/ })
        .first()
        .click();
      await page.keyboard.press('c');
      await page.getByText('No candidates yet').waitFor();
      await page.keyboard.press('a');
      const dialog = page.getByRole('dialog', { name: 'Ask for candidates' });
      await dialog.getByText(/^To the endpoint go, 16 times for each step/).waitFor();
      await dialog.getByRole('textbox', { name: 'Endpoint' }).fill(server.url);
      await dialog.getByRole('textbox', { name: 'Model' }).fill('scripted');
      await dialog.getByRole('textbox', { name: 'Answers to each step' }).fill('2');
      expect(await axeViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: /^Send it and ask/ }).click();
      await dialog.getByRole('button', { name: /^Done/ }).click();
      const rows = page.getByRole('table').getByRole('row');
      await soon(() => rows.count()).toBe(1 + 2 * steps.length);
      await page.getByText('Reward 1.00: how much of what it does the person did, too').waitFor();
      // The screen before the step is shown.
      await soon(() =>
        page
          .getByRole('img', { name: 'The screen before the step' })
          .evaluate((img: HTMLImageElement) => img.naturalWidth),
      ).toBeGreaterThan(0);
      expect(await axeViolations(page)).toEqual([]);
      // The first is right, the second is not; after a word the next one has the keys.
      await page.keyboard.press('y');
      await page.getByText('Reward 0.00: how much of what it does the person did, too').waitFor();
      await page.keyboard.press('n');
      await soon(async () => (await list()).slice(0, 2).map(({ people }) => people)).toEqual([1, 0]);
      await page.keyboard.press('k');
      await page.keyboard.press('Backspace');
      await soon(async () => (await list()).slice(0, 2).map(({ people }) => people)).toEqual([1, null]);
      await soon(() => rows.nth(1).innerText()).toMatch(/1\.00\s+–\s+1\.00/);
    });
  } finally {
    await server.close();
  }
  expect(server.asked).toHaveLength(2 * steps.length);
});

const list = () => studio.api.candidates.of({ ws, recording: 'made' });
