import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wavHeader } from '../../../studio/recordings/voice-file.ts';
import { startApp } from '../../support/apps.ts';
import { startDisplay, type VirtualDisplay } from '../../support/display.ts';
import { chord, click, handsFor, perform, press, type } from '../../support/person.ts';
import { must } from '../../support/process.ts';
import { SHORTCUTS } from '../../support/shortcuts.ts';
import { axeViolations, openStudio } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { annotatePage } from '../../support/studio-pages.ts';
import { startServer, studioHome } from '../../support/studio-server.ts';
import { until } from '../../support/until.ts';

/**
 * Recording from the page: choose, count down, work, mark, pause, with privacy too, and stop; then the steps are there to be
 * annotated.
 */

const SIZE = { width: 1280, height: 800, accessibility: true };
let display: VirtualDisplay;
beforeAll(async () => {
  display = await startDisplay(SIZE);
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
  timeout: 240_000,
}, async () => {
  const app = await startApp(display, 'mousepad', { x: 100, y: 80, width: 900, height: 600 });
  const { x, y } = await app.bounds();
  const hands = await handsFor(display, 'human');
  const { page, context, faults } = await studio.open({}, `/w/${ws}/tasks/${task}/record`);
  await page.getByRole('heading', { name: 'What to record' }).waitFor();
  await page.getByLabel('Countdown (seconds)').fill('2');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: 'Countdown' }).waitFor();
  const live = page.getByRole('region', { name: 'Recording' });
  await live.getByText('Recording', { exact: true }).waitFor({ timeout: 40_000 });

  await perform(display, hands, [click(x + 300, y + 200), type('Milk'), press('Enter')]);
  await perform(display, hands, [chord(...SHORTCUTS.mark)]);
  await perform(display, hands, [click(x + 320, y + 260), type('Bread')]);
  await perform(display, hands, [chord(...SHORTCUTS.moment)]);
  await soon(() => live.locator('dl').textContent()).toMatch(/Marks\s*2/);
  await live.getByRole('button', { name: /^Pause/ }).click();
  await live.getByText('Paused', { exact: true }).waitFor();
  await perform(display, hands, [type(' nobody sees this')]);
  await live.getByRole('button', { name: /^Resume/ }).click();
  await live.getByText('Recording', { exact: true }).waitFor();
  await live.getByRole('button', { name: /^Privacy pause/ }).click();
  await live.getByText('Privacy pause: nothing is kept').waitFor();
  for (const name of [/^Mark/, /^Pause/]) expect(await live.getByRole('button', { name }).isDisabled()).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
  await perform(display, hands, [type('nor this')]);
  await live.getByRole('button', { name: /^End the privacy pause/ }).click();
  await live.getByText('Recording', { exact: true }).waitFor();
  await live.getByRole('button', { name: /^Mark/ }).click();
  await soon(() => live.locator('dl').textContent()).toMatch(/Marks\s*3/);
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
  expect(marks).toHaveLength(2);
  await page.locator('canvas[data-testid=picture][data-state=ready]').waitFor();
  // The moment that was marked is no step and divides nothing. It is found again, and gets its words.
  const folder = path.join(studio.recordings, recording!.id);
  // Beyond the step that is heard, which comes later on a machine with other work.
  const sound = Buffer.alloc(2 * 16_000 * (Math.ceil(steps[0]!.start[2] / 1e6) + 10), 1);
  fs.writeFileSync(path.join(folder, 'voice.wav'), Buffer.concat([wavHeader(sound.length), sound]));
  await page.keyboard.press('Shift+Q');
  const panel = page.getByRole('complementary', { name: 'Marks and voice' });
  const words = panel.getByRole('textbox', { name: 'Words of mark 2' });
  await words.fill('a good place');
  await words.press('Enter');
  const listed = async () => (await studio.api.marks.list({ ws, recording: recording!.id })).marks;
  await soon(listed).toMatchObject([
    { kind: 'subtask' },
    { kind: 'moment', words: 'a good place' },
    { kind: 'subtask' },
  ]);
  await hearVoice(panel, { ws, recording: recording!.id, t: steps[0]!.start[2] });
  await panel.getByRole('button', { name: 'Take mark 1 away' }).click();
  await panel.getByRole('textbox', { name: 'Words of mark 1' }).waitFor({ state: 'detached' });
  expect(await listed()).toHaveLength(2);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await annotate.name('Text');
  const said = async () => (await studio.api.annotation.get({ ws, recording: recording!.id })).records;
  await soon(said).toContainEqual(expect.objectContaining({ kind: 'label', action: steps[0]!.id, element: 'Text' }));
  const records = await said();
  expect(records.filter(({ kind }) => kind === 'subtask')).toHaveLength(3);
  expect(faults).toEqual([]);
  await context.close();
});

