import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { interceptRequests } from '../../support/intercept.ts';
import { annotationOf } from '../../support/studio-annotate.ts';
import { openTab } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { type AnnotatePage, annotatePage } from '../../support/studio-pages.ts';
import { type MadeRecording, makeRecording } from '../../support/studio-recording.ts';
import { cellBox, cellName } from '../../support/studio-scene.ts';

/**
 * A whole recording of 24 steps annotated end to end by keyboard alone, as a person does it, with the server killed in the
 * middle. The person's intent is compared with what the database holds at the end.
 */

const studio = studioFixture();
let ws: string;
let made: MadeRecording;

beforeAll(async () => {
  ws = await studio.newWorkspace();
  made = await makeRecording(studio.recordings, {
    id: 'by-keyboard',
    steps: 24,
    marks: [8, 16],
  });
});

const now = async () => (await annotationOf({ server: studio.server, ws, recording: made.id })).view;
const stepNow = async (n: number) => (await now()).steps[n]!;

/** Keys one after another; a text in angle brackets is typed: `keys(page, 'e', '<Insert tab>', 'Enter')`. */
async function keys(page: Page, ...list: string[]): Promise<void> {
  for (const key of list) {
    const text = /^<(.*)>$/s.exec(key)?.[1];
    if (text === undefined) await page.keyboard.press(key);
    else await page.keyboard.type(text);
  }
}
const times = (n: number, key: string): string[] => Array.from({ length: n }, () => key);

/** From the recorded point (the button's middle) to both corners of the button, in tens and ones. */
function boxByKeys(cell: number): string[] {
  const { x, y, width, height } = cellBox(made, cell);
  const [cx, cy] = [x + Math.floor(width / 2), y + Math.floor(height / 2)];
  const go = (by: number, less: string, more: string) => [
    ...times(Math.floor(Math.abs(by) / 10), `Shift+${by < 0 ? less : more}`),
    ...times(Math.abs(by) % 10, by < 0 ? less : more),
  ];
  return [
    'b',
    ...go(x - cx, 'ArrowLeft', 'ArrowRight'),
    ...go(y - cy, 'ArrowUp', 'ArrowDown'),
    'Space',
    ...go(width - 1, 'ArrowLeft', 'ArrowRight'),
    ...go(height - 1, 'ArrowUp', 'ArrowDown'),
    'Space',
    'Escape',
  ];
}

/** The person's words on a step, then Enter. */
async function annotate(page: Page, work: AnnotatePage, n: number): Promise<void> {
  const step = made.steps[n]!;
  expect(await work.current()).toBe(n);
  if (step.kind === 'type') await keys(page, 'y', `<note ${n + 1}!>`, 'Enter');
  else if (step.kind === 'drag') {
    await keys(page, 'q', '<its old place>', 'Tab', `<${cellName(step.to)}>`, 'Tab', `<${cellName(step.cell)}>`, 'Tab');
    await keys(page, `<move it to the ${cellName(step.to)}>`, 'Enter', 'v');
    await keys(page, ...boxByKeys(step.cell));
  } else if (step.kind !== 'press') {
    if (n % 3 === 1) await keys(page, ...boxByKeys(step.cell));
    else await keys(page, 'r');
    await keys(page, 'e', `<${cellName(step.cell)}>`, 'Enter');
  }
  await keys(page, 'Enter');
}

