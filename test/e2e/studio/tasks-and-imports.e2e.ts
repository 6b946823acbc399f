import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { TABLE_3 } from '../../../core/compositions/papers-for-tests.ts';
import { designTable, levelTable, platformTable } from '../../../core/compositions/tables.ts';
import { squareVideo } from '../../../studio/import/videos-for-tests.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { expectTable, soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { tabToNamed, writeIn } from '../../support/studio-keys.ts';
import { makeRecording } from '../../support/studio-recording.ts';

/**
 * A task's page keeps its words, stored as they are written, and its files. An import that is stopped. And tasks that are
 * joined by keyboard.
 */

const studio = studioFixture();
let ws: string;
beforeAll(async () => {
  ws = await studio.newWorkspace();
});

const newTask = async (notes = ''): Promise<string> =>
  (await studio.api.tasks.create({ ws, software: 'gimp', goal: 'Insert the picture', notes })).id;
const onTask = (task: string, work: (page: Page) => Promise<void>): Promise<void> =>
  studio.inWindow(`/w/${ws}/tasks/${task}`, work);
const stored = (task: string) => studio.api.tasks.get({ ws, task });

it('a text is stored by itself; Escape puts back what was there; a page that is left takes no words along', async () => {
  const task = await newTask('As it was');
  const notes = async () => (await stored(task)).notes;
  await onTask(task, async (page) => {
    await page.keyboard.press('n');
    await page.keyboard.press('Control+End');
    await page.keyboard.type(', and more');
    await soon(notes).toBe('As it was, and more');
    // The page may not have heard of it yet.
    await page.keyboard.press('Escape');
    await soon(notes).toBe('As it was');
    expect(await page.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('As it was');
    await page.getByRole('textbox', { name: 'Platform' }).fill('BeOS');
    await page.keyboard.press('Alt+1');
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor();
    await soon(async () => (await stored(task)).platform).toBe('BeOS');
  });
});

it('what is written while the connection is lost is kept, and stored when it is back, beside what changed meanwhile', async () => {
  const task = await newTask();
  await onTask(task, async (page) => {
    const notes = page.getByRole('textbox', { name: 'Notes' });
    await page.context().setOffline(true);
    await notes.fill('Written while it was away');
    await page.getByText(/connection to the studio is lost/i).waitFor();
    await page.getByText(/^Not stored/).waitFor();
    await studio.api.tasks.update({ ws, task, platform: 'Changed meanwhile' });
    await page.context().setOffline(false);
    await page.getByText('Connected again').waitFor();
    await soon(async () => (await stored(task)).notes).toBe('Written while it was away');
    expect(await notes.inputValue()).toBe('Written while it was away');
    await page.getByText(/^Not stored/).waitFor({ state: 'detached' });
    await soon(() => page.getByRole('textbox', { name: 'Platform' }).inputValue()).toBe('Changed meanwhile');
  });
});

it('files are attached by picking and dropping, shown, given back as they came, refused by what is in them, and removed', async () => {
  const task = await newTask();
  const files = async () => (await stored(task)).attachments.map(({ role, name }) => `${role} ${name}`).sort();
  await onTask(task, async (page) => {
    const place = (name: string) => page.locator('[data-over]', { has: page.getByRole('heading', { name }) });
    const text = (name: string, words: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(words) });
    // Asked for before anything else is done: a key could come sooner than the browser is told to leave its dialog out.
    page.once('filechooser', (picker) => picker.setFiles([text('one.txt', 'One\n'), text('two.txt', 'Two\n')]));
    await page
      .getByLabel('File: Transcript')
      .setInputFiles(text('talk.vtt', 'WEBVTT\n\n00:07.000 --> 00:09.000\n<b>Insert</b> it'));
    await soon(() => page.getByRole('list', { name: 'Transcript' }).textContent()).toBe('0:07Insert it');

    await page.keyboard.press('a');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      place('Material').getByRole('link', { name: 'Download two.txt' }).click(),
    ]);
    expect(fs.readFileSync(await saved.path(), 'utf8')).toBe('Two\n');

    const buffer = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    await page.getByLabel('File: Visual query: start').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
    const preview = page.getByRole('img', { name: 'Preview of a.png' });
    await soon(() => preview.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])).toEqual([
      40, 30,
    ]);

    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['<p>Out</p>'], 'out.html'));
      return data;
    });
    await place('Result files').dispatchEvent('dragover', { dataTransfer: dropped });
    await place('Result files').and(page.locator('[data-over=true]')).waitFor();
    await place('Result files').dispatchEvent('drop', { dataTransfer: dropped });
    await place('Result files').getByRole('link', { name: 'Download out.html' }).waitFor();

    // Its name says a picture.
    await page.getByLabel('File: Visual query: end').setInputFiles({ ...text('b.png', 'None'), mimeType: 'image/png' });
    await place('Visual query: end').getByRole('alert').filter({ hasText: 'that takes a picture' }).waitFor();
    const kept = ['material one.txt', 'material two.txt', 'query-start a.png', 'result out.html'];
    expect(await files()).toEqual([...kept, 'transcript talk.vtt']);
    expect(await axeViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Remove talk.vtt' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove the attachment?' });
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Transcript' }).waitFor({ state: 'detached' });
    expect(await files()).toEqual(kept);
  });
  const folder = path.join(studio.home.dir('workspace'), 'attachments', task);
  expect(
    fs
      .readdirSync(folder)
      .map((name) => name.slice(name.lastIndexOf('-') + 1))
      .sort(),
  ).toEqual(['a.png', 'one.txt', 'out.html', 'two.txt']);
});

