import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { zipOf } from '../../../studio/play/checks/zip-for-tests.ts';
import { studioMust } from '../../support/cli.ts';
import { demonstrateNote, makeNoteTask, NOTE_TASK, newNoteStage } from '../../support/played-note.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';

/** A task's checks are made on its page from what a play of a real demonstration wrote, and its recipe is changed there. */

const studio = studioFixture();
/** An archive among the task's files. */
const BUNDLE = 'bundle.zip';
let ws = '';
const dir = (): string => path.dirname(studio.recordings);

beforeAll(async () => {
  await makeNoteTask(dir(), ['recipe']);
  const bundle = path.join(path.dirname(dir()), BUNDLE);
  fs.writeFileSync(bundle, zipOf({ 'a.txt': 'one' }));
  await studioMust(['tasks', 'attach', NOTE_TASK, bundle, '--workspace', dir()]);
  const stage = await newNoteStage(dir());
  const recording = await demonstrateNote(dir(), stage);
  await studioMust(['stage', 'end', stage.stage]);
  await studioMust(['play', recording, '--pace', 'ready', '--workspace', dir()]);
  ws = await studio.newWorkspace();
}, 300_000);

it('makes checks from the file that the demonstration wrote, tries them, and keeps them', async () => {
  const before = await studio.api.setup.get({ ws, task: NOTE_TASK });
  expect(before).toMatchObject({ checks: null, source: { kind: 'play' }, written: [{ path: 'notes/note.txt' }] });
  await studio.inWindow(`/w/${ws}/tasks/${NOTE_TASK}`, async (page) => {
    await page.getByText('None yet: when the task counts as done').waitFor();
    const state = page.getByLabel('State of the task');
    await state.getByText(/^It has no checks: when it counts as done/).waitFor();
    await state.getByText('All that it needs is there.').waitFor({ state: 'detached' });
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'From a file that was written' }).click();
    await page.getByRole('menuitem', { name: /notes\/note\.txt/ }).click();
    await dialog.getByText('Say what the text contains or lacks.').waitFor();
    await dialog.getByRole('button', { name: 'Show what is there' }).click();
    const text = dialog.getByRole('textbox', { name: /The text there/ });
    await text.waitFor();
    expect(await text.inputValue()).toContain('2 eggs & bread');
    await text.evaluate((field: HTMLTextAreaElement) => {
      const at = field.value.indexOf('2 eggs');
      field.setSelectionRange(at, at + '2 eggs & bread'.length);
    });
    await dialog.getByRole('button', { name: 'It must contain the selection' }).click();
    await dialog.getByRole('button', { name: 'Try', exact: true }).click();
    await dialog.getByText('Passed: score 1.00.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // What is not there fails, with the reason, before anything is kept.
    const contains = dialog.getByLabel('Contains all of').and(page.locator('input:not([type=hidden])'));
    await contains.fill('Wine');
    await contains.press('Enter');
    await dialog.getByRole('button', { name: 'Try', exact: true }).click();
    await dialog.getByText('Not passed: score 0.50.').waitFor();
    await contains.press('Backspace');
    await dialog.getByRole('button', { name: 'Try', exact: true }).click();
    await dialog.getByText('Passed: score 1.00.').waitFor();
    expect((await studio.api.setup.get({ ws, task: NOTE_TASK })).checks).toBeNull();
    await dialog.getByRole('button', { name: 'Store the checks' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('1 check: note.txt').waitFor();
    // Complete and sound now; what is still to be done for a proof is said.
    await state.getByText('All that it needs is there.').waitFor();
    await state.getByText('Nothing is wrong with what is there.').waitFor();
    await state.getByText(/^No demonstration was verified yet/).waitFor();
  });
  const { checks } = await studio.api.setup.get({ ws, task: NOTE_TASK });
  expect(checks?.checks[0]).toMatchObject({ kind: 'text', path: 'notes/note.txt' });
});

it('draws a region on the last screen and keeps it as a picture of the task', async () => {
  await studio.inWindow(`/w/${ws}/tasks/${NOTE_TASK}`, async (page) => {
    await page.getByRole('button', { name: 'Edit: Checks' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('menuitem', { name: 'A region of the screen' }).click();
    const screen = dialog.getByRole('img', { name: /The last screen/ });
    await screen.waitFor();
    // However long the fields are: what it does is in sight, and lies over none of them.
    const store = await dialog.getByRole('button', { name: 'Store the checks' }).boundingBox();
    const fields = await dialog.locator('form > :first-child').boundingBox();
    expect(store!.y + store!.height).toBeLessThan(page.viewportSize()!.height);
    expect(fields!.y + fields!.height).toBeLessThanOrEqual(store!.y);
    await screen.scrollIntoViewIfNeeded();
    const box = await screen.boundingBox();
    if (!box) throw new Error('the screen is not in sight');
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5, { steps: 4 });
    await page.mouse.up();
    expect(Number(await dialog.getByRole('textbox', { name: 'Width' }).inputValue())).toBeGreaterThan(100);
    await dialog.getByRole('button', { name: 'Keep the region as a picture of the task' }).click();
    await page.waitForFunction(
      () => (document.querySelector<HTMLInputElement>('input[placeholder=none][value^="region-"]')?.value ?? '') !== '',
    );
    await dialog.getByRole('button', { name: 'Try', exact: true }).click();
    await dialog.getByText('Passed: score 1.00.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // What a whole document is compared in, and has by itself.
    await dialog.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('menuitem', { name: 'A presentation or a text document' }).click();
    await dialog.getByRole('combobox', { name: 'Like a file of the task' }).last().click();
    await page.getByRole('option', { name: BUNDLE }).click();
    await dialog.getByRole('combobox', { name: 'The same in' }).press('ArrowDown');
    await page.getByRole('option', { name: 'line spacing' }).click();
    await page.keyboard.press('Tab');
    await dialog.getByRole('combobox', { name: 'It has' }).press('ArrowDown');
    await page.getByRole('option', { name: 'a page break' }).click();
    await page.keyboard.press('Tab');
    await dialog.getByText('nothing highlighted in yellow').waitFor({ state: 'hidden' });
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });
});

it('changes the recipe in its form; the one before stays with the task', async () => {
  await studio.inWindow(`/w/${ws}/tasks/${NOTE_TASK}`, async (page) => {
    await page.getByText('mousepad, 1 file').waitFor();
    await page.keyboard.press('w');
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('combobox', { name: 'Program', exact: true }).inputValue()).toBe('mousepad');
    expect(await axeViolations(page)).toEqual([]);
    // A folder, and an archive that is unpacked, come and go.
    await dialog.getByRole('button', { name: 'Empty folder' }).click();
    await dialog.getByRole('textbox', { name: 'Folder in the home' }).fill('inbox');
    await dialog.getByRole('button', { name: 'File of the task', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'File of the task' }).last().click();
    await page.getByRole('option', { name: BUNDLE }).click();
    await dialog.getByRole('switch', { name: 'Unpack it' }).click();
    expect(await dialog.getByRole('textbox', { name: 'Folder in the home' }).last().inputValue()).toBe('.');
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove file 3' }).click();
    await dialog.getByRole('button', { name: 'Remove file 2' }).click();
    const target = dialog.getByRole('textbox', { name: 'Path in the home' });
    await target.fill('../outside');
    await page.keyboard.press('Control+Enter');
    await dialog.getByText(/files.*to: must not contain/).waitFor();
    await target.fill('notes/note.txt');
    // Tried before anything is stored: a picture of the stage, with the window in its place.
    const tryIt = dialog.getByRole('button', { name: 'Try it' });
    const window = dialog.getByRole('group', { name: 'Place of the window of program 1, px' });
    await window.getByRole('textbox', { name: 'Left' }).fill('150');
    await tryIt.click();
    // This test's commands are another account's than the page.
    await dialog.getByRole('button', { name: 'Agree and try it' }).click();
    const tried = dialog.getByRole('region', { name: 'The stage that was tried' });
    await tried.getByText(/1000 × 700\. Windows: .*note\.txt/).waitFor();
    const picture = tried.getByRole('img', { name: 'The stage, as the recipe sets it up' });
    const { dark, light } = await picture.evaluate(brightnessLeftAndRight, 150);
    expect(light).toBeGreaterThan(dark + 50);
    expect(await axeViolations(page)).toEqual([]);
    // The programs of this machine are found by what menus call them.
    await dialog.getByRole('button', { name: 'Program', exact: true }).click();
    const second = dialog.getByRole('combobox', { name: 'Program', exact: true }).last();
    const programs = await studio.api.setup.programs({});
    const installed = programs.find(({ command }) => command === 'mousepad');
    expect(installed).toBeDefined();
    await second.fill((installed?.name ?? '').toLowerCase());
    await page.getByRole('option', { name: `${installed?.name} mousepad` }).click();
    expect(await second.inputValue()).toBe('mousepad');
    // One that is not there is named, and the form stays as it is.
    await second.fill('no-such-program');
    await tryIt.click();
    await dialog
      .getByText(/no-such-program/)
      .last()
      .waitFor();
    await dialog.getByText('No stage could be set up so.').waitFor();
    await second.fill('xterm');
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('mousepad, xterm, 1 file').waitFor();
  });
  const { recipe } = await studio.api.setup.get({ ws, task: NOTE_TASK });
  expect(recipe).toMatchObject({
    screen: { width: 1000 },
    programs: [{ window: 'note.txt', place: { x: 150, y: 10, width: 900, height: 600 } }, { command: 'xterm' }],
  });
  // The stages that were tried are gone.
  const { json } = await studioMust(['stage', 'list', '--json']);
  expect(JSON.stringify(json)).not.toContain(dir());
  const { attachments } = await studio.api.tasks.get({ ws, task: NOTE_TASK });
  expect(attachments.filter(({ role }) => role === 'recipe')).toHaveLength(2);
});

it('says that there is nothing to try on before the task was recorded', async () => {
  const task = await studio.api.tasks.create({ ws, software: 'mousepad', goal: 'Another' });
  const setup = await studio.api.setup.get({ ws, task: task.id });
  expect(setup).toMatchObject({ recipe: null, checks: null, source: null, written: [] });
  const { checks } = await studio.api.setup.get({ ws, task: NOTE_TASK });
  if (!checks) throw new Error('no checks');
  await expect(studio.api.setup.tryChecks({ ws, task: task.id, checks })).rejects.toMatchObject({ code: 'USAGE' });
});

/** How bright a picture is left of a place (px) and right of it, in the middle of its height: a desktop, and a window on it. */
async function brightnessLeftAndRight(image: Element, at: number): Promise<{ dark: number; light: number }> {
  if (!(image instanceof HTMLImageElement)) throw new Error('no picture');
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.drawImage(image, 0, 0);
  const mean = (x: number): number => {
    const { data } = context.getImageData(x, image.naturalHeight / 2, 60, 20);
    return data.reduce((sum, one) => sum + one, 0) / data.length;
  };
  return { dark: mean(at - 100), light: mean(at + 400) };
}
