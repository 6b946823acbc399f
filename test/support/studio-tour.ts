import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { annotateSample } from './studio-annotate.ts';
import { heard } from './studio-browser.ts';
import { fillLibrary } from './studio-library.ts';
import { makeRecording } from './studio-recording.ts';
import type { StudioHome, StudioServer } from './studio-server.ts';

/** Every page and state of the studio that is worth a look, with something in it. */

const LONG = 'A goal that is long, because the person who wrote it wanted to say everything at once: '.repeat(6);

export type Place = { name: string; at: string; ready: (page: Page) => Promise<unknown> };

/** What is on its way has come: texts, lists, the picture. (The network is never idle: pages listen for changes.) */
export const settled = async (page: Page) => {
  await heard(page);
  await page.locator('canvas[data-testid=picture][data-state=loading]').waitFor({ state: 'detached' });
  await page.locator('[role=status][aria-label]').waitFor({ state: 'detached' });
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(500);
};
const pressed =
  (...keys: string[]) =>
  async (page: Page) => {
    await settled(page);
    for (const key of keys) await page.keyboard.press(key);
    await page.waitForTimeout(400);
  };

/** Fills workspaces and says what to look at. */
export async function everyPlace({ api, ...rest }: StudioServer, home: StudioHome): Promise<Place[]> {
  const sample = (await api.workspaces.openSample()).id;
  const [recording] = await api.recordings.list({ ws: sample });
  if (!recording) throw new Error('the sample has no recording');
  await annotateSample({ server: { ...rest, api }, ws: sample, recording: recording.id });

  const empty = (await api.workspaces.open({ dir: home.dir('New data set'), create: true })).id;
  await fillLibrary(home.dir('Large library'), 5000);
  const large = (await api.workspaces.open({ dir: home.dir('Large library'), create: false })).id;
  const task = await api.tasks.create({
    ...{ ws: large, software: 'powerpoint', goal: LONG, platform: 'Windows 11', notes: LONG },
    sourceUrl: 'https://example.org/a-video-that-shows-it',
  });
  const app = { id: 'powerpoint', name: 'PowerPoint' };
  const many = await makeRecording(path.join(home.dir('Large library'), 'recordings'), {
    ...{ id: 'large-one', steps: 400, pictures: 'plain', width: 640, height: 360, marks: [40, 90, 200] },
    ...{ task: { id: task.id, goal: LONG }, app },
  });
  await makeRecording(path.join(home.dir('Large library'), 'recordings'), {
    ...{ id: 'without-video', steps: 5, pictures: 'plain', width: 640, height: 360 },
    ...{ task: { id: task.id, goal: LONG }, app },
  });
  fs.rmSync(path.join(home.dir('Large library'), 'recordings', 'without-video', 'screen.mkv'));

  const annotate = `/w/${sample}/recordings/${recording.id}`;
  return [
    { name: 'welcome', at: '/', ready: settled },
    { name: 'library', at: `/w/${sample}`, ready: settled },
    { name: 'library-empty', at: `/w/${empty}`, ready: settled },
    { name: 'library-5000', at: `/w/${large}`, ready: settled },
    { name: 'task', at: `/w/${sample}/tasks/${recording.task}`, ready: settled },
    { name: 'task-long', at: `/w/${large}/tasks/${task.id}`, ready: settled },
    { name: 'recordings', at: `/w/${sample}/recordings`, ready: settled },
    { name: 'recordings-empty', at: `/w/${empty}/recordings`, ready: settled },
    { name: 'recordings-damaged', at: `/w/${large}/recordings`, ready: settled },
    { name: 'record', at: `/w/${sample}/tasks/${recording.task}/record`, ready: settled },
    { name: 'annotate', at: annotate, ready: settled },
    { name: 'annotate-drag', at: annotate, ready: pressed('Home', 'ArrowDown') },
    { name: 'annotate-open', at: annotate, ready: pressed('End') },
    { name: 'annotate-remove', at: annotate, ready: pressed('x') },
    { name: 'annotate-history', at: annotate, ready: pressed('Home', 'h') },
    { name: 'annotate-400', at: `/w/${large}/recordings/${many.id}`, ready: settled },
    { name: 'annotate-damaged', at: `/w/${large}/recordings/without-video`, ready: settled },
    { name: 'settings', at: '/settings', ready: settled },
    { name: 'keys', at: annotate, ready: pressed('?') },
    { name: 'palette', at: annotate, ready: pressed('Control+k') },
    { name: 'not-found', at: '/no/such/page', ready: settled },
  ];
}
