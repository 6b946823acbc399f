/**
 * How fast the pages are, measured inside the page from the key to the painted frame, with a real server and a real Chromium:
 * the next step with its picture, a recording of 10,000 steps, its timeline, a library of 5,000 tasks, the first load.
 *
 * The form of a step follows its picture by a frame, so the time to the form is printed beside the time to the picture.
 *
 *     node test/bench/ui.bench.ts [--steps 120] [--json]
 *
 * Targets (issue: what it must show): next step under 50 ms at p95 (1920x1080); 10,000 steps open in under 1 s and the
 * timeline scrolls at 60 frames a second; 5,000 tasks filter within 100 ms; the first load under 1 s.
 * Beside the first: a plain page that shows the same PNGs by `<img src>`.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { openStudio, startBrowser } from '../support/studio-browser.ts';
import { fillLibrary } from '../support/studio-library.ts';
import {
  type Frames,
  framesDuring,
  keyToPaint,
  loadToPaint,
  percentile,
  startPlainViewer,
  textToPaint,
} from '../support/studio-measure.ts';
import { makeRecording } from '../support/studio-recording.ts';
import { type StudioServer, startServer, studioHome } from '../support/studio-server.ts';
import { sleep } from '../support/until.ts';

const STEPS = Number(flag('steps') ?? 120);
/** A quick annotator looks at a step about this long. */
const LOOK_MS = 500;
const SIZE = { width: 1920, height: 1080 };

/** The PNGs of the first recording's steps, once cut. */
let pictures: Buffer[] | null = null;

const home = studioHome();
const dir = home.dir('workspace');
let server: StudioServer | null = null;
let browser: Browser | null = null;
try {
  server = await startServer({ home: home.home });
  browser = await startBrowser();
  const { id: ws } = await server.api.workspaces.open({ dir, create: true });
  progress(`making recordings of ${STEPS} and of 10,000 steps, and 5,000 tasks`);
  await fillLibrary(dir, 5000);
  // Of a task of the library: a recording whose goal no task has would add one to the 5,000.
  const { id, goal } = await server.api.tasks.get({ ws, task: 'GIMP_1' });
  const task = { id, goal };
  await makeRecording(path.join(dir, 'recordings'), { id: 'speed', task, steps: STEPS, ...SIZE });
  await makeRecording(path.join(dir, 'recordings'), {
    id: 'long',
    task,
    steps: 10_000,
    pictures: 'plain',
    width: 640,
    height: 360,
  });

  progress('next step');
  const looked = await nextSteps(browser, server, ws, LOOK_MS);
  const wholes = await nextSteps(browser, server, ws, LOOK_MS, wholeOf);
  const quick = await nextSteps(browser, server, ws, 0);
  const plain = await plainSteps(browser, server, ws);
  progress('10,000 steps');
  const opening = await openLong(browser, server, ws);
  const scrolling = await scrollTimeline(browser, server, ws);
  progress('library and first load');
  const filtering = await filterLibrary(browser, server, ws);
  const loading = await firstLoads(browser, server);
  progress('10,000 steps in a studio that was just started');
  await server.stop();
  server = await startServer({ home: home.home });
  const restarted = (await openLong(browser, server, ws, 0)).first;
  await server.stop();
  rmSync(path.join(dir, 'recordings', 'long', 'derived'), { recursive: true });
  server = await startServer({ home: home.home });
  const unprepared = (await openLong(browser, server, ws, 0)).first;

  const about = await machine();
  const value = { looked, wholes, quick, plain, opening, restarted, unprepared, scrolling, filtering, loading };
  const stats = (times: readonly number[]) =>
    `median ${median(times).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms (n ${times.length})`;
  report(
    { bench: 'ui', machine: about, chromium: browser.version(), ...value },
    [
      `Pages: ${machineLine(about)}; Chromium ${browser.version()}`,
      `  next step with its picture, ${SIZE.width}x${SIZE.height}, from the key to the painted frame (target: p95 under 50 ms)`,
      `    looking ${LOOK_MS} ms at each            ${stats(looked)}`,
      `    with its form, which follows it    ${stats(wholes)}`,
      `    as fast as the page takes them     ${stats(quick)}`,
      `    plain <img src> page, same pictures ${stats(plain)}`,
      `    p95 / p95 of the plain page: ${(percentile(looked, 0.95) / percentile(plain, 0.95)).toFixed(2)}`,
      `  10,000 steps open: ${stats(opening.again)} (target: under 1,000 ms)`,
      `    that was copied into the workspace a moment ago: ${opening.first.toFixed(0)} ms`,
      `    with the form of its first step: ${stats(opening.whole)}`,
      `    in a studio that was just started: ${restarted.toFixed(0)} ms; with nothing derived of it yet: ${unprepared.toFixed(0)} ms`,
      `  its timeline scrolls at ${scrolling.perSecond.toFixed(1)} frames a second, longest frame ${scrolling.longest.toFixed(1)} ms, ${scrolling.over20ms} of ${scrolling.count} over 20 ms (target: 60)`,
      `  5,000 tasks filter: ${stats(filtering)} (target: within 100 ms)`,
      `  first load of the page, nothing cached: ${stats(loading)} (target: under 1,000 ms)`,
    ].join('\n'),
  );
} finally {
  await browser?.close();
  await server?.stop();
  home.remove();
}

