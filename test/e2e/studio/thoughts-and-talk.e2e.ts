import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { toRecords } from '../../../core/annotate/document.ts';
import { setReasoning } from '../../../core/annotate/edit.ts';
import { axeViolations, heard, type Look } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { makeRecording } from '../../support/studio-recording.ts';
import { type Edit, handIn, own, sceneEdits } from '../../support/studio-replicas.ts';
import { act, addPeople } from '../../support/studio-review.ts';

/**
 * Replicas that think otherwise are adjudicated, comments are read and answered where replicas are compared, a lead plans a
 * single recording, and the judgements of two people stand among the insights: by keyboard, against the real server.
 */

const studio = studioFixture();
const ID = 'thought-over';
const POLICY = { replicaShare: 1, checkShare: 0, seed: 1, reviewAdjudicated: false, demonstratorMayReview: false };
let ws: string;
let [ana, ben, cem] = ['', '', ''];
const where = (recording = ID) => ({ server: studio.server, ws, recording });

const thinks =
  (n: number, field: 'thought' | 'actionThought' | 'observation', text: string): Edit =>
  (records, steps) =>
    setReasoning(records, steps[n]!.id, field, text);

beforeAll(async () => {
  ws = await studio.newWorkspace();
  await studio.api.review.setPolicy({ ws, policy: { ...POLICY, replicas: 2 } });
  [ana = '', ben = '', cem = ''] = await addPeople(studio.server, ws, 'Ana Ferreira', 'Ben Okafor', 'Cem Yıldız');
  const made = await makeRecording(studio.recordings, { id: ID, steps: 6 });
  await handIn(where(), ana, [
    ...sceneEdits(made),
    thinks(1, 'thought', 'The note is empty, so it is written next'),
    thinks(1, 'observation', 'A cursor blinks in the note'),
  ]);
  await handIn(where(), ben, [
    ...sceneEdits(made),
    own.name(3, 'Another button'),
    thinks(1, 'thought', 'The note is still empty, so writing comes next'),
    thinks(1, 'observation', 'The note has the focus'),
  ]);
  const { steps } = await studio.api.recordings.open({ ws, recording: ID });
  const at = (n: number) => steps[n]!.id;
  const pin = { action: at(1), role: 'before', place: [60, 80], t: null } as const;
  await act(where(), ana, {
    type: 'comment',
    thread: null,
    pin: { ...pin, place: [60, 80] },
    text: 'Is it this field?',
  });
  for (const [person, fine] of [
    [ana, [true, true, false, true]],
    [ben, [true, true, false, false]],
  ] as const) {
    for (const [n, grounded] of fine.entries()) {
      await act(where(), person, { type: 'judge', action: at(n), grounded, error: null, comment: '' });
    }
  }
  await makeRecording(studio.recordings, { id: 'to-plan', steps: 4, task: { id: 'GIMP_2', goal: 'Plan it' } });
  await studio.api.recordings.list({ ws });
}, 240_000);

async function become(page: Page, person: string): Promise<void> {
  await page.evaluate(([ws, person]) => localStorage.setItem(`person:${ws}`, person ?? ''), [ws, person]);
}
const list = (page: Page) => page.getByRole('tree', { name: 'Differences' });
async function compareAs(person: string, look?: Look) {
  const watched = await studio.open(look);
  await become(watched.page, person);
  await watched.page.goto(`${studio.origin}/w/${ws}/recordings/${ID}/compare`);
  await heard(watched.page);
  await list(watched.page).locator('[data-current=true]').waitFor();
  return watched;
}
const difference = async (part: string) => {
  const { differences } = await studio.api.review.compare({ ws, recording: ID, person: cem });
  return differences.find(({ id }) => id.endsWith(part))!;
};
async function goTo(page: Page, id: string): Promise<void> {
  await list(page).locator(`[data-difference="${id}"]`).click();
  await list(page).locator(`[data-difference="${id}"][data-current=true]`).waitFor();
}
async function reasoningOf(n: number) {
  const { steps } = await studio.api.recordings.open({ ws, recording: ID });
  const main = await studio.api.annotation.get({ ws, recording: ID, document: ID, person: cem });
  return toRecords(main.records).get(`reasoning:${steps[n]!.id}`);
}

