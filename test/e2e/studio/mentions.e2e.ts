import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { axeViolations, heard } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { makeRecording } from '../../support/studio-recording.ts';
import { act, addPeople, annotateAndHandIn } from '../../support/studio-review.ts';

/** A person who is named with @ in a comment finds it in My work, also of an approved recording, until they answer. */

const studio = studioFixture();
const ID = 'talked-over';
let ws: string;
let [ana, ben, cem] = ['', '', ''];

beforeAll(async () => {
  ws = await studio.newWorkspace();
  [ana = '', ben = '', cem = ''] = await addPeople(studio.server, ws, 'Ana Ferreira', 'Ben Okafor', 'Cem Yıldız');
  const made = await makeRecording(studio.recordings, { id: ID, steps: 4 });
  const place = { server: studio.server, ws, recording: ID };
  const { documents } = await annotateAndHandIn(place, ana, made);
  const version = documents[0]!.version;
  await act(place, ben, { type: 'claim' });
  const { steps } = await studio.api.recordings.open({ ws, recording: ID });
  for (const { id } of steps) {
    const item = { kind: 'step', action: id } as const;
    await act(place, ben, { type: 'decide', item, version, verdict: 'accept', reason: null, comment: '' });
  }
  await act(place, ben, { type: 'verdict', verdict: 'approve', version, reasons: [], comment: '' });
}, 240_000);

async function openAs(person: string, at: string): Promise<Awaited<ReturnType<typeof studio.open>>> {
  const watched = await studio.open();
  await watched.page.evaluate(([ws, person]) => localStorage.setItem(`person:${ws}`, person ?? ''), [ws, person]);
  await watched.page.goto(`${studio.origin}${at}`);
  await heard(watched.page);
  return watched;
}
const threads = async () => (await studio.api.review.get({ ws, recording: ID, person: ben })).threads;
const texts = async () => (await threads()).flatMap(({ entries }) => entries.map(({ text }) => text));
const offered = (page: Page) => page.getByRole('listbox', { name: 'People to mention' });

it('is named by keyboard, finds it in their work, and answers; nothing else of the comment is other than before', async () => {
  const writing = await openAs(ben, `/w/${ws}/recordings/${ID}`);
  const { page } = writing;
  await page.getByRole('listbox').or(page.getByRole('tree')).or(page.getByRole('grid')).first().waitFor();
  await page.keyboard.press('Shift+C');
  const dialog = page.getByRole('dialog', { name: 'Add comment' });
  await dialog.waitFor();
  await page.keyboard.type('Is it so, @');
  await soon(() => offered(page).getByRole('option').allTextContents()).toEqual([
    'Ana Ferreira',
    'Ben Okafor',
    'Cem Yıldız',
  ]);
  expect(await axeViolations(page)).toEqual([]);
  // Escape closes the names alone; the next letter brings them back.
  await page.keyboard.press('Escape');
  await offered(page).waitFor({ state: 'detached' });
  await dialog.waitFor();
  await page.keyboard.type('ce');
  await soon(() => offered(page).getByRole('option').allTextContents()).toEqual(['Cem Yıldız']);
  await page.keyboard.press('Enter');
  await page.keyboard.type('or not?');
  await soon(() => dialog.getByRole('textbox').inputValue()).toBe('Is it so, @Cem Yıldız or not?');
  await page.keyboard.press('Control+Enter');
  await soon(texts).toEqual(['Is it so, @Cem Yıldız or not?']);
  expect(writing.faults).toEqual([]);
  await writing.context.close();

  // Nobody else is given work by it.
  expect(await studio.api.review.queue({ ws, person: ana })).toEqual([]);
  const reading = await openAs(cem, `/w/${ws}/work`);
  const work = reading.page;
  const item = work.getByRole('list', { name: 'Work, the next first' }).getByRole('link');
  await soon(() => item.allTextContents()).toEqual([expect.stringContaining('A comment mentions you')]);
  expect(await axeViolations(work)).toEqual([]);
  await work.keyboard.press('Enter');
  const thread = work.getByRole('article', { name: 'Comment 1' });
  await thread.getByText('@Cem Yıldız', { exact: true }).waitFor();
  await work.keyboard.press('Shift+A');
  await work.keyboard.type('Yes, @Ben');
  await soon(() => offered(work).getByRole('option').allTextContents()).toEqual(['Ben Okafor']);
  await work.keyboard.press('Tab');
  await offered(work).waitFor({ state: 'detached' });
  await work.keyboard.press('Enter');
  await soon(texts).toEqual(['Is it so, @Cem Yıldız or not?', 'Yes, @Ben Okafor']);
  expect(await studio.api.review.queue({ ws, person: cem })).toEqual([]);
  expect(await studio.api.review.queue({ ws, person: ben })).toMatchObject([
    { kind: 'answer', recording: ID, asked: 1 },
  ]);
  expect(reading.faults).toEqual([]);
  await reading.context.close();
});
