import fs from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { interceptRequests } from '../../support/intercept.ts';
import { annotationOf } from '../../support/studio-annotate.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { annotatePage } from '../../support/studio-pages.ts';
import { makeRecording } from '../../support/studio-recording.ts';

/** Gestures that cannot be stored and pictures that cannot be shown: the reason is shown, and each button works. */

const studio = studioFixture();
let ws: string;
beforeAll(async () => {
  ws = await studio.newWorkspace();
});

/** The studio answers, but fails for another reason than the gesture: as a defect of ours would. */
const message = 'The studio made an error of its own.';
const fail = (route: Route) =>
  route.fulfill({
    status: 500,
    contentType: 'application/json',
    body: JSON.stringify({
      json: {
        defined: false,
        code: 'INTERNAL_SERVER_ERROR',
        status: 500,
        message,
        data: { code: 'INTERNAL', message },
      },
      meta: [],
    }),
  });
const APPLY = '**/annotation/apply*';

async function begin(id: string) {
  const made = await makeRecording(studio.recordings, { id, steps: 6 });
  const { page, context, faults } = await studio.open({}, `/w/${ws}/recordings/${made.id}`);
  const work = await annotatePage(page, studio.server, ws, made.id);
  const clicks = work.opened.steps.flatMap(({ kind }, n) => (kind === 'click' ? [n] : []));
  const elements = async () => {
    const { view } = await annotationOf({ server: studio.server, ws, recording: made.id });
    return clicks.slice(0, 2).map((n) => view.steps[n]?.label?.element ?? null);
  };
  const nameTwo = async () => {
    for (const [at, name] of ['First', 'Second'].entries()) {
      await work.goTo(clicks[at] ?? -1);
      await work.name(name);
    }
  };
  return { page, context, faults, work, clicks, elements, nameTwo };
}
const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'All changes saved' });
const banner = (page: Page) => page.getByRole('alert').filter({ hasText: 'could not be stored in several tries' });

it('what fails again and again waits: it can be tried again and saved to a file, and nothing is dropped', async () => {
  const { page, context, faults, elements, nameTwo } = await begin('waits');
  await interceptRequests(page, APPLY, fail);
  await nameTwo();
  const alert = banner(page);
  await alert.waitFor();
  await alert.filter({ hasText: '2 changes wait here, and nothing was dropped' }).waitFor();
  expect(await alert.textContent()).toContain(message);
  expect(await axeViolations(page)).toEqual([]);
  expect(await elements()).toEqual([null, null]);

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    alert.getByRole('button', { name: 'Save what waits to a file' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('not-stored-waits.json');
  const kept = JSON.parse(fs.readFileSync(await file.path(), 'utf8'));
  expect(kept.recording).toBe('waits');
  expect(kept.gestures).toHaveLength(2);
  for (const name of ['First', 'Second']) expect(JSON.stringify(kept.gestures)).toContain(name);

  // As long as it fails it stays so.
  await Promise.all([page.waitForRequest(APPLY), alert.getByRole('button', { name: 'Try again' }).click()]);
  await alert.waitFor();
  expect(await elements()).toEqual([null, null]);

  await page.unroute(APPLY, fail);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await saved(page).waitFor();
  await alert.waitFor({ state: 'detached' });
  expect(await elements()).toEqual(['First', 'Second']);
  expect(faults).toEqual([]);
  await context.close();
});

it('left out, what stood in the way is gone by its name, and what waited behind it is stored', async () => {
  const { page, context, faults, work, clicks, elements, nameTwo } = await begin('left-out');
  // Only the first gesture fails, however often it comes.
  await interceptRequests(page, APPLY, (route) =>
    (route.request().postData() ?? '').includes('First') ? fail(route) : route.continue(),
  );
  await nameTwo();
  const alert = banner(page);
  await alert.waitFor();
  await alert.getByRole('button', { name: 'Leave it out' }).click();
  await page
    .getByText(/was left out\./)
    .first()
    .waitFor();
  await saved(page).waitFor();
  await alert.waitFor({ state: 'detached' });
  expect(await elements()).toEqual([null, 'Second']);
  await soon(() => work.label(clicks[0] ?? -1)).not.toContain('First');
  expect(faults).toEqual([]);
  await context.close();
});

it('a picture that cannot be shown says so, and is tried again', async () => {
  const made = await makeRecording(studio.recordings, { id: 'no-picture', steps: 3 });
  const { page, context, faults } = await studio.open();
  const FRAMES = '**/frames/*.png*';
  await page.route(FRAMES, (route) => route.fulfill({ status: 500, contentType: 'text/plain', body: 'no' }));
  await annotatePage(page, studio.server, ws, made.id);
  const alert = page.getByRole('alert').filter({ hasText: 'cannot be shown' });
  await alert.waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.unroute(FRAMES);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.locator('canvas[data-testid=picture][data-state=ready]').waitFor();
  await alert.waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
  await context.close();
});