it('an import shows its progress and is stopped, and keeps nothing then', async () => {
  const { folder } = await makeRecording(studio.home.dir('elsewhere'), {
    id: 'from-afar',
    steps: 2,
    pictures: 'plain',
  });
  // Long enough to be stopped; it takes no room on the disk until it is copied.
  const long = path.join(folder, 'screen-7.mkv');
  fs.writeFileSync(long, '');
  fs.truncateSync(long, 3_000_000_000);
  await studio.inWindow(`/w/${ws}/recordings`, async (page) => {
    await page.keyboard.press('i');
    const dialog = page.getByRole('dialog', { name: 'Import a recording' });
    await dialog.getByLabel('Folder, archive or video on this machine').fill(folder);
    await page.keyboard.press('Enter');
    await dialog.getByRole('progressbar', { name: `Import ${folder}` }).waitFor();
    await dialog.getByRole('button', { name: `Stop: Import ${folder}` }).click();
    await dialog.getByText('stopped', { exact: true }).waitFor();
    expect((await studio.api.jobs.list({ ws })).map(({ state }) => state)).toEqual(['cancelled']);
    expect(fs.readdirSync(studio.recordings)).toEqual([]);
    expect(await axeViolations(page)).toEqual([]);
  });
});

it('an import leads to its recording and says what it guessed; a video without steps is cut again with other values', async () => {
  const video = path.join(studio.home.dir('elsewhere'), 'lesson.mp4');
  fs.mkdirSync(path.dirname(video), { recursive: true });
  squareVideo(video, 3, [
    { t: 0, x: 40, y: 40 },
    { t: 1.5, x: 160, y: 90 },
  ]);
  const rows = () => studio.api.recordings.list({ ws });
  await studio.inWindow(`/w/${ws}/recordings`, async (page) => {
    await page.keyboard.press('i');
    const dialog = page.getByRole('dialog', { name: 'Import a recording' });
    await dialog.getByLabel('Folder, archive or video on this machine').fill(video);
    // The rule for phones looks for more than a square that moves.
    await dialog.getByRole('combobox', { name: 'Keyframes' }).click();
    await page.getByRole('option', { name: /^Phone/ }).click();
    await dialog.getByLabel('Goal (optional)').fill('Move the square');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Open the recording' }).waitFor();
    await dialog.getByText(/guessed: its steps \(0\)/).waitFor();
    // Once more is not another import.
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No steps' }).waitFor();
    const [first, ...others] = await rows();
    expect(others).toEqual([]);
    expect(await page.getByRole('button', { name: 'Submit' }).getAttribute('data-variant')).toBe('default');
    expect(await axeViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Cut again with other values' }).click();
    const again = page.getByRole('dialog', { name: 'Cut the video again' });
    await again.getByRole('combobox', { name: 'Keyframes' }).and(page.locator('[value^=Desktop]')).waitFor();
    await page.keyboard.press('Enter');
    await again.getByRole('button', { name: 'Open the recording' }).click();
    await page
      .getByRole('tree', { name: 'Subtasks and steps' })
      .getByRole('treeitem', { name: /^Step 1:/ })
      .waitFor();
    const made = await rows();
    expect(made.map(({ task }) => task)).toEqual([first!.task, first!.task]);
  });
});

it('a task that is not there is said to be missing', async () => {
  await onTask('GIMP_999', async (page) => {
    await page.getByRole('alert').filter({ hasText: 'This task could not be opened.' }).waitFor();
  });
});

it('table 3 of NaturalGAIA is entered by keyboard alone, and tables 3, 4 and 5 are printed from it', {
  timeout: 120_000,
}, async () => {
  const [first, second] = TABLE_3.members as [(typeof TABLE_3.members)[0], (typeof TABLE_3.members)[0]];
  await studio.inWindow(`/w/${ws}/compositions`, async (page) => {
    const { keyboard } = page;
    const status = page.getByRole('status').filter({ hasText: /saved/i });
    await keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await keyboard.type('DiCaprio 2023');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The composition itself' }).waitFor();
    await keyboard.press('Enter');
    await keyboard.press('Control+A');
    await writeIn(page, TABLE_3.title);
    await tabToNamed(page, 'The whole task');
    await writeIn(page, TABLE_3.task!);
    await keyboard.press('Escape');
    for (const member of [first, second]) {
      const [output] = member.outputs as [(typeof member.outputs)[0]];
      // From the list: a new task, whose name has the focus.
      await keyboard.press('n');
      await writeIn(page, member.id);
      await tabToNamed(page, 'What is asked');
      const [before = '', after] = member.instructions.base.split('{{movie.title}}');
      await writeIn(page, before);
      if (after !== undefined) {
        await keyboard.press('Control+J');
        await writeIn(page, 'title');
        await keyboard.press('Enter');
        await writeIn(page, after);
      }
      await tabToNamed(page, 'Output');
      await keyboard.press('Control+A');
      await writeIn(page, output.name);
      await tabToNamed(page, 'True value');
      await writeIn(page, String(output.value));
      for (const [platform, apps] of Object.entries(member.apps)) {
        await keyboard.press('Escape');
        await keyboard.press('p');
        await keyboard.press('Control+A');
        await writeIn(page, platform);
        await tabToNamed(page, 'Applications, with');
        await writeIn(page, apps.join(', '));
      }
      await tabToNamed(page, 'Way to the truth');
      await writeIn(page, member.way.join('\n'));
      await keyboard.press('Escape');
    }
    // The second first, back again, and both once more: an edit that is taken back was none.
    await keyboard.press('Shift+K');
    await keyboard.press('Control+Z');
    await soon(() =>
      page.getByRole('navigation', { name: 'Tasks of' }).getByRole('listitem').allTextContents(),
    ).toEqual([
      expect.stringContaining('The composition itself'),
      expect.stringContaining('1. movie'),
      expect.stringContaining('2. era'),
    ]);
    expect(await axeViolations(page)).toEqual([]);
    // What is not saved is not left without a word.
    await keyboard.press('Alt+1');
    await page.getByRole('dialog', { name: 'Save before you leave?' }).waitFor();
    await keyboard.press('Escape');
    await keyboard.press('Control+S');
    await status.filter({ hasText: /^Saved$/ }).waitFor();
    await keyboard.press('Escape');
    await page
      .getByRole('heading', { name: 'Scores of its runs' })
      .or(page.getByText('As the papers print it'))
      .first()
      .waitFor();
    await tabToNamed(page, 'As the papers print it');
    await keyboard.press('Enter');
    const { composition } = await studio.api.compositions.edit({ ws, composition: 'dicaprio-2023' });
    // Its level follows from its members, and is not written.
    expect({ ...composition, level: 1 }).toEqual({ ...TABLE_3, edges: TABLE_3.edges });
    for (const { title, rows } of [designTable(TABLE_3), platformTable(TABLE_3)]) await expectTable(page, title, rows);
    await keyboard.press('Alt+C');
    await page.getByRole('button', { name: 'New composition' }).waitFor();
    await tabToNamed(page, 'As the papers print it');
    await keyboard.press('Enter');
    const five = levelTable([TABLE_3]);
    await expectTable(page, five.title, five.rows);
  });
});
