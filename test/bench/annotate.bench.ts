/**
 * The cost of a step for a person: keystrokes and pointer actions from coming to a step until it is confirmed, counted in
 * the page of a real Chromium while a script plays the person. Two recordings of one software, one after another: in the
 * first every name is new, in the second the studio has seen many of the elements. Beside them the same without any
 * proposal.
 *
 *     node test/bench/annotate.bench.ts [--steps 40] [--json]
 *
 * Target (issue: what it must show): at most 4 a step on the median with proposals taken.
 *
 * The person takes a proposal when it is right (the element's name; the box within 70 % IoU of the button's edge), types what
 * nothing proposes, and takes a completion as soon as it stands first. Steps that type or press keys are only confirmed.
 */
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Proposal } from '../../schemas/annotation.ts';
import type { Rect } from '../../schemas/events.ts';
import { flag, machine, machineLine, mean, median, progress, report } from '../support/bench.ts';
import { countInPage, readCount } from '../support/count-inputs.ts';
import { annotationOf } from '../support/studio-annotate.ts';
import { openStudio, startBrowser } from '../support/studio-browser.ts';
import { annotatePage } from '../support/studio-pages.ts';
import { type MadeRecording, makeRecording } from '../support/studio-recording.ts';
import { cellBox, cellName, type SceneStep } from '../support/studio-scene.ts';
import { type StudioServer, startServer, studioHome } from '../support/studio-server.ts';
import { until } from '../support/until.ts';

const STEPS = Number(flag('steps') ?? 40);
const RIGHT_IOU = 0.7;

type Way = 'with proposals' | 'by hand';
type Result = { costs: number[]; kinds: string[]; wrong: string[] };

const home = studioHome();
const dir = home.dir('workspace');
const server = await startServer({ home: home.home });
const browser = await startBrowser();
try {
  const { id: ws } = await server.api.workspaces.open({ dir, create: true });
  const make = (id: string, app: { id: string; name: string }, task: string) =>
    makeRecording(path.join(dir, 'recordings'), { id, steps: STEPS, app, task: { id: task, goal: 'Use the buttons' } });
  const gimp = { id: 'gimp', name: 'GIMP' };
  const first = await make('first', gimp, 'GIMP_1');
  const second = await make('second', gimp, 'GIMP_1');
  const hand = await make('by-hand', { id: 'inkscape', name: 'Inkscape' }, 'INK_1');
  progress('the first recording');
  const a = await annotateAll(ws, first, 'with proposals');
  progress('the second recording of the same software');
  const b = await annotateAll(ws, second, 'with proposals');
  progress('the same by hand');
  const c = await annotateAll(ws, hand, 'by hand');
  const about = await machine();
  const line = ({ costs, wrong }: Result) =>
    `median ${median(costs)}, mean ${mean(costs).toFixed(1)}, most ${Math.max(...costs)}; ${wrong.length} of ${costs.length} steps not as meant`;
  report(
    { bench: 'annotate', machine: about, chromium: browser.version(), first: a, second: b, hand: c },
    [
      `Keystrokes and pointer actions a step, ${STEPS} steps: ${machineLine(about)}; Chromium ${browser.version()}`,
      `  first recording of a software   ${line(a)}`,
      `  second one                      ${line(b)}   (target: median at most 4)`,
      `  by hand, nothing taken          ${line(c)}`,
      ...[...a.wrong, ...b.wrong, ...c.wrong].map((what) => `    ${what}`),
      `  median of the second / by hand: ${(median(b.costs) / median(c.costs)).toFixed(2)}`,
    ].join('\n'),
  );
} finally {
  await browser.close();
  await server.stop();
  home.remove();
}

async function annotateAll(ws: string, made: MadeRecording, way: Way): Promise<Result> {
  const { page, context } = await openStudio(browser, server);
  const work = await annotatePage(page, server, ws, made.id);
  await page.evaluate(countInPage);
  const costs: number[] = [];
  for (const [n, step] of made.steps.entries()) {
    await until(`step ${n + 1}`, async () => (await work.current()) === n);
    await page.locator('canvas[data-testid=picture][data-state=ready]').waitFor();
    const before = await page.evaluate(readCount);
    if (way === 'by hand') await byHand(page, made, step);
    else await withProposals(page, ws, made, step, work.step(n).id);
    await page.keyboard.press('Enter');
    costs.push((await page.evaluate(readCount)) - before);
  }
  const wrong = await notAsMeant(ws, made);
  await context.close();
  return { costs, kinds: made.steps.map(({ kind }) => kind), wrong };
}

