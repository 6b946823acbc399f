import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { toRecords } from '../../../core/annotate/document.ts';
import { viewDocument } from '../../../core/annotate/view.ts';
import { takeSide } from '../../../core/review/compare.ts';
import type { Difference } from '../../../schemas/api/review-models.ts';
import { axeViolations, heard, openTab, type Watched } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { type MadeRecording, makeRecording } from '../../support/studio-recording.ts';
import { handInTwo } from '../../support/studio-replicas.ts';
import { act, addPeople } from '../../support/studio-review.ts';

/**
 * Two people's replicas are compared and adjudicated by a third, by keyboard alone, against the real server, which dies in
 * the middle; then the figures of it are read and exported.
 */

const studio = studioFixture();
let ws: string;
let [ana, ben, cem] = ['', '', ''];
let made: MadeRecording;
const POLICY = { replicaShare: 1, checkShare: 0, seed: 1, reviewAdjudicated: false, demonstratorMayReview: false };

async function replicated(id: string): Promise<MadeRecording> {
  const recording = await makeRecording(studio.recordings, { id, steps: 12, marks: [4] });
  await handInTwo({ server: studio.server, ws, recording: id }, recording, [ana, ben]);
  return recording;
}

beforeAll(async () => {
  ws = await studio.newWorkspace();
  await studio.api.review.setPolicy({ ws, policy: { ...POLICY, replicas: 2 } });
  [ana = '', ben = '', cem = ''] = await addPeople(studio.server, ws, 'Ana Ferreira', 'Ben Okafor', 'Cem Yıldız');
  made = await replicated('compared');
  await replicated('half-told');
}, 240_000);

const where = (recording = made.id) => ({ server: studio.server, ws, recording });
const review = (person: string, recording = made.id) => studio.api.review.get({ ws, recording, person });
const comparison = (recording = made.id) => studio.api.review.compare({ ws, recording, person: cem });

/** A window of this person's, on the page of comparing. */
async function open(person: string, recording = made.id): Promise<Watched> {
  const watched = await studio.open();
  await become(watched.page, person);
  await compareIn(watched.page, recording);
  return watched;
}

const become = (page: Page, person: string) =>
  page.evaluate(([ws, person]) => localStorage.setItem(`person:${ws}`, person ?? ''), [ws, person]);

async function compareIn(page: Page, recording = made.id): Promise<void> {
  await page.goto(`${studio.origin}/w/${ws}/recordings/${recording}/compare`);
  await heard(page);
  await list(page).locator('[data-current=true]').waitFor();
}

/** A dialog takes the focus a moment after it is there; a Tab before that goes elsewhere. */
const cancelHasFocus = (dialog: Locator) => dialog.locator('button:focus', { hasText: 'Cancel' }).waitFor();
const list = (page: Page) => page.getByRole('tree', { name: 'Differences' });
const current = (page: Page) => list(page).locator('[data-current=true]').getAttribute('data-difference');
const row = (page: Page, difference: Difference) => list(page).locator(`[data-difference="${difference.id}"]`);
const stateOf = (page: Page, difference: Difference) => row(page, difference).getAttribute('data-state');

/** Goes there by the arrows. */
async function goTo(page: Page, all: readonly Difference[], difference: Difference): Promise<void> {
  const to = all.findIndex(({ id }) => id === difference.id);
  for (let now = await current(page); now !== difference.id; now = await current(page)) {
    const from = all.findIndex(({ id }) => id === now);
    await page.keyboard.press(from < to ? 'ArrowDown' : 'ArrowUp');
    await soon(() => current(page)).not.toBe(now);
  }
}

const ofKind = (all: readonly Difference[], kind: Difference['kind']): Difference =>
  all.find((one) => one.kind === kind)!;

async function mainDocument(recording = made.id) {
  const { steps, frames, views } = await studio.api.recordings.open({ ws, recording });
  const document = await studio.api.annotation.get({ ws, recording, document: recording, person: cem });
  const records = toRecords(document.records);
  return { steps, records, view: viewDocument(steps, records, { frames, views }), version: document.version };
}

const settles = async (recording = made.id) =>
  (await studio.api.review.history({ ws, recording, person: cem }))
    .map((event) => event.act)
    .filter((one) => one.type === 'settle');

