import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { annotationOf } from '../../support/studio-annotate.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { annotatePage } from '../../support/studio-pages.ts';
import { settled } from '../../support/studio-tour.ts';

/** How much room the picture has on the annotation page, and that nothing around it wraps, jumps or shouts. */

const studio = studioFixture();
let at: { ws: string; recording: string };

beforeAll(async () => {
  const { id: ws } = await studio.api.workspaces.openSample();
  const [row] = await studio.api.recordings.list({ ws });
  at = { ws, recording: row?.id ?? '' };
});

async function opened(width: number, height: number) {
  const watched = await studio.open({ width, height }, `/w/${at.ws}/recordings/${at.recording}`);
  const work = await annotatePage(watched.page, studio.server, at.ws, at.recording);
  await settled(watched.page);
  return { ...watched, work };
}

const capsInView = (page: Page): Promise<number> =>
  page.evaluate(() => [...document.querySelectorAll('kbd')].filter((one) => one.checkVisibility()).length);

it('at 1366 x 768 the picture has half of the window under a single bar, and at most twelve key caps are in view', async () => {
  const { page, context, work, faults } = await opened(1366, 768);
  const kinds = new Set<string>();
  for (let n = 0; n < work.opened.steps.length; n++) {
    await work.goTo(n);
    kinds.add(work.step(n).kind);
    await settled(page);
    const stage = await page.getByTestId('picture').boundingBox();
    const share = ((stage?.width ?? 0) * (stage?.height ?? 0)) / (1366 * 768);
    expect({ n, enough: share >= 0.5, share }).toMatchObject({ n, enough: true });
    expect({ n, top: stage?.y }).toEqual({ n, top: expect.toSatisfy((y: number) => y < 80) });
    expect(await capsInView(page)).toBeLessThanOrEqual(12);
    // The narration is in sight whatever the form above it holds.
    const narration = await page.getByRole('textbox', { name: 'Narration' }).boundingBox();
    expect((narration?.y ?? 9999) + (narration?.height ?? 0)).toBeLessThan(768 - 80);
  }
  expect([...kinds].sort()).toEqual(expect.arrayContaining(['click', 'drag', 'press', 'type']));

  // All of them while Alt is held; nothing moves.
  const before = await page.getByTestId('picture').boundingBox();
  await page.keyboard.down('Alt');
  await page.locator('html[data-keys=held]').waitFor();
  expect(await capsInView(page)).toBeGreaterThan(30);
  expect(await page.getByTestId('picture').boundingBox()).toEqual(before);
  await page.keyboard.up('Alt');
  await page.locator('html:not([data-keys])').waitFor();
  expect(await capsInView(page)).toBeLessThanOrEqual(12);
  expect(faults).toEqual([]);
  await context.close();
});

it.each([
  [1024, 700],
  [1366, 768],
  [2560, 1440],
])('at %i x %i every bar is one line and nothing is cut', async (width, height) => {
  const { page, context, work, faults } = await opened(width, height);
  for (const state of ['open', 'done'] as const) {
    if (state === 'done') {
      // The words of the buttons change with the state of the step; the bar does not.
      await work.goTo(0);
      await page.keyboard.press('d');
      await page.locator('[data-testid=step-state][data-state=done]').waitFor();
    }
    expect(await page.evaluate(barsThatWrap)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await page.keyboard.press('d');
  await page.locator('[data-testid=step-state][data-state=open]').waitFor();
  // The next window begins with what is stored.
  await soon(async () => (await annotationOf({ server: studio.server, ...at })).view.steps[0]?.state).toBe('open');
  expect(faults).toEqual([]);
  await context.close();
});

it('rows show their element and say when and where; the filmstrip shows the frame under the pointer', async () => {
  const { page, context, work, faults } = await opened(1366, 768);
  await page.locator('img[data-testid=thumbnail]').first().waitFor();
  const rows = await page
    .locator('[role=treeitem][aria-level="2"] [data-text]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-text') ?? ''));
  const { window } = work.step(0);
  expect(rows.some((text) => /^0:0\d · /.test(text) && text.endsWith(window ?? ''))).toBe(true);

  const film = await page.getByRole('slider', { name: 'Time in the recording' }).boundingBox();
  await page.mouse.move((film?.x ?? 0) + 500, (film?.y ?? 0) + 25);
  await page
    .getByTestId('film-preview')
    .getByText(/^frame \d+ · 0:/)
    .waitFor();
  await page.locator('[data-testid=film-preview] canvas:not([hidden])').waitFor();
  await page.mouse.move((film?.x ?? 0) + 500, (film?.y ?? 0) - 200);
  await page.getByTestId('film-preview').waitFor({ state: 'hidden' });
  expect(faults).toEqual([]);
  await context.close();
});

