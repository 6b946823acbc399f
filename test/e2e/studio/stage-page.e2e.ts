import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { judgeAnswer } from '../../../core/agents/judge/judge-for-tests.ts';
import { type Action, reduceResultSchema } from '../../../schemas/actions.ts';
import { agentReportSchema } from '../../../schemas/agents.ts';
import { compositionSchema } from '../../../schemas/composition.ts';
import { compositionRunSchema } from '../../../schemas/composition-run.ts';
import { type ModelAsked, startModelServer } from '../../../studio/models/model-server-for-tests.ts';
import { recipeOf } from '../../demo/day/parts.ts';
import { importInto } from '../../demo/day/run-day.ts';
import { CLI, studioMust } from '../../support/cli.ts';
import { demonstrateNote, makeNoteTask, NOTE_TASK, newNoteStage } from '../../support/played-note.ts';
import { start } from '../../support/process.ts';
import { scriptedActs } from '../../support/scripted-acts.ts';
import { axeViolations, openTab } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { addPeople, chooseByKeys } from '../../support/studio-review.ts';
import { until } from '../../support/until.ts';

/** A person does a task on a stage in the page: what is recorded of it is what a recorder at a display has of the same inputs. */

const studio = studioFixture();
const dir = (): string => path.dirname(studio.recordings);
let ws = '';
let atDisplay = '';

beforeAll(async () => {
  await makeNoteTask(dir(), ['recipe', 'checks']);
  const stage = await newNoteStage(dir());
  atDisplay = await demonstrateNote(dir(), stage);
  await studioMust(['stage', 'end', stage.stage]);
  ws = await studio.newWorkspace();
}, 300_000);

const stageOf = (page: Page) => page.getByRole('textbox', { name: /^The stage: mouse and keyboard act on it/ });

/** Places of the stage's screen (1000 x 700) as the page shows it. */
async function placer(page: Page): Promise<(x: number, y: number) => [number, number]> {
  const box = (await stageOf(page).boundingBox())!;
  return (x, y) => [box.x + ((x + 0.5) * box.width) / 1000, box.y + ((y + 0.5) * box.height) / 700];
}