function keyed({ kind }: SceneStep): boolean {
  return kind === 'type' || kind === 'press';
}

async function withProposals(page: Page, ws: string, made: MadeRecording, step: SceneStep, action: string) {
  if (keyed(step)) return;
  await page.locator('section[aria-label=Proposals][aria-busy=false]').waitFor();
  const offered = (await server.api.annotation.proposals({ ws, recording: made.id, action })).slice(0, 5);
  const fits = ({ box }: Proposal) => box !== null && iou(box, cellBox(made, step.cell)) >= RIGHT_IOU;
  const named = ({ name }: Proposal) => name === cellName(step.cell);
  const whole = offered.findIndex((one) => named(one) && fits(one));
  const box = offered.findIndex((one) => fits(one));
  if (whole >= 0) await page.keyboard.press(String(whole + 1));
  else {
    if (box >= 0) await page.keyboard.press(String(box + 1));
    else await drawBox(page, made, step.cell);
    await nameWithCompletion(page, cellName(step.cell));
  }
  if (step.kind === 'drag') await quadruple(page, step);
}

/** Types until the completion that stands first is the name; takes it, or types to the end. */
async function nameWithCompletion(page: Page, name: string): Promise<void> {
  await page.keyboard.press('e');
  for (const [at, letter] of [...name].entries()) {
    await page.keyboard.type(letter);
    const first = page.getByRole('option').first();
    const shown = at + 3 < name.length && (await first.isVisible()) ? await first.textContent() : null;
    if (shown !== name) continue;
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    break;
  }
  await page.keyboard.press('Enter');
}

async function quadruple(page: Page, step: Extract<SceneStep, { kind: 'drag' }>): Promise<void> {
  await page.keyboard.press('q');
  await page.keyboard.press('Tab');
  await page.keyboard.type(cellName(step.to));
  await page.keyboard.press('Enter');
}

async function byHand(page: Page, made: MadeRecording, step: SceneStep): Promise<void> {
  if (keyed(step)) return;
  await drawBox(page, made, step.cell);
  await page.keyboard.press('e');
  await page.keyboard.type(cellName(step.cell));
  await page.keyboard.press('Enter');
  if (step.kind === 'drag') await quadruple(page, step);
}

/** With the pointer, corner to corner: one pointer action. */
async function drawBox(page: Page, made: MadeRecording, cell: number): Promise<void> {
  const picture = page.getByTestId('picture');
  const area = await picture.boundingBox();
  const number = async (name: string) => Number(await picture.getAttribute(`data-${name}`));
  const [left, top, scale] = [await number('x'), await number('y'), await number('scale')];
  const { x, y, width, height } = cellBox(made, cell);
  const at = (px: number, py: number): [number, number] => [
    (area?.x ?? 0) + left + px * scale,
    (area?.y ?? 0) + top + py * scale,
  ];
  await page.mouse.move(...at(x, y));
  await page.mouse.down();
  await page.mouse.move(...at(x + width / 2, y + height / 2), { steps: 3 });
  await page.mouse.move(...at(x + width, y + height), { steps: 3 });
  await page.mouse.up();
}

/** Steps whose name or box in the database is not what the person meant. */
async function notAsMeant(ws: string, made: MadeRecording): Promise<string[]> {
  const where = { server: server as StudioServer, ws, recording: made.id };
  await until('everything to be stored', async () => (await annotationOf(where)).view.left === 0);
  const { view } = await annotationOf(where);
  return made.steps.flatMap((step, n) => {
    if (keyed(step)) return [];
    const { label, target } = view.steps[n] ?? {};
    const close = target !== null && target !== undefined && iou(target.box, cellBox(made, step.cell)) >= RIGHT_IOU;
    if (label?.element === cellName(step.cell) && close) return [];
    return [`step ${n + 1} (${step.kind}): ${label?.element ?? 'no name'}, box ${JSON.stringify(target?.box ?? null)}`];
  });
}

function iou(a: Rect, b: Rect): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  const both = Math.max(0, width) * Math.max(0, height);
  return both / (a.width * a.height + b.width * b.height - both);
}
