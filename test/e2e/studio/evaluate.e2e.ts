import fs from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import type { QuestionSet } from '../../../schemas/api/evaluate.ts';
import type { Question } from '../../../schemas/questions.ts';
import { annotateSample } from '../../support/studio-annotate.ts';
import { axeViolations, heard } from '../../support/studio-browser.ts';
import { questionsOf, randomAnswer, rightAnswer, writePredictions } from '../../support/studio-evaluate.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';

/** From questions to a leaderboard and its cases, as a person does it by keyboard. */

const studio = studioFixture();
const { home } = studio;
let ws: string;
let dir: string;
beforeAll(async () => {
  ({ id: ws, dir } = await studio.api.workspaces.openSample());
  const [recording] = await studio.api.recordings.list({ ws });
  await annotateSample({ server: studio.server, ws, recording: recording!.id });
}, 240_000);

/** Questions and the predictions of two models, made by the first test's page and read by all. */
let set: QuestionSet;
let questions: Question[];
const fileOf = (model: string, answer: (question: Question, i: number) => string): string =>
  writePredictions(
    home.dir(`${model}.jsonl`),
    model,
    set,
    questions.map((question, i) => ({ id: question.id, prediction: answer(question, i) })),
  );

it('questions are made, two models loaded, and the leaderboard says which is best, all by keyboard', {
  timeout: 240_000,
}, async () => {
  const { page, context, faults } = await studio.open({}, `/w/${ws}`);
  await heard(page);
  await page.keyboard.press('Alt+7');
  await page.getByRole('heading', { name: 'No questions yet' }).waitFor();
  expect(await page.getByText('npm run studio -- questions').isVisible()).toBe(true);
  // While nothing is approved the dialog proposes every state; without it, the same is made at once.
  await page.getByText(/No recording is approved yet/).waitFor();
  await page.keyboard.press('q');
  const dialog = page.getByRole('dialog');
  const everyState = dialog.getByRole('switch', { name: /every state/ });
  expect(await everyState.isChecked()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('m');
  await page.getByRole('heading', { name: 'No predictions yet' }).waitFor();
  // What could not be asked is said here too.
  await page.getByText(/items? could not be asked/).waitFor();

  [set] = (await studio.api.evaluate.questionSets({ ws })) as [QuestionSet]; // The one just made.
  questions = questionsOf(dir, set);
  expect(new Set(questions.map(({ kind }) => kind))).toContain('click');
  const right = fileOf('knows-everything', rightAnswer);
  const random = fileOf('guesses', randomAnswer);

  // One by its path, one as a file that is sent.
  await page.keyboard.press('l');
  await page.keyboard.type(right);
  await page.keyboard.press('Control+Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'knows-everything' }).first().waitFor();
  await page.keyboard.press('l');
  await dialog.locator('input[type=file]').setInputFiles(random);
  await soon(() => dialog.getByRole('textbox', { name: 'Predictions' }).inputValue()).toBe('guesses.jsonl');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'guesses' }).first().waitFor();

  const actions = page.getByRole('region', { name: 'Actions in detail', exact: true });
  const heads = await actions.getByRole('columnheader').allTextContents();
  const recall = heads.indexOf('Click Recall');
  const row = actions.getByRole('row').filter({ hasText: 'knows-everything' });
  expect(
    await row
      .getByRole('cell')
      .nth(recall - 1)
      .textContent(),
  ).toMatch(/best: 100\.0, n 3/);
  const runs = await studio.api.evaluate.runs({ ws });
  expect(runs.map(({ name, predictions }) => [name, predictions])).toEqual([
    ['guesses', 'guesses.jsonl'],
    ['knows-everything', 'knows-everything.jsonl'],
  ]);
  expect(fs.readdirSync(`${dir}/evaluations/incoming`)).toEqual([]);

  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('d')]);
  const csv = fs.readFileSync(await download.path(), 'utf8');
  expect(csv).toMatch(/^model,dataset,/);
  expect(csv).toMatch(/\r\nknows-everything,.*,overall,,click\.recall,100,%/);
  await page.getByText('By number of actions').click();
  await page.getByRole('img', { name: /by number of actions/ }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

it('a torn file, an unknown id and a double are told by line, and nothing is scored', async () => {
  const before = (await studio.api.evaluate.runs({ ws })).length;
  const [first] = questions;
  const torn = home.dir('torn.jsonl');
  const good = JSON.stringify({ id: first!.id, prediction: '[1, 2]' });
  fs.writeFileSync(torn, `${good}\n{"id": "nobody", "prediction": "x"}\n${good}\n{"id": "GIMP`);
  const { page, context } = await studio.open({}, `/w/${ws}/evaluate`);
  await page.getByRole('table').first().waitFor();
  await page.keyboard.press('l');
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(torn);
  await dialog.getByRole('button', { name: /^Score/ }).click();
  const rows = dialog.getByRole('region', { name: 'Lines that cannot be taken' }).getByRole('row');
  await soon(() => rows.count()).toBe(4);
  expect((await rows.allTextContents()).slice(1)).toEqual([
    'torn.jsonl2the id "nobody" is not in the truth',
    `torn.jsonl3the id "${first!.id}" has a prediction already`,
    'torn.jsonl4the file ends in the middle of a line',
  ]);
  expect(await studio.api.evaluate.runs({ ws })).toHaveLength(before);
  await context.close();
});

it('cases are filtered, leafed through, drawn and compared by keyboard; a run is removed', async () => {
  const { page, context, faults } = await studio.open({}, `/w/${ws}/evaluate`);
  await page.getByRole('link', { name: 'guesses' }).first().waitFor();
  // Rows are in the order in which they were loaded: the second one guesses.
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'guesses' }).waitFor();
  const place = page.getByRole('navigation', { name: 'Cases' }).getByRole('status');
  await soon(() => place.textContent()).toBe(`1 of ${questions.length}`);
  await page.keyboard.press('j');
  await soon(() => place.textContent()).toMatch(/^2 of/);
  await page.keyboard.press('k');
  await soon(() => place.textContent()).toMatch(/^1 of/);

  await page.keyboard.press('w');
  const { total } = await studio.api.evaluate.cases({
    ws,
    run: (await studio.api.evaluate.runs({ ws }))[0]!.id,
    filter: { only: 'wrong' },
  });
  expect(total).toBeGreaterThan(0);
  await soon(() => place.textContent()).toBe(`1 of ${total}`);
  await page.keyboard.press('Escape');
  await soon(() => place.textContent()).toBe(`1 of ${questions.length}`);

  await page.keyboard.press('/');
  await page.keyboard.type(questions.find(({ kind }) => kind === 'click')!.id);
  await page.keyboard.press('Enter');
  await page.locator('[data-testid=case-picture]').waitFor();
  const layer = (name: string) => page.locator(`svg [data-layer=${name}][data-places]`);
  await soon(() => layer('truth').getAttribute('data-places')).toBe('1');
  await soon(() => layer('prediction').getAttribute('data-places')).toBe('1');
  expect(await layer('other').getAttribute('data-places')).toBe('0');
  await page.keyboard.press('c');
  await soon(() => layer('other').getAttribute('data-places')).toBe('1');
  await page.getByRole('region', { name: 'Answer of knows-everything' }).getByText('a hit').waitFor();
  await page.keyboard.press('z');
  await page.getByRole('button', { name: /^Whole picture/ }).waitFor();
  expect(await axeViolations(page)).toEqual([]);

  await page.keyboard.press('b');
  await page.getByRole('link', { name: 'guesses' }).first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Remove the run' }).focus();
  await page.keyboard.press('Enter');
  await soon(async () => (await studio.api.evaluate.runs({ ws })).map(({ name }) => name)).toEqual([
    'knows-everything',
  ]);
  expect(faults).toEqual([]);
  await context.close();
});

