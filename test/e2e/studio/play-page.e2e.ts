import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { studioMust } from '../../support/cli.ts';
import {
  demonstrateNote,
  makeNoteTask,
  NOTE_CHECKS,
  NOTE_RECIPE,
  NOTE_TASK,
  newNoteStage,
} from '../../support/played-note.ts';
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

/** The commands of this test are another account's, so the page asks before it runs what they attached. */
async function agree(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Run what somebody else made?' });
  await dialog.getByRole('button', { name: 'Agree and run' }).and(page.locator(':enabled')).click();
  await dialog.waitFor({ state: 'detached' });
}

it('plays by a key, shows both pictures step by step, and finds the play again', async () => {
  await studio.inWindow(address(), async (page) => {
    await page.getByRole('button', { name: 'Play', exact: true }).and(page.locator(':enabled')).waitFor();
    expect(await page.getByText('Not played yet.').count()).toBe(1);
    await page.keyboard.press('p');
    // What somebody else made is shown first, and no is the answer that is at hand.
    const dialog = page.getByRole('dialog', { name: 'Run what somebody else made?' });
    await dialog.getByText('mousepad --disable-server ~/notes/note.txt').waitFor();
    expect(await dialog.getByText('No network').count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await studio.api.play.list({ ws, recording })).toEqual([]);
    await page.keyboard.press('p');
    await agree(page);
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    // While it goes on its stage is seen beside the step in hand.
    const live = page.getByRole('img', { name: 'The stage of the play, as it looks now' });
    await live.waitFor({ timeout: 60_000 });
    expect(await live.locator('image').getAttribute('href')).toMatch(/^data:image\/jpeg;base64,/);
    await until('a later step', async () => (await current(page)) > 1);
    await page.getByRole('combobox', { name: 'Which play' }).waitFor({ timeout: 120_000 });
    expect(await shownPlay(page)).toMatch(/7 of 7 steps, passed/);
    // One that went well is opened at its first step, with its report.
    await page.getByRole('heading', { name: 'Checks Passed' }).waitFor();
    expect(await current(page)).toBe(1);
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
    // Whoever has gone to a step before the report is there stays at it.
    let letGo = (): void => undefined;
    const held = new Promise<void>((done) => {
      letGo = done;
    });
    await page.route('**/rpc/play/open*', async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    await heard(page);
    await page.getByRole('combobox', { name: 'Which play' }).waitFor();
    expect(await shownPlay(page)).toMatch(/7 of 7 steps/);
    await page.keyboard.press('End');
    expect(await current(page)).toBe(7);
    letGo();
    await page.getByRole('heading', { name: 'Checks Passed' }).waitFor();
    expect(await current(page)).toBe(7);
    await page.keyboard.press('Escape');
    await page.getByRole('tree', { name: 'Subtasks and steps' }).waitFor();
  });
});

it('is verified by a key: the verdict and its reasons are shown, and no longer count when the checks change', async () => {
  expect(await studio.api.play.verdict({ ws, recording })).toBeNull();
  await studio.inWindow(address(), async (page) => {
    const verify = page.getByRole('button', { name: 'Verify', exact: true });
    await verify.and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('v');
    await page.getByText('Verifying: several plays').waitFor();
    await page.getByText(/play 1 of 3: \d of 7/).waitFor({ timeout: 60_000 });
    await page.getByRole('heading', { name: 'Proven', exact: true }).waitFor({ timeout: 200_000 });
    await page.getByText('3 of 3 plays agreed and passed. Without step 7 the checks fail, as they should.').waitFor();
    // The plays are in the list like any other; that of the whole recording is shown, not the one that was to fail.
    const which = page.getByRole('combobox', { name: 'Which play' });
    await which.waitFor();
    await until('the last whole play', async () => /7 of 7 steps, passed/.test(await shownPlay(page)));
    await which.click();
    await page.getByRole('option', { name: /without one step, failed as wanted/ }).click();
    await page.getByText('Skipped', { exact: true }).click();
    await page
      .getByText(/^It was left out on purpose, to see whether the checks fail/)
      .first()
      .waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const verdict = await studio.api.play.verdict({ ws, recording });
    expect(verdict).toMatchObject({ current: true, report: { proven: true, problems: [], plays: [{}, {}, {}] } });
    expect(JSON.parse(fs.readFileSync(path.join(studio.recordings, recording, 'verify.json'), 'utf8'))).toEqual(
      verdict?.report,
    );
    const { rows } = await studio.api.dataset.rows({ ws });
    expect(rows.find((row) => row.recording === recording)?.proof).toBe('proven');

    const other = path.join(path.dirname(dir()), 'weak.json');
    fs.writeFileSync(other, JSON.stringify({ ...NOTE_CHECKS, checks: [NOTE_CHECKS.checks[1]] }));
    await studioMust(['tasks', 'attach', NOTE_TASK, other, '--role', 'checks', '--workspace', dir()]);
    await page.reload();
    await page.getByRole('heading', { name: 'Proven, by checks that the task no longer has' }).waitFor();
    // By mouse, and stopped: the verdict from before stays.
    await verify.and(page.locator(':enabled')).click();
    await agree(page);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('heading', { name: 'Proven, by checks that the task no longer has' }).waitFor();
    expect(await studio.api.play.verdict({ ws, recording })).toEqual({ ...verdict, current: false });
  });
  const first = path.join(path.dirname(dir()), 'checks-again.json');
  fs.writeFileSync(first, JSON.stringify(NOTE_CHECKS));
  await studioMust(['tasks', 'attach', NOTE_TASK, first, '--role', 'checks', '--workspace', dir()]);
}, 400_000);

it('names the step that differs, marks where, and keeps the play that was stopped by hand', async () => {
  const files = [{ text: 'Nothing of what the person saw', to: 'notes/note.txt' }];
  const other = path.join(path.dirname(dir()), 'other.json');
  fs.writeFileSync(other, JSON.stringify({ ...NOTE_RECIPE, files }));
  await studioMust(['tasks', 'attach', NOTE_TASK, other, '--role', 'recipe', '--workspace', dir()]);
  await studio.inWindow(address(), async (page) => {
    await page.getByRole('button', { name: 'Play', exact: true }).and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('p');
    await agree(page);
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await until('the play that stopped', async () => /steps, failed/.test(await shownPlay(page).catch(() => '')), {
      timeoutMs: 120_000,
    });
    const report = (await studio.api.play.open({ ws, played: (await newest()).id })).report;
    expect(report?.stopped).toBe(report?.steps.at(-1)?.step);
    // It is opened at the step that went wrong.
    await page.locator('figure svg g[data-decisive]').first().waitFor();
    await page.getByText('Not reached').first().waitFor();
    expect(await current(page)).toBe(report?.steps.length);
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
