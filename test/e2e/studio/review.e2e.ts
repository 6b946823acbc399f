import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { itemKey } from '../../../core/review/items.ts';
import type { ReviewEvent } from '../../../schemas/review.ts';
import { axeViolations, heard, openTab } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { annotatePage } from '../../support/studio-pages.ts';
import { type MadeRecording, makeRecording } from '../../support/studio-recording.ts';
import {
  act,
  addPeople,
  annotateAndHandIn,
  annotateAndSendBack,
  chooseByKeys,
  reviewOf,
  reviewPage,
} from '../../support/studio-review.ts';

/**
 * A small workspace reviewed by keyboard alone against the real server: sent back, repaired, reviewed again, approved;
 * with the server killed in the middle. The meaning of the keys is compared with the log.
 */

const studio = studioFixture();
let ws: string;
let ana: string;
let ben: string;

const make = (id: string, steps: number, marks: number[] = []): Promise<MadeRecording> =>
  makeRecording(studio.recordings, { id, steps, marks, width: 640, height: 360 });
const place = (recording: string) => ({ server: studio.server, ws, recording });

beforeAll(async () => {
  ws = await studio.newWorkspace();
  [ana = '', ben = ''] = await addPeople(studio.server, ws, 'Ana', 'Ben');
});

async function keys(page: Page, ...list: string[]): Promise<void> {
  for (const key of list) {
    const text = /^<(.*)>$/s.exec(key)?.[1];
    if (text === undefined) await page.keyboard.press(key);
    else await page.keyboard.type(text);
  }
}

const history = (recording: string, person: string): Promise<ReviewEvent[]> =>
  studio.api.review.history({ ws, recording, person });
/** Every decision of the log: what it speaks of and the verdict, in order. */
async function decisions(recording: string): Promise<string[]> {
  return (await history(recording, ben)).flatMap(({ act: one }) =>
    one.type === 'decide' ? [`${itemKey(one.item)} ${one.verdict}`] : [],
  );
}

