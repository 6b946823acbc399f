import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { toRecords } from '../../../core/annotate/document.ts';
import { confirm, setBox } from '../../../core/annotate/edit.ts';
import { squareVideo } from '../../../studio/import/videos-for-tests.ts';
import { studioMust } from '../../support/cli.ts';
import { axeViolations, heard } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { act, addPeople } from '../../support/studio-review.ts';

/** A video has no input: its steps are added at the picture, by mouse and by keyboard, and go out like recorded ones (N12). */

const studio = studioFixture();

it('steps are added to a video by mouse and keyboard, undone and redone, approved and exported', {
  timeout: 240_000,
}, async () => {
  const ws = await studio.newWorkspace();
  const video = path.join(studio.home.dir('elsewhere'), 'lesson.mp4');
  fs.mkdirSync(path.dirname(video), { recursive: true });
  squareVideo(video, 3, [
    { t: 0, x: 40, y: 40 },
    { t: 1.5, x: 160, y: 90 },
  ]);
  await studioMust([
    'import',
    video,
    '--workspace',
    studio.home.dir('workspace'),
    '--app',
    'gimp',
    '--goal',
    'Move the square',
    // Finds no step in it: a small square that moves is none to this rule.
    '--rule',
    'K6',
  ]);
  const recordings = () => studio.api.recordings.list({ ws });
  await soon(async () => (await recordings()).length).toBe(1);
  const recording = (await recordings())[0]!.id;
  const steps = async () => (await studio.api.recordings.open({ ws, recording })).steps;
  const said = async () =>
    (await steps()).map(({ kind, text, keys, start: [x, y] }) => [kind, text ?? keys?.join('+') ?? `${x},${y}`]);
  await studio.inWindow(`/w/${ws}/recordings/${recording}`, async (page) => {
    await page.getByRole('heading', { name: 'No steps' }).waitFor();
    const picture = page.locator('canvas[data-testid=picture][data-state=ready]');
    await picture.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // The page is never opened anew from here on: its picture is the very same element.
    await picture.evaluate((canvas) => canvas.setAttribute('data-first', 'yes'));

    // By mouse: the pixel that is clicked in the picture.
    await page.getByRole('button', { name: /^Add a step at this picture/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a step' });
    await dialog.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: /^Choose the place/ }).click();
    await page.getByText(/^Where\?/).waitFor();
    const box = (await picture.boundingBox())!;
    const [scale, x, y] = await Promise.all(
      ['data-scale', 'data-x', 'data-y'].map(async (name) => Number(await picture.getAttribute(name))),
    );
    await page.mouse.click(box.x + x! + 50.5 * scale!, box.y + y! + 45.5 * scale!);
    const tree = page.getByRole('tree', { name: 'Subtasks and steps' });
    await tree.getByRole('treeitem', { name: /^Step 1:/ }).waitFor();
    // The page shows a step before the server has it.
    await soon(said).toEqual([['click', '50,45']]);

    // By keyboard alone, at a later picture.
    await heard(page);
    for (let n = 0; n < 4; n++) await page.keyboard.press('.');
    await page.keyboard.press('Insert');
    await dialog.waitFor();
    for (let n = 0; n < 5; n++) await page.keyboard.press('ArrowDown');
    await dialog.getByRole('radio', { name: 'Type text', checked: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('Evening');
    await page.keyboard.press('Enter');
    await tree.getByRole('treeitem', { name: /^Step 2:/ }).waitFor();
    await heard(page);
    // The new step is in hand, so that the next one is some pictures on from there.
    await soon(() => new URL(page.url()).searchParams.get('step')).toBe('2');
    for (let n = 0; n < 4; n++) await page.keyboard.press('.');
    await page.keyboard.press('Alt+a');
    await dialog.waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/^Where\?/).waitFor();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Space');
    await tree.getByRole('treeitem', { name: /^Step 3:/ }).waitFor();
    await soon(async () => (await said()).map(([kind]) => kind)).toEqual(['click', 'type', 'click']);
    const all = await said();

    // Taken back and done again, here and in the recording.
    await page.keyboard.press('Control+z');
    await tree.getByRole('treeitem', { name: /^Step 3:/ }).waitFor({ state: 'detached' });
    await soon(said).toEqual(all.slice(0, 2));
    await tree.getByRole('treeitem', { name: /^Step 2:/ }).waitFor();
    await page.keyboard.press('Control+Shift+z');
    await tree.getByRole('treeitem', { name: /^Step 3:/ }).waitFor();
    await soon(said).toEqual(all);
    expect(await page.locator('canvas[data-testid=picture]').getAttribute('data-first')).toBe('yes');
    expect(await axeViolations(page)).toEqual([]);
  });

  // Reviewed and approved as any other.
  const place = { server: studio.server, ws, recording };
  const [anna = '', ben = ''] = await addPeople(studio.server, ws, 'Anna', 'Ben');
  const document = await studio.api.annotation.get({ ws, recording, person: anna });
  const records = toRecords(document.records);
  const changes = (await steps()).flatMap(({ id, kind }) => {
    const label = confirm(records, id, true);
    return kind === 'type'
      ? label
      : [...label, ...setBox(records, id, 'target', { x: 40, y: 40, width: 20, height: 20 }, 'hand', 1)];
  });
  const transaction = { id: crypto.randomUUID(), label: 'Annotate', changes };
  const { version } = await studio.api.annotation.apply({ ws, recording, person: anna, transaction });
  await act(place, anna, { type: 'submit', document: recording, version });
  const { version: now } = await studio.api.annotation.get({ ws, recording, person: ben });
  await act(place, ben, { type: 'claim' });
  const decide = { type: 'decide', version: now, reason: null, comment: '', verdict: 'accept' } as const;
  await act(place, ben, { ...decide, item: { kind: 'goal' } });
  const subtask = (await steps())[0]!.id;
  for (const kind of ['edge', 'title'] as const) await act(place, ben, { ...decide, item: { kind, subtask } });
  for (const { id: action } of await steps()) await act(place, ben, { ...decide, item: { kind: 'step', action } });
  await act(place, ben, { type: 'verdict', verdict: 'approve', version: now, reasons: [], comment: '' });
  expect((await recordings())[0]!.state).toBe('approved');

  const written = async (format: string): Promise<string[]> => {
    const out = path.join(studio.home.dir('elsewhere'), format);
    await studioMust(['export', format, '--workspace', studio.home.dir('workspace'), '--out', out]);
    await studioMust(['validate', format, out]);
    return fs.readdirSync(out, { recursive: true, encoding: 'utf8' }).map((name) => path.join(out, name));
  };
  // Their steps and subtask, without a high-level plan: nobody divided it.
  expect((await written('videogui')).filter((name) => name.endsWith('.parquet'))).toHaveLength(2);
  // The screens before them, and what was typed.
  const agentnet = await written('agentnet');
  expect(agentnet.filter((name) => name.endsWith('.png')).length).toBeGreaterThanOrEqual(2);
  const lines = agentnet.filter((name) => name.endsWith('.jsonl'));
  expect(lines.map((name) => fs.readFileSync(name, 'utf8')).join('\n')).toContain('Evening');
});
