import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { redIn } from '../../../studio/agents/red-square-for-tests.ts';
import { truthful } from '../../../studio/agents/truthful-model-for-tests.ts';
import { addRecording } from '../../../studio/datasets/workspace-for-tests.ts';
import { type ScriptedAct, startModelServer } from '../../../studio/models/model-server-for-tests.ts';
import { studioMust } from '../../support/cli.ts';
import { demonstrateNote, makeNoteTask, NOTE_TASK, newNoteStage } from '../../support/played-note.ts';
import { scriptedActs } from '../../support/scripted-acts.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { until } from '../../support/until.ts';

/** Runs of models that a page begins: by a demonstration's film, and as long work that outlives the page. */

const studio = studioFixture();
const dir = (): string => path.dirname(studio.recordings);
let ws = '';
let shown = '';
let steps: ScriptedAct[][] = [];

beforeAll(async () => {
  await makeNoteTask(dir(), ['recipe', 'checks']);
  const stage = await newNoteStage(dir());
  shown = await demonstrateNote(dir(), stage);
  await studioMust(['stage', 'end', stage.stage]);
  steps = await scriptedActs(shown, dir());
  ws = await studio.newWorkspace();
  // The commands of the recipe were attached by the command line: the page would ask before it runs them.
  const asked = await studio.api.setup.asked({ ws, task: NOTE_TASK });
  await studio.api.setup.agree({ ws, task: NOTE_TASK, hashes: asked.map(({ hash }) => hash) });
}, 300_000);