it('a person annotates 24 steps by keyboard alone; the server is killed in the middle; nothing is lost', {
  timeout: 240_000,
}, async () => {
  const { page, context, faults } = await studio.open({}, `/w/${ws}/recordings/${made.id}`);
  const work = await annotatePage(page, studio.server, ws, made.id);
  await page.evaluate(() => {
    for (const type of ['pointerdown', 'mousedown', 'touchstart', 'wheel']) {
      addEventListener(type, () => document.documentElement.setAttribute('data-pointer-used', type), true);
    }
  });

  // The goal and the subtasks' titles.
  await keys(page, 'g', '<Use every button once>', 'Enter');
  await keys(page, 't', '<Open and paste>', 'Enter', 'PageDown', 't', '<Crop and rotate>', 'Enter');
  await keys(page, 'PageDown', 't', '<Finish>', 'Enter', 'Home');
  await soon(async () => (await now()).subtasks.map(({ title, from }) => [title, from])).toEqual([
    ['Open and paste', 0],
    ['Crop and rotate', 8],
    ['Finish', 16],
  ]);

  for (let n = 0; n < 10; n++) await annotate(page, work, n);

  // The server dies without a word, while the person goes on.
  await studio.kill();
  for (let n = 10; n < 13; n++) await annotate(page, work, n);
  await page.getByText(/connection to the studio is lost/i).waitFor();
  await studio.restart();
  // A person opens the address that the new start printed, and goes on in the window that was open.
  const signedIn = await openTab(context, await studio.server.login());
  await signedIn.page.close();
  await page.getByText(/connection to the studio is lost/i).waitFor({ state: 'hidden', timeout: 30_000 });
  await soon(async () => (await stepNow(12)).state, 30_000).toBe('done');
  for (let n = 13; n < 24; n++) await annotate(page, work, n);
  await soon(async () => (await now()).left).toBe(0);

  const view = await now();
  for (const [n, step] of made.steps.entries()) {
    const { label, target, narration, state } = view.steps[n]!;
    expect([n, state]).toEqual([n, 'done']);
    if (step.kind === 'press') continue;
    if (step.kind === 'type') {
      expect([n, label?.text, narration]).toEqual([n, `note ${n + 1}!`, `Type 'note ${n + 1}!'`]);
      continue;
    }
    expect([n, label?.element]).toEqual([n, cellName(step.cell)]);
    expect(narration).toContain(` ${cellName(step.cell)}`);
    if (n % 3 === 1 || step.kind === 'drag') {
      expect([n, target?.box, target?.source]).toEqual([n, cellBox(made, step.cell), 'hand']);
    }
    if (step.kind === 'drag') {
      const quadruple = [label?.startName, label?.endName, label?.purpose, label?.dragKind];
      expect([n, ...quadruple]).toEqual([
        n,
        'its old place',
        cellName(step.to),
        `move it to the ${cellName(step.to)}`,
        'movement',
      ]);
      expect(narration).toBe(
        `Drag the ${cellName(step.cell)} from its old place to ${cellName(step.to)} to move it to the ${cellName(step.to)}`,
      );
    }
  }
  expect(view.goal).toBe('Use every button once');

  // A narration overwritten, said to be so, and reset.
  await keys(page, 'Home', 'n', '<Open the file first>', 'Enter');
  await soon(async () => (await stepNow(0)).narration).toBe('Open the file first');
  await page.getByText('overwritten').first().waitFor();
  await keys(page, 'Shift+N');
  await soon(async () => (await stepNow(0)).overwritten).toBe(false);
  expect((await stepNow(0)).narration).toBe(`Click on the ${cellName(0)}`);
  await keys(page, 'ArrowDown', 'n', '<Then this one>', 'Enter');
  await soon(async () => (await stepNow(1)).narration).toBe('Then this one');

  // Thoughts: no fields until somebody writes; then stored like anything else, and undone.
  const thought = page.getByRole('textbox', { name: 'Thought', exact: true });
  expect(await thought.count()).toBe(0);
  await keys(page, 'Shift+T');
  await soon(() => thought.evaluate((field) => field === document.activeElement)).toBe(true);
  await keys(page, '<The file is open now>', 'Enter');
  await soon(async () => (await stepNow(1)).reasoning?.thought).toBe('The file is open now');
  await keys(page, 'Control+z');
  await soon(async () => (await stepNow(1)).reasoning).toBeNull();

  // A split goes into the title, where nothing is typed yet: undo takes the split back, and the list has the keys again.
  const spans = async () => (await now()).subtasks.map(({ from, title }) => [from, title]);
  await work.goTo(20);
  await keys(page, 's');
  await soon(async () => (await spans()).length).toBe(4);
  await keys(page, 'Control+z');
  await soon(async () => (await spans()).length).toBe(3);
  // While something is typed undo is about the letters.
  await keys(page, 's');
  await soon(async () => (await spans()).length).toBe(4);
  await keys(page, '<x>', 'Control+z', 'Escape');
  expect(await spans()).toEqual(expect.arrayContaining([[20, '']]));
  await keys(page, 'Control+z');
  await soon(async () => (await spans()).length).toBe(3);

  // A subtask split, then merged back, then an edge moved.
  await keys(page, 's', '<The last four>', 'Enter');
  await soon(spans).toEqual([
    [0, 'Open and paste'],
    [8, 'Crop and rotate'],
    [16, 'Finish'],
    [20, 'The last four'],
  ]);
  await work.goTo(16);
  await keys(page, 'm');
  await soon(spans).toEqual([
    [0, 'Open and paste'],
    [8, 'Crop and rotate'],
    [20, 'The last four'],
  ]);
  await work.goTo(22);
  await keys(page, 'i');
  await soon(spans).toEqual([
    [0, 'Open and paste'],
    [8, 'Crop and rotate'],
    [22, 'The last four'],
  ]);

  // A step removed with a reason, undone, redone.
  await work.goTo(18);
  await keys(page, 'x');
  await page.getByRole('dialog').waitFor();
  await keys(page, ...REMOVE_AS_DUPLICATE);
  await soon(async () => (await stepNow(18)).removal?.reason).toBe('duplicate');
  expect((await stepNow(18)).removal?.comment).toBe('pressed twice');
  await keys(page, 'Control+z');
  await soon(async () => (await stepNow(18)).state).toBe('done');
  await keys(page, 'Control+Shift+z');
  await soon(async () => (await stepNow(18)).state).toBe('removed');

  expect(await page.evaluate(() => document.documentElement.getAttribute('data-pointer-used'))).toBeNull();
  expect(faults).toEqual([]);
  await context.close();
});

