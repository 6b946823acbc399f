import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type SmallDisk, smallDisk } from '../../../studio/store/small-disk-for-tests.ts';
import { startApp } from '../../support/apps.ts';
import { startDisplay, type VirtualDisplay } from '../../support/display.ts';
import { click, handsFor, perform, type } from '../../support/person.ts';
import { annotationOf } from '../../support/studio-annotate.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { annotatePage } from '../../support/studio-pages.ts';
import { makeRecording } from '../../support/studio-recording.ts';

/**
 * The disk of the workspace is full while somebody annotates, freezes, exports, imports and records through the page: the
 * page says so and what to do, nothing is lost or half left behind, and it goes on when there is room.
 */

const RECORDING = 'full';
const NAMES = ['Open', 'Save as', 'Crop', 'Undo'];
/** The recorder asks for half a GiB before it begins. */
const DISK_BYTES = 700 * 2 ** 20;

// A disk of its own can be mounted by root alone (the machines of the continuous integration).
describe.runIf(process.getuid?.() === 0)('a full disk', () => {
  let display: VirtualDisplay;
  beforeAll(async () => {
    display = await startDisplay({ width: 1024, height: 640 });
  });
  afterAll(() => display?.stop());
  const studio = studioFixture({ env: () => display.env });
  const dir = studio.home.dir('workspace');
  let disk: SmallDisk;
  let ws: string;
  beforeAll(async () => {
    const made = smallDisk(dir, DISK_BYTES);
    if (!made) throw new Error('root could not mount a disk of its own');
    disk = made;
    ws = await studio.newWorkspace();
    await makeRecording(studio.recordings, { id: RECORDING, steps: 10, width: 640, height: 360 });
  });
  afterEach(() => disk?.free());
  afterAll(() => disk?.remove());

  /** The content of a folder of the workspace, but for the mark that the system puts on a disk. */
  const inFolder = (name: string): string[] => {
    const folder = path.join(dir, name);
    return fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
  };
  const noRoom = (within: Page | Locator) =>
    within
      .getByRole('alert')
      .filter({ hasText: /is full/ })
      .first();
  /** It says that the disk is full, which one, and what to do. */
  async function saysWhatToDo(alert: Locator): Promise<void> {
    await alert.waitFor();
    const words = (await alert.textContent()) ?? '';
    expect(words).toContain(dir);
    expect(words).toMatch(/Free some space/);
  }

  it('what is done on it waits, also over a reload, and is stored when there is room', async () => {
    const { page, context, faults } = await studio.open({}, `/w/${ws}/recordings/${RECORDING}`);
    const work = await annotatePage(page, studio.server, ws, RECORDING);
    // Only what was clicked on has a name.
    const places = work.opened.steps.flatMap(({ kind }, n) => (kind === 'click' ? [n] : [])).slice(0, NAMES.length);
    expect(places).toHaveLength(NAMES.length);
    const elements = async () => {
      const { view } = await annotationOf({ server: studio.server, ws, recording: RECORDING });
      return places.map((n) => view.steps[n]?.label?.element ?? null);
    };
    disk.fill();
    for (const [n, name] of NAMES.entries()) {
      await work.goTo(places[n] ?? -1);
      await work.name(name);
    }
    const alert = page.getByRole('alert').filter({ hasText: 'is full' });
    await alert.filter({ hasText: 'wait here' }).waitFor();
    expect(await alert.textContent()).toContain('Free some space');
    await page.getByRole('status').filter({ hasText: 'Not saved' }).waitFor();
    expect((await elements()).filter((one) => one !== null).length).toBeLessThan(NAMES.length);

    await page.reload();
    const again = await annotatePage(page, studio.server, ws, RECORDING);
    for (const [n, name] of NAMES.entries()) await soon(() => again.label(places[n] ?? -1)).toContain(name);
    await alert.waitFor();

    disk.free();
    await page.getByRole('status').filter({ hasText: 'All changes saved' }).waitFor();
    expect(await elements()).toEqual(NAMES);
    await alert.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await context.close();
  });

  it('a version that is frozen on it is not there by half, and is frozen when there is room', async () => {
    await studio.inWindow(`/w/${ws}/dataset`, async (page) => {
      await page.getByRole('row', { name: new RegExp(RECORDING) }).waitFor();
      await page.keyboard.press('f');
      const dialog = page.getByRole('dialog', { name: 'Freeze a version' });
      await dialog.getByText('1 recording of 1 task', { exact: false }).waitFor();
      await dialog.getByLabel('Name').fill('v1.0');
      disk.fill();
      await dialog.getByRole('button', { name: /^Freeze/ }).click();
      await saysWhatToDo(noRoom(dialog));
      expect(inFolder('versions')).toEqual([]);
      disk.free();
      await dialog.getByRole('button', { name: /^Freeze/ }).click();
      await dialog.waitFor({ state: 'hidden' });
    });
    expect(inFolder('versions')).toEqual(['v1.0']);
  });

  it('an export to it leaves nothing behind, and is written when there is room', async () => {
    const out = path.join(dir, 'out');
    await studio.inWindow(`/w/${ws}/export`, async (page) => {
      await page.getByRole('checkbox', { name: /Include unapproved/ }).check();
      await page.getByText(/^1 task, /).waitFor();
      await page.getByLabel('Folder on this machine').fill(out);
      disk.fill();
      const go = page.getByRole('button', { name: /^Export/ });
      await go.click();
      await saysWhatToDo(noRoom(page));
      expect(fs.readdirSync(dir).filter((name) => name.includes('out'))).toEqual([]);
      disk.free();
      await go.click();
      await page.getByText('Written to').waitFor();
    });
    expect(inFolder('out')).toContain('manifest.json');
  });

  it('an import into it leaves nothing behind, and is taken when there is room', async () => {
    const { folder } = await makeRecording(studio.home.dir('elsewhere'), { id: 'from-afar', steps: 3 });
    await studio.inWindow(`/w/${ws}/recordings`, async (page) => {
      await page.getByRole('row', { name: new RegExp(RECORDING) }).waitFor();
      await page.keyboard.press('i');
      const dialog = page.getByRole('dialog', { name: 'Import a recording' });
      await dialog.getByLabel('Folder, archive or video on this machine').fill(folder);
      disk.fill();
      const go = dialog.getByRole('button', { name: /^Import/ });
      await go.click();
      await saysWhatToDo(noRoom(dialog));
      expect(inFolder('recordings')).toEqual([RECORDING]);
      disk.free();
      await go.click();
      await dialog.getByText('done', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('row', { name: /from-afar/ }).waitFor();
    });
  });

  it('a recording does not begin on it; one that fills it is kept to its end and goes on when there is room', async () => {
    const task = (await studio.api.tasks.create({ ws, software: 'gimp', goal: 'Write a note' })).id;
    const app = await startApp(display, 'mousepad', { x: 60, y: 60, width: 800, height: 500 });
    const { x, y } = await app.bounds();
    const hands = await handsFor(display, 'human');
    const before = inFolder('recordings');
    await studio.inWindow(`/w/${ws}/tasks/${task}/record`, async (page) => {
      const start = page.getByRole('button', { name: /^Start recording/ });
      await start.waitFor();
      disk.fill();
      await page.keyboard.press('c');
      const machine = page.getByRole('region', { name: 'This machine' });
      await machine.getByText(/only 0\.0 GiB free/).waitFor();
      expect(await machine.textContent()).toContain(dir);
      await soon(() => start.isDisabled()).toBe(true);
      disk.free();
      await page.keyboard.press('c');
      await soon(() => start.isDisabled()).toBe(false);
      await page.getByLabel('Countdown (seconds)').fill('0');
      // Full between the look and the start.
      disk.fill();
      await start.click();
      await saysWhatToDo(noRoom(page));
      expect(inFolder('recordings')).toEqual(before);
      disk.free();

      await start.click();
      const live = page.getByRole('region', { name: 'Recording' });
      await live.getByText('Recording', { exact: true }).waitFor();
      await perform(display, hands, [click(x + 300, y + 200), type('Milk')]);
      await soon(async () => (await live.locator('dl').textContent()) ?? '').toMatch(/Events\s*\d{2}/);
      disk.fill();
      await saysWhatToDo(noRoom(page));
      const [made] = inFolder('recordings').filter((name) => !before.includes(name));
      disk.free();
      await page.getByRole('link', { name: /Open the recording/ }).click();
      const work = await annotatePage(page, studio.server, ws, made ?? '');
      expect(work.opened.verdict).toMatchObject({ endedBy: 'disk-full' });
      expect(work.opened.steps.map(({ kind, text }) => text ?? kind)).toEqual(['click', 'Milk']);
      await page.locator('canvas[data-testid=picture][data-state=ready]').waitFor();
      // The files that follow a recording are made when there is room, with nobody asking for it.
      await soon(() => inFolder(`recordings/${made}`)).toEqual(expect.arrayContaining(['keyframes', 'screen.mp4']));
      // They are there a moment before whoever made them has put its own marks away.
      await soon(() => inFolder(`recordings/${made}`).filter((name) => name.startsWith('.'))).toEqual([]);
    });
  });
});
