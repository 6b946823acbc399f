import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { QuestionSet, Run } from '../../../schemas/api/evaluate.ts';
import type { Question } from '../../../schemas/questions.ts';
import { type ChatServer, startChatServer } from '../../../studio/models/chat-server-for-tests.ts';
import { studioMust } from '../../support/cli.ts';
import { interceptRequests } from '../../support/intercept.ts';
import { annotateSample } from '../../support/studio-annotate.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { done, questionsOf, rightAnswer, writePredictions } from '../../support/studio-evaluate.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';

/** Aids, critics and whole tasks on the evaluation page, by keyboard where a person would. */

const studio = studioFixture({ env: () => ({ E2E_JUDGE_KEY: 'sk-from-the-environment' }) });
const { home } = studio;
let judge: ChatServer;
let ws: string;
let dir: string;
/** The critic's behaviour; each test sets its own. */
let answers: Parameters<typeof startChatServer>[0] = () => ({ kind: 'text', text: '[comment]: fine\n[score]: 4' });
beforeAll(async () => {
  judge = await startChatServer((asked, n) => answers(asked, n));
  ({ id: ws, dir } = await studio.api.workspaces.openSample());
  const [recording] = await studio.api.recordings.list({ ws });
  await annotateSample({ server: studio.server, ws, recording: recording!.id });
}, 240_000);
afterAll(() => judge?.close());

const runs = (): Promise<Run[]> => studio.api.evaluate.runs({ ws });
const metricIn = (run: Run | undefined, metric: string) =>
  run?.evaluation.rows[0]?.metrics.find((one) => one.metric === metric)?.value ?? null;

async function scored(set: QuestionSet, files: string[], predictions: string): Promise<void> {
  const { job } = await studio.api.evaluate.score({
    ws,
    set: set.id,
    files,
    predictions: { from: 'path', path: predictions },
    options: { planScore: 'stepF1' },
  });
  await done(studio.server, ws, job);
}

async function openEvaluate(): Promise<{ page: Page; faults: string[]; close(): Promise<void> }> {
  const { page, context, faults } = await studio.open({}, `/w/${ws}/evaluate`);
  return { page, faults, close: () => context.close() };
}

let set: QuestionSet;
let questions: Question[];

