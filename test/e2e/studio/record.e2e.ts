import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp } from '../../support/apps.ts';
import { startDisplay, type VirtualDisplay } from '../../support/display.ts';
import { chord, click, handsFor, perform, press, type } from '../../support/person.ts';
import { SHORTCUTS } from '../../support/shortcuts.ts';
import { openStudio } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { annotatePage } from '../../support/studio-pages.ts';
import { startServer, studioHome } from '../../support/studio-server.ts';

/** Recording from the page: choose, count down, work, mark, pause, stop; then the steps are there to be annotated. */

let display: VirtualDisplay;
beforeAll(async () => {
  display = await startDisplay({ width: 1280, height: 800 });
});
// Hooks that come first end last: the display is there as long as the studio.
afterAll(() => display?.stop());
const studio = studioFixture({ env: () => display.env });
let ws: string;
let task: string;
beforeAll(async () => {
  ws = await studio.newWorkspace();
  task = (await studio.api.tasks.create({ ws, software: 'gimp', goal: 'Write a note' })).id;
});

it('records a display from the page and goes straight on to annotation, where the steps are', {
  timeout: 180_000,
}, async () => {
  const app = await startApp(display, 'mousepad', { x: 100, y: 80, width: 900, height: 600 });
  const { x, y } = await app.bounds();
  const hands = await handsFor(display, 'human');
  const { page, context, faults } = await studio.open();
  await page.goto(`${studio.origin}/w/${ws}/tasks/${task}/record`);
  await page.getByRole('heading', { name: 'What to record' }).waitFor();
  await page.getByLabel('Countdown, seconds').fill('2');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: 'Countdown' }).waitFor();
  const live = page.getByRole('region', { name: 'Recording' });
  await live.getByText('Recording', { exact: true }).waitFor({ timeout: 40_000 });

  await perform(display, hands, [click(x + 300, y + 200), type('Milk'), press('Enter')]);
  await perform(display, hands, [chord(...SHORTCUTS.mark)]);
  await perform(display, hands, [click(x + 320, y + 260), type('Bread')]);
  await soon(() => live.locator('dl').textContent()).toMatch(/Marks\s*1/);
  await live.getByRole('button', { name: /^Pause/ }).click();
  await live.getByText('Paused', { exact: true }).waitFor();
  await perform(display, hands, [type(' nobody sees this')]);
  await live.getByRole('button', { name: /^Go on/ }).click();
  await live.getByText('Recording', { exact: true }).waitFor();
  await perform(display, hands, [chord('ctrl', 'a')]);
  await live.getByRole('button', { name: /^Stop/ }).click();

  await page.getByRole('tree', { name: 'Subtasks and steps' }).waitFor({ timeout: 60_000 });
  const [recording] = await studio.api.recordings.list({ ws });
  const annotate = await annotatePage(page, studio.server, ws, recording!.id);
  const { steps, marks, verdict } = annotate.opened;
  expect(verdict?.kind).toBe('complete');
  expect(steps.map(({ kind, text, keys }) => text ?? keys?.join('+') ?? kind)).toEqual([
    ...['click', 'Milk', 'Enter', 'click', 'Bread', 'ctrl+a'],
  ]);
  expect(marks).toHaveLength(1);
  await page.locator('canvas[data-testid=picture][data-state=ready]').waitFor();
  await annotate.name('Text');
  await soon(() => annotate.label(0)).toContain('Text');
  const { records } = await studio.api.annotation.get({ ws, recording: recording!.id });
  expect(records.filter(({ kind }) => kind === 'subtask')).toHaveLength(2);
  expect(faults).toEqual([]);
  await context.close();
});

it('says what is missing before it begins: no display', async () => {
  const other = studioHome();
  const { DISPLAY: _, ...env } = process.env;
  const blind = await startServer({ home: other.home, env: { ...env, DISPLAY: '' } });
  try {
    const { id } = await blind.api.workspaces.open({ dir: other.dir('workspace'), create: true });
    await blind.api.tasks.create({ ws: id, software: 'gimp', goal: 'Nothing', id: 'GIMP_1' });
    const { page, context } = await openStudio(studio.browser, blind.address);
    await page.goto(`${blind.origin}/w/${id}/tasks/GIMP_1/record`);
    await page
      .getByText(/DISPLAY/)
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: /^Start recording/ }).isDisabled()).toBe(true);
    await context.close();
  } finally {
    await blind.stop();
    other.remove();
  }
});
