import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { setBox } from '../../../core/annotate/edit.ts';
import { emptyLabel } from '../../../core/annotate/label.ts';
import { TEXT_LIMITS } from '../../../schemas/limits.ts';
import { annotationOf, gesture } from '../../support/studio-annotate.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { annotatePage } from '../../support/studio-pages.ts';
import { makeRecording } from '../../support/studio-recording.ts';

/** Damage and excess are said clearly, where they are; everything else goes on. */

const studio = studioFixture();
const { home } = studio;
let ws: string;

beforeAll(async () => {
  ws = await studio.newWorkspace();
  for (const id of ['whole', 'no-video', 'no-picture', 'no-frames', 'torn-json', 'torn-events']) {
    const task = { id: 'GIMP_1', goal: 'Goal' };
    await makeRecording(studio.recordings, { id, steps: 6, width: 640, height: 360, task });
  }
  fs.rmSync(path.join(studio.recordings, 'no-video', 'screen.mkv'));
  fs.writeFileSync(path.join(studio.recordings, 'no-picture', 'screen.mkv'), Buffer.alloc(200_000, 'not a video '));
  fs.rmSync(path.join(studio.recordings, 'no-frames', 'frames.jsonl'));
  fs.writeFileSync(path.join(studio.recordings, 'torn-json', 'recording.json'), '{"schema": "trajectory-studio/rec');
  const events = path.join(studio.recordings, 'torn-events', 'events.jsonl');
  const text = fs.readFileSync(events, 'utf8').trimEnd().split('\n');
  text[3] = 'this is no event';
  fs.writeFileSync(events, `${text.join('\n')}\n{"type":"do`);
});

it('a database that was torn: a message with what to do, and other workspaces still open', async () => {
  const torn = home.dir('torn workspace');
  await studio.api.workspaces
    .open({ dir: torn, create: true })
    .then(({ id }) => studio.api.workspaces.forget({ ws: id }));
  const file = path.join(torn, 'studio.sqlite');
  const bytes = fs.readFileSync(file);
  for (const suffix of ['-wal', '-shm']) fs.rmSync(file + suffix, { force: true });
  fs.writeFileSync(file, Buffer.concat([Buffer.alloc(4096, 'torn'), bytes.subarray(4096, bytes.length / 2)]));
  await studio.inWindow('/', async (page) => {
    await page.keyboard.press('f');
    const dialog = page.getByRole('dialog', { name: 'Open a folder' });
    await dialog.getByLabel('Folder on this machine').fill(torn);
    await page.keyboard.press('Enter');
    const alert = dialog.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/torn workspace/);
    expect(await alert.textContent()).toMatch(/damaged|not a database|torn|corrupt/i);
    await page.keyboard.press('Escape');
    await page.goto(`${studio.origin}/w/${ws}`);
    await page.getByRole('row', { name: /GIMP_1/ }).waitFor();
  });
  await expect(studio.api.workspaces.open({ dir: torn, create: false })).rejects.toMatchObject({
    code: 'WORKSPACE_DAMAGED',
  });
});

it('a recording without its video opens: the steps are there, the picture says what is missing', async () => {
  await studio.inWindow(`/w/${ws}/recordings/no-video`, async (page) => {
    const annotate = await annotatePage(page, studio.server, ws, 'no-video');
    expect(annotate.opened.steps).toHaveLength(6);
    await page
      .getByText(/screen\.mkv/)
      .first()
      .waitFor();
    // Work that needs no picture can be done all the same.
    await annotate.name('Open');
    await soon(async () => (await stored('no-video', 0)).label?.element).toBe('Open');
  });
});

it('a video that cannot be decoded: the picture says so, the steps can be worked on', async () => {
  await studio.inWindow(`/w/${ws}/recordings/no-picture`, async (page) => {
    const annotate = await annotatePage(page, studio.server, ws, 'no-picture');
    await page
      .getByText(/cannot be shown/)
      .first()
      .waitFor();
    await annotate.name('Save');
    await soon(async () => (await stored('no-picture', 0)).label?.element).toBe('Save');
  });
});

