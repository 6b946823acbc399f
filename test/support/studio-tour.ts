import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { addRun } from '../../studio/datasets/run-for-tests.ts';
import { addRecording } from '../../studio/datasets/workspace-for-tests.ts';
import { annotateSample } from './studio-annotate.ts';
import { heard, still } from './studio-browser.ts';
import { fillCompositions } from './studio-compositions.ts';
import { fillEvaluation } from './studio-evaluate.ts';
import { fillLibrary } from './studio-library.ts';
import { makeRecording } from './studio-recording.ts';
import { handInTwo } from './studio-replicas.ts';
import { act, addPeople, annotateAndHandIn, chooseByKeys } from './studio-review.ts';
import type { StudioHome, StudioServer } from './studio-server.ts';

/** Every page and state of the studio that is worth a look, with something in it. */

const LONG = 'A goal that is long, because the person who wrote it wanted to say everything at once: '.repeat(6);

export type Place = { name: string; at: string; ready: (page: Page) => Promise<unknown> };

/**
 * Waits until all that was on its way has come: texts, lists, the picture. (The network is never idle: pages listen for
 * changes.)
 */
export const settled = async (page: Page) => {
  await heard(page);
  await page.locator('canvas[data-testid=picture][data-state=loading]').waitFor({ state: 'detached' });
  await page.locator('[role=status][aria-label]').waitFor({ state: 'detached' });
  await page.evaluate(() => document.fonts.ready);
  await still(page);
};
const pressed =
  (...keys: string[]) =>
  async (page: Page) => {
    await settled(page);
    for (const key of keys) await page.keyboard.press(key);
    await still(page);
  };

/** What would go out is counted. */
const counted = async (page: Page) => {
  await page.locator('main [aria-busy=false] [role=status]').waitFor();
  await settled(page);
};

const skillThere = async (page: Page) => {
  // In any language.
  await page.locator('#skill-text').waitFor();
  await settled(page);
};

/** The same as somebody; from then on this window works under that name in the workspace. */
const as = (name: string) => async (page: Page) => {
  await chooseByKeys(page, name);
  await settled(page);
};

/** A recording that Ana has submitted and Ben has begun to review, with comments short and long. */
async function recordingToReview(server: Pick<StudioServer, 'api'>, home: StudioHome) {
  const dir = home.dir('Team');
  const { id: ws } = await server.api.workspaces.open({ dir, create: true });
  const [ana = '', ben = ''] = await addPeople(server, ws, 'Ana', 'Ben', LONG.slice(0, 100));
  const recordings = path.join(dir, 'recordings');
  const made = await makeRecording(recordings, { id: 'to-review', steps: 14, marks: [5, 10] });
  await makeRecording(recordings, { id: 'to-annotate', steps: 4, task: { id: 'GIMP_2', goal: LONG } });
  const assigned = { recordings: ['to-annotate'], to: ['Ben'], due: '2026-01-05' };
  await server.api.review.assign({ ws, person: ana, work: 'annotate', ...assigned });
  const place = { server, ws, recording: made.id };
  await annotateAndHandIn(place, ana, made);
  await act(place, ben, { type: 'claim' });
  const { steps } = await server.api.recordings.open({ ws, recording: made.id });
  const action = (n: number) => steps[n]?.id ?? '';
  const decide = { type: 'decide', version: 2, reason: null, comment: '' } as const;
  await act(place, ben, { ...decide, item: { kind: 'goal' }, verdict: 'accept' });
  await act(place, ben, { ...decide, item: { kind: 'step', action: action(0) }, verdict: 'accept' });
  const box = { kind: 'box', action: action(1) } as const;
  await act(place, ben, { ...decide, item: box, verdict: 'reject', reason: 'loose-box', comment: LONG });
  const pin = { action: action(12), role: 'before', place: [300, 200], t: null } as const;
  await act(place, ben, { type: 'comment', thread: null, pin: { ...pin, place: [300, 200] }, text: 'Why this one?' });
  return { ws, at: `/w/${ws}/recordings/${made.id}` };
}

/** Two recordings that Ana and Ben annotated blind; of the second Cem has begun the adjudication. */
async function replicatedRecordings(server: Pick<StudioServer, 'api'>, home: StudioHome) {
  const dir = home.dir('Replicas');
  const { id: ws } = await server.api.workspaces.open({ dir, create: true });
  const [ana = '', ben = '', cem = ''] = await addPeople(server, ws, 'Ana', 'Ben', 'Cem');
  const policy = await server.api.review.policy({ ws });
  await server.api.review.setPolicy({ ws, policy: { ...policy, replicas: 2 } });
  for (const id of ['compared', 'adjudicated']) {
    const made = await makeRecording(path.join(dir, 'recordings'), { id, steps: 12, marks: [4] });
    await handInTwo({ server, ws, recording: id }, made, [ana, ben]);
  }
  await act({ server, ws, recording: 'adjudicated' }, cem, { type: 'claim' });
  return { ws, at: (id: string) => `/w/${ws}/recordings/${id}/compare` };
}

