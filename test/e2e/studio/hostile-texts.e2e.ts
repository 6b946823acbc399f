import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { newComposition } from '../../../core/compositions/edit.ts';
import { still } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { makeRecording } from '../../support/studio-recording.ts';

/** Texts of members that are markup, turn the direction of writing, or have no place to break: wherever a page shows them. */

const MARKUP = '<img src=x onerror="window.ran=1"><svg onload="window.ran=2"></svg>';
const LINK = '[x](javascript:window.ran=3)';
const TURNED = '\u202e\u2066gpj.exe';
const LONG = 'W'.repeat(180);
const ALL = `${MARKUP} ${LINK} ${TURNED} ${LONG}`;

const studio = studioFixture();
let ws: string;
let task: string;
beforeAll(async () => {
  ws = await studio.newWorkspace();
  const { api } = studio;
  await api.software.add({ ws, name: `S ${MARKUP} ${TURNED}`.slice(0, 100), prefix: 'EVIL' });
  const [software] = await api.software.list({ ws });
  task = (await api.tasks.create({ ws, software: software!.id, goal: `Goal ${ALL}`, notes: ALL, answer: MARKUP })).id;
  await makeRecording(studio.recordings, {
    id: 'rec-hostile',
    steps: 4,
    task: { id: task, goal: `Goal ${ALL}` },
    window: `Window ${ALL}`,
  });
  const [member] = await api.compositions.members({ ws, tasks: [task] });
  const made = {
    ...newComposition({ id: 'day', kind: 'scenario', title: `Day ${MARKUP}` }),
    stages: [{ name: 'desk', platform: 'linux' as const }],
    members: [{ ...member!, id: 'evil', instructions: { base: `Do ${ALL} {{given.room}}` } }],
  };
  const varies = { kind: 'list' as const, values: [MARKUP, `${TURNED}x`] };
  const content = { ...made, context: { ...made.context, given: [{ name: 'room', value: MARKUP, varies }] } };
  await api.compositions.save({ ws, composition: 'day', content, version: null });
});

const PLACES = () =>
  [
    '',
    `/tasks/${task}`,
    '/recordings',
    '/recordings/rec-hostile',
    '/recordings/rec-hostile/review',
    '/compositions',
    '/compositions/day',
    '/compositions/day/edit',
    '/dataset',
    '/export',
    '/work',
    '/insights',
  ].map((place) => `/w/${ws}${place}`);

/** Faults of a page: it is wider than the window, or a script ran. */
const wrongOf = (page: Page) =>
  page.evaluate(() => ({
    ran: Reflect.get(window, 'ran') ?? null,
    wide: document.documentElement.scrollWidth > window.innerWidth,
    made: document.querySelectorAll('img[src="x"], svg[onload], a[href^="javascript:"]').length,
  }));

it.each([
  [1024, 700],
  [1366, 768],
])('at %i x %i no page runs, follows or is torn by them', async (width, height) => {
  const { page, context, faults } = await studio.open({ width, height });
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  for (const place of PLACES()) {
    await page.goto(`${studio.origin}${place}`);
    await page.getByRole('main').first().waitFor();
    await still(page);
    expect([place, await wrongOf(page)]).toEqual([place, { ran: null, wide: false, made: 0 }]);
  }
  expect([faults, errors]).toEqual([[], []]);
  await context.close();
});