/** What was said is played at the step, written down, taken as its narration, and deleted alone. */
async function hearVoice(panel: Locator, { t, ...of }: { ws: string; recording: string; t: number }): Promise<void> {
  const voice = panel.getByRole('region', { name: 'Voice' });
  await voice.getByText('Nobody wrote down what is said.').waitFor();
  await voice.getByRole('button', { name: 'Play what is said at this step' }).click();
  const plays = () =>
    voice.locator('audio').evaluate((audio) => audio instanceof HTMLAudioElement && audio.played.length > 0);
  await soon(plays).toBe(true);
  const time = (us: number): string => `00:00:${(us / 1e6).toFixed(3).padStart(6, '0')}`;
  const buffer = Buffer.from(`WEBVTT\n\n${time(t)} --> ${time(t + 100_000)}\nFirst I click into the note\n`);
  await voice.locator('input[type=file]').setInputFiles({ name: 'said.vtt', mimeType: 'text/vtt', buffer });
  await voice.getByText('First I click into the note').waitFor();
  expect(await axeViolations(panel.page())).toEqual([]);
  const pictures = process.env.STUDIO_PICTURES;
  if (pictures) await panel.page().screenshot({ path: `${pictures}/voice.png` });
  await writeDown(voice, t);
  await voice.getByRole('button', { name: 'Take as narration' }).click();
  const narrations = async () =>
    (await studio.api.annotation.get(of)).records.flatMap((one) => (one.kind === 'label' ? [one.narration] : []));
  await soon(narrations).toContain('I click into the note');
  await voice.getByRole('button', { name: 'Delete the voice' }).click();
  await panel.page().getByRole('dialog').getByRole('button', { name: 'Delete the voice' }).click();
  await voice.waitFor({ state: 'detached' });
  expect(await studio.api.voice.get(of)).toEqual({ sound: null, lines: [] });
}