it('questions with marks are made as long work, and a model that names them has a row of its own', {
  timeout: 240_000,
}, async () => {
  const { page, faults, close } = await openEvaluate();
  await page.getByRole('heading', { name: 'No questions yet' }).waitFor();
  await page.keyboard.press('q');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: /With marks/ }).focus();
  await page.keyboard.press('Space');
  expect(await dialog.getByRole('switch', { name: /every state/ }).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: /^Make the questions/ }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('progressbar').waitFor();
  await dialog
    .getByText(/action-som\.jsonl \(.*with SoM by edges; the target of \d+ of \d+ lies in an element/)
    .waitFor({
      timeout: 240_000,
    });
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });

  [set] = (await studio.api.evaluate.questionSets({ ws })) as [QuestionSet]; // The one just made.
  questions = questionsOf(dir, set);
  const marked = questions.filter(({ marks }) => marks);
  expect(marked.length).toBeGreaterThan(2);
  const named = writePredictions(
    home.dir('finder-som.jsonl'),
    'finder',
    set,
    marked.map(({ id, truth, marks }) => {
      const [x, y] = truth?.kind === 'click' ? truth.point : [-1, -1];
      const at = marks!.findIndex(([left, top, w, h]) => x >= left && x <= left + w && y >= top && y <= top + h);
      return { id, prediction: `I take [${at + 1}].` };
    }),
  );
  await page.keyboard.press('l');
  await dialog.locator('input[type=file]').setInputFiles(named);
  const plain = dialog.getByRole('checkbox', { name: /^action\.jsonl/ });
  expect(await plain.isChecked()).toBe(true);
  await dialog.getByRole('checkbox', { name: /^action-som\.jsonl/ }).focus();
  await page.keyboard.press('Space');
  expect(await plain.isChecked()).toBe(false);
  await dialog.getByRole('button', { name: /^Score/ }).focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'finder + SoM' }).first().waitFor();
  const [run] = await runs();
  expect(run!.evaluation.aid).toMatchObject({ kind: 'som', source: 'edges' });
  expect(set.files.find(({ aid }) => aid)!.reach!.reachable).toBeGreaterThan(0);
  expect(metricIn(run, 'click.recall')).toBeGreaterThan(0);

  // A case shows the picture that the model saw, with the place that its mark stands for.
  await page.getByRole('link', { name: 'finder + SoM' }).first().click();
  await page.locator('[data-testid=case-picture]').waitFor();
  await page
    .getByText(/^Mark \d+\. /)
    .first()
    .waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('a critic is asked from the page, with a key of the environment; it can be stopped, and nothing is paid for twice', {
  timeout: 240_000,
}, async () => {
  const plans = questions.filter(({ kind }) => kind === 'mid' || kind === 'high');
  const file = writePredictions(
    home.dir('planner.jsonl'),
    'planner',
    set,
    plans.map((question) => ({ id: question.id, prediction: `1. Begin\n${rightAnswer(question)}` })),
  );
  await scored(set, ['mid.jsonl', 'high.jsonl'], file);
  const before = (await runs()).find(({ name }) => name === 'planner')!;
  expect(metricIn(before, 'mid.text.score')).toBeNull();

  answers = (_, n) => (n === 0 ? { kind: 'text', text: '[comment]: fine\n[score]: 4' } : { kind: 'silence' });
  const { page, faults, close } = await openEvaluate();
  await page.getByRole('link', { name: 'planner' }).first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('g');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Ask a model now').click();
  await dialog.getByRole('textbox', { name: 'Endpoint' }).fill(judge.url);
  await dialog.getByRole('textbox', { name: 'Model' }).fill('the-judge');
  await dialog.getByRole('combobox', { name: 'API key' }).click();
  await page.getByRole('option', { name: /environment/ }).click();
  await dialog.getByRole('textbox', { name: 'Name of the variable' }).fill('E2E_JUDGE_KEY');
  await dialog.getByRole('textbox', { name: /tokens asked/ }).fill('1000');
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: /^Ask the critic/ }).focus();
  await page.keyboard.press('Enter');
  await soon(() => judge.asked.length).toBeGreaterThan(1);
  await dialog.getByRole('button', { name: /^Stop/ }).click();
  await dialog.getByText('It was stopped.').waitFor();
  expect((await runs()).find(({ name }) => name === 'planner')).toEqual(before);

  const asked = judge.asked.length;
  answers = () => ({ kind: 'text', text: '[comment]: fine\n[score]: 4' });
  // The page may hear that the run was replaced before the dialog hears that its work is done.
  await interceptRequests(page, '**/rpc/jobs/list*', (route) => setTimeout(() => void route.continue(), 1500));
  await dialog.getByRole('button', { name: /^Ask the critic/ }).focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  const after = (await runs()).find(({ name }) => name === 'planner')!;
  expect(metricIn(after, 'mid.text.score')).toBe(4);
  expect(after.evaluation.critic).toMatchObject({ model: 'the-judge', loaded: 0 });
  expect(after.evaluation.critic!.cost).toBeGreaterThan(0);
  expect(judge.asked.slice(asked).every(({ key }) => key === 'Bearer sk-from-the-environment')).toBe(true);
  // A question that was answered before the stop is not asked again, nor is the same text twice.
  const later = judge.asked.slice(asked).map(({ text }) => text);
  expect(later).not.toContain(judge.asked[0]!.text);
  expect(new Set(later).size).toBe(later.length);
  // The key is in no file of the workspace.
  const found = fs
    .readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(`${dir}/${name}`).isFile() && fs.readFileSync(`${dir}/${name}`).includes('sk-from'));
  expect(found).toEqual([]);
  await page
    .getByRole('region', { name: /Plans by what was asked/ })
    .first()
    .waitFor();
  expect(faults).toEqual([]);
  await close();
});