/** In the page: the step's picture is drawn. */
function pictureOf(action: string): boolean {
  const picture = document.querySelector<HTMLElement>('canvas[data-testid=picture]');
  return picture?.dataset.step === action && picture.dataset.state === 'ready';
}

/** In the page: the step's picture is drawn, and everything that is said of the step stands beside it. */
function wholeOf(action: string): boolean {
  const picture = document.querySelector<HTMLElement>('canvas[data-testid=picture]');
  const drawn = picture?.dataset.step === action && picture.dataset.state === 'ready';
  return drawn && document.querySelector<HTMLElement>('[data-form]')?.dataset.form === action;
}

/** In the page: the same when a recording opens. */
function allReady(): boolean {
  const picture = document.querySelector<HTMLElement>('canvas[data-testid=picture][data-state=ready]');
  return picture !== null && document.querySelector<HTMLElement>('[data-form]')?.dataset.form === picture.dataset.step;
}

/** In the page: the list of steps and a picture are there. */
function workspaceReady(): boolean {
  return (
    document.querySelector('[role=tree] [aria-current=step]') !== null &&
    document.querySelector('canvas[data-testid=picture][data-state=ready]') !== null
  );
}

async function inWindow<T>(browser: Browser, server: StudioServer, work: (page: Page) => Promise<T>): Promise<T> {
  const { page, context } = await openStudio(browser, server, SIZE);
  try {
    return await work(page);
  } finally {
    await context.close();
  }
}

/** Down through the recording. The pictures were cut before by going through once, as the recorder does for keyframes. */
async function nextSteps(
  browser: Browser,
  server: StudioServer,
  ws: string,
  lookMs: number,
  ready: (action: string) => boolean = pictureOf,
): Promise<number[]> {
  const { steps } = await server.api.recordings.open({ ws, recording: 'speed' });
  await cutAll(server, ws);
  return inWindow(browser, server, async (page) => {
    await loadToPaint(page, `${server.origin}/w/${ws}/recordings/speed`, workspaceReady, null);
    const times: number[] = [];
    for (const { id } of steps.slice(1)) {
      await sleep(lookMs);
      times.push(await keyToPaint(page, 'ArrowDown', ready, id));
    }
    return times;
  });
}

async function cutAll(server: StudioServer, ws: string): Promise<Buffer[]> {
  if (pictures) return pictures;
  const { steps, frames } = await server.api.recordings.open({ ws, recording: 'speed' });
  const cut: Buffer[] = [];
  for (const { before } of steps) {
    const answer = await server.ask(`/files/${ws}/recordings/speed/frames/${frames[before]?.[0]}.png`);
    if (!answer.ok) throw new Error(`frame ${before}: ${answer.status} ${await answer.text()}`);
    cut.push(Buffer.from(await answer.arrayBuffer()));
  }
  pictures = cut;
  return cut;
}