it('a recording is reviewed, sent back, repaired, reviewed again and approved by keyboard; a killed server costs nothing', {
  timeout: 240_000,
}, async () => {
  const made = await make('by-keys', 12, [6]);
  await annotateAndHandIn(place(made.id), ana, made);
  const { page, context, faults } = await studio.open();
  await page.evaluate(() => {
    for (const type of ['pointerdown', 'mousedown', 'touchstart'])
      addEventListener(type, () => document.documentElement.setAttribute('data-pointer-used', type), true);
  });

  // The queue says what is next, and Enter opens it.
  await page.goto(`${studio.origin}/w/${ws}/work`);
  await page.getByText('Work is given to people').waitFor();
  await chooseByKeys(page, 'Ben');
  await page.getByRole('link', { name: /^Review/ }).waitFor();
  await keys(page, 'Enter');
  const work = await reviewPage(page, studio.server, ws, made.id);
  expect(await work.left()).toBe('0 of 16 decided');

  // The first Enter takes it up, each further one accepts and goes on: the goal, a title, the steps.
  await keys(page, 'Enter');
  await soon(async () => (await reviewOf(place(made.id), ben)).claim?.person).toBe(ben);
  await soon(work.spoken).toMatch(/^The goal/);
  await keys(page, 'Enter', 'Enter', 'Enter');
  await soon(work.spoken).toMatch(/^Step 2/);
  // A box is rejected with a reason and words, a name is fixed in place and accepted so.
  await keys(page, 'd', 'Shift+L', '<The box is too wide.>', 'Enter');
  await soon(work.spoken).toMatch(/^Step 3/);
  await keys(page, 'y', '<Note 3, put right>', 'Enter', 'Enter');
  await soon(work.spoken).toMatch(/^Step 4/);
  // A comment on the place that the pointer was at.
  await keys(page, 'Shift+P', 'Space', '<Is this needed?>', 'Control+Enter');
  await page.locator('[data-pin]').waitFor();

  // The server dies without a word, while the person goes on; then the page itself is loaded anew.
  await studio.kill();
  await keys(page, 'Enter', 'Enter', 'Enter');
  await soon(work.spoken).toMatch(/^Subtask 2, beginning/);
  await page.getByText(/connection to the studio is lost/i).waitFor();
  await studio.restart();
  const signedIn = await openTab(context, await studio.server.login());
  await signedIn.page.close();
  await page.reload();
  const again = await reviewPage(page, studio.server, ws, made.id);
  await soon(again.left).toBe('8 of 16 decided, 1 rejected');
  await soon(again.spoken).toMatch(/^Subtask 2, beginning/);
  for (let n = 0; n < 8; n++) await keys(page, 'Enter');
  await soon(again.left).toBe('All decided, 1 rejected');

  // A decision is taken back and given anew.
  await keys(page, 'End', 'Backspace');
  await soon(again.left).toBe('15 of 16 decided, 1 rejected');
  await keys(page, 'Enter');
  await soon(again.left).toBe('All decided, 1 rejected');

  const opened = await studio.api.recordings.open({ ws, recording: made.id });
  const id = (n: number) => opened.steps[n - 1]!.id;
  const step = (n: number) => `step:${id(n)} accept`;
  await soon(async () => (await decisions(made.id)).length).toBe(18);
  expect(await decisions(made.id)).toEqual([
    ...['goal accept', `title:${id(1)} accept`, step(1), `box:${id(2)} reject`, `step:${id(3)} fixed`],
    ...[4, 5, 6].map(step),
    ...[`edge:${id(7)} accept`, `title:${id(7)} accept`],
    ...[7, 8, 9, 10, 11, 12].map(step),
    ...[`step:${id(12)} null`, step(12)],
  ]);

  // Approved it cannot be while something is rejected; R sends it back, and one goes on to what is next.
  await keys(page, 'Shift+V');
  await page.getByText(/1 item is rejected/).waitFor();
  await keys(page, 'r');
  await page.getByText(/Sent back to be repaired/).waitFor();
  await soon(async () => (await reviewOf(place(made.id), ana)).state).toBe('rejected');

  // Ana finds it first in her queue, sees the reason at the step, answers, puts it right and submits it.
  await chooseByKeys(page, 'Ana');
  await keys(page, 'Alt+3');
  await page.getByRole('link', { name: /^Repair/ }).waitFor();
  await keys(page, 'Enter');
  const repair = await annotatePage(page, studio.server, ws, made.id);
  await soon(repair.current).toBe(1);
  await keys(page, 'Home', 'Shift+U');
  await soon(repair.current).toBe(1);
  expect(await repair.label(1)).toMatch(/1 open comment, rejected/);
  await page.getByText('The box is too wide.').first().waitFor();
  await keys(page, 'Shift+A', '<It is, sorry.>', 'Enter');
  await keys(page, 'b', 'Alt+Shift+ArrowLeft', 'Escape', 'Shift+S');
  await soon(async () => (await reviewOf(place(made.id), ana)).threads[0]?.open).toBe(false);
  // Submitting is refused while a step is open, and one is led to it.
  await keys(page, 'd', 'Home', 'Shift+H');
  await page.getByText(/Not submitted: 1 step is not done/).waitFor();
  await soon(repair.current).toBe(1);
  // What is missing is listed first; submitted again, it is submitted all the same.
  await keys(page, 'd', 'Shift+H');
  await page.getByRole('complementary', { name: 'What is missing' }).waitFor();
  await keys(page, 'Shift+H');
  await page.getByText(/^Submitted\./).waitFor();

  // The second review asks only for what was changed.
  await chooseByKeys(page, 'Ben');
  await keys(page, 'Alt+n');
  const second = await reviewPage(page, studio.server, ws, made.id);
  await keys(page, 'Enter');
  await soon(async () => (await reviewOf(place(made.id), ben)).claim?.person).toBe(ben);
  await soon(second.left).toBe('15 of 16 decided');
  await keys(page, 'Shift+Enter');
  await soon(second.spoken).toMatch(/^Step 2: .*undecided|to decide again/);
  await keys(page, 'Enter');
  await soon(second.left).toBe('All decided');
  await keys(page, 'Shift+V');
  await page.getByText('It may be approved.').waitFor();
  await keys(page, 'Escape', 'Control+Enter');
  await page.getByText('Approved.', { exact: true }).waitFor();
  await soon(async () => (await reviewOf(place(made.id), ana)).state).toBe('approved');

  expect(await page.evaluate(() => document.documentElement.getAttribute('data-pointer-used'))).toBeNull();
  expect(faults).toEqual([]);
  await context.close();
});

it('what was sent back is answered and submitted again by mouse, with a change and without', {
  timeout: 240_000,
}, async () => {
  for (const change of ['none', 'a narration'] as const) {
    const made = await make(change === 'none' ? 'only-answered' : 'answered-and-changed', 4);
    await annotateAndSendBack(place(made.id), ana, ben, made);
    const { page, context, faults } = await studio.open({}, `/w/${ws}/recordings/${made.id}`);
    const work = await annotatePage(page, studio.server, ws, made.id);
    await chooseByKeys(page, 'Ana');
    await work.goTo(1);
    if (change !== 'none') {
      await page.getByRole('textbox', { name: 'Narration' }).fill('Press the wide button');
      await soon(() => page.getByRole('textbox', { name: 'Narration' }).inputValue()).toBe('Press the wide button');
    }
    await page
      .getByRole('button', { name: /^Resolve/ })
      .first()
      .click();
    await soon(async () => (await reviewOf(place(made.id), ana)).threads[0]?.open).toBe(false);
    if (change !== 'none') {
      const narrations = async () =>
        (await studio.api.annotation.get({ ws, recording: made.id })).records.flatMap((record) =>
          record.kind === 'label' ? [record.narration] : [],
        );
      await soon(narrations).toContain('Press the wide button');
    }
    await page.getByRole('button', { name: /^Submit/ }).click();
    const state = async () => (await reviewOf(place(made.id), ana)).state;
    await soon(state).toBe('annotated');
    expect(faults).toEqual([]);
    await context.close();
  }
});