/** What a person recorded and three models did, one of which asked for help; Ana ranks them. */
async function runsOfModels(server: Pick<StudioServer, 'api'>, home: StudioHome): Promise<string> {
  const dir = home.dir('Models');
  const { id: ws } = await server.api.workspaces.open({ dir, create: true });
  await addPeople(server, ws, 'Ana');
  const made = { recordingsDir: path.join(dir, 'recordings') };
  await addRecording(made, { id: 'shown', task: 'GIMP_1', goal: LONG });
  await addRun(made, { id: 'r-one', passed: true, answer: LONG });
  await addRun(made, {
    id: 'r-two',
    passed: false,
    how: 'rounds',
    model: `a-model-with-a-long-name/${'7b-'.repeat(20)}`,
  });
  await addRun(made, { id: 'r-three', passed: false, model: 'm-3', helped: true });
  await server.api.recordings.list({ ws });
  return ws;
}

/** Fills workspaces and says what to look at. */
export async function everyPlace({ api, ...rest }: StudioServer, home: StudioHome): Promise<Place[]> {
  const opened = await api.workspaces.openSample();
  const sample = opened.id;
  const [recording] = await api.recordings.list({ ws: sample });
  if (!recording) throw new Error('the sample has no recording');
  await annotateSample({ server: { ...rest, api }, ws: sample, recording: recording.id });

  const run = await fillEvaluation({ api }, opened, home.dir('.'));

  const empty = (await api.workspaces.open({ dir: home.dir('New workspace'), create: true })).id;
  await fillLibrary(home.dir('Large library'), 5000);
  const large = (await api.workspaces.open({ dir: home.dir('Large library'), create: false })).id;
  const task = await api.tasks.create({
    ws: large,
    software: 'powerpoint',
    goal: LONG,
    platform: 'Windows 11',
    notes: LONG,
    sourceUrl: 'https://example.org/a-video-that-shows-it',
  });
  const app = { id: 'powerpoint', name: 'PowerPoint' };
  const many = await makeRecording(path.join(home.dir('Large library'), 'recordings'), {
    id: 'large-one',
    steps: 400,
    pictures: 'plain',
    width: 640,
    height: 360,
    marks: [40, 90, 200],
    task: { id: task.id, goal: LONG },
    app,
  });
  await makeRecording(path.join(home.dir('Large library'), 'recordings'), {
    id: 'without-video',
    steps: 5,
    pictures: 'plain',
    width: 640,
    height: 360,
    task: { id: task.id, goal: LONG },
    app,
  });
  fs.rmSync(path.join(home.dir('Large library'), 'recordings', 'without-video', 'screen.mkv'));
  const reviewed = await recordingToReview({ api }, home);
  const replicated = await replicatedRecordings({ api }, home);
  const models = await runsOfModels({ api }, home);
  const joined = await fillCompositions(api, home.dir('Joined'));

  const annotate = `/w/${sample}/recordings/${recording.id}`;
  return [
    { name: 'welcome', at: '/', ready: settled },
    { name: 'library', at: `/w/${sample}`, ready: settled },
    { name: 'library-empty', at: `/w/${empty}`, ready: settled },
    { name: 'library-5000', at: `/w/${large}`, ready: settled },
    { name: 'task', at: `/w/${sample}/tasks/${recording.task}`, ready: settled },
    { name: 'task-recipe', at: `/w/${sample}/tasks/${recording.task}`, ready: pressed('w') },
    { name: 'task-checks', at: `/w/${sample}/tasks/${recording.task}`, ready: pressed('c') },
    { name: 'task-long', at: `/w/${large}/tasks/${task.id}`, ready: settled },
    { name: 'task-skill', at: `/w/${sample}/tasks/${recording.task}/skill`, ready: skillThere },
    { name: 'recordings', at: `/w/${sample}/recordings`, ready: settled },
    { name: 'recordings-empty', at: `/w/${empty}/recordings`, ready: settled },
    { name: 'recordings-damaged', at: `/w/${large}/recordings`, ready: settled },
    { name: 'record', at: `/w/${sample}/tasks/${recording.task}/record`, ready: settled },
    { name: 'annotate', at: annotate, ready: settled },
    { name: 'annotate-drag', at: annotate, ready: pressed('Home', 'ArrowDown') },
    { name: 'annotate-open', at: annotate, ready: pressed('End') },
    { name: 'annotate-missing', at: annotate, ready: pressed('Shift+M') },
    { name: 'annotate-remove', at: annotate, ready: pressed('x') },
    { name: 'annotate-history', at: annotate, ready: pressed('Home', 'h') },
    { name: 'annotate-400', at: `/w/${large}/recordings/${many.id}`, ready: settled },
    { name: 'annotate-damaged', at: `/w/${large}/recordings/without-video`, ready: settled },
    { name: 'play', at: `${annotate}/play`, ready: settled },
    { name: 'work-nobody', at: `/w/${reviewed.ws}/work`, ready: settled },
    { name: 'review-nobody', at: `${reviewed.at}/review`, ready: settled },
    { name: 'annotate-submitted', at: reviewed.at, ready: as('Ana') },
    { name: 'work', at: `/w/${reviewed.ws}/work`, ready: as('Ben') },
    { name: 'policy', at: `/w/${reviewed.ws}/work`, ready: pressed('r') },
    { name: 'review', at: `${reviewed.at}/review`, ready: pressed('End', 'ArrowUp') },
    { name: 'review-edge', at: `${reviewed.at}/review`, ready: pressed('End', '6') },
    { name: 'review-comments', at: `${reviewed.at}/review`, ready: pressed('Shift+W', 'Shift+U') },
    { name: 'review-verdict', at: `${reviewed.at}/review`, ready: pressed('Shift+V') },
    { name: 'review-judge', at: `${reviewed.at}/review`, ready: pressed('Shift+D', 'End') },
    { name: 'insights', at: `/w/${replicated.ws}/insights`, ready: settled },
    { name: 'insights-empty', at: `/w/${empty}/insights`, ready: settled },
    { name: 'compare-nobody', at: replicated.at('compared'), ready: settled },
    { name: 'compare', at: replicated.at('compared'), ready: as('Cem') },
    { name: 'adjudicate', at: replicated.at('adjudicated'), ready: pressed('ArrowDown', 'ArrowDown') },
    { name: 'compositions', at: `/w/${joined.ws}/compositions`, ready: settled },
    { name: 'compositions-empty', at: `/w/${empty}/compositions`, ready: settled },
    { name: 'composition', at: `/w/${joined.ws}/compositions/a-monday`, ready: settled },
    { name: 'composition-run', at: `/w/${joined.ws}/compositions/a-monday?run=${joined.run}`, ready: settled },
    { name: 'compose', at: `/w/${joined.ws}/compositions/a-monday/edit`, ready: settled },
    { name: 'verification', at: `/w/${joined.ws}/verification`, ready: as('Ana') },
    { name: 'verify', at: `/w/${joined.ws}/compositions/novels/verify`, ready: settled },
    { name: 'dataset', at: `/w/${sample}/dataset`, ready: settled },
    { name: 'dataset-empty', at: `/w/${empty}/dataset`, ready: settled },
    { name: 'dataset-rule', at: `/w/${sample}/dataset`, ready: pressed('r') },
    { name: 'dataset-statistics', at: `/w/${sample}/dataset/statistics`, ready: settled },
    { name: 'dataset-duplicates', at: `/w/${sample}/dataset/duplicates`, ready: settled },
    { name: 'dataset-versions', at: `/w/${sample}/dataset/versions`, ready: settled },
    { name: 'export', at: `/w/${sample}/export`, ready: counted },
    { name: 'evaluate', at: `/w/${sample}/evaluate`, ready: settled },
    { name: 'evaluate-empty', at: `/w/${empty}/evaluate`, ready: settled },
    { name: 'evaluate-questions', at: `/w/${sample}/evaluate`, ready: pressed('q') },
    { name: 'evaluate-load', at: `/w/${sample}/evaluate`, ready: pressed('l') },
    { name: 'cases', at: `/w/${sample}/evaluate/${run}`, ready: settled },
    { name: 'cases-compared', at: `/w/${sample}/evaluate/${run}`, ready: pressed('c', 'z') },
    { name: 'runs', at: `/w/${models}/runs`, ready: settled },
    { name: 'ask-judges', at: `/w/${models}/runs`, ready: pressed('a') },
    { name: 'candidates', at: `${annotate}/candidates`, ready: settled },
    { name: 'ask-candidates', at: `${annotate}/candidates`, ready: pressed('a') },
    { name: 'run-begin', at: `/w/${sample}/tasks/${recording.task}/stage`, ready: settled },
    { name: 'arena', at: `/w/${models}/arena`, ready: as('Ana') },
    { name: 'settings', at: '/settings', ready: settled },
    { name: 'keys', at: annotate, ready: pressed('?') },
    { name: 'palette', at: annotate, ready: pressed('Control+k') },
    { name: 'not-found', at: '/no/such/page', ready: settled },
  ];
}
