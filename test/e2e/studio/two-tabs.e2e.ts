import { beforeAll, beforeEach, expect, it } from 'vitest';
import { nameElement } from '../../../core/annotate/edit.ts';
import { annotationOf, gesture } from '../../support/studio-annotate.ts';
import { openTab, type Watched } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { type AnnotatePage, annotatePage } from '../../support/studio-pages.ts';
import { makeRecording } from '../../support/studio-recording.ts';

/** Two windows on one recording are one document, and a connection that is lost loses nothing. */

const studio = studioFixture();
let ws: string;
let recording: string;
let count = 0;
beforeAll(async () => {
  ws = await studio.newWorkspace();
});
beforeEach(async () => {
  recording = `tabs-${++count}`;
  await makeRecording(studio.recordings, {
    id: recording,
    steps: 8,
    width: 640,
    height: 360,
  });
});

type Window = Watched & { work: AnnotatePage };
async function open(): Promise<Window> {
  const watched = await studio.open({}, `/w/${ws}/recordings/${recording}`);
  return { ...watched, work: await annotatePage(watched.page, studio.server, ws, recording) };
}
const view = async () => (await annotationOf({ server: studio.server, ws, recording })).view;
const elements = async () => (await view()).steps.map(({ label }) => label?.element ?? null);

it('what is done in one window shows in the other, and either can undo it', async () => {
  const [a, b] = [await open(), await open()];
  await a.work.name('Open');
  await soon(() => b.work.label(0)).toContain('Open');
  await b.page.keyboard.press('Control+z');
  await soon(() => a.work.label(0)).not.toContain('Open');
  await a.page.keyboard.press('Control+Shift+z');
  await soon(() => b.work.label(0)).toContain('Open');
  await soon(async () => (await elements())[0]).toBe('Open');
  for (const { context, faults } of [a, b]) {
    expect(faults).toEqual([]);
    await context.close();
  }
});

it('two tabs of one window, working at the same time on other steps and on the same one, end equal', async () => {
  const a = await open();
  const second = await openTab(a.context, await studio.server.login());
  const work = await annotatePage(second.page, studio.server, ws, recording);
  await a.work.goTo(1);
  await work.goTo(5);
  await Promise.all([a.work.name('In the first'), work.name('In the second')]);
  await soon(elements).toEqual([null, 'In the first', null, null, null, 'In the second', null, null]);
  await work.goTo(1);
  await Promise.all([a.work.name('From the left'), work.name('From the right')]);
  await soon(async () => {
    const [left, right] = [await a.work.label(1), await work.label(1)];
    const stored = (await elements())[1] ?? 'nothing';
    return left === right && left.includes(stored);
  }).toBe(true);
  expect([...a.faults, ...second.faults]).toEqual([]);
  await a.context.close();
});

it('a script’s change shows in an open page', async () => {
  const a = await open();
  const action = a.work.step(3).id;
  await gesture({ server: studio.server, ws, recording }, 'Name', ({ records }) =>
    nameElement(records, action, 'By a script', 'import'),
  );
  await soon(async () => (await view()).steps[3]?.label?.element).toBe('By a script');
  await a.work.goTo(3);
  await soon(() =>
    a.page
      .getByLabel(/element/i)
      .first()
      .inputValue(),
  ).toBe('By a script');
  await a.context.close();
});

it('a lost connection is shown; work goes on, another window too, and all of it is there when it is back', async () => {
  const [a, b] = [await open(), await open()];
  await a.context.setOffline(true);
  await a.work.name('Said while away');
  await a.work.goTo(1);
  await a.work.name('Another while away');
  await a.page.getByText(/connection to the studio is lost/i).waitFor();
  await b.work.goTo(6);
  await b.work.name('By the other meanwhile');
  await soon(async () => (await elements())[6]).toBe('By the other meanwhile');
  expect((await elements()).slice(0, 2)).toEqual([null, null]);

  await a.context.setOffline(false);
  await soon(elements, 20_000).toEqual([
    ...['Said while away', 'Another while away', null, null, null, null],
    ...['By the other meanwhile', null],
  ]);
  await a.page.getByText(/connection to the studio is lost/i).waitFor({ state: 'hidden' });
  await soon(() => a.work.label(6)).toContain('By the other meanwhile');
  await soon(() => b.work.label(0)).toContain('Said while away');
  for (const { context, faults } of [a, b]) {
    expect(faults).toEqual([]);
    await context.close();
  }
});

it('what was done without a connection survives leaving the page before it is back', async () => {
  const a = await open();
  await a.context.setOffline(true);
  await a.work.name('Kept in the browser');
  await a.page.getByText(/connection to the studio is lost/i).waitFor();
  await a.page.goto('about:blank');
  await a.context.setOffline(false);
  await annotatePage(a.page, studio.server, ws, recording);
  await soon(async () => (await elements())[0]).toBe('Kept in the browser');
  await a.context.close();
});
