import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, recorderIn, startServer } from '../../../studio/session/push/processes-for-tests.ts';
import { attach } from '../../../studio/store/attachments.ts';
import { createTask } from '../../../studio/store/task-rows.ts';
import { assignTask } from '../../../studio/store/to-record.ts';
import { openWorkspace } from '../../../studio/store/workspace.ts';
import { startDisplay, type VirtualDisplay } from '../../support/display.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';

/**
 * A recorder's machine and a team's server, each a program of its own: the server's tasks are on the page, one is recorded there,
 * and the recording is at the server without anybody sending it; also while the server is away for a time, and after both were killed.
 */

let display: VirtualDisplay;
beforeAll(async () => {
  display = await startDisplay({ width: 1024, height: 700 });
});
afterAll(() => display?.stop());
const studio = studioFixture({ env: () => display.env });

const RECIPE = JSON.stringify({
  schema: 'trajectory-studio/recipe',
  version: 1,
  screen: { width: 640, height: 480 },
  files: [{ attachment: 'note.txt', to: 'note.txt' }],
  programs: [{ command: 'pluma', args: ['~/note.txt'], env: {}, window: 'note.txt' }],
});
const CHECKS = JSON.stringify({
  schema: 'trajectory-studio/checks',
  version: 1,
  checks: [{ id: 'there', kind: 'file', path: 'note.txt', equals: 'note.txt' }],
});

let server: ChildProcess;
let origin: string;
let token: string;
let ws: string;
let lab: string;
let port: number;
const begin = async (): Promise<void> => {
  server = await startServer(studio.home.dir('team'), lab, origin, port);
};
beforeAll(async () => {
  lab = studio.home.dir('lab');
  token = await recorderIn(lab);
  const workspace = openWorkspace(lab, { create: false });
  const more = { platform: '', sourceUrl: '', notes: '' };
  await createTask(workspace, { ...more, id: 'GIMP_7', software: 'gimp', goal: 'Write a note for Ana' });
  await createTask(workspace, { ...more, id: 'GIMP_8', software: 'gimp', goal: 'Anybody may do this' });
  await createTask(workspace, { ...more, id: 'GIMP_9', software: 'gimp', goal: 'Look at the note' });
  for (const [role, name, text] of [
    ['material', 'note.txt', 'Dear Ana'],
    ['recipe', 'recipe.json', RECIPE],
    ['checks', 'checks.json', CHECKS],
  ] as const) {
    const body = (async function* () {
      yield Buffer.from(text);
    })();
    await attach(workspace, { task: 'GIMP_9', role, name, body });
  }
  await assignTask(workspace.store, 'GIMP_7', ['Ana']);
  await workspace.close();
  port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  await begin();
  ws = await studio.newWorkspace();
}, 120_000);
afterAll(() => server?.kill('SIGKILL'));

const atServer = (): string[] =>
  fs.existsSync(path.join(lab, 'recordings'))
    ? fs.readdirSync(path.join(lab, 'recordings')).filter((name) => /^\d{8}-\d{6}-/.test(name))
    : [];

it('tasks come, a recording goes by itself, and offline is said', { timeout: 400_000 }, async () => {
  const { page, context, faults } = await studio.open({}, `/w/${ws}/work`);
  await page.getByRole('heading', { name: 'My work', level: 1 }).waitFor();
  await page.getByRole('button', { name: /^Team server/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Team server' });
  await dialog.getByLabel('Address of the server').fill(origin);
  await dialog.getByRole('textbox', { name: 'Access token' }).fill(`tst_${'x'.repeat(43)}`);
  await dialog.getByRole('button', { name: /^Connect/ }).click();
  await dialog.getByRole('alert').filter({ hasText: 'does not take this token' }).waitFor();
  await dialog.getByRole('textbox', { name: 'Access token' }).fill(token);
  await dialog.getByRole('button', { name: /^Connect/ }).click();
  const part = page.getByRole('region', { name: `To record for ${origin}` });
  const tasks = part.getByRole('list', { name: 'Tasks to record' }).getByRole('listitem');
  await tasks.first().getByText('Write a note for Ana').waitFor();
  expect(await tasks.count()).toBe(3);
  expect(await tasks.first().getByText('yours').count()).toBe(1);
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');

  const record = async (task: string): Promise<void> => {
    await part.getByRole('button', { name: `Record ${task}` }).click();
    await page.getByRole('heading', { name: `Record ${task}` }).waitFor();
    await page.getByLabel('Countdown (seconds)').fill('0');
    await page.keyboard.press('Control+Enter');
    const live = page.getByRole('region', { name: 'Recording' });
    await live.getByText('Recording', { exact: true }).waitFor({ timeout: 60_000 });
    await live.getByRole('button', { name: /^Stop/ }).click();
    await page.waitForURL(/\/recordings\/\d{8}-/, { timeout: 90_000 });
    await page.goto(`${studio.origin}/w/${ws}/work`);
  };
  await record('GIMP_7');
  const going = part.getByRole('list', { name: 'Recordings for the server' });
  await going.getByText('The server has it, every file confirmed. A copy is here.').waitFor({ timeout: 120_000 });
  const [first] = atServer();
  const [own] = await studio.api.recordings.list({ ws });
  expect([own?.task, own?.goal, own?.id]).toEqual(['GIMP_7', 'Write a note for Ana', first]);

  // On the stage that the task's recipe makes, after what it would start was agreed to.
  await part.getByRole('button', { name: 'Record GIMP_9 on its stage' }).click();
  await page.getByRole('heading', { name: 'Do it on a stage' }).waitFor();
  expect(await studio.api.setup.asked({ ws, task: 'GIMP_9' })).toHaveLength(2);
  await page.getByRole('button', { name: /^Begin/ }).click();
  const agreement = page.getByRole('dialog', { name: 'Run what somebody else made?' });
  await agreement.getByText('pluma').first().waitFor();
  await agreement.getByRole('button', { name: 'Agree and run' }).and(page.locator(':enabled')).click();
  const stage = page.getByRole('textbox', { name: /^The stage: mouse and keyboard act on it/ });
  await stage.waitFor({ timeout: 90_000 });
  await stage.press('Control+Home');
  await page.getByRole('button', { name: /^Done/ }).click();
  // Its checks compare the file that the stage was given with the task's own.
  await page.getByRole('heading', { name: 'Succeeded' }).waitFor({ timeout: 120_000 });
  await expect.poll(() => atServer().length, { timeout: 120_000 }).toBe(2);
  await page.goto(`${studio.origin}/w/${ws}/work`);

  // The server is away: it is said, and what was taken can be recorded; the studio is killed too.
  server.kill('SIGKILL');
  await page.reload();
  await part.getByText('The server cannot be asked now.').waitFor({ timeout: 60_000 });
  expect(await tasks.count()).toBe(2);
  await record('GIMP_7');
  await going.getByText('Waits to be sent.').waitFor({ timeout: 60_000 });
  await studio.kill();
  await studio.restart();
  await begin();
  await page.goto(await studio.server.login());
  // The way in leads on by itself, which may come between.
  const work = `${studio.origin}/w/${ws}/work`;
  const open = (): Promise<boolean> =>
    page.goto(work).then(
      () => page.url() === work,
      () => false,
    );
  await expect.poll(open, { timeout: 60_000, interval: 1000 }).toBe(true);
  await expect.poll(() => atServer().length, { timeout: 150_000 }).toBe(3);
  await expect
    .poll(() => going.getByText('The server has it, every file confirmed. A copy is here.').count(), {
      timeout: 60_000,
    })
    .toBe(3);
  expect(faults).toEqual([]);
  await context.close();
});