/** The comment is the last field of the dialog; from a reason's button its digit removes. */
const REMOVE_AS_DUPLICATE = [...times(5, 'Tab'), '<pressed twice>', 'Shift+Tab', '3'];

it('undo goes back to the beginning and redo to the end again, across a killed server and a new window', {
  timeout: 240_000,
}, async () => {
  const where = () => ({ server: studio.server, ws, recording: made.id });
  const end = await annotationOf(where());
  await studio.kill();
  await studio.restart('free port');
  const { page, context, faults } = await studio.open({}, `/w/${ws}/recordings/${made.id}`);
  await annotatePage(page, studio.server, ws, made.id);
  const records = async () => (await annotationOf(where())).records;
  const document = async () => studio.api.annotation.get({ ws, recording: made.id });
  expect(await records()).toEqual(end.records);

  for (let n = 0; (await document()).undo !== null && n < 500; n += 10) await keys(page, ...times(10, 'Control+z'));
  await soon(async () => (await document()).undo).toBeNull();
  const begin = await now();
  expect(begin.done).toBe(0);
  expect(begin.steps.every(({ label, target, removal }) => !label && !target && !removal)).toBe(true);
  expect(begin.subtasks.map(({ from, title }) => [from, title])).toEqual([
    [0, ''],
    [8, ''],
    [16, ''],
  ]);

  for (let n = 0; (await document()).redo !== null && n < 500; n += 10)
    await keys(page, ...times(10, 'Control+Shift+z'));
  await soon(async () => (await document()).redo).toBeNull();
  expect(await records()).toEqual(end.records);
  expect(faults).toEqual([]);
  await context.close();
});