it('pictures are served from the question set alone', async () => {
  const image = questions.flatMap(({ images }) => images)[0]!;
  const at = `/files/${ws}/question-sets/${set.id}`;
  const picture = await studio.server.ask(`${at}/${image}`);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  for (const path of ['set.json', '..%2f..%2f..%2fstudio.sqlite', '%2e%2e/set.json', `${image}%00.png`]) {
    expect([path, (await studio.server.ask(`${at}/${path}`)).status]).toEqual([path, 404]);
  }
});

it('a template of predictions holds every question of the wanted files, and of no other set', async () => {
  const at = `/files/${ws}/question-sets/${set.id}/predictions.jsonl`;
  const files = set.files.map(({ file }) => `file=${file}`).join('&');
  const answer = await studio.server.ask(`${at}?${files}`);
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([200, 'attachment']);
  const [head, ...lines] = (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(head).toMatchObject({ schema: 'trajectory-studio/predictions', dataset: set.dataset });
  expect(lines.map(({ id }) => id)).toEqual(questions.map(({ id }) => id));
  expect((await studio.server.ask(at)).status).toBe(400);
  expect((await studio.server.ask(`${at}?file=..%2fset.json`)).status).toBe(400);

  const { page, context, faults } = await studio.open({}, `/w/${ws}/evaluate`);
  await page.getByRole('button', { name: 'Load predictions' }).first().click();
  const [begun] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download a template to fill in' }).click(),
  ]);
  expect(begun.suggestedFilename()).toBe(`${set.name}-predictions.jsonl`);
  expect(faults).toEqual([]);
  await context.close();
});

it('a question without an answer is told from a wrong answer, in the list and in the filters; the model has the name that is typed', async () => {
  const [first, ...others] = questions;
  const file = home.dir('p.jsonl');
  fs.writeFileSync(file, `${JSON.stringify({ id: first!.id, prediction: rightAnswer(first!) })}\n`);
  const { page, context, faults } = await studio.open({}, `/w/${ws}/evaluate`);
  await page.getByRole('table').first().waitFor();
  await page.keyboard.press('l');
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByRole('textbox', { name: /^Name of the model/ }).fill('answers-once');
  await dialog.getByRole('button', { name: /^Score/ }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'answers-once' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'answers-once' }).waitFor();
  expect((await studio.api.evaluate.runs({ ws })).map(({ name }) => name)).not.toContain('p');

  const cases = page.getByRole('navigation', { name: 'Cases' });
  const place = cases.getByRole('status');
  const verdicts = (state: string) => cases.locator(`[data-state=${state}]`).count();
  await soon(() => place.textContent()).toBe(`1 of ${questions.length}`);
  expect([await verdicts('right'), await verdicts('wrong'), await verdicts('part')]).toEqual([1, 0, 0]);
  expect(await verdicts('missing')).toBe(others.length);
  await cases.getByText('not answered:').first().waitFor();

  await page.getByRole('combobox', { name: 'Right or wrong' }).click();
  await page.getByRole('option', { name: 'Not answered', exact: true }).click();
  await soon(() => place.textContent()).toBe(`1 of ${others.length}`);
  expect(await verdicts('right')).toBe(0);
  await page.getByRole('button', { name: /^Wrong only/ }).click();
  await page.getByText('No matching cases', { exact: false }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
