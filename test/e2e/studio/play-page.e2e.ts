import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { studioMust } from '../../support/cli.ts';
import { demonstrateNote, makeNoteTask, NOTE_RECIPE, NOTE_TASK, newNoteStage } from '../../support/played-note.ts';
import { axeViolations, heard } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { makeRecording } from '../../support/studio-recording.ts';
import { until } from '../../support/until.ts';

/** A real demonstration in mousepad is played again from its page, on a stage of its own. */

const studio = studioFixture();
let ws = '';
let recording = '';
const address = (): string => `/w/${ws}/recordings/${recording}/play`;
const dir = (): string => path.dirname(studio.recordings);

beforeAll(async () => {
  await makeNoteTask(dir(), ['recipe', 'checks']);
  const stage = await newNoteStage(dir());
  recording = await demonstrateNote(dir(), stage);
  await studioMust(['stage', 'end', stage.stage]);
  ws = await studio.newWorkspace();
}, 300_000);

const current = async (page: Page): Promise<number> =>
  Number(await page.locator('ol[aria-label=Steps] [aria-current=step]').locator('span').first().textContent());
/** The list of plays, in words. */
const shownPlay = (page: Page): Promise<string> => page.getByRole('combobox', { name: 'Which play' }).inputValue();
const pictures = (page: Page): Promise<(string | null)[]> =>
  page.locator('figure svg image').evaluateAll((all) => all.map((one) => one.getAttribute('href')));

it('plays by a key, shows both pictures step by step, and finds the play again', async () => {
  await studio.inWindow(address(), async (page) => {
    await page.getByRole('button', { name: 'Play', exact: true }).and(page.locator(':enabled')).waitFor();
    expect(await page.getByText('Not played yet.').count()).toBe(1);
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Which play' }).waitFor({ timeout: 120_000 });
    expect(await shownPlay(page)).toMatch(/7 of 7 steps, passed/);
    expect(await current(page)).toBe(1);
    await page.getByRole('heading', { name: 'Checks Passed' }).waitFor();
    await until('both pictures', async () => (await pictures(page)).length === 2);
    const [recorded, played] = await pictures(page);
    expect(recorded).toContain(`/recordings/${recording}/frames/`);
    expect(played).not.toContain(recording);
    // Both are there, and what differs (at most the caret) is told.
    await page
      .getByText(/The two look alike|parts? of the screen look/)
      .first()
      .waitFor();
    for (const href of [recorded, played]) {
      expect((await studio.server.ask(href ?? '')).headers.get('content-type')).toBe('image/png');
    }
    await page.keyboard.press('End');
    expect(await current(page)).toBe(7);
    await page.keyboard.press('b');
    await page.getByRole('img', { name: /^Step 7, after it, as it was played/ }).waitFor();
    await page.keyboard.press('f');
    await until('one picture', async () => (await pictures(page)).length === 1);
    expect(await axeViolations(page)).toEqual([]);
    await page.reload();
    await heard(page);
    await page.getByRole('combobox', { name: 'Which play' }).waitFor();
    expect(await shownPlay(page)).toMatch(/7 of 7 steps/);
    await page.keyboard.press('Escape');
    await page.getByRole('tree', { name: 'Subtasks and steps' }).waitFor();
  });
});

it('names the step that differs, marks where, and keeps the play that was stopped by hand', async () => {
  const files = [{ text: 'Nothing of what the person saw', to: 'notes/note.txt' }];
  const other = path.join(path.dirname(dir()), 'other.json');
  fs.writeFileSync(other, JSON.stringify({ ...NOTE_RECIPE, files }));
  await studioMust(['tasks', 'attach', NOTE_TASK, other, '--role', 'recipe', '--workspace', dir()]);
  await studio.inWindow(address(), async (page) => {
    await page.getByRole('button', { name: 'Play', exact: true }).and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await until('the play that stopped', async () => /steps, failed/.test(await shownPlay(page).catch(() => '')), {
      timeoutMs: 120_000,
    });
    const report = (await studio.api.play.open({ ws, played: (await newest()).id })).report;
    expect(report?.stopped).toBe(report?.steps.at(-1)?.step);
    // It is opened at the step that went wrong.
    expect(await current(page)).toBe(report?.steps.length);
    await page.locator('figure svg g[data-decisive]').first().waitFor();
    await page.getByText('Not reached').first().waitFor();
    expect(await axeViolations(page)).toEqual([]);

    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await page
      .getByText(/setting the stage|playing 7 steps|of 7:/)
      .first()
      .waitFor();
    await page.keyboard.press('s');
    await page.getByRole('button', { name: 'Play', exact: true }).and(page.locator(':enabled')).waitFor();
  });
  const [job] = await studio.api.jobs.list({ ws });
  expect(job).toMatchObject({ kind: 'play', subject: recording, state: 'cancelled' });
  const { json } = await studioMust(['stage', 'list', '--json']);
  expect(JSON.stringify(json)).not.toContain(dir());
  async function newest() {
    const [first] = await studio.api.play.list({ ws, recording });
    if (!first) throw new Error('no play');
    return first;
  }
});

it('says what is missing, and what to do', async () => {
  const made = await makeRecording(studio.recordings, {
    id: 'no-recipe',
    steps: 3,
    task: { id: 'GIMP_9', goal: 'Crop it' },
  });
  await studio.inWindow(`/w/${ws}/recordings/${made.id}/play`, async (page) => {
    await page.getByRole('heading', { name: 'This cannot be played yet' }).waitFor();
    await page.getByText(/has no recipe/).waitFor();
    expect(await page.getByRole('button', { name: 'Play', exact: true }).isEnabled()).toBe(false);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Write the recipe' }).click();
    await page.getByRole('heading', { level: 1, name: 'GIMP_9' }).waitFor();
  });
  const { missing } = await studio.api.play.ready({ ws, recording: made.id });
  expect(missing.map(({ what }) => what)).toEqual(['recipe']);
});