it('nobody reviews their own work, and nothing is written where one may not', { timeout: 240_000 }, async () => {
  const made = await make('own-work', 4);
  await annotateAndHandIn(place(made.id), ana, made);
  const { page, context, faults } = await studio.open({}, `/w/${ws}/recordings/${made.id}/review`);
  await page.getByRole('heading', { name: 'Who reviews?' }).waitFor();
  await chooseByKeys(page, 'Ana');
  const work = await reviewPage(page, studio.server, ws, made.id);
  await page
    .getByText(/nobody reviews their own work/)
    .first()
    .waitFor();
  const before = (await history(made.id, ana)).length;
  await keys(page, 'Enter', 'd', 'Backspace');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await work.left()).toMatch(/^0 of 6 decided/);
  // Submitted, her own document is not changed either, and the page says why.
  await annotatePage(page, studio.server, ws, made.id);
  await page.getByText(/Read-only/).waitFor();
  // What would change it looks so too.
  for (const name of [/^Confirm/, /^Flag/, /^Remove/, /^Split/]) {
    await page.getByRole('button', { name, disabled: true }).first().waitFor();
    expect(await page.getByRole('button', { name, disabled: false }).count()).toBe(0);
  }
  const { version } = await studio.api.annotation.get({ ws, recording: made.id });
  await keys(page, 'f', 'x', 'Control+z');
  await page
    .getByText(/submitted/i)
    .first()
    .waitFor();
  expect((await studio.api.annotation.get({ ws, recording: made.id })).version).toBe(version);
  expect((await history(made.id, ana)).length).toBe(before);
  expect(faults).toEqual([]);
  await context.close();
});

it('a trajectory is judged by single keys, whatever the state of its annotation', { timeout: 240_000 }, async () => {
  const made = await make('judged', 4);
  const { page, context, faults } = await studio.open({}, `/w/${ws}`);
  await chooseByKeys(page, 'Ben');
  const work = await reviewPage(page, studio.server, ws, made.id);
  await keys(page, 'Shift+D', 'Home');
  await soon(work.left).toBe('0 of 4 judged');
  await keys(page, 'Enter', 'n', '5', 'r', 'Enter', '1', 'Enter', 'Enter');
  await soon(work.left).toBe('All judged');
  await soon(async () => {
    const { judgements, state } = await reviewOf(place(made.id), ben);
    return [
      state,
      ...judgements.map(({ grounded, error }) => [grounded, error?.kind, error?.execution, error?.recoverable]),
    ];
  }).toEqual([
    'recorded',
    [true, undefined, undefined, undefined],
    [false, 'execution', 'perceptual', true],
    [null, 'planning', null, false],
    [true, undefined, undefined, undefined],
  ]);
  await keys(page, 'End', 'Backspace');
  await soon(work.left).toBe('3 of 4 judged');
  expect(faults).toEqual([]);
  await context.close();
});

it('a blind replica is annotated without a trace of the other', { timeout: 240_000 }, async () => {
  const made = await make('replica', 3);
  await studio.api.recordings.open({ ws, recording: made.id });
  await act(place(made.id), ana, { type: 'plan', replicas: 2 });
  const { page, context } = await studio.open({}, `/w/${ws}`);
  await chooseByKeys(page, 'Ana');
  const first = await annotatePage(page, studio.server, ws, made.id);
  await first.name('Told to nobody');
  await page.getByText('All changes saved').waitFor();
  await chooseByKeys(page, 'Ben');
  await annotatePage(page, studio.server, ws, made.id);
  await page.getByText('blind', { exact: true }).waitFor();
  expect(await page.getByText('Told to nobody').count()).toBe(0);
  await keys(page, 'e', '<Mine>', 'Enter');
  await soon(async () => {
    const document = `${made.id}~${ben}`;
    const { records } = await studio.api.annotation.get({ ws, recording: made.id, document, person: ben });
    return records.flatMap((record) => (record.kind === 'label' ? [record.element] : []));
  }).toEqual(['Mine']);
  await context.close();
});