/** On the page where a task is begun: the fields of a model that this endpoint has. */
async function fillModel(page: Page, endpoint: string): Promise<void> {
  await page.getByText('A model does it', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Endpoint' }).fill(endpoint);
  await page.getByRole('textbox', { name: 'Model' }).fill('scripted');
}

async function choose(page: Page, field: string, option: RegExp): Promise<void> {
  await page
    .getByRole('combobox', { name: field })
    .or(page.getByRole('textbox', { name: field }))
    .first()
    .click();
  await page.getByRole('option', { name: option }).click();
}

it('a model follows a demonstration that is chosen in the page; Evaluate lays out what came of it', async () => {
  const server = await startModelServer(truthful({ steps }));
  try {
    await studio.inWindow(`/w/${ws}/tasks/${NOTE_TASK}/stage`, async (page) => {
      await fillModel(page, server.url);
      await choose(page, 'Agent', /^video-guided/);
      await page.getByText(/^Keyframes of the demonstration go there, too/).waitFor();
      await choose(page, 'Demonstration', new RegExp(shown));
      await page.getByRole('textbox', { name: 'Keyframes that are shown at once' }).fill('3');
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Send it and begin/ }).click();
      await page.getByRole('heading', { name: 'Succeeded' }).waitFor({ timeout: 180_000 });
    });
  } finally {
    await server.close();
  }
  const { runs } = await studio.api.runs.list({ ws });
  expect(runs[0]).toMatchObject({ agent: 'video-guided', passed: true, completion: 1, level: 'full' });
  expect(runs[0]?.accuracy).toBeGreaterThan(0.9);
  await studio.inWindow(`/w/${ws}/evaluate`, async (page) => {
    const table = page.getByRole('table', { name: /^Mobile-Agent-V, 4\.4 and 4\.5/ });
    await table.getByRole('cell', { name: 'aligned' }).waitFor();
    await table.getByRole('cell', { name: '3', exact: true }).waitFor();
    await page.getByRole('table', { name: /^VideoGUI, table 6/ }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
}, 300_000);

it('a plan of the demonstration is given to the planner from the page, and a demonstration of another task is shown before', async () => {
  await addRecording({ recordingsDir: studio.recordings }, { id: 'of-another', task: 'GIMP_2', goal: 'Crop it' });
  const server = await startModelServer(truthful({ steps, plansNonsense: true }));
  try {
    await studio.inWindow(`/w/${ws}/tasks/${NOTE_TASK}/stage`, async (page) => {
      await fillModel(page, server.url);
      await choose(page, 'Agent', /^minimal/);
      await choose(page, 'Plan of a demonstration that is given', /^Its subtasks and steps/);
      await page.getByText(/^The demonstration’s plan goes there, too/).waitFor();
      await page.getByRole('textbox', { name: 'Demonstrations shown before' }).fill('1');
      await page.getByText(/^With each request the demonstrations go there, too/).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('button', { name: /^Send it and begin/ }).click();
      await page.getByRole('heading', { name: /^(Succeeded|Failed)/ }).waitFor({ timeout: 180_000 });
    });
  } finally {
    await server.close();
  }
  const { runs } = await studio.api.runs.list({ ws });
  expect(runs[0]?.agent).toBe('minimal+high,mid,shots1');
  // No planner was asked: the plan was there.
  const told = server.asked.flatMap(({ texts }) => texts).join('\n');
  expect(told).not.toContain('into a few subtasks');
  expect(told).toContain('Demonstration 1, in GIMP. Its goal: "Crop it"');
}, 300_000);

it('a budget of nothing is refused in the page before anything is sent, and what is less than one can be typed', async () => {
  const server = await startModelServer(() => ({ kind: 'answer', text: 'DONE' }));
  const already = (await studio.api.runs.list({ ws })).runs.length;
  const typed = async (page: Page, name: string, text: string): Promise<void> => {
    const field = page.getByRole('textbox', { name });
    await field.fill('');
    await field.pressSequentially(text);
    expect(await field.inputValue()).toBe(text);
  };
  try {
    await studio.inWindow(`/w/${ws}/tasks/${NOTE_TASK}/stage`, async (page) => {
      await fillModel(page, server.url);
      await choose(page, 'Agent', /^direct/);
      const begin = page.getByRole('button', { name: /^Send it and begin/ });
      const most = page.getByRole('textbox', { name: 'Most money' });
      await typed(page, 'Price of a million tokens asked', '0.05');
      await typed(page, 'Price of a million tokens answered', '0.4');
      for (const nothing of ['0', '0.0']) {
        await typed(page, 'Most money', nothing);
        await page.getByText('Nothing can be asked for 0. Give more, or leave it empty.').waitFor();
        expect(await most.getAttribute('aria-invalid')).toBe('true');
        expect(await begin.isDisabled()).toBe(true);
      }
      // Its key begins nothing, either.
      await page.keyboard.press('Escape');
      await page.keyboard.press('b');
      expect(await axeViolations(page)).toEqual([]);
      await typed(page, 'Most money', '0.05');
      expect(await begin.isDisabled()).toBe(false);
      await begin.click();
      await page.getByRole('heading', { name: /^(Succeeded|Failed|Says done)/ }).waitFor({ timeout: 180_000 });
    });
  } finally {
    await server.close();
  }
  const { runs } = await studio.api.runs.list({ ws });
  expect(runs).toHaveLength(already + 1);
  const report = JSON.parse(readFileSync(path.join(studio.recordings, runs[0]!.recording, 'agent.json'), 'utf8'));
  expect(report.head).toMatchObject({ limits: { budget: 0.05 }, prices: { input: 0.05, output: 0.4 } });
  expect(server.asked).toHaveLength(1);
}, 300_000);

it('a temperature that is given in the page goes to the model and stands by its run; none that is out of range', async () => {
  const held = Promise.withResolvers<void>();
  const server = await startModelServer(async () => {
    await held.promise;
    return { kind: 'answer', text: 'DONE' };
  });
  try {
    await studio.inWindow(`/w/${ws}/tasks/${NOTE_TASK}/stage`, async (page) => {
      await fillModel(page, server.url);
      await choose(page, 'Agent', /^direct/);
      const field = page.getByRole('textbox', { name: 'Temperature' });
      const begin = page.getByRole('button', { name: /^Send it and begin/ });
      for (const wrong of ['2.1', '-1', '17']) {
        await field.fill(wrong);
        await page.getByText('A number from 0 to 2, or nothing.').waitFor();
        // It stays as it was typed, and says so to those who do not see it.
        expect(await field.inputValue()).toBe(wrong);
        expect(await field.getAttribute('aria-invalid')).toBe('true');
        expect(await begin.isDisabled()).toBe(true);
      }
      expect(await axeViolations(page)).toEqual([]);
      await field.fill('');
      expect(await begin.isDisabled()).toBe(false);
      await field.fill('0.7');
      await begin.click();
      const figures = page.getByRole('region', { name: 'Plan, thoughts and actions' });
      await figures.getByText('Temperature', { exact: true }).waitFor({ timeout: 120_000 });
      await figures.getByText('0.7', { exact: true }).waitFor();
      held.resolve();
      await page.getByRole('heading', { name: /^(Succeeded|Failed)/ }).waitFor({ timeout: 180_000 });
      await page.getByRole('link', { name: 'All runs' }).click();
      await page.getByRole('cell', { name: 'direct · scripted · temperature 0.7' }).waitFor();
    });
  } finally {
    held.resolve();
    await server.close();
  }
  expect(server.asked.map(({ body }) => body.temperature)).toEqual([0.7]);
  const { runs } = await studio.api.runs.list({ ws });
  expect(runs[0]).toMatchObject({ temperature: 0.7, silentWrong: true });
  const wrong = { agent: 'direct', protocol: 'openai', endpoint: server.url, model: 'one', temperature: 2.5 } as const;
  const limits = { rounds: 1, timeMs: null, budget: null };
  await expect(
    studio.api.runs.model({ ws, task: NOTE_TASK, with: { ...wrong, key: { from: 'none' }, limits, prices: null } }),
  ).rejects.toMatchObject({ code: 'USAGE' });
}, 300_000);

it('a run goes on when its page is closed, is shown and stopped as long work, and gone on with from there', async () => {
  const held = Promise.withResolvers<void>();
  let next = 0;
  const server = await startModelServer(async (_asked, n) => {
    if (n === 2) {
      // The asker is not there any more.
      await held.promise;
      return { kind: 'answer', text: 'late' };
    }
    const acts = steps[next++];
    return acts ? { kind: 'answer', text: `Step ${next}.`, acts } : { kind: 'answer', text: 'DONE' };
  });
  try {
    await studio.inWindow(`/w/${ws}/tasks/${NOTE_TASK}/stage`, async (page) => {
      await fillModel(page, server.url);
      await choose(page, 'Agent', /^direct/);
      await page.getByRole('button', { name: /^Send it and begin/ }).click();
      await page.getByText('Step 2.').waitFor({ timeout: 120_000 });
    });
    // The page is gone; the run waits for its third answer.
    await until('the third request', () => server.asked.length === 3, { timeoutMs: 60_000 });
    const [job] = await studio.api.jobs.list({ ws });
    expect(job).toMatchObject({ kind: 'model-run', subject: NOTE_TASK, state: 'running' });
    await studio.inWindow(`/w/${ws}/runs`, async (page) => {
      await page.getByRole('heading', { name: 'Going on now' }).waitFor();
      await page.getByRole('button', { name: /^Long work, 1 running/ }).click();
      const tray = page.getByRole('region', { name: 'Background jobs' });
      await tray.getByText(`A model does ${NOTE_TASK}`).first().waitFor();
      await tray.getByRole('button', { name: /^Stop/ }).click();
      await tray.getByText('stopped', { exact: true }).waitFor({ timeout: 60_000 });
      // Told by the stream, the list of what goes on is empty.
      await page.getByRole('heading', { name: 'Going on now' }).waitFor({ state: 'detached' });
      const before = server.asked.length;
      held.resolve();
      await tray.getByRole('button', { name: 'Try again' }).first().click();
      const newest = async () => (await studio.api.jobs.list({ ws }))[0];
      await until('the run that goes on', async () => (await newest())?.state === 'done', { timeoutMs: 180_000 });
      await tray.getByText(/^Succeeded, ended: done, after 8 requests/).waitFor();
      // The two answers that were there are not asked for again.
      expect(server.asked.length - before).toBe(steps.length - 2 + 1);
    });
  } finally {
    held.resolve();
    await server.close();
  }
  const { runs } = await studio.api.runs.list({ ws });
  const [again, first] = runs;
  expect(again).toMatchObject({ agent: 'direct', passed: true, how: 'done' });
  expect(first).toMatchObject({ how: 'stopped', goneOnIn: again?.recording });
}, 300_000);

it('what a model’s places count is found out from the page; where it cannot be, nothing is run', async () => {
  let sees = false;
  const server = await startModelServer(async ({ last, pictures }) => {
    if (!last.includes('red square')) return { kind: 'answer', text: 'DONE' };
    const [x, y] = sees ? await redIn(pictures.at(-1)!) : [0.5, 0.5];
    return {
      kind: 'answer',
      text: `\`\`\`python\npyautogui.click(${Math.round(x * 1000)}, ${Math.round(y * 1000)})\n\`\`\``,
    };
  });
  const begin = async (page: Page): Promise<void> => {
    await fillModel(page, server.url);
    await choose(page, 'Agent', /^direct/);
    await choose(page, 'What its places count', /^Find out/);
    await page.getByText(/^Before the first run of this model six pictures of a red square go there/).waitFor();
    await page.getByRole('button', { name: /^Send it and begin/ }).click();
  };
  const already = (await studio.api.runs.list({ ws })).runs.length;
  try {
    await studio.inWindow(`/w/${ws}/tasks/${NOTE_TASK}/stage`, async (page) => {
      await begin(page);
      await page.getByText(/^What the places of scripted count could not be measured: no unit fits/).waitFor();
      expect(await axeViolations(page)).toEqual([]);
    });
    expect(server.asked).toHaveLength(6);
    expect((await studio.api.runs.list({ ws })).runs).toHaveLength(already);
    sees = true;
    await studio.inWindow(`/w/${ws}/tasks/${NOTE_TASK}/stage`, async (page) => {
      await begin(page);
      await page.getByRole('heading', { name: /^(Succeeded|Failed|Says done)/ }).waitFor({ timeout: 180_000 });
    });
  } finally {
    await server.close();
  }
  const { runs } = await studio.api.runs.list({ ws });
  const report = JSON.parse(readFileSync(path.join(studio.recordings, runs[0]!.recording, 'agent.json'), 'utf8'));
  expect(report.head).toMatchObject({ model: 'scripted', coordinates: '0-1000' });
  expect(server.asked).toHaveLength(13);
}, 300_000);