it('differences only are listed, with both values, the words that differ marked, both boxes drawn and n of every figure', async () => {
  const { page, context, faults } = await open(cem);
  const { differences, agreement } = await comparison();
  expect(new Set(differences.map(({ kind }) => kind))).toEqual(
    new Set(['title', 'element', 'box', 'text', 'narration', 'drag', 'subtask', 'removal']),
  );
  expect(await list(page).locator('[data-difference]').count()).toBe(differences.length);

  await goTo(page, differences, ofKind(differences, 'element'));
  expect(await page.getByTestId('side-A').locator('mark').count()).toBe(0);
  expect(await page.getByTestId('side-B').locator('mark').allTextContents()).toEqual(['button']);
  // The list of people, which has the names, may come later.
  await page.getByTestId('side-B').getByText('Ben Okafor').waitFor();

  await goTo(page, differences, ofKind(differences, 'box'));
  await soon(() => page.locator('[data-side=A] rect, [data-side=B] rect').count()).toBe(4);
  const strip = page.getByRole('list', { name: 'Agreement by kind' });
  await strip.getByText(`n ${agreement.boxIou.n}`, { exact: true }).first().waitFor();
  expect(await strip.getByText(/^n \d/).count()).toBe(await strip.getByRole('listitem').count());

  await page.keyboard.press('z');
  await page.locator('canvas[data-side=after]').waitFor();
  expect(await page.locator('[data-side=A] rect').count()).toBe(0);
  expect(
    await page.getByRole('img', { name: /^A, Ana Ferreira: 1 Open and write a note, steps 1 to 4; 2/ }).count(),
  ).toBe(1);

  await page.getByRole('button', { name: /^Take A/ }).waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
  await context.close();
});

it('nobody adjudicates their own work: who annotated it is told so, and a key does nothing', async () => {
  const { page, context } = await open(ana);
  expect(await page.getByRole('button', { name: /^Adjudicate/ }).count()).toBe(0);
  await page.keyboard.press('1');
  await page.keyboard.press('c');
  expect((await review(ana)).claim).toBeNull();
  await context.close();
});

it('everything is settled by keyboard: sides, third values, taken back; the server dies meanwhile; nothing is lost or doubled', {
  timeout: 240_000,
}, async () => {
  const { page, context, faults } = await open(cem);
  await page.evaluate(() => {
    for (const type of ['pointerdown', 'mousedown', 'wheel']) {
      addEventListener(type, () => document.documentElement.setAttribute('data-pointer-used', type), true);
    }
  });
  const { differences } = await comparison();
  const of = (kind: Difference['kind']) => ofKind(differences, kind);
  const sources = async () =>
    Promise.all(
      [ana, ben].map(async (person) => {
        const document = `${made.id}~${person}`;
        return studio.api.annotation.get({ ws, recording: made.id, document, person: cem });
      }),
    );
  const before = await sources();

  await page.keyboard.press('c');
  await page.getByTestId('settled').getByText(`0 of ${differences.length} differences settled`).waitFor();
  const begun = (await mainDocument()).version;

  // A side by its digit goes on to the next by itself.
  await goTo(page, differences, of('title'));
  await page.keyboard.press('1');
  await soon(() => stateOf(page, of('title'))).toBe('settled');
  await soon(() => current(page)).not.toBe(of('title').id);
  await soon(async () => (await mainDocument()).view.subtasks[0]?.title).toBe('Open and write a note');

  // The server dies without a word; the person goes on.
  await studio.kill();
  await goTo(page, differences, of('element'));
  await page.keyboard.press('2');
  await goTo(page, differences, of('narration'));
  await page.keyboard.press('F2');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Accept the note by Enter');
  await page.keyboard.press('Enter');
  await soon(() => stateOf(page, of('narration'))).toBe('written');
  await page.keyboard.press('Enter');
  await soon(() => stateOf(page, of('narration'))).toBe('settled');
  await page.getByText(/Offline: \d+ changes wait/).waitFor();
  await studio.restart();
  const signedIn = await openTab(context, await studio.server.login());
  await signedIn.page.close();
  await page.getByText('All changes saved').waitFor({ timeout: 30_000 });
  await soon(async () => (await mainDocument()).view.steps[3]?.narration).toBe('Accept the note by Enter');
  expect((await mainDocument()).view.steps[0]?.label?.element).toBe('Open button');

  // A box by keys, then settled as it stands.
  await goTo(page, differences, of('box'));
  for (const key of ['b', 'Space', 'Shift+ArrowRight', 'Shift+ArrowDown', 'Space', 'Escape']) {
    await page.keyboard.press(key);
  }
  await soon(() => stateOf(page, of('box'))).toBe('written');
  await page.keyboard.press('Enter');
  await soon(() => stateOf(page, of('box'))).toBe('settled');

  // Taken back: open again, and the document as before.
  await goTo(page, differences, of('box'));
  await page.keyboard.press('Backspace');
  await soon(() => stateOf(page, of('box'))).toBe('open');
  await soon(async () => (await mainDocument()).view.steps[1]?.target).toBeNull();
  await page.keyboard.press('1');
  await soon(() => stateOf(page, of('box'))).toBe('settled');
  // Undo takes back the last one that was settled, and goes there.
  await page.keyboard.press('Control+z');
  await soon(() => stateOf(page, of('box'))).toBe('open');
  expect(await current(page)).toBe(of('box').id);
  await page.keyboard.press('1');

  for (const kind of ['text', 'drag', 'subtask', 'removal'] as const) {
    await goTo(page, differences, of(kind));
    await page.keyboard.press(kind === 'removal' ? '1' : '2');
    await soon(() => stateOf(page, of(kind))).toBe('settled');
  }
  await page.getByText(`${differences.length} of ${differences.length} differences settled`).waitFor();
  await page.getByText('All changes saved').waitFor();

  const { view, version } = await mainDocument();
  expect(view.steps[1]?.target).toEqual(before[0]!.records.find(({ id }) => id === view.steps[1]?.target?.id));
  expect(view.steps[4]?.label?.purpose).toBe('put it into the other panel');
  expect(view.steps[9]?.removal).toBeNull();
  expect(view.subtasks.map(({ from }) => from)).toEqual([0, 4, 6]);
  expect(version).toBeGreaterThan(begun);
  // Each difference is told once for each time it was decided: two of the box were taken back and decided anew.
  const told = await settles();
  const times = (kind: Difference['kind'], back: boolean) =>
    told.filter((one) => one.difference === of(kind).id && (one.back === true) === back).length;
  expect([times('box', false), times('box', true)]).toEqual([3, 2]);
  for (const kind of ['title', 'element', 'narration', 'text', 'drag', 'subtask', 'removal'] as const) {
    expect([kind, times(kind, false), times(kind, true)]).toEqual([kind, 1, 0]);
  }
  expect(told.find(({ difference }) => difference === of('narration').id)?.side).toBeNull();

  // The whole of it.
  await page.keyboard.press('Shift+V');
  const dialog = page.getByRole('dialog', { name: 'Approve what was adjudicated' });
  await cancelHasFocus(dialog);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await soon(async () => (await review(cem)).state).toBe('approved');
  await page
    .getByRole('link', { name: /^My work/ })
    .last()
    .waitFor();
  expect(await sources()).toEqual(before);
  expect(await page.evaluate(() => document.documentElement.getAttribute('data-pointer-used'))).toBeNull();
  expect(faults).toEqual([]);
  await context.close();
});