/** A model writes it down: what goes out is said before anything does, and its line is offered at the step. */
async function writeDown(voice: Locator, t: number): Promise<void> {
  let sent = 0;
  const server = createServer((request, response) => {
    request.on('data', (bytes: Buffer) => {
      sent += bytes.length;
    });
    const said = { text: 'x', segments: [{ start: t / 1e6, end: t / 1e6 + 0.1, text: ' I click into the note ' }] };
    request.on('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify(said)));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo; // A server that listens on a port has such an address.
  await voice.getByRole('button', { name: 'Have it written down' }).click();
  const dialog = voice.page().getByRole('dialog');
  await dialog.getByText(/^To the endpoint go \d+ seconds of this recording’s voice, in 1 request/).waitFor();
  expect(await axeViolations(voice.page())).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Endpoint' }).fill(`http://127.0.0.1:${port}/v1`);
  expect(await dialog.getByRole('button', { name: /^Send it/ }).isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Model' }).fill('whisper-1');
  expect(sent).toBe(0);
  const pictures = process.env.STUDIO_PICTURES;
  if (pictures) await voice.page().screenshot({ path: `${pictures}/write-down.png` });
  await dialog.getByRole('button', { name: /^Send it/ }).click();
  await voice.getByText('I click into the note', { exact: true }).waitFor();
  expect(sent).toBeGreaterThan(320_000);
  server.close();
}

it('displays and windows are chosen by their pictures, the countdown can be cancelled, and a live picture lies beside what it shows', async () => {
  const app = await startApp(display, 'mousepad', { x: 700, y: 420, width: 500, height: 320 });
  const before = (await studio.api.recordings.list({ ws })).length;
  await studio.inWindow(
    `/w/${ws}/tasks/${task}/record`,
    async (page) => {
      // One line when all is well, with the rest behind it.
      const machine = page.getByRole('region', { name: 'This machine' });
      await machine.getByText('Ready to record.').waitFor();
      expect(await machine.getByRole('listitem').count()).toBe(0);
      await machine.getByRole('button', { name: 'Details' }).click();
      expect(await machine.getByRole('listitem').count()).toBeGreaterThan(3);
      const loaded = (name: RegExp) =>
        page
          .getByRole('radio', { name })
          .locator('img')
          .evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth);
      await soon(() => loaded(/primary/)).toBeGreaterThan(100);
      await page.keyboard.press('w');
      await soon(() => loaded(/^Untitled/)).toBeGreaterThan(100);
      expect(await axeViolations(page)).toEqual([]);
      // No picture of what a list leaves out.
      await page.getByRole('combobox', { name: 'Exclude windows whose title contains' }).fill('mousepad');
      await page.keyboard.press('Enter');
      await page.getByRole('radio', { name: /^Untitled/ }).getByText('Left out');
      await page.keyboard.press('Backspace');
      await page.getByText('Left out', { exact: true }).waitFor({ state: 'detached' });
      await page.getByRole('radio', { name: 'Display' }).focus();

      // Nobody is told to begin before the count that ends when the recorder hears them.
      await watchWords(page);
      await startRegion(page, 60);
      const countdown = page.getByRole('region', { name: 'Countdown' });
      await countdown.getByText('Switch to the application now.').waitFor();
      expect(await seenWords(page)).toEqual(['Starting …', 'count']);
      expect(await axeViolations(page)).toEqual([]);
      await countdown.getByRole('button', { name: /^Cancel/ }).click();
      await page.getByRole('heading', { name: 'What to record' }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      await soon(async () => (await studio.api.recorder.state())?.error?.code).toBe('CANCELLED');
      expect((await studio.api.recordings.list({ ws })).length).toBe(before);

      await startRegion(page, 0);
      const live = page.getByRole('region', { name: 'Recording' });
      // The page's window, at the desktop's top left, lies beside the region.
      await live.getByAltText('What is recorded now').waitFor({ timeout: 60_000 });
      await live.getByRole('button', { name: /^Privacy pause/ }).click();
      await live.getByText('Privacy pause: nothing is kept').waitFor();
      await live.getByAltText('What is recorded now').waitFor({ state: 'detached' });
      await studio.api.recorder.command({ type: 'stop' });
      await soon(async () => (await studio.api.recorder.state())?.phase).toBe('done');
    },
    { width: 680, height: 400 },
  );
  await app.started.stop();
});

it('asks programs for the element at each press, not any more once that is turned off, and keeps the choice', {
  timeout: 240_000,
}, async () => {
  const app = await startApp(display, 'mousepad', { x: 100, y: 80, width: 900, height: 600 });
  const { x, y } = await app.bounds();
  const hands = await handsFor(display, 'human');
  const { page, context, faults } = await studio.open();
  const asks = page.getByRole('switch', { name: /^Record the element at each press/ });
  await page.goto(`${studio.origin}/w/${ws}/tasks/${task}/record`);
  await page.getByRole('heading', { name: 'What to record' }).waitFor();
  // Mousepad has started the accessibility bus.
  expect(await asks.isChecked()).toBe(true);
  await page.getByText(/elements are told by .*Mousepad/i).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByLabel('Countdown (seconds)').fill('0');
  const live = page.getByRole('region', { name: 'Recording' });
  const start = async (): Promise<string> => {
    await page.keyboard.press('Control+Enter');
    await live.getByText('Recording', { exact: true }).waitFor({ timeout: 40_000 });
    const { recording } = (await studio.api.recorder.state())!;
    return path.join(studio.recordings, recording, 'elements.jsonl');
  };
  const stop = async (): Promise<void> => {
    await live.getByRole('button', { name: /^Stop/ }).click();
    await page.getByRole('tree', { name: 'Subtasks and steps' }).waitFor({ timeout: 60_000 });
  };
  const recordFileMenu = async (): Promise<string> => {
    const lines = await start();
    // On a busy machine the first press may come before there is somebody to ask.
    await until('an answer', async () => {
      await perform(display, hands, [click(x + 18, y + 12), press('Escape')]);
      return fs.existsSync(lines);
    });
    await stop();
    return fs.readFileSync(lines, 'utf8');
  };
  expect(await recordFileMenu()).toContain('"name":"File"');
  const again = async (): Promise<void> => {
    await page.goto(`${studio.origin}/w/${ws}/tasks/${task}/record`);
    await page.getByRole('heading', { name: 'What to record' }).click();
  };
  await again();
  await soon(() => asks.isChecked()).toBe(true);
  // Without their names: the box is there, the word is not.
  await page.keyboard.press('n');
  const told = await recordFileMenu();
  expect(told).toMatch(/"name":"","role":"menu","bounds":\{"x":\d+/);
  expect(told).not.toContain('File');
  await again();
  await soon(() => page.getByRole('switch', { name: /^With its name/ }).isChecked()).toBe(false);
  await page.keyboard.press('e');
  await soon(() => asks.isChecked()).toBe(false);
  const none = await start();
  await perform(display, hands, [click(x + 18, y + 12), press('Escape')]);
  await stop();
  expect(fs.existsSync(none)).toBe(false);
  await again();
  await soon(() => asks.isChecked()).toBe(false);
  expect(faults).toEqual([]);
  await context.close();
  await app.started.stop(3000);
});

it('forgets what was recorded last, says so on the page and on the bar, and goes on', async () => {
  const hands = await handsFor(display, 'human');
  const { page, context, faults } = await studio.open({}, '/settings');
  await page.getByRole('combobox', { name: 'How much is forgotten' }).click();
  await page.getByRole('option', { name: '1 minute' }).click();
  await soon(async () => (await studio.api.settings.get()).forgetMinutes).toBe(1);
  expect(await axeViolations(page)).toEqual([]);
  const target = { kind: 'display', display: null } as const;
  await studio.api.recorder.start({ ws, task, target, fps: 15, countdown: 0 });
  await page.goto(`${studio.origin}/w/${ws}/tasks/${task}/record`);
  const live = page.getByRole('region', { name: 'Recording' });
  await live.getByText('Recording', { exact: true }).waitFor({ timeout: 40_000 });
  const bar = await context.newPage();
  await bar.setViewportSize({ width: 640, height: 56 });
  await bar.goto(`${studio.origin}/desktop/bar`);
  await perform(display, hands, [type('hunter')]);
  await soon(async () => (await studio.api.recorder.state())?.events).toBeGreaterThanOrEqual(12);
  const forget = { name: /^Forget the last minute/ };
  await live.getByRole('button', forget).click();
  // Less than a minute was recorded.
  const words = 'Everything so far was forgotten.';
  await live.getByText(words).waitFor();
  await bar.getByText(words).waitFor();
  await live.getByText('Recording', { exact: true }).waitFor();
  expect((await studio.api.recorder.state())?.events).toBeLessThan(12);
  expect(await axeViolations(page)).toEqual([]);
  expect(await axeViolations(bar)).toEqual([]);
  await perform(display, hands, [chord(...SHORTCUTS.pause)]);
  await live.getByText('Paused', { exact: true }).waitFor();
  // By its key, in a pause too; the same words are said again, by another element.
  await perform(display, hands, [chord(...SHORTCUTS.forget)]);
  await soon(async () => (await studio.api.recorder.state())?.forgotten?.times).toBe(2);
  await live.getByText('Paused', { exact: true }).waitFor();
  await bar.getByRole('button', forget).click();
  await soon(async () => (await studio.api.recorder.state())?.forgotten?.times).toBe(3);
  await live.getByRole('button', { name: /^Stop/ }).click();
  await soon(async () => (await studio.api.recorder.state())?.phase).toBe('done');
  const made = (await studio.api.recordings.list({ ws })).find(({ task: of }) => of === task);
  expect(made).toBeDefined();
  expect(faults).toEqual([]);
  await context.close();
});

it('a display is chosen by arrows; a region outside is refused, one drawn on the map is what the recorder captures', async () => {
  // Two displays side by side, 640 by 800 each, 169 mm wide.
  const [left, right] = ['640/169x800/211+0+0', '640/169x800/211+640+0'];
  await must('xrandr', ['--setmonitor', '*left', left, 'screen'], { env: display.env });
  await must('xrandr', ['--setmonitor', 'right', right, 'none'], { env: display.env });
  try {
    await studio.inWindow(`/w/${ws}/tasks/${task}/record`, recordRegion);
  } finally {
    for (const name of ['left', 'right']) await must('xrandr', ['--delmonitor', name], { env: display.env });
  }
});

async function recordRegion(page: Page): Promise<void> {
  const choice = (name: RegExp) => page.getByRole('radio', { name });
  await choice(/^left, 640 × 800, primary/).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('radio', { name: 'right, 640 × 800', checked: true }).waitFor();
  await page.keyboard.press('ArrowRight');
  expect(await choice(/^left/).getAttribute('aria-checked')).toBe('true');

  await page.keyboard.press('g');
  const start = page.getByRole('button', { name: /^Start recording/ });
  await page.getByLabel('Left, px').fill('-9000');
  await page.getByText('The region lies outside every display').waitFor();
  expect(await start.isDisabled()).toBe(true);
  const map = (await page.getByRole('group', { name: 'Displays' }).boundingBox())!;
  const at = (x: number, y: number) =>
    [map.x + (x / SIZE.width) * map.width, map.y + (y / SIZE.height) * map.height] as const;
  await page.mouse.move(...at(1200, 700));
  await page.mouse.down();
  await page.mouse.move(...at(700, 200), { steps: 4 });
  await page.mouse.up();
  await page.getByText('The region lies outside every display').waitFor({ state: 'detached' });
  expect(await axeViolations(page)).toEqual([]);
  const [x = 0, y = 0, width = 0, height = 0] = await Promise.all(
    ['Left', 'Top', 'Width', 'Height'].map(async (name) => Number(await page.getByLabel(`${name}, px`).inputValue())),
  );
  // A pixel of the map is some of the displays.
  const off = [x - 700, y - 200, x + width - 1200, y + height - 700].map(Math.abs);
  expect(Math.max(...off)).toBeLessThanOrEqual(SIZE.height / map.height + 1);

  await page.getByLabel('Countdown (seconds)').fill('60');
  await start.click();
  await page.getByRole('region', { name: 'Countdown' }).waitFor();
  const state = () => studio.api.recorder.state();
  await soon(async () => (await state())?.view).toEqual({ x, y, width, height });
  await studio.api.recorder.command({ type: 'stop' });
  await soon(async () => (await state())?.phase).toBe('done');
}

it('says what is missing before it begins: no display', async () => {
  const other = studioHome();
  const { DISPLAY: _, ...env } = process.env;
  const blind = await startServer({ home: other.home, env: { ...env, DISPLAY: '' } });
  try {
    const { id } = await blind.api.workspaces.open({ dir: other.dir('workspace'), create: true });
    await blind.api.tasks.create({ ws: id, software: 'gimp', goal: 'Nothing', id: 'GIMP_1' });
    const { page, context } = await openStudio(studio.browser, blind);
    await page.goto(`${blind.origin}/w/${id}/tasks/GIMP_1/record`);
    await page
      .getByText(/DISPLAY/)
      .first()
      .waitFor();
    const start = page.getByRole('button', { name: /^Start recording/ });
    expect(await start.isDisabled()).toBe(true);
    // In sight, in the page's head, although there are warnings to read.
    const [box, warning] = [
      await start.boundingBox(),
      await page
        .getByText(/DISPLAY/)
        .first()
        .boundingBox(),
    ];
    expect(box!.y + box!.height).toBeLessThan(warning!.y);
    await context.close();
  } finally {
    await blind.stop();
    other.remove();
  }
});

/** Keeps in which order the page says that it starts and that one is to switch to the application, with a number beside. */
async function watchWords(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seenWords: seen });
    const look = (): void => {
      const words = document.querySelector('section[aria-label=Countdown]')?.textContent ?? '';
      const now = words.includes('Switch to the application now')
        ? /\d/.test(words)
          ? 'count'
          : 'switch without a count'
        : words.includes('Starting …')
          ? 'Starting …'
          : null;
      if (now !== null && seen.at(-1) !== now) seen.push(now);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

const seenWords = (page: Page): Promise<unknown> => page.evaluate(() => Reflect.get(globalThis, 'seenWords'));

/** A region beside the page's window, by key, and the button that begins. */
async function startRegion(page: Page, countdown: number): Promise<void> {
  await page.keyboard.press('g');
  for (const [label, value] of [
    ['Left', 700],
    ['Top', 420],
    ['Width', 500],
    ['Height', 320],
  ] as const)
    await page.getByLabel(`${label}, px`).fill(String(value));
  await page.getByLabel('Countdown (seconds)').fill(String(countdown));
  await page.getByRole('button', { name: /^Start recording/ }).click();
}
