import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { annotationOf } from '../../support/studio-annotate.ts';
import { axeViolations, still } from '../../support/studio-browser.ts';
import { draftFor } from '../../support/studio-drafts.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { annotatePage } from '../../support/studio-pages.ts';
import { makeRecording } from '../../support/studio-recording.ts';
import { cellBox, cellName } from '../../support/studio-scene.ts';

/** All boxes of a recording in one view: seen, judged and mended by keys alone, among hundreds of steps. */

const STEPS = 600;
const SCENE = { width: 640, height: 360 };
const studio = studioFixture();
let ws: string;

beforeAll(async () => {
  ws = await studio.newWorkspace();
  await makeRecording(studio.recordings, {
    id: 'many',
    steps: STEPS,
    pictures: 'plain',
    ...SCENE,
    elementAt: ({ cell }, n) => (n < 8 ? { name: cellName(cell), role: 'button', bounds: cellBox(SCENE, cell) } : null),
  });
});

const stepOf = async (n: number) =>
  (await annotationOf({ server: studio.server, ws, recording: 'many' })).view.steps[n];
const tile = (page: Page, n: number) => page.locator(`#tile-${n}`);
const inHand = (page: Page) => page.locator('[role=gridcell][aria-current=step]');

it('shows every step’s box, takes, moves and removes boxes by keys, opens one and comes back to its place', async () => {
  const { page, context, faults } = await studio.open();
  const work = await annotatePage(page, studio.server, ws, 'many');
  const sheet = page.getByRole('grid', { name: 'All boxes' });
  await page.keyboard.press('Shift+G');
  await sheet.waitFor();
  // Of hundreds of steps the tiles in sight are there, each with its crop.
  await tile(page, 0).getByTestId('tile-picture').waitFor();
  expect(await page.getByRole('gridcell').count()).toBeLessThan(60);
  expect(await axeViolations(page)).toEqual([]);

  // The program told the first step's element: Enter takes it and goes on.
  await tile(page, 0).locator('[data-box=filled]').waitFor();
  await page.keyboard.press('Enter');
  await soon(() => work.current()).toBe(1);
  await soon(async () => (await stepOf(0))?.target?.source).toBe('accessibility');
  expect(await tile(page, 0).getAttribute('aria-label')).toContain('accessibility tree, done');

  // The box of the first is moved by keys, and stays in its tile.
  await page.keyboard.press('ArrowLeft');
  const before = (await stepOf(0))?.target?.box;
  await page.keyboard.press('b');
  await tile(page, 0).and(page.locator('[data-adjusting]')).waitFor();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await soon(async () => (await stepOf(0))?.target?.box).toEqual({
    ...before,
    x: (before?.x ?? 0) + 10,
    y: (before?.y ?? 0) + 1,
  });
  expect(await sheet.isVisible()).toBe(true);

  // Rows and columns by the arrows; the end of a long recording at once.
  const columns = Number(await sheet.getAttribute('aria-colcount'));
  expect(columns).toBeGreaterThan(2);
  await page.keyboard.press('ArrowDown');
  await soon(() => work.current()).toBe(columns);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await soon(() => work.current()).toBe(STEPS - 1);
  await inHand(page).waitFor();
  await inHand(page).getByTestId('tile-picture').or(inHand(page).locator('svg')).first().waitFor();
  expect(await page.getByRole('gridcell').count()).toBeLessThan(60);

  // A box from its corners needs the large picture: it opens there, and Escape comes back to the same place.
  await page.keyboard.press('ArrowUp');
  const at = await work.current();
  const top = await sheet.evaluate((list) => list.scrollTop);
  await page.keyboard.press('b');
  await sheet.waitFor({ state: 'detached' });
  await page.getByTestId('picture').waitFor();
  await page.keyboard.press('Space');
  for (const key of ['Shift+ArrowRight', 'Shift+ArrowDown']) await page.keyboard.press(key);
  await page.keyboard.press('Space');
  await soon(async () => (await stepOf(at))?.target?.source).toBe('hand');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await sheet.waitFor();
  await soon(() => sheet.evaluate((list) => list.scrollTop)).toBe(top);
  expect(await work.current()).toBe(at);
  expect(await tile(page, at).getAttribute('aria-label')).toContain('by hand');

  // Removing, and undo, as on the list.
  await page.keyboard.press('Delete');
  await soon(async () => (await stepOf(at))?.target).toBeNull();
  await page.keyboard.press('Control+z');
  await soon(async () => (await stepOf(at))?.target?.source).toBe('hand');

  // Only those without a box; then the page as it was.
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+O');
  await page.keyboard.press('Shift+O');
  await tile(page, 1).waitFor();
  await page.keyboard.press('ArrowRight');
  await soon(() => work.current()).toBe(1);
  await soon(() => tile(page, 0).count()).toBe(0);
  await still(page);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await page.getByTestId('picture').waitFor();
  expect(await page.getByRole('tree', { name: 'Subtasks and steps' }).evaluate((list) => list.matches(':focus'))).toBe(
    true,
  );
  expect(faults).toEqual([]);
  await context.close();
});

it('drafts of a model are taken, edited, refused and put back at their fields, by keys', async () => {
  const made = await makeRecording(studio.recordings, { id: 'drafted', steps: 3, ...SCENE });
  await draftFor(studio.recordings, made.id, {
    what: ['names', 'narrations', 'thoughts', 'subtasks'],
    text: (field, step) => `${field} of ${step}`,
    doubt: (text) => (text === 'narration of 1' ? 'It says Open.' : null),
  });
  const drafted = async (n: number) =>
    (await annotationOf({ server: studio.server, ws, recording: made.id })).view.steps[n];
  const { page, context, faults } = await studio.open();
  await annotatePage(page, studio.server, ws, made.id);
  const draft = (field: string) => page.locator(`[data-draft=${field}]`);
  await draft('element').getByText('element of 1').waitFor();
  await draft('narration').getByText('Doubted by reader: It says Open.').waitFor();
  expect(await axeViolations(page)).toEqual([]);

  await page.keyboard.press('6');
  await soon(async () => (await drafted(0))?.label?.drafted?.element?.edited).toBe(false);
  await page.getByText('draft', { exact: true }).first().waitFor();
  await page.keyboard.press('7');
  const back = page.locator('[data-draft-refused=narration]').getByRole('button', { name: 'Put back' });
  await back.waitFor();
  await soon(async () => (await studio.api.drafts.of({ ws, recording: made.id })).map(({ state }) => state)).toContain(
    'rejected',
  );
  await back.click();
  await draft('narration').getByText('narration of 1').waitFor();
  // Taken and written on.
  await page.keyboard.press('6');
  await page.keyboard.press('n');
  await page.keyboard.press('End');
  await page.keyboard.type(', mine');
  await page.keyboard.press('Enter');
  await soon(async () => (await drafted(0))?.label).toMatchObject({
    element: 'element of 1',
    narration: 'narration of 1, mine',
    drafted: { narration: { draft: expect.any(String), by: expect.stringMatching(/^scripted@/), edited: true } },
  });
  expect(await axeViolations(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});
