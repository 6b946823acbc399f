import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { newComposition } from '../../../core/compositions/edit.ts';
import { compositionRunSchema } from '../../../schemas/composition-run.ts';
import { recipeSchema } from '../../../schemas/play.ts';
import { RECIPE_VERSION } from '../../../schemas/recipe-version.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { tabToNamed, writeIn } from '../../support/studio-keys.ts';

/** A template is written by keyboard alone, instances are made of it and taken back, and stages are declared. */

const studio = studioFixture();
let ws: string;
let task: string;
beforeAll(async () => {
  ws = await studio.newWorkspace();
  const { api } = studio;
  await api.software.add({ ws, name: 'Notes', prefix: 'NOTE' });
  task = (await api.tasks.create({ ws, software: 'notes', goal: 'When is the meeting?', answer: '11:30' })).id;
  const recipe = recipeSchema.parse({
    schema: 'trajectory-studio/recipe',
    version: RECIPE_VERSION,
    files: [{ text: 'The meeting is at 11:30 in Lab 305.\n', to: 'plan.txt' }],
    programs: [{ command: 'true' }],
  });
  await api.setup.saveRecipe({ ws, task, recipe });
  const [member] = await api.compositions.members({ ws, tasks: [task] });
  if (!member) throw new Error('The task gives no member.');
  const made = {
    ...newComposition({ id: 'day', kind: 'scenario', title: 'Day' }),
    members: [
      { ...member, id: 'meeting', instructions: { base: 'When is the meeting in {{given.room}}?' } },
      { ...member, id: 'alarm', task: null, instructions: { base: 'Set an alarm.' }, outputs: [] },
    ],
  };
  const content = { ...made, context: { ...made.context, given: [{ name: 'room', value: 'Lab 305' }] } };
  await api.compositions.save({ ws, composition: 'day', content, version: null });
});

async function write(page: Page, field: string, text: string): Promise<void> {
  await tabToNamed(page, field);
  await page.keyboard.press('Control+A');
  await writeIn(page, text);
}
/** In a list that is closed, by the arrows. */
async function choose(page: Page, field: string, entry: string): Promise<void> {
  await tabToNamed(page, field);
  await page.keyboard.press('ArrowDown');
  const option = page.getByRole('option', { name: entry, exact: true });
  await option.waitFor();
  for (let n = 0; n < 12; n++) {
    if ((await option.getAttribute('data-combobox-selected')) === 'true') break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}
const save = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+S');
  await page
    .getByRole('status')
    .filter({ hasText: /^Saved$/ })
    .waitFor();
};
const content = async (id = 'day') => (await studio.api.compositions.edit({ ws, composition: id })).composition;

it('values vary, their places are shown and marked, and what breaks a law is said at the value', {
  timeout: 240_000,
}, async () => {
  await studio.inWindow(`/w/${ws}/compositions/day/edit`, async (page) => {
    const { keyboard } = page;
    await page.getByRole('heading', { name: 'meeting' }).waitFor();
    // The room by a list. With its own value alone there is no other one: the law says so at its row.
    await keyboard.press('k');
    await page.getByRole('heading', { name: 'The composition itself' }).waitFor();
    await keyboard.press('Enter');
    await choose(page, 'In instances', 'one of a list');
    const room = page.getByRole('group', { name: 'How room varies' });
    await page.getByText('there is no other value for it').waitFor();
    await tabToNamed(page, 'Values, one a line');
    await keyboard.press('Control+End');
    await writeIn(page, '\nLab 12\nHall B');
    await page.getByText('there is no other value for it').waitFor({ state: 'detached' });
    await room.getByText('By itself wherever a text has the slot: meeting (base)').waitFor();
    // It stands in the recipe of the task as well, and is marked there.
    const inRecipe = room.getByRole('checkbox', { name: `${task} › recipe › files › 0 › text` });
    await tabToNamed(page, `${task} › recipe`);
    await keyboard.press('Space');
    expect(await inRecipe.isChecked()).toBe(true);

    // The time is added, varies by half hours, and stands in the answer, the task's answer and the recipe.
    await keyboard.press('Escape');
    await keyboard.press('g');
    await writeIn(page, 'time');
    await write(page, 'Value', '11:30');
    await choose(page, 'In instances', 'a time of day');
    await write(page, 'From', '09:00');
    await write(page, 'Until', '12:00');
    await page.getByText('7 values: 09:00, 09:30, … 12:00').waitFor();
    const time = page.getByRole('group', { name: 'How time varies' });
    await time.getByRole('checkbox').nth(2).waitFor();
    await tabToNamed(page, 'Mark all');
    await keyboard.press('Enter');
    expect(await time.getByRole('checkbox', { checked: true }).count()).toBe(3);

    // The alarm is counted from it: ten minutes before.
    await keyboard.press('Escape');
    await keyboard.press('g');
    await writeIn(page, 'alarm');
    await write(page, 'Value', '11:20');
    await choose(page, 'In instances', 'so much after another value');
    const minutes = page.getByRole('textbox', { name: 'Minutes later' });
    expect(await minutes.inputValue()).toBe('-10');
    await write(page, 'Minutes later', '-15');
    await page.getByText('it would be 11:15, and is 11:20').waitFor();
    await page.getByText('Nothing uses the value “alarm”').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await keyboard.press('Control+Z');
    await page.getByText('it would be 11:15').waitFor({ state: 'detached' });
    expect(await minutes.inputValue()).toBe('-10');
    await save(page);
  });
  const { context, version } = await content();
  const puts = [`tasks/${task}/recipe/files/0/text`];
  expect([version, context.given]).toEqual([
    4,
    [
      { name: 'room', value: 'Lab 305', varies: { kind: 'list', values: ['Lab 305', 'Lab 12', 'Hall B'], puts } },
      {
        name: 'time',
        value: '11:30',
        varies: {
          kind: 'time',
          from: '09:00',
          to: '12:00',
          step: 30,
          puts: ['members/meeting/outputs/answer/value', `tasks/${task}/answer`, ...puts],
        },
      },
      { name: 'alarm', value: '11:20', varies: { kind: 'after', of: 'time', plus: -10, puts: [] } },
    ],
  ]);
});