it('the history of a step says what was done with it and when', async () => {
  const { page, context } = await studio.open({}, `/w/${ws}/recordings/${made.id}`);
  const work = await annotatePage(page, studio.server, ws, made.id);
  await work.goTo(1);
  await keys(page, 'h');
  await page.getByText('Overwrite narration').first().waitFor();
  await page.getByText('Confirm step').first().waitFor();
  await page.getByText('Name element').first().waitFor();
  await context.close();
});

it('a box that is found while a name is being typed, and a tab that is left, take no letter and no blank from it', async () => {
  const { page, context, faults } = await studio.open({}, `/w/${ws}/recordings/${made.id}`);
  const work = await annotatePage(page, studio.server, ws, made.id);
  await work.goTo(5);
  await keys(page, 'Delete');
  const names = async () =>
    (await studio.api.annotation.history({ ws, recording: made.id, limit: 10 })).filter(
      ({ label }) => label === 'Name element',
    );
  const before = (await names()).length;
  const held = Promise.withResolvers<void>();
  await interceptRequests(page, '**/annotation/grow', async (route) => {
    await held.promise;
    await route.continue();
  });
  await keys(page, 'r', 'e', 'Control+a', '<An open >');
  held.resolve();
  await soon(async () => (await stepNow(5)).target).not.toBeNull();
  await keys(page, '<crop >');
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
  await soon(async () => (await stepNow(5)).label?.element).toBe('An open crop');
  await keys(page, '<tool>', 'Enter');
  await soon(async () => (await stepNow(5)).label?.element).toBe('An open crop tool');
  expect((await names()).length - before).toBe(2);
  expect(faults).toEqual([]);
  await context.close();
});

it('keys that a busy page hears all at once mean the dialog that the first of them opens', async () => {
  const { page, context, faults } = await studio.open({}, `/w/${ws}/recordings/${made.id}`);
  const work = await annotatePage(page, studio.server, ws, made.id);
  await work.goTo(6);
  const before = await stepNow(6);
  const busy = page.evaluate(() => {
    const end = performance.now() + 500;
    while (performance.now() < end);
  });
  await Promise.all([busy, page.keyboard.press('x'), page.keyboard.press('3')]);
  await soon(async () => (await stepNow(6)).removal?.reason).toBe('duplicate');
  expect(await page.getByRole('dialog').count()).toBe(0);
  // The digit was no proposal's.
  expect((await stepNow(6)).label).toEqual(before.label);
  expect(faults).toEqual([]);
  await context.close();
});

it('what is said of one step is gone with the step, before its time is over', async () => {
  const { page, context, faults } = await studio.open({}, `/w/${ws}/recordings/${made.id}`);
  const work = await annotatePage(page, studio.server, ws, made.id);
  await work.goTo(0);
  // In the page itself: a message goes by itself after seven seconds, which a busy machine may need for two keys.
  const seen = await page.evaluate(async () => {
    const said = (): boolean => document.body.innerText.includes('The first subtask has none before it.');
    const step = (): string | null => document.querySelector('[aria-current=step]')?.getAttribute('aria-label') ?? null;
    const press = (key: string, code: string): void => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }));
      document.body.dispatchEvent(new KeyboardEvent('keyup', { key, code, bubbles: true, cancelable: true }));
    };
    const until = async (holds: () => boolean): Promise<void> => {
      while (!holds()) await new Promise((done) => requestAnimationFrame(done));
    };
    press('m', 'KeyM');
    await until(said);
    const first = step();
    press('ArrowDown', 'ArrowDown');
    await until(() => step() !== first);
    const onTheNext = said();
    press('ArrowUp', 'ArrowUp');
    await until(() => step() === first);
    return { onTheNext };
  });
  expect(seen).toEqual({ onTheNext: false });
  expect(faults).toEqual([]);
  await context.close();
});
