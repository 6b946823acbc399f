import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { squareVideo } from '../../studio/import/videos-for-tests.ts';
import type { VirtualDisplay } from './display.ts';
import { annotationOf } from './studio-annotate.ts';
import { makeDataset } from './studio-dataset.ts';
import { soon } from './studio-expect.ts';
import type { StudioFixture } from './studio-fixture.ts';
import { makeRecording } from './studio-recording.ts';

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
export const annotating = (page: Page) => page.getByRole('tree', { name: 'Subtasks and steps' });
export const onStep = (page: Page, n: number) =>
  annotating(page).locator(`[aria-current=step][aria-label^="Step ${n}:"]`).waitFor();

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

/** A task's recording of four clicks, as the recorder leaves it: in sight once it is known. */
export async function recorded(studio: StudioFixture, dir: string): Promise<string> {
  const ws = await newest(studio);
  const [task] = await studio.api.tasks.list({ ws });
  const steps = [0, 1, 2, 3].map((cell) => ({ kind: 'click' as const, cell }));
  const made = { id: 'made', steps, width: 640, height: 360, task: { id: task!.id, goal: task!.goal } };
  await makeRecording(path.join(dir, 'recordings'), made);
  await soon(async () => (await studio.api.recordings.list({ ws })).length).toBe(1);
  return `/w/${ws}/recordings/made`;
}

export const setOf = (studio: StudioFixture) => makeDataset(studio.server, studio.home.dir('data set'));
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
  soon(async () => (await studio.api.settings.get()).keys).toEqual({ 'library.new': ['Alt+G'] });
/** The studio has proposed where the archive goes. */
export const fileProposed = (page: Page) =>
  soon(() => dialog(page).getByLabel('File on this machine').inputValue()).not.toBe('');