describe('where replicas are compared', () => {
  it('a comment on a place is shown at its step and on the picture, and is answered by key, also by who only reads', async () => {
    const { page, context, faults } = await compareAs(ben);
    await goTo(page, (await difference(':thought')).id);
    const thread = page.getByRole('article', { name: 'Comment 1' });
    await thread.getByText('Is it this field?').waitFor();
    await page.locator('[data-pin="1"][data-open=true]').waitFor();
    await page.keyboard.press('Shift+A');
    await page.keyboard.type('Yes, the upper one');
    await page.keyboard.press('Enter');
    await thread.getByText('Yes, the upper one').waitFor();
    const threads = async () => (await studio.api.review.get({ ws, recording: ID, person: ana })).threads;
    await soon(async () => (await threads())[0]?.entries.map(({ person, text }) => [person, text])).toEqual([
      [ana, 'Is it this field?'],
      [ben, 'Yes, the upper one'],
    ]);
    // A place of the picture by keys alone: the cross, a nudge, the words.
    await page.keyboard.press('Shift+P');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.getByRole('dialog', { name: 'Comment' }).waitFor();
    await page.keyboard.type('And this?');
    await page.keyboard.press('Control+Enter');
    await soon(async () => (await threads()).length).toBe(2);
    expect((await threads())[1]?.pin.place).not.toBeNull();
    await page.getByRole('button', { name: /^Comments \(2\)/ }).waitFor();
    await page.keyboard.press('Shift+W');
    await page.getByRole('complementary', { name: 'Comments' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('thoughts are differences of their own: one side is taken, for the other a third is written', async () => {
    const { page, context, faults } = await compareAs(cem);
    const [thought, observation] = [await difference(':thought'), await difference(':observation')];
    expect(thought.kind).toBe('thought');
    await page.keyboard.press('c');
    await page.getByTestId('settled').waitFor();
    await goTo(page, thought.id);
    expect(await page.getByTestId('side-B').locator('mark').count()).toBeGreaterThan(0);
    await page.keyboard.press('2');
    await soon(() => list(page).locator(`[data-difference="${thought.id}"]`).getAttribute('data-state')).toBe(
      'settled',
    );
    await goTo(page, observation.id);
    await page.keyboard.press('F2');
    await page.keyboard.type('The cursor is in the note');
    await page.keyboard.press('Enter');
    await soon(() => list(page).locator(`[data-difference="${observation.id}"]`).getAttribute('data-state')).toBe(
      'written',
    );
    await page.keyboard.press('Enter');
    await soon(() => list(page).locator(`[data-difference="${observation.id}"]`).getAttribute('data-state')).toBe(
      'settled',
    );
    await soon(() => reasoningOf(1)).toMatchObject({
      thought: 'The note is still empty, so writing comes next',
      actionThought: null,
      observation: 'The cursor is in the note',
    });
    // Taken back, nothing of it is left; settled again by its digit.
    await goTo(page, observation.id);
    await page.keyboard.press('Backspace');
    await soon(() => reasoningOf(1)).toMatchObject({ observation: null });
    await page.keyboard.press('1');
    await soon(() => reasoningOf(1)).toMatchObject({ observation: 'A cursor blinks in the note' });
    expect(faults).toEqual([]);
    await context.close();
  });
});

it('who annotates one recording is chosen in the list of recordings, by key or in its menu', async () => {
  const { page, context, faults } = await studio.open();
  await become(page, cem);
  await page.goto(`${studio.origin}/w/${ws}/recordings`);
  await heard(page);
  await page.getByRole('row', { name: /GIMP_2/ }).click();
  await page.keyboard.press('p');
  const dialog = page.getByRole('dialog', { name: 'Who annotates this recording' });
  await dialog.getByRole('radio', { name: 'Two annotate blind' }).waitFor();
  expect(await dialog.getByRole('radio', { name: 'Two annotate blind' }).isChecked()).toBe(true);
  await page.keyboard.press('3');
  expect(await dialog.getByRole('radio', { name: 'Three annotate blind' }).isChecked()).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await dialog.waitFor({ state: 'detached' });
  expect((await studio.api.review.get({ ws, recording: 'to-plan', person: cem })).replicas).toBe(3);
  // A plan that may not be changed any more says why.
  await page.getByRole('button', { name: `Actions for ${ID}` }).click();
  await page.getByRole('menuitem', { name: /^Who annotates/ }).click();
  await dialog.getByText('Its adjudication has begun.').waitFor();
  expect(await dialog.getByRole('button', { name: /^Save the plan/ }).isDisabled()).toBe(true);
  expect(faults).toEqual([]);
  await context.close();
});

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  it.each([
    [1366, 768],
    [2560, 1440],
  ])(
    'comparing with comments and thoughts, and judgements among the insights, pass axe at %i x %i',
    async (width, height) => {
      const look = { scheme, width, height };
      const { page, context, faults } = await compareAs(cem, look);
      await goTo(page, (await difference(':thought')).id);
      await page.getByRole('article', { name: 'Comment 1' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.goto(`${studio.origin}/w/${ws}/insights`);
      const judgements = page.getByRole('region', { name: /^Judgements of trajectories/ });
      const row = judgements.getByRole('row', { name: /^Grounded or not kappa/ });
      await row.waitFor();
      // 3 of 4 alike; 0.75 * 0.5 + 0.25 * 0.5 by chance.
      expect(await row.getByRole('cell').allTextContents()).toEqual(expect.arrayContaining(['0.50', '4']));
      await judgements
        .getByRole('row', { name: /^(?:Ana Ferreira and Ben Okafor|Ben Okafor and Ana Ferreira)/ })
        .waitFor();
      await page.getByRole('row', { name: /^Thoughts edit similarity/ }).waitFor();
      await judgements.scrollIntoViewIfNeeded();
      expect(await axeViolations(page)).toEqual([]);
      expect(faults).toEqual([]);
      await context.close();
    },
  );
});