/** On Runs: a model is asked whether the chosen run came out, and its verdict is in the table. */
async function askJudges(page: Page): Promise<void> {
  const judge = await startModelServer(({ texts }) => ({ kind: 'answer', text: judgeAnswer(texts, 'unsure') }));
  try {
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog', { name: 'Ask judges' });
    await dialog.getByRole('textbox', { name: 'Endpoint' }).fill(judge.url);
    await dialog.getByRole('textbox', { name: 'Models, separated by commas' }).fill('one, two');
    await dialog.getByText(/^To the endpoint go at most 100 pictures .* of each of 1 recording,/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(judge.asked).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.getByText('1 of 1 recording judged: 0 succeeded, 0 failed, 1 unsure.').waitFor({ timeout: 60_000 });
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('cell', { name: 'unsure' }).waitFor();
    // Nothing is known of a judge before thirty labels.
    await page.getByRole('cell', { name: 'Nothing can be said: that takes 30 recordings with a label.' }).waitFor();
  } finally {
    await judge.close();
  }
}

/** The number of the newest frame that the page has drawn. */
const frameOf = (page: Page): Promise<number> =>
  page.locator('canvas').evaluate((canvas) => Number(canvas.dataset.frame ?? 0));

async function actionsOf(recording: string): Promise<Action[]> {
  const { json } = await studioMust(['actions', recording, '--json', '--workspace', dir()]);
  return reduceResultSchema.parse(json).actions;
}
/** Without what depends on who moved the pointer how fast. */
const exact = ({ kind, text, keys, count, button, modifiers, start, end, withheldWhy }: Action) => ({
  kind,
  // Withheld keys have no text, and say why.
  text: withheldWhy ?? text,
  keys,
  count,
  button,
  modifiers,
  start: kind === 'type' || kind === 'press' ? null : [start.x, start.y],
  end: kind === 'drag' ? [end.x, end.y] : null,
});

it('a task is done in the page by mouse and keyboard: the actions are those of a recording at a display', async () => {
  await studio.inWindow(`/w/${ws}/tasks/${NOTE_TASK}`, async (page) => {
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: 'Do it on a stage' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('b');
    const dialog = page.getByRole('dialog', { name: 'Run what somebody else made?' });
    await dialog.getByRole('button', { name: 'Agree and run' }).and(page.locator(':enabled')).click();
    await stageOf(page).waitFor({ timeout: 60_000 });
    await until('the first frame', async () => (await frameOf(page)) > 0);
    expect(await axeViolations(page)).toEqual([]);
    const at = await placer(page);
    const [x, y] = at(400, 200);
    await page.mouse.click(x, y);
    await page.keyboard.press('Control+Home');
    for (const char of 'Shopping: milk, 2 eggs & bread') await page.keyboard.press(char === ' ' ? 'Space' : char);
    await page.keyboard.press('Enter');
    // What is typed is seen before anything else is done.
    const typed = await until('what is typed', async () => {
      const frame = await frameOf(page);
      return frame > 1 && frame;
    });
    await page.mouse.move(...at(60, 150));
    await page.mouse.down();
    await page.mouse.move(...at(160, 180), { steps: 5 });
    await page.mouse.move(...at(260, 240), { steps: 5 });
    await page.mouse.up();
    await page.keyboard.press('Delete');
    await page.keyboard.press('Control+s');
    await until('the note to be saved', async () => (await frameOf(page)) > typed);
    await page.keyboard.press('Control+Alt+Enter');
    expect(await stageOf(page).evaluate((field) => field === document.activeElement)).toBe(false);
    await page.getByRole('button', { name: /^Done/ }).click();
    await page.getByRole('heading', { name: 'Succeeded' }).waitFor({ timeout: 120_000 });
    expect(await axeViolations(page)).toEqual([]);
  });
  const { runs } = await studio.api.runs.list({ ws });
  const [run] = runs;
  expect(run).toMatchObject({ agent: 'human', passed: true, how: 'done', task: NOTE_TASK });
  const report = JSON.parse(fs.readFileSync(path.join(studio.recordings, run!.recording, 'agent.json'), 'utf8'));
  expect(agentReportSchema.parse(report)).toMatchObject({ head: { agent: 'human' }, passed: true });
  // A demonstration like any other.
  const listed = (await studio.api.recordings.list({ ws })).map(({ id }) => id);
  expect(listed).toContain(run!.recording);
  const [there, here] = [await actionsOf(atDisplay), await actionsOf(run!.recording)];
  expect(here.map(exact)).toEqual(there.map(exact));
}, 300_000);

it('a model’s run is watched, taken over, given back, and goes on; its steps say whose they are', async () => {
  const steps = (await scriptedActs(atDisplay, dir())).flat();
  const held = Promise.withResolvers<void>();
  let next = 0;
  const server = await startModelServer(async ({ last }: ModelAsked, n) => {
    // What it said meanwhile was not done.
    if (last.includes('a person took the mouse')) next--;
    if (n === 2) await held.promise;
    const act = steps[next++];
    return act ? { kind: 'answer', text: `Step ${next} of the plan.`, acts: [act] } : { kind: 'answer', text: 'DONE' };
  });
  const command = await start(process.execPath, [
    ...[CLI, 'run', '--task', NOTE_TASK, '--endpoint', server.url, '--model', 'scripted', '--yes', '--json'],
    ...['--watch', '--no-browser', '--price-in', '10', '--price-out', '20', '--workspace', dir()],
  ]);
  const context = await studio.browser.newContext({ viewport: { width: 1366, height: 768 } });
  try {
    const address = await until('the page', () => /http:\S+\/runs\/\S+/.exec(command.stderr())?.[0], {
      timeoutMs: 60_000,
      seen: command.stderr,
    });
    const { page, faults } = await openTab(context, address);
    await page.getByText('The agent has the mouse and the keyboard.').waitFor({ timeout: 60_000 });
    await page.getByText('Step 2 of the plan.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('t');
    await page.getByText(/^You have the mouse and the keyboard; the agent waits/).waitFor();
    await stageOf(page).waitFor();
    await page.keyboard.type('Hello');
    await until('what was typed', async () => (await frameOf(page)) > 0);
    for (let n = 0; n < 5; n++) await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+Alt+Enter');
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('g');
    await page.getByText('The agent has the mouse and the keyboard.').waitFor();
    held.resolve();
    await page.getByRole('heading', { name: 'Succeeded' }).waitFor({ timeout: 120_000 });
    expect(faults).toEqual([]);
    await until('the end of the command', () => command.exit(), { timeoutMs: 60_000 });
    const report = agentReportSchema.parse(JSON.parse(command.stdout()));
    expect(report).toMatchObject({ how: 'done', passed: true, helped: { times: 1 }, version: 2 });
  } finally {
    await context.close();
    await command.stop();
    await server.close();
  }
  const { runs, groups } = await studio.api.runs.list({ ws });
  expect(runs[0]).toMatchObject({ agent: 'direct', helped: 1, passed: true });
  const { steps: whose } = await studio.api.recordings.open({ ws, recording: runs[0]!.recording });
  expect(whose[0]?.by).toBe('agent');
  expect(new Set(whose.map(({ by }) => by))).toEqual(new Set(['agent', 'person']));
  // It is no success of the model alone.
  expect(groups.find(({ name }) => name === 'direct scripted')).toMatchObject({ runs: 1, succeeded: 0, helped: 1 });
  await studio.inWindow(`/w/${ws}/runs`, async (page) => {
    const withPerson = page.getByRole('cell', { name: 'Succeeded, with a person' });
    await withPerson.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // A person's own run is neither a model's alone nor one that was helped.
    const by = page.getByRole('radiogroup', { name: 'Runs by help' });
    await by.getByText('Models alone').click();
    await page.getByRole('heading', { name: 'No such run' }).waitFor();
    await by.getByText('With a person').click();
    await withPerson.waitFor();
    expect(await page.getByRole('cell', { name: /^Succeeded/ }).count()).toBe(1);
    await by.getByText('All runs').click();
    await until('both', async () => (await page.getByRole('cell', { name: /^Succeeded/ }).count()) === 2);
    await page.getByRole('heading', { name: 'Runs', exact: true }).click();
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await askJudges(page);
    await page.keyboard.press('Enter');
    const list = page.getByRole('tree', { name: 'Subtasks and steps' });
    await list.waitFor();
    // The steps that a person did say so, and no others.
    const people = whose.filter(({ by }) => by === 'person').length;
    await until('the steps of the person', async () => {
      return (await list.locator('[data-text*="by a person"]').count()) === people;
    });
  });
  // A person's run and a model's, ranked without names.
  await addPeople(studio.server, ws, 'Ana');
  await studio.inWindow(`/w/${ws}/runs`, async (page) => {
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Who are you?' }).waitFor();
    await chooseByKeys(page, 'Ana');
    await page.getByRole('img', { name: 'The screen at the end of outcome B' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('b');
    await page.keyboard.press('Shift+A');
    await page.getByText('B = A', { exact: true }).waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard.press('a');
    await page.getByText('B > A', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: '1.00' }).waitFor();
    await page.getByRole('rowheader', { name: 'direct scripted' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
}, 300_000);

it('a model’s run is begun in the page, where what goes to whom is said, and what was given is there the next time', async () => {
  const steps = (await scriptedActs(atDisplay, dir())).flat();
  let next = 0;
  const server = await startModelServer(async () => {
    const act = steps[next++];
    return act ? { kind: 'answer', text: 'A step.', acts: [act] } : { kind: 'answer', text: 'DONE' };
  });
  try {
    await studio.inWindow(`/w/${ws}/tasks/${NOTE_TASK}/stage`, async (page) => {
      await page.getByText('A model does it', { exact: true }).click();
      await page.getByText(/^To the endpoint go pictures of the stage’s whole screen/).waitFor();
      const begin = page.getByRole('button', { name: /^Send it and begin/ });
      expect(await begin.isDisabled()).toBe(true);
      await page.getByRole('textbox', { name: 'Endpoint' }).fill(server.url);
      await page.getByRole('textbox', { name: 'Model' }).fill('scripted');
      expect(await axeViolations(page)).toEqual([]);
      await begin.click();
      await page.getByRole('heading', { name: 'Succeeded' }).waitFor({ timeout: 120_000 });
      await page.goto(`${studio.origin}/w/${ws}/tasks/${NOTE_TASK}/stage`);
      await page.getByText('A model does it', { exact: true }).click();
      expect(await page.getByRole('textbox', { name: 'Model' }).inputValue()).toBe('scripted');
    });
  } finally {
    await server.close();
  }
  expect(next).toBe(steps.length + 1);
}, 300_000);

it('a person does a composition in the page, from task to task on one stage, and stands in its tables', async () => {
  const recipe = recipeOf({ programs: [] });
  const word = (id: string, task: string, more: object) => {
    return { id, task, instructions: { base: `Say the word ${id}.` }, outputs: [{ name: 'word', value: id }], ...more };
  };
  const draft = {
    schema: 'trajectory-studio/composition',
    version: 2,
    id: 'two-words',
    kind: 'pathway',
    title: 'Two words',
    members: [
      word('one', 'WORD_1', {}),
      word('two', 'WORD_2', { instructions: { base: 'Say two after {{one.word}}.' } }),
    ],
    edges: [{ kind: 'data', from: 'one', to: 'two', output: 'word' }],
    tasks: ['one', 'two'].map((name, n) => {
      return { id: `WORD_${n + 1}`, software: 'Words', goal: `Say ${name}`, answer: name, recipe, checks: null };
    }),
  };
  await importInto(dir(), compositionSchema.parse(draft));
  const given = ['--composition', 'two-words', '--agent', 'human', '--person', 'Ada', '--no-browser'];
  const command = await start(process.execPath, [CLI, 'run', ...given, '--yes', '--json', '--workspace', dir()]);
  const context = await studio.browser.newContext({ viewport: { width: 1366, height: 768 } });
  try {
    const address = await until('the page', () => /http:\S+\/runs\/\S+/.exec(command.stderr())?.[0], {
      timeoutMs: 60_000,
      seen: command.stderr,
    });
    const { page, faults } = await openTab(context, address);
    const answer = page.getByRole('textbox', { name: 'Your answer to the task' });
    await page.getByText('Ada, a person · Say the word one.').waitFor();
    await stageOf(page).waitFor({ timeout: 60_000 });
    expect(await axeViolations(page)).toEqual([]);
    // By keys alone.
    await page.keyboard.press('Control+Alt+Enter');
    await page.keyboard.press('a');
    await page.keyboard.type('one');
    await page.keyboard.press('Enter');
    // The page goes on by itself.
    await page.getByText('Ada, a person · Say two after one.').waitFor({ timeout: 60_000 });
    await stageOf(page).waitFor({ timeout: 60_000 });
    expect(await answer.inputValue()).toBe('');
    await answer.fill('three');
    await page.getByRole('button', { name: /^Done/ }).click();
    await until('the end of the command', () => command.exit(), { timeoutMs: 60_000 });
    expect(faults).toEqual([]);
  } finally {
    await context.close();
    await command.stop();
  }
  const run = compositionRunSchema.parse(JSON.parse(command.stdout()));
  expect(run).toMatchObject({ version: 2, actor: { kind: 'person', name: 'Ada' }, ended: { how: 'done' } });
  expect(run.results.map(({ outcome, answer }) => [outcome, answer])).toEqual([
    ['passed', 'one'],
    ['failed', 'three'],
  ]);
  const scores = (await studioMust(['compositions', 'scores', '--workspace', dir()])).stdout;
  expect(scores).toMatch(/^human Ada +1 +1 +0\.0 /m);
}, 300_000);