it('a value that was written when the page was closed, before the log was told, is recognised and settled by Enter', async () => {
  const id = 'half-told';
  await act(where(id), cem, { type: 'claim' });
  const { differences } = await comparison(id);
  const element = ofKind(differences, 'element');
  const { steps, records } = await mainDocument(id);
  const changes = takeSide(records, steps, element, element.sides[1]!.document);
  const transaction = { id: randomUUID(), label: 'Take B', changes };
  await studio.api.annotation.apply({ ws, recording: id, document: id, person: cem, transaction });

  const { page, context } = await open(cem, id);
  expect(await stateOf(page, element)).toBe('written');
  await goTo(page, differences, element);
  await page.getByTestId('standing').getByText('What B says is written but not settled yet').waitFor();
  await page.keyboard.press('Enter');
  await soon(() => stateOf(page, element)).toBe('settled');
  await soon(() => settles(id)).toEqual([
    expect.objectContaining({ difference: element.id, side: element.sides[1]!.document, transaction: transaction.id }),
  ]);
  // Put back: what was settled stays, and another may go on.
  await page.keyboard.press('Shift+R');
  await cancelHasFocus(page.getByRole('dialog', { name: 'Release it' }));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await soon(async () => (await review(cem, id)).claim).toBeNull();
  expect((await review(cem, id)).settled).toHaveLength(1);
  await context.close();
});

it('who annotates blind sees no comparison, and is told why', async () => {
  const id = 'still-blind';
  await makeRecording(studio.recordings, { id, steps: 4 });
  await studio.api.recordings.open({ ws, recording: id });
  await act(where(id), ana, { type: 'begin' });
  const { page, context } = await studio.open();
  await become(page, ana);
  await page.goto(`${studio.origin}/w/${ws}/recordings/${id}/compare`);
  await page.getByRole('heading', { level: 1, name: 'There is nothing to compare yet' }).waitFor();
  await context.close();
});

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  it('axe finds nothing serious in comparing, adjudicating and the insights', { timeout: 240_000 }, async () => {
    const { page, context, faults } = await studio.open({ scheme });
    await become(page, cem);
    const found: Record<string, unknown> = {};
    const look = async (name: string) => {
      const violations = await axeViolations(page);
      if (violations.length > 0) found[name] = violations;
    };
    await compareIn(page, 'compared');
    await look('compare');
    await compareIn(page, 'half-told');
    if ((await review(cem, 'half-told')).claim === null) await page.keyboard.press('c');
    await page.getByRole('button', { name: /^Release/ }).waitFor();
    for (const difference of (await comparison('half-told')).differences) {
      await goTo(page, (await comparison('half-told')).differences, difference);
      await look(difference.kind);
    }
    await page.goto(`${studio.origin}/w/${ws}/insights`);
    await page.getByRole('heading', { name: 'Lowest agreement first' }).waitFor();
    await look('insights');
    expect(found).toEqual({});
    expect(faults).toEqual([]);
    await context.close();
  });
});

