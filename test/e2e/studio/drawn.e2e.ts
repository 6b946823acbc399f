import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { drawnSince, watchDrawing } from '../../support/drawn.ts';
import { still } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { annotatePage } from '../../support/studio-pages.ts';
import { makeRecording } from '../../support/studio-recording.ts';
import { addPeople, annotateAndHandIn, chooseByKeys, reviewPage } from '../../support/studio-review.ts';
import { until } from '../../support/until.ts';

/**
 * Going on by a step draws what shows the step, not the page: with the whole page the next picture came 50 ms later. Counted
 * in components that are drawn, which no machine makes more or less of.
 */

const studio = studioFixture();
let ws: string;

beforeAll(async () => {
  ws = await studio.newWorkspace();
});

/** What is drawn until nothing more is: the form follows the picture, the address both. */
async function allDrawn(page: Page): Promise<{ drawn: number; components: number }> {
  let drawn = 0;
  for (;;) {
    await still(page);
    const since = await drawnSince(page);
    if (since.drawn === 0) return { ...since, drawn };
    drawn += since.drawn;
  }
}

/** Components that a key draws, all that follows it too, as a part of those that the page has: the middle one of five keys. */
async function drawnByKey(page: Page, key: string): Promise<number> {
  const parts: number[] = [];
  for (let n = 0; n < 5; n++) {
    // What the key before left behind is not counted.
    await allDrawn(page);
    await page.keyboard.press(key);
    await until('the key to draw something', async () => (await drawnSince(page, 'again')).drawn > 0);
    const { drawn, components } = await allDrawn(page);
    expect(drawn).toBeGreaterThan(0);
    parts.push(drawn / components);
  }
  return parts.toSorted((a, b) => a - b)[2] ?? Number.NaN;
}

it('the next step of an annotation', async () => {
  const { id } = await makeRecording(studio.recordings, { id: 'drawn', steps: 12 });
  const { page, context, faults } = await studio.open();
  await watchDrawing(page);
  await annotatePage(page, studio.server, ws, id);
  expect(await drawnByKey(page, 'ArrowDown')).toBeLessThan(0.5);
  expect(faults).toEqual([]);
  await context.close();
});

it('the next item of a review', async () => {
  const made = await makeRecording(studio.recordings, { id: 'drawn-review', steps: 12 });
  const [ana = ''] = await addPeople(studio.server, ws, 'Ana', 'Ben');
  const place = { server: studio.server, ws, recording: made.id };
  await annotateAndHandIn(place, ana, made);
  const { page, context, faults } = await studio.open();
  await watchDrawing(page);
  await page.goto(`${studio.origin}/w/${ws}`);
  await chooseByKeys(page, 'Ben');
  await reviewPage(page, studio.server, ws, made.id);
  expect(await drawnByKey(page, 'ArrowDown')).toBeLessThan(0.5);
  expect(faults).toEqual([]);
  await context.close();
});
