import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDisplay, type VirtualDisplay } from '../../support/display.ts';
import { loudest, type Microphone, startMicrophone } from '../../support/microphone.ts';
import { readRecording } from '../../support/recordings.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';

/** Before it is recorded the voice is heard: a microphone is chosen on the page, and its level is shown. */

let display: VirtualDisplay;
let microphone: Microphone;
beforeAll(async () => {
  display = await startDisplay({ width: 1280, height: 800, accessibility: true });
  microphone = await startMicrophone(display);
});
afterAll(() => display?.stop());
const studio = studioFixture({ env: () => ({ ...display.env, ...microphone.env }) });

it('a microphone is chosen by its name, its level moves before anything is recorded, and it is the one that is recorded', {
  timeout: 240_000,
}, async () => {
  const ws = await studio.newWorkspace();
  const task = (await studio.api.tasks.create({ ws, software: 'gimp', goal: 'Say something' })).id;
  const { page, context, faults } = await studio.open({}, `/w/${ws}/tasks/${task}/record`);
  await page.getByLabel('Countdown (seconds)').fill('0');
  expect(await page.getByText('Level of the microphone').count()).toBe(0);
  await page.getByRole('checkbox', { name: /Record what I say/ }).check();
  await page.getByText(/^It is silent/).waitFor({ timeout: 30_000 });
  await page.getByRole('combobox', { name: 'Microphone' }).click();
  await page.getByRole('option', { name: 'Monitor of Null Output', exact: true }).click();
  await page.getByText(/^It is silent/).waitFor({ timeout: 30_000 });
  const heard = page.getByText('It hears you.').waitFor({ timeout: 60_000 });
  let isHeard = false;
  void heard.then(() => {
    isHeard = true;
  });
  while (!isHeard) await microphone.click();
  await heard;
  expect(await axeViolations(page)).toEqual([]);
  const pictures = process.env.STUDIO_PICTURES;
  if (pictures) await page.screenshot({ path: `${pictures}/microphone.png` });

  await page.getByRole('button', { name: /^Start recording/ }).click();
  const live = page.getByRole('region', { name: 'Recording' });
  await live.getByText('Recording', { exact: true }).waitFor({ timeout: 60_000 });
  await soon(async () => (await studio.api.recorder.state())?.voice ?? null).not.toBeNull();
  await microphone.click();
  expect(await studio.api.recorder.level({ device: '' })).toMatchObject({ level: null, problem: expect.any(String) });
  await live.getByRole('button', { name: /^Stop/ }).click();
  await page.getByRole('tree', { name: 'Subtasks and steps' }).waitFor({ timeout: 60_000 });
  const [recording] = await studio.api.recordings.list({ ws });
  const folder = path.join(studio.recordings, recording!.id);
  expect(readRecording(folder).voice).toEqual({ rate: 16_000 });
  expect(loudest(folder, 0, Number.POSITIVE_INFINITY)).toBeGreaterThan(10_000);
  expect(faults).toEqual([]);
  await context.close();
});