async function plainSteps(browser: Browser, server: StudioServer, ws: string): Promise<number[]> {
  const cut = await cutAll(server, ws);
  const viewer = await startPlainViewer(cut);
  const context = await browser.newContext({ viewport: SIZE });
  try {
    const page = await context.newPage();
    await page.goto(viewer.address);
    const times: number[] = [];
    for (let n = 1; n < cut.length; n++) {
      await sleep(LOOK_MS);
      const shown = (at: number): boolean => {
        const image = document.querySelector('img');
        return image?.src.endsWith(`/${at}.png`) === true && image.complete && image.naturalWidth > 0;
      };
      times.push(await keyToPaint(page, 'ArrowDown', shown, n));
    }
    return times;
  } finally {
    await context.close();
    await viewer.close();
  }
}

async function openLong(browser: Browser, server: StudioServer, ws: string, more = 5) {
  const address = `${server.origin}/w/${ws}/recordings/long`;
  const first = await inWindow(browser, server, (page) => loadToPaint(page, address, workspaceReady, null));
  const again: number[] = [];
  // A new window each time: nothing is cached in the page.
  for (let n = 0; n < more; n++) {
    again.push(await inWindow(browser, server, (page) => loadToPaint(page, address, workspaceReady, null)));
  }
  const whole: number[] = [];
  for (let n = 0; n < more; n++) {
    whole.push(await inWindow(browser, server, (page) => loadToPaint(page, address, allReady, null)));
  }
  return { first, again, whole };
}

async function scrollTimeline(browser: Browser, server: StudioServer, ws: string): Promise<Frames> {
  return inWindow(browser, server, async (page) => {
    await loadToPaint(page, `${server.origin}/w/${ws}/recordings/long`, workspaceReady, null);
    const timeline = page.getByRole('region', { name: /timeline/i });
    const area = await timeline.boundingBox();
    if (!area) throw new Error('the timeline is not in sight');
    await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
    // Closer, so that there is something to scroll.
    for (let n = 0; n < 12; n++) await page.keyboard.press('Alt+=');
    await sleep(500);
    const before = await timeline.screenshot();
    const frames = await framesDuring(page, async () => {
      const end = performance.now() + 4000;
      while (performance.now() < end) await page.mouse.wheel(120, 0);
    });
    // Frames of something that stands still would be no scrolling.
    if (before.equals(await timeline.screenshot())) throw new Error('the timeline did not scroll');
    return frames;
  });
}

async function filterLibrary(browser: Browser, server: StudioServer, ws: string): Promise<number[]> {
  return inWindow(browser, server, async (page) => {
    await page.goto(`${server.origin}/w/${ws}`);
    await page.getByText('5,000 tasks').waitFor();
    const field = page.getByLabel('Search tasks');
    const times: number[] = [];
    for (const word of ['crop', 'animate', 'the logo', 'number 4711', 'ppt_3', 'linux', 'talk', 'nothing has this']) {
      const all = await server.api.tasks.list({ ws });
      const names = new Map((await server.api.software.list({ ws })).map(({ id, name }) => [id, name]));
      const fits = all.filter((task) => {
        const hay = `${task.id} ${task.goal} ${names.get(task.software)} ${task.platform}`.toLowerCase();
        return word.split(' ').every((part) => hay.includes(part));
      });
      const said = `${fits.length.toLocaleString('en')} of 5,000 tasks`;
      await field.fill('');
      await page.getByText('5,000 tasks', { exact: true }).waitFor();
      await field.focus();
      const shown = (text: string): boolean => document.querySelector('main')?.textContent?.includes(text) ?? false;
      times.push(await textToPaint(page, word, shown, said));
    }
    return times;
  });
}

async function firstLoads(browser: Browser, server: StudioServer): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < 7; n++) {
    const context = await browser.newContext({ viewport: SIZE });
    const page = await context.newPage();
    const ready = (): boolean => document.querySelector('h1')?.textContent === 'Trajectory Studio';
    times.push(await loadToPaint(page, await server.login(), ready, null));
    await context.close();
  }
  return times;
}