it('the insights count states, people and agreement with n, sort the queue, and lead into comparing', async () => {
  const { page, context, faults } = await studio.open();
  await become(page, cem);
  await page.goto(`${studio.origin}/w/${ws}/insights`);
  const dashboard = await studio.api.review.dashboard({ ws });
  const kinds = page.getByRole('region', { name: /^Agreement by kind/ });
  const boxes = kinds.getByRole('row', { name: /^Boxes IoU/ });
  await boxes.waitFor();
  const { value, n } = dashboard.agreement.boxIou;
  expect(await boxes.getByRole('cell').allTextContents()).toEqual(
    expect.arrayContaining([value?.toFixed(2), String(n)]),
  );
  const people = page.getByRole('region', { name: /^People/ });
  await people.getByRole('row', { name: /^Ana Ferreira/ }).waitFor();
  await people.getByRole('row', { name: /^Cem Yıldız/ }).waitFor();

  await page.keyboard.press('m');
  await page.getByRole('option', { name: 'Boxes, IoU' }).click();
  const queue = page.getByRole('region', { name: /^Lowest agreement first/ });
  await queue.getByText('Boxes, IoU').waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('ArrowDown');
  const chosen = await queue.locator('tr[data-chosen=true]').getByRole('link').textContent();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/recordings/${chosen?.split(' ')[0]}/compare`);
  expect(faults).toEqual([]);
  await context.close();
});

it('the figures are exported as JSON and as CSV, as they stand on the page', async () => {
  const { page, context } = await studio.open({}, `/w/${ws}/insights`);
  await page.getByRole('heading', { name: 'Lowest agreement first' }).waitFor();
  const save = async (item: string): Promise<{ name: string; text: string }> => {
    await page.keyboard.press('e');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ]);
    const parts: Buffer[] = [];
    for await (const part of await download.createReadStream()) parts.push(Buffer.from(part));
    return { name: download.suggestedFilename(), text: Buffer.concat(parts).toString('utf8') };
  };
  const json = await save('All figures (JSON)');
  expect(json.name).toMatch(/^workspace-insights-\d{4}-\d\d-\d\d\.json$/);
  expect(JSON.parse(json.text)).toEqual(await studio.api.review.dashboard({ ws }));
  const csv = await save('Table of pairs (CSV)');
  expect(csv.name).toMatch(/^workspace-pairs-.*\.csv$/);
  expect(csv.text.replace(/^\ufeff/, '')).toBe(await studio.api.review.dashboardCsv({ ws, table: 'pairs' }));
  await context.close();
});

it('the words that differ can be read in both colours, also after they were switched on the open page', async () => {
  const { page, context, faults } = await studio.open({ scheme: 'light' });
  await become(page, cem);
  await compareIn(page);
  const { differences } = await comparison();
  await goTo(page, differences, ofKind(differences, 'element'));
  const mark = page.getByTestId('side-B').locator('mark').first();
  await mark.waitFor();
  const scheme = () => page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));
  const seen: Record<string, { contrast: number; isDark: boolean }> = {};
  for (const wanted of ['light', 'dark', 'light again']) {
    if (wanted !== 'light') await page.keyboard.press('Alt+t');
    await soon(scheme).toBe(wanted.split(' ')[0]);
    seen[wanted] = await mark.evaluate(contrastOf);
  }
  // WCAG 2.2, 1.4.3. Each has its own background: one of them in both would be bright in the dark.
  for (const [name, { contrast }] of Object.entries(seen)) expect(contrast, name).toBeGreaterThan(4.5);
  expect(Object.values(seen).map(({ isDark }) => isDark)).toEqual([false, true, false]);
  expect(faults).toEqual([]);
  await context.close();
});

/** How a text stands out from its own background, by WCAG, and whether that is a dark one. Runs in the page. */
function contrastOf(element: Element): { contrast: number; isDark: boolean } {
  const { color, backgroundColor } = getComputedStyle(element);
  const light = (css: string): number => {
    const [r = 0, g = 0, b = 0] = (css.match(/[\d.]+/g) ?? []).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [text, ground] = [light(color), light(backgroundColor)];
  return { contrast: (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05), isDark: ground < 0.2 };
}
