import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { squareVideo } from '../../studio/import/videos-for-tests.ts';
import type { VirtualDisplay } from './display.ts';
import { must } from './process.ts';
import { annotationOf } from './studio-annotate.ts';
import { makeDataset } from './studio-dataset.ts';
import { questionsOf, rightAnswer, writePredictions } from './studio-evaluate.ts';
import { soon } from './studio-expect.ts';
import type { StudioFixture } from './studio-fixture.ts';
import { makeRecording } from './studio-recording.ts';
import { addPeople, annotateAndHandIn, reviewOf } from './studio-review.ts';
import { until } from './until.ts';

/** What is there before each of the ten jobs, the controls that their walks share, and what must be there in the end. */

export type JobId =
  | 'sample'
  | 'make'
  | 'review'
  | 'freeze'
  | 'export'
  | 'evaluate'
  | 'video'
  | 'settings'
  | 'unknown'
  | 'share';

/** What is there before a job, and what must be there after it; the same for both hands. */
export type Plan<Hand> = (
  studio: StudioFixture,
  display: VirtualDisplay,
) => Promise<{ at: string; walk: (hand: Hand) => Promise<void>; end?: () => Promise<void> }>;

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
export const dialog = (page: Page, name?: string | RegExp) =>
  page.getByRole('dialog', name === undefined ? {} : { name });
export const place = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: new RegExp(`^${name}`) });
const annotating = (page: Page) => page.getByRole('tree', { name: 'Subtasks and steps' });
/** The annotation page, with this step in hand. The review's list is the same, and may be there until the page comes. */
export async function onStep(page: Page, n: number): Promise<void> {
  await soon(() => page.getByTestId('spoken').textContent()).toMatch(new RegExp(`^Step ${n} of `));
  await annotating(page).locator(`[aria-current=step][aria-label^="Step ${n}:"]`).waitFor();
}

/** The sample's first five steps. */
export const SAMPLE = [
  { element: 'Crop tool' },
  { start: 'upper left corner', end: 'lower right corner', element: 'crop area', purpose: 'choose what stays' },
  { start: 'middle', end: 'sun', element: 'crop area', purpose: 'put it around the sun' },
  {},
  { element: 'Text tool' },
] as const;
export const stepsDone = async ({ server, api }: StudioFixture, ws: string, id?: string) => {
  const recording = id ?? (await api.recordings.list({ ws }))[0]!.id;
  const { view } = await annotationOf({ server, ws, recording });
  return view.steps.filter(({ state }) => state === 'done').length;
};
export const newest = async ({ api }: StudioFixture) => (await api.workspaces.recent())[0]!.id;

const CLICKS = {
  id: 'made',
  width: 640,
  height: 360,
  steps: [0, 1, 2, 3].map((cell) => ({ kind: 'click' as const, cell })),
};

/** A task's recording of four clicks, as the recorder leaves it: in sight once it is known. */
export async function recorded(studio: StudioFixture, dir: string): Promise<string> {
  const ws = await newest(studio);
  const [task] = await studio.api.tasks.list({ ws });
  await makeRecording(path.join(dir, 'recordings'), { ...CLICKS, task: { id: task!.id, goal: task!.goal } });
  await soon(async () => (await studio.api.recordings.list({ ws })).length).toBe(1);
  return `/w/${ws}/recordings/made`;
}

/** The same, annotated and submitted by Ana; it waits for Ben. */
export async function submitted(studio: StudioFixture, name: string) {
  const dir = studio.home.dir(name);
  const { id: ws } = await studio.api.workspaces.open({ dir, create: true });
  const [ana = '', ben = ''] = await addPeople(studio.server, ws, 'Ana', 'Ben');
  const made = await makeRecording(path.join(dir, 'recordings'), CLICKS);
  await soon(async () => (await studio.api.recordings.list({ ws })).length).toBe(1);
  const where = { server: studio.server, ws, recording: made.id };
  await annotateAndHandIn(where, ana, made);
  const review = () => reviewOf(where, ben);
  return { ws, dir, ben, review };
}