it('a box is drawn below a message, which nearly vanishes where the pointer comes', async () => {
  const { page, context, work, faults } = await opened(1366, 768);
  await work.goTo(0);
  await page.keyboard.press('5');
  const message = page.getByText('No suggestion 5 for this step.');
  const { x, y, width, height } = (await message.boundingBox())!;
  const line = message.locator('..');
  const shows = (): Promise<number> => line.evaluate((element) => Number(getComputedStyle(element).opacity));
  expect(await shows()).toBe(1);
  await page.mouse.move(x + 10, y + 4);
  await soon(shows).toBeLessThan(0.5);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height, { steps: 4 });
  await page.mouse.up();
  await soon(async () => (await annotationOf({ server: studio.server, ...at })).view.steps[0]?.target?.source).toBe(
    'hand',
  );
  // Away from it, it shows again and can be closed.
  await page.mouse.move(x + width / 2, 300);
  await soon(shows).toBe(1);
  await page.getByRole('button', { name: 'Close the message' }).click();
  await message.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await soon(
    async () => (await annotationOf({ server: studio.server, ...at })).view.steps[0]?.target ?? null,
  ).toBeNull();
  expect(faults).toEqual([]);
  await context.close();
});

it.each([
  [1024, 700],
  [1366, 768],
])('at %i x %i a message lies over no control, and goes with the step that it speaks of', async (width, height) => {
  const { page, context, work, faults } = await opened(width, height);
  await work.goTo(0);
  await page.keyboard.press('5');
  const message = page.getByText('No suggestion 5 for this step.');
  await message.waitFor();
  expect(await message.evaluate(controlsUnder)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await message.waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
  await context.close();
});

it('the panes follow the window, until somebody makes them as wide as they want', async () => {
  const { page, context, faults } = await opened(1366, 768);
  const list = page.getByRole('separator', { name: 'Width of the list' });
  const left = async () => Math.round((await list.boundingBox())?.x ?? 0);
  const narrow = await left();
  await page.setViewportSize({ width: 2560, height: 1440 });
  await soon(left).toBeGreaterThan(narrow);
  await list.focus();
  await page.keyboard.press('ArrowRight');
  await soon(left).toBeGreaterThan(300);
  const chosen = await left();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await settled(page);
  expect(await left()).toBe(chosen);
  expect(faults).toEqual([]);
  await context.close();
});

it('in the dark nothing around the picture is bright', async () => {
  const { page, context } = await opened(1366, 768);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  const stage = page.getByTestId('picture').locator('xpath=..');
  const [r, g, b] = await stage.evaluate((one) =>
    (getComputedStyle(one).backgroundColor.match(/\d+/g) ?? []).map(Number),
  );
  expect(Math.max(r ?? 255, g ?? 255, b ?? 255)).toBeLessThan(80);
  await context.close();
});

it('a finger draws a box, and the picture does not scroll away under it', async () => {
  const { page, context, work, faults } = await opened(1366, 768);
  await work.goTo(0);
  const { x, y } = await work.stageArea();
  const hand = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: { x: number; y: number }[]) =>
    hand.send('Input.dispatchTouchEvent', { type, touchPoints: at });
  await touch('touchStart', { x: x + 120, y: y + 90 });
  for (const far of [20, 60, 100]) await touch('touchMove', { x: x + 120 + far, y: y + 90 + far / 2 });
  await touch('touchEnd');
  const box = async () => (await annotationOf({ server: studio.server, ...at })).view.steps[0]?.target;
  const picture = page.getByTestId('picture');
  const scale = Number(await picture.getAttribute('data-scale'));
  await soon(async () => Math.round((((await box())?.box.width ?? 0) * scale) / 10)).toBe(10);
  expect((await box())?.source).toBe('hand');
  await page.keyboard.press('Control+z');
  await soon(async () => (await box())?.source).not.toBe('hand');
  expect(faults).toEqual([]);
  await context.close();
});

/** Controls beside each other that stand on another line, over each other, or outside the window. */
function barsThatWrap(): string[] {
  const wrong: string[] = [];
  const bars = new Map<string, string>([
    ['top', 'body header'],
    ['picture', '[data-bar=picture]'],
    ['list', '[data-bar=list]'],
    ['step', '[data-bar=step]'],
  ]);
  for (const [name, selector] of bars) {
    const bar = document.querySelector(selector);
    if (!bar) {
      wrong.push(`${name}: not there`);
      continue;
    }
    const room = bar.getBoundingClientRect();
    const boxes = [...bar.querySelectorAll('button, select, h1')]
      .filter((one) => one.checkVisibility())
      .map((one) => ({ said: one.textContent, box: one.getBoundingClientRect() }));
    if (boxes.length < 3) wrong.push(`${name}: ${boxes.length} controls`);
    if (room.height > 48) wrong.push(`${name}: ${room.height} px high`);
    for (const { said, box } of boxes) {
      if (box.left < room.left - 1 || box.right > room.right + 1) wrong.push(`${name}: ${said} is cut`);
      if (box.top < room.top - 1 || box.bottom > room.bottom + 1) wrong.push(`${name}: ${said} is on another line`);
      const over = boxes.find((other) => other.box.left > box.left && other.box.left < box.right - 1);
      if (over) wrong.push(`${name}: ${over.said} lies over ${said}`);
    }
  }
  return wrong;
}

/** Controls that a message lies over. */
function controlsUnder(words: Element): string[] {
  const message = words.parentElement;
  const own = message?.getBoundingClientRect();
  if (!message || !own) return ['there is no message'];
  return [...document.querySelectorAll('button, a, input, textarea, select, [role=treeitem], [role=slider]')]
    .filter((one) => !message.contains(one) && one.checkVisibility())
    .filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return left < own.right && right > own.left && top < own.bottom && bottom > own.top;
    })
    .map((one) => one.getAttribute('aria-label') ?? one.textContent ?? one.tagName);
}
