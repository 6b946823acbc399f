import { beforeAll, expect, it } from 'vitest';
import { nameElement, setBox } from '../../../core/annotate/edit.ts';
import { gesture } from '../../support/studio-annotate.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { annotatePage } from '../../support/studio-pages.ts';
import { makeRecording } from '../../support/studio-recording.ts';
import { addPeople, chooseByKeys, reviewOf } from '../../support/studio-review.ts';

/** Before work is submitted: what is missing, each gap a key away, and submitting all the same (N11). */

const studio = studioFixture();
let ws: string;
let ana: string;

beforeAll(async () => {
  ws = await studio.newWorkspace();
  [ana = ''] = await addPeople(studio.server, ws, 'Ana');
});

it('what is missing is listed before it is submitted, and mended by keyboard', { timeout: 240_000 }, async () => {
  const made = await makeRecording(studio.recordings, { id: 'gaps', steps: 4, marks: [2], width: 640, height: 360 });
  const where = { server: studio.server, ws, recording: made.id };
  const { page, context, faults } = await studio.open();
  /** The field or button with the focus, by its label. */
  const focused = () =>
    page.evaluate(() => {
      const now = document.activeElement;
      const [label] = now instanceof HTMLInputElement || now instanceof HTMLTextAreaElement ? (now.labels ?? []) : [];
      return label?.textContent ?? now?.textContent ?? '';
    });
  const missing = async () =>
    (await studio.api.annotation.missing({ ws, recording: made.id })).map(({ kind, step }) => `${kind} ${step}`);
  await page.goto(`${studio.origin}/w/${ws}/recordings/${made.id}`);
  await chooseByKeys(page, 'Ana');
  const work = await annotatePage(page, studio.server, ws, made.id);
  await soon(() => missing()).toEqual(expect.arrayContaining(['title 1', 'box 1', 'pixels 1']));
  const all = (await missing()).length;
  const badge = page.getByRole('button', { name: / missing$/ });
  await soon(() => badge.textContent()).toContain(`${all} missing`);
  for (let n = 0; n < 4; n++) await page.keyboard.press('Enter');

  // Submitting shows the list first, with the focus in it.
  await page.keyboard.press('Shift+H');
  const panel = page.getByRole('complementary', { name: 'What is missing' });
  await panel.getByText(`${all} things missing`).waitFor();
  const list = panel.getByRole('listbox');
  await soon(() => list.evaluate((one) => document.activeElement === one)).toBe(true);
  expect((await reviewOf(where, ana)).state).toBe('annotating');
  expect(await axeViolations(page)).toEqual([]);

  // Enter leads to the step and the field; F8 on to the next one.
  await page.keyboard.press('Enter');
  await soon(focused).toMatch(/Subtask 1/);
  await page.keyboard.type('Crop the picture');
  await page.keyboard.press('Enter');
  await soon(async () => (await missing()).includes('title 1')).toBe(false);
  await page.keyboard.press('F8');
  await soon(work.current).toBe(0);
  await soon(focused).toMatch(/Draw with keyboard/);
  await page.keyboard.press('Enter');
  for (const key of ['Space', 'Shift+ArrowRight', 'Shift+ArrowDown', 'Space']) await page.keyboard.press(key);
  await soon(async () => (await missing()).includes('box 1')).toBe(false);
  await page.keyboard.press('F8');
  await soon(focused).toMatch(/Element/);
  await page.keyboard.type('Crop tool');
  await page.keyboard.press('F8');
  // What was half typed is kept, and mends its gap.
  await soon(async () => (await missing()).includes('pixels 1')).toBe(false);
  await soon(work.current).toBe(1);
  await soon(() => badge.textContent()).toContain(`${all - 3} missing`);

  // What somebody else mends goes from the list by itself.
  const { id } = work.step(1);
  const box = { x: 5, y: 5, width: 30, height: 20 };
  await gesture(where, 'Draw box', ({ records }) => setBox(records, id, 'target', box, 'hand', 1));
  await gesture(where, 'Name element', ({ records }) => nameElement(records, id, 'Menu', 'hand'));
  await panel.getByText('1 thing missing').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });
  await page.keyboard.press('Shift+M');
  await panel.waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await soon(work.current).toBe(2);
  await soon(focused).toMatch(/Subtask 2/);
  await page.keyboard.press('Escape');

  // Submitted again, it is submitted with what is missing.
  await page.keyboard.press('Shift+H');
  await page.getByText(/^Submitted\./).waitFor();
  await soon(async () => (await reviewOf(where, ana)).state).toBe('annotated');
  await panel.waitFor({ state: 'hidden' });

  // The data set finds what is missing in it, and leaves it out where nothing may be missing.
  await page.goto(`${studio.origin}/w/${ws}/dataset?missing=title`);
  const rows = page.getByRole('grid', { name: 'Rows of the data set' }).getByRole('row');
  await soon(() => rows.count()).toBe(2);
  await page.getByText('missing: 1 title').waitFor({ state: 'attached' });
  await page.goto(`${studio.origin}/w/${ws}/dataset?missing=none`);
  await page.getByRole('button', { name: 'Missing: nothing' }).waitFor();
  await soon(() => rows.count()).toBeLessThanOrEqual(1);
  expect(faults).toEqual([]);
  await context.close();
});