/** The item that the reviewer has in hand. */
export const inHand = (page: Page, words: RegExp) =>
  soon(() => page.getByTestId('spoken').textContent()).toMatch(words);
export const claimedBy = (review: () => ReturnType<typeof reviewOf>, person: string) =>
  soon(async () => (await review()).claim?.person).toBe(person);

/** A file of right answers to the questions that were made, as a model's run leaves it. */
export async function answers(studio: StudioFixture, ws: string, dir: string): Promise<string> {
  const [set] = await studio.api.evaluate.questionSets({ ws });
  const lines = questionsOf(dir, set!).map((one) => ({ id: one.id, prediction: rightAnswer(one) }));
  return writePredictions(path.join(dir, 'right.jsonl'), 'knows-everything', set!, lines);
}

/** A program that no list knows, with a window on the display; in the end it is being recorded. */
export async function unknownProgram(studio: StudioFixture, display: VirtualDisplay) {
  const title = 'Leaf Pad';
  await display.launch('zenity', ['--text-info', '--title', title, '--width', '500', '--height', '300']);
  await until('its window', async () =>
    must('xdotool', ['search', '--onlyvisible', '--name', `^${title}$`], { env: display.env }).then(
      () => true,
      () => false,
    ),
  );
  const end = async () => {
    const state = () => studio.api.recorder.state();
    expect((await state())?.phase).toBe('recording');
    await studio.api.recorder.command({ type: 'stop' });
    await soon(async () => (await state())?.phase).toBe('done');
  };
  return { at: `/w/${await emptyWorkspace(studio, 'unknown')}`, title, end };
}

const setOf = (studio: StudioFixture) => makeDataset(studio.server, studio.home.dir('data set'));
let made: { studio: StudioFixture; ws: string } | null = null;
/** The six recordings of the jobs 4, 5 and 10. */
export async function dataset(studio: StudioFixture): Promise<string> {
  if (made?.studio !== studio) made = { studio, ws: (await setOf(studio)).ws };
  return made.ws;
}

export const frozenWithSplit = (studio: StudioFixture, ws: string, train: number) => async () => {
  await soon(async () => (await studio.api.dataset.versions({ ws })).versions.length).toBe(1);
  const { rows } = await studio.api.dataset.rows({ ws });
  expect(rows.filter(({ split }) => split === 'train')).toHaveLength(train);
};

export async function video(studio: StudioFixture) {
  const dir = studio.home.dir('imported');
  const { id: ws } = await studio.api.workspaces.open({ dir, create: true });
  const file = path.join(dir, 'lesson.mp4');
  squareVideo(file, 3, [
    { t: 0, x: 40, y: 40 },
    { t: 1.5, x: 160, y: 90 },
  ]);
  fs.writeFileSync(path.join(dir, 'lesson.srt'), '1\n00:00:00,500 --> 00:00:02,000\nMove the square\n');
  const end = async () => {
    const [task] = await studio.api.tasks.list({ ws });
    const { attachments } = await studio.api.tasks.get({ ws, task: task!.id });
    expect(attachments.map(({ role }) => role)).toContain('transcript');
  };
  return { at: `/w/${ws}/recordings`, file, end };
}

export const emptyWorkspace = async (studio: StudioFixture, name: string) =>
  (await studio.api.workspaces.open({ dir: studio.home.dir(name), create: true })).id;

export const dark = (page: Page) =>
  soon(() => page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'))).toBe('dark');
export const keyGiven = (studio: StudioFixture) => () =>
  soon(async () => (await studio.api.settings.get()).keys).toEqual({ 'app.theme': ['Alt+G'] });
/** The jobs after it find the keys as they were. */
export const keysBack = (studio: StudioFixture) => async () => {
  await keyGiven(studio)();
  await studio.api.settings.set({ values: { keys: null } });
};
/** The studio has proposed what stands in a dialog's field, such as where an archive goes. */
export const proposed = (page: Page, label: string) =>
  soon(() => dialog(page).getByLabel(label).inputValue()).not.toBe('');
export const focused = (what: Locator) => soon(() => what.evaluate((one) => one === document.activeElement)).toBe(true);