it('a digit chooses a person although the list of people came long after the dialog', async () => {
  const { page, context } = await studio.open();
  let letGo = (): void => undefined;
  const held = new Promise<void>((done) => {
    letGo = done;
  });
  await page.route('**/rpc/people/list*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${studio.origin}/w/${ws}`);
  await heard(page);
  await page.keyboard.press('Alt+p');
  const dialog = page.getByRole('dialog', { name: 'Who are you?' });
  await dialog.getByText('Loading the names').waitFor();
  // Where a list of names is not there yet, a digit is nobody's: it must not begin a name either.
  await page.keyboard.press('2');
  letGo();
  const ben = dialog.getByRole('button', { name: 'Ben' });
  const digit = await ben.getAttribute('aria-keyshortcuts');
  expect(await dialog.getByLabel('Your name').inputValue()).toBe('');
  await page.keyboard.press(String(digit));
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'You are Ben' }).waitFor();
  await context.close();
});

it('what is typed into the chooser of a person is a name: it filters or adds, and is never somebody else or a key of the page', async () => {
  await studio.inWindow(`/w/${ws}/insights`, async (page) => {
    const dialog = page.getByRole('dialog', { name: 'Who are you?' });
    const names = () => dialog.getByRole('list', { name: 'People' }).getByRole('listitem').allTextContents();
    await page.keyboard.press('Alt+p');
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    // Part of a name: the people who are called alike are shown, and Enter takes none of them.
    await page.keyboard.type('be');
    await soon(names).toEqual([expect.stringContaining('Ben')]);
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter once more adds “be” as another person.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // Marked by an arrow it is meant.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'You are Ben' }).waitFor();
    await page.keyboard.press('Alt+p');
    await dialog.getByRole('list', { name: 'People' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).focus();
    // From wherever the focus is; letters, of which some are keys of the page behind.
    await page.keyboard.type('Eve e');
    expect(await dialog.getByLabel('Your name').inputValue()).toBe('Eve e');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'You are Eve e' }).waitFor();
    expect(await page.getByRole('menu').count()).toBe(0);
  });
});

it('the rules of a data set are changed by keys, and count for what is annotated next', async () => {
  const dir = studio.home.dir('rules');
  const { id } = await studio.api.workspaces.open({ dir, create: true });
  const [ana = ''] = await addPeople(studio.server, id, 'Ana', 'Ben');
  await makeRecording(path.join(dir, 'recordings'), { id: 'ruled', steps: 2, width: 640, height: 360 });
  await studio.api.recordings.open({ ws: id, recording: 'ruled' });
  const replicas = async () => (await studio.api.review.get({ ws: id, recording: 'ruled', person: ana })).replicas;
  expect(await replicas()).toBe(1);
  await studio.inWindow(`/w/${id}/work`, async (page) => {
    await chooseByKeys(page, 'Ana');
    await keys(page, 'r');
    const field = page.getByLabel('People who annotate the same recording');
    await soon(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    await keys(page, '2', 'Tab', 'Control+a', '<100>', 'Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
  expect(await studio.api.review.policy({ ws: id })).toMatchObject({ replicas: 2, replicaShare: 1 });
  expect(await replicas()).toBe(2);
});

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  it('axe finds nothing serious on the pages and dialogs of review', { timeout: 240_000 }, async () => {
    const made = await make(`axe-${scheme}`, 5, [3]);
    await annotateAndHandIn(place(made.id), ana, made);
    const { page, context, faults } = await studio.open({ scheme });
    const found: Record<string, unknown> = {};
    const check = async (name: string) => {
      const violations = await axeViolations(page);
      if (violations.length > 0) found[name] = violations;
    };
    await page.goto(`${studio.origin}/w/${ws}/work`);
    await check('work, nobody chosen');
    await keys(page, 'Alt+p');
    await check('person');
    await keys(page, 'Escape');
    await chooseByKeys(page, 'Ben');
    await page
      .getByRole('link', { name: /^Review/ })
      .first()
      .waitFor();
    await check('work');
    await keys(page, 'r');
    await page.getByLabel('Seed').waitFor();
    await check('policy');
    await reviewPage(page, studio.server, ws, made.id);
    await check('review, to take up');
    await keys(page, 'Enter');
    await soon(async () => (await reviewOf(place(made.id), ben)).claim?.person).toBe(ben);
    await keys(page, 'Enter', 'Enter', 'd');
    await check('reject');
    await keys(page, 'u', 'Shift+C', '<A word>', 'Control+Enter', 'Shift+W', 'ArrowUp');
    await check('review with comments');
    await keys(page, '1');
    await check('one aspect');
    await keys(page, 'Shift+V');
    await check('verdict');
    await keys(page, 'Escape', 'Shift+D', '5');
    await check('judge');
    expect(found).toEqual({});
    expect(faults).toEqual([]);
    await context.close();
  });
});