it('instances are made, listed and opened by keyboard, and name their template; undo takes them and their tasks back', {
  timeout: 240_000,
}, async () => {
  const tasks = async () => (await studio.api.tasks.list({ ws })).map(({ id }) => id);
  expect(await tasks()).toEqual([task]);
  await studio.inWindow(`/w/${ws}/compositions/day`, async (page) => {
    const { keyboard } = page;
    await page.getByText('None is made yet').waitFor();
    await keyboard.press('i');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await keyboard.press('Control+A');
    await writeIn(page, '3');
    expect(await axeViolations(page)).toEqual([]);
    await keyboard.press('Control+Enter');
    await dialog.getByText('3 instances made').waitFor();
    await keyboard.press('Escape');
    const table = page.getByRole('region', { name: 'Instances' });
    await expect.poll(() => table.getByRole('row').count()).toBe(4);
    await page.getByText('3 instances were made.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect((await tasks()).length).toBe(4);

    // Taken back as a whole: compositions, and the tasks with their files.
    await keyboard.press('Control+Z');
    await page.getByText('None is made yet').waitFor();
    expect(await tasks()).toEqual([task]);
    expect((await studio.api.compositions.list({ ws })).map(({ id }) => id)).toEqual(['day']);

    // More than there are: nothing is made, and why is said.
    await keyboard.press('i');
    await dialog.waitFor();
    await keyboard.press('Control+A');
    await writeIn(page, '200');
    await keyboard.press('Control+Enter');
    await dialog.getByText('does not give 200 instances').first().waitFor();
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await keyboard.press('i');
    await dialog.waitFor();
    await keyboard.press('Control+A');
    await writeIn(page, '2');
    await keyboard.press('Control+Enter');
    await dialog.getByText('2 instances made').waitFor();
    await keyboard.press('Escape');
    await tabToNamed(page, 'day-1-1');
    await keyboard.press('Enter');
    const origin = page.getByRole('paragraph').filter({ hasText: 'An instance of day, drawn by the seed 1' });
    await origin.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await tabToNamed(page, 'day');
    await keyboard.press('Enter');
    await table.waitFor();
    await keyboard.press('Escape');
    await page.getByText('instance of day').first().waitFor();
  });
  const made = await content('day-1-1');
  const { time, alarm } = Object.fromEntries(made.context.given.map(({ name, value }) => [name, value]));
  const minutes = (text = ''): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  expect(minutes(time) - minutes(alarm)).toBe(10);
  expect(made.members[0]?.outputs[0]?.value).toBe(time);
  expect(made.members[0]?.task).not.toBe(task);
});

it('stages are declared, named by tasks and events, and shown; the law is said where one is gone', {
  timeout: 240_000,
}, async () => {
  await studio.inWindow(`/w/${ws}/compositions/day/edit`, async (page) => {
    const { keyboard } = page;
    await page.getByRole('heading', { name: 'meeting' }).waitFor();
    for (const name of ['desktop', 'office']) {
      await keyboard.press('s');
      await writeIn(page, name);
      await keyboard.press('Escape');
    }
    await page.getByText('No member is done on the stage “office”.').waitFor();
    // The second task is done in the office.
    await keyboard.press('j');
    await keyboard.press('j');
    await page.getByRole('heading', { name: 'alarm' }).waitFor();
    await keyboard.press('Enter');
    await choose(page, 'On the stage', 'office');
    await keyboard.press('Escape');
    await page.getByRole('button', { name: /2\. alarm.*office/ }).waitFor();
    // It takes a file of the first one, which lies on the other stage; no edge puts that one before it yet.
    await keyboard.press('f');
    await writeIn(page, '../plan.txt');
    await page.getByText('A path in the home, such as').waitFor();
    await keyboard.press('Control+A');
    await writeIn(page, 'Documents/plan.txt');
    await page.getByText('“Documents/plan.txt” may not be there yet').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await keyboard.press('Escape');
    await keyboard.press('f');
    await writeIn(page, 'more.txt');
    await tabToNamed(page, 'Remove more.txt');
    await keyboard.press('Enter');
    await keyboard.press('Escape');
    await keyboard.press('f');
    await writeIn(page, 'Documents/plans');
    await choose(page, 'It is', 'a folder');
    await page.getByText('“Documents/plans” may not be there yet').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await keyboard.press('Escape');
    await keyboard.press('e');
    await page.getByRole('heading', { name: 'event', exact: true }).waitFor();
    await choose(page, 'On the stage', 'office');
    await write(page, 'Title', 'Ring');
    await keyboard.press('Escape');
    await save(page);

    // Called otherwise it keeps them; removed, each who names it says so, and undo brings it back.
    for (const _ of [1, 2, 3]) await keyboard.press('k');
    await page.getByText('done on it: alarm, event').waitFor();
    await keyboard.press('Enter');
    // Put up, it is the first; what is done on which stays, and Alt+Down puts it back.
    await tabToNamed(page, 'Move the stage office up');
    await keyboard.press('Enter');
    await tabToNamed(page, 'Remove the stage office');
    await page.getByText('done on it: alarm, event').waitFor();
    const names = (): Promise<string[]> =>
      page.getByLabel('Name of the stage').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    expect(await names()).toEqual(['office', 'desktop']);
    await keyboard.press('Alt+ArrowDown');
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Remove the stage office');
    expect(await names()).toEqual(['desktop', 'office']);
    await keyboard.press('Control+Z');
    await keyboard.press('Control+Z');
    await keyboard.press('Escape');
    await keyboard.press('Enter');
    await tabToNamed(page, 'Remove the stage desktop');
    await keyboard.press('Tab');
    await keyboard.press('Control+A');
    await writeIn(page, 'lab');
    expect(await axeViolations(page)).toEqual([]);
    await tabToNamed(page, 'Remove the stage lab');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: /2\. alarm.*3 broken/ }).waitFor();
    await keyboard.press('Control+Z');
    await page.getByRole('button', { name: /2\. alarm.*3 broken/ }).waitFor({ state: 'detached' });
    await save(page);
    await page.goto(`${studio.origin}/w/${ws}/compositions/day`);
    await page.getByText('on the stage lab').first().waitFor();
    await page.getByText('takes the file Documents/plan.txt of meeting').waitFor();
    await page.getByText('takes the folder Documents/plans of meeting').waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
  const { stages, members, events } = await content();
  expect(members[1]?.takes).toEqual([
    { from: 'meeting', file: 'Documents/plan.txt' },
    { from: 'meeting', folder: 'Documents/plans' },
  ]);
  expect([stages, members.map(({ stage }) => stage), events?.map(({ stage }) => stage)]).toEqual([
    [
      { name: 'desktop', platform: 'Linux' },
      { name: 'lab', platform: 'Linux' },
    ],
    [undefined, 'lab'],
    ['lab'],
  ]);
});

it('a run says on which stage each task was done, and which one gave out', async () => {
  const composition = await content();
  const result = { why: '', level: 'base', instruction: null, recording: null, score: 0, steps: 0, questions: 0 };
  const rest = { tookMs: 0, cost: null, answer: null, values: [], copy: null };
  const run = compositionRunSchema.parse({
    schema: 'trajectory-studio/composition-run',
    version: 3,
    id: 'abcdef012345',
    at: '2026-11-20T10:00:00.000Z',
    composition,
    actor: { kind: 'player' },
    level: 'base',
    context: 'none',
    order: ['meeting', 'alarm'],
    kept: [],
    resumes: null,
    results: [
      { ...result, ...rest, member: 'meeting', outcome: 'passed', stage: 'desktop' },
      { ...result, ...rest, member: 'alarm', outcome: 'blocked', stage: 'lab', stageGone: true },
    ],
    begun: null,
    ended: { how: 'broke', why: 'The stage lab gave out.' },
  });
  const folder = path.join(path.dirname(studio.recordings), 'composition-runs');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, `${run.id}.json`), JSON.stringify(run));
  await studio.inWindow(`/w/${ws}/compositions/day?run=${run.id}`, async (page) => {
    const cells = page.getByRole('region', { name: 'Tasks, and the run' }).locator('tbody tr td:last-child');
    await page.getByText('on the stage lab, which gave out').waitFor();
    expect(
      (await cells.allInnerTexts()).map((text) => text.split('\n').filter((line) => line.includes('stage'))),
    ).toEqual([['on the stage desktop'], ['on the stage lab, which gave out']]);
    expect(await axeViolations(page)).toEqual([]);
  });
});