it('folders that cannot be read at all are left out, with a message when opened, and the rest is listed', async () => {
  const listed = await studio.api.recordings.list({ ws });
  expect(listed.map(({ id }) => id)).toContain('whole');
  expect(listed.map(({ id }) => id)).not.toContain('torn-json');
  await expect(studio.api.recordings.open({ ws, recording: 'no-frames' })).rejects.toMatchObject({
    code: 'BAD_FILE',
  });
  await studio.inWindow(`/w/${ws}/recordings/no-frames`, async (page) => {
    await page.getByRole('alert').filter({ hasText: 'frames.jsonl' }).waitFor();
  });
  await studio.inWindow(`/w/${ws}/recordings/never-was`, async (page) => {
    await page.getByRole('alert').filter({ hasText: 'never-was' }).waitFor();
  });
});

it('lines that are torn are got over: the other steps stand', async () => {
  const { steps } = await studio.api.recordings.open({ ws, recording: 'torn-events' });
  expect(steps).toHaveLength(6);
});

it('a name of 10,000 letters is refused with the limit, and the name before stays', async () => {
  await studio.inWindow(`/w/${ws}/recordings/whole`, async (page) => {
    const annotate = await annotatePage(page, studio.server, ws, 'whole');
    await annotate.name('Open');
    await soon(async () => (await stored('whole', 0)).label?.element).toBe('Open');
    await annotate.name('x'.repeat(10_000), 'at once');
    await page
      .getByText(new RegExp(`at most ${TEXT_LIMITS.name} `))
      .first()
      .waitFor();
    // The first Escape may only close the list of completions.
    await soon(async () => {
      await page.keyboard.press('Escape');
      return page.evaluate(() => document.activeElement instanceof HTMLInputElement);
    }).toBe(false);
    // The rest goes on.
    await annotate.goTo(1);
    await annotate.name('Curves');
    await soon(async () => (await stored('whole', 1)).label?.element).toBe('Curves');
  });
  const name = (await stored('whole', 0)).label?.element ?? '';
  expect(name.length).toBeLessThanOrEqual(TEXT_LIMITS.name);
});

it('a script’s name of 10,000 letters is refused whole', async () => {
  const where = { server: studio.server, ws, recording: 'whole' };
  const action = (await annotationOf(where)).opened.steps[2]!.id;
  const label = { ...emptyLabel(action), element: 'x'.repeat(10_000), elementSource: 'hand' as const };
  const before = (await annotationOf(where)).version;
  await expect(gesture(where, 'Name', () => [{ op: 'add', record: label }])).rejects.toMatchObject({ code: 'USAGE' });
  expect((await annotationOf(where)).version).toBe(before);
});

it('a box outside the picture is refused, and one drawn over its edge ends at the edge', async () => {
  const where = { server: studio.server, ws, recording: 'whole' };
  const action = (await annotationOf(where)).opened.steps[0]!.id;
  for (const box of [
    { x: 700, y: 10, width: 50, height: 50 },
    { x: 600, y: 340, width: 100, height: 100 },
  ]) {
    const build = gesture(where, 'Box', ({ records }) => setBox(records, action, 'target', box, 'hand', 1));
    await expect(build).rejects.toMatchObject({ code: 'USAGE' });
  }
  await studio.inWindow(`/w/${ws}/recordings/whole`, async (page) => {
    const annotate = await annotatePage(page, studio.server, ws, 'whole');
    await annotate.goTo(0);
    const area = await annotate.stageArea();
    await page.mouse.move(area.x + area.width - 40, area.y + area.height - 30);
    await page.mouse.down();
    await page.mouse.move(area.x + area.width - 10, area.y + area.height - 5, { steps: 3 });
    await page.mouse.move(area.x + area.width + 300, area.y + area.height + 200, { steps: 3 });
    await page.mouse.up();
    await soon(async () => (await stored('whole', 0)).target?.box).toBeTruthy();
  });
  const { box } = (await stored('whole', 0)).target!;
  expect({ right: box.x + box.width, bottom: box.y + box.height }).toEqual({ right: 640, bottom: 360 });
});

async function stored(recording: string, n: number) {
  const { view } = await annotationOf({ server: studio.server, ws, recording });
  return view.steps[n]!;
}