it("a critic's scores from the command line are taken; those of other answers are told by line", {
  timeout: 240_000,
}, async () => {
  const folder = `${dir}/evaluations/questions/${set.id}`;
  const predictions = home.dir('planner.jsonl');
  const cases = home.dir('cases.jsonl');
  answers = () => ({ kind: 'text', text: '[comment]: so so\n[score]: 2' });
  await studioMust([
    ...['evaluate', 'all', '--truth', `${folder}/mid.jsonl`, `${folder}/high.jsonl`, '--predictions', predictions],
    ...['--critic', judge.url, '--critic-model', 'cli-judge', '--cases', cases],
  ]);
  const { page, faults, close } = await openEvaluate();
  await page.getByRole('link', { name: 'planner' }).first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('g');
  const dialog = page.getByRole('dialog');
  const lines = fs.readFileSync(cases, 'utf8').trimEnd().split('\n');
  const other = lines[1]!.replace('1. Begin', '1. Start');
  const bad = home.dir('bad-cases.jsonl');
  fs.writeFileSync(
    bad,
    [lines[0], other, lines[0], lines[2]!.replace(/"id":"[^"]*"/, '"id":"X_1"'), '{"id'].join('\n'),
  );
  await dialog.locator('input[type=file]').setInputFiles(bad);
  await dialog.getByRole('button', { name: /^Take the scores/ }).click();
  const rows = dialog.getByRole('region', { name: 'Lines that cannot be taken' }).getByRole('row');
  await soon(() => rows.count()).toBe(5);
  const told = (await rows.allTextContents()).slice(1);
  expect(told[0]).toMatch(/^bad-cases\.jsonl2.* has another answer or another truth/);
  expect(told[1]).toMatch(/^bad-cases\.jsonl3.* stands there twice/);
  expect(told[2]).toMatch(/^bad-cases\.jsonl4the id "X_1" is no plan of this run/);
  expect(told[3]).toMatch(/^bad-cases\.jsonl5the file ends in the middle of a line/);
  expect(
    metricIn(
      (await runs()).find(({ name }) => name === 'planner'),
      'mid.text.score',
    ),
  ).toBe(4);

  await dialog.locator('input[type=file]').setInputFiles(cases);
  await dialog.getByRole('button', { name: /^Take the scores/ }).click();
  await dialog.waitFor({ state: 'detached' });
  const judged = (await runs()).find(({ name }) => name === 'planner')!;
  expect(metricIn(judged, 'mid.text.score')).toBe(2);
  expect(judged.evaluation.critic).toMatchObject({ model: 'cli-judge', loaded: lines.length });
  expect(faults).toEqual([]);
  await close();
});

it('runs of whole tasks are laid out like the others: tables, by software, by difficulty, cases', {
  timeout: 240_000,
}, async () => {
  const tasks = home.dir('tasks.jsonl');
  const outcomes = home.dir('agent.jsonl');
  const lines = (list: readonly object[]) => list.map((one) => `${JSON.stringify(one)}\n`).join('');
  fs.writeFileSync(
    tasks,
    lines([
      { id: 't1', software: 'Mail', difficulty: '1', nodes: 2, applications: 1 },
      { id: 't2', software: 'Mail', difficulty: '2', nodes: 4, applications: 3 },
      { id: 't3', software: 'Calendar', difficulty: '2', nodes: 3, applications: 2 },
    ]),
  );
  fs.writeFileSync(
    outcomes,
    lines([
      { id: 't1', prediction: { atomic: [1, 1], steps: 6, decisions: { correct: 5, total: 6 } } },
      {
        id: 't2',
        prediction: { atomic: [1, 0, 1, 1], steps: 12, errors: [{ kind: 'execution', type: 'perceptual' }] },
      },
    ]),
  );
  const { page, faults, close } = await openEvaluate();
  await page.getByRole('table').first().waitFor();
  await page.keyboard.press('q');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Whole tasks', { exact: true }).click();
  await dialog.getByRole('textbox', { name: /one path a line/ }).fill(tasks);
  await dialog.getByRole('button', { name: /^Take the tasks/ }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByText('3 tasks').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No predictions yet' }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('l');
  await dialog.locator('input[type=file]').setInputFiles(outcomes);
  await dialog.getByRole('button', { name: /^Score/ }).focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  const table = page.getByRole('region', { name: 'Whole tasks', exact: true });
  const heads = await table.getByRole('columnheader').allTextContents();
  expect(heads).toEqual(['Model', 'SR', 'CR', 'DA', 'Steps ↓', 'WPSR', 'MATCR', 'p-ATSR', 'Answered']);
  const row = await table.getByRole('row').nth(1).getByRole('cell').allTextContents();
  expect(row[0]).toMatch(/^33\.3, interval .* n 3$/);
  await page.getByText('By difficulty').click();
  await page.getByRole('img', { name: /SR by difficulty/ }).waitFor();
  await page.getByText('By software').click();
  await page.getByRole('img', { name: /SR by software/ }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByText('Leaderboard', { exact: true }).click();
  await page
    .getByRole('link', { name: /^agent/ })
    .first()
    .click();
  await page.getByText('2 of 2 atomic tasks succeeded.').first().waitFor();
  await page.keyboard.press('j');
  await page.getByText('3 of 4 atomic tasks succeeded.').first().waitFor();
  expect(await axeViolations(page)).toEqual([]);

  // A line that is no outcome is told by its number.
  const bad = home.dir('bad.jsonl');
  fs.writeFileSync(bad, `${JSON.stringify({ id: 't1', prediction: '[1, 1]' })}\n`);
  await page.keyboard.press('b');
  await page.getByRole('table').first().waitFor();
  await page.keyboard.press('l');
  await dialog.locator('input[type=file]').setInputFiles(bad);
  await dialog.getByRole('button', { name: /^Score/ }).click();
  await dialog.getByRole('row').filter({ hasText: 'no outcome of trajectories' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});
