import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { nameElement } from '../../../core/annotate/edit.ts';
import { validateSkills } from '../../../studio/datasets/export/validate/skill.ts';
import { gesture } from '../../support/studio-annotate.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { makeRecording } from '../../support/studio-recording.ts';
import { cellName, type SceneStep } from '../../support/studio-scene.ts';
import { until } from '../../support/until.ts';

/** A task goes out as a skill from its page: one example, then another whose values tell the inputs, then written and sound. */

const studio = studioFixture();
const TASK = { id: 'GIMP_1', goal: 'Name the layer and save it' };
let ws = '';

/** Presses a field, types into it, presses Save; between them something that came to nothing is not made here. */
const stepsWith = (text: string): SceneStep[] => [
  { kind: 'click', cell: 2 },
  { kind: 'type', cell: 2, text },
  { kind: 'click', cell: 1 },
];

async function demonstrate(id: string, text: string): Promise<void> {
  const steps = stepsWith(text);
  await makeRecording(studio.recordings, { id, steps, width: 640, height: 360, task: TASK });
  await until('the recording in the list', async () =>
    (await studio.api.recordings.list({ ws })).some((row) => row.id === id),
  );
  const where = { server: studio.server, ws, recording: id };
  for (const [n, { kind, cell }] of steps.entries()) {
    if (kind === 'click')
      await gesture(where, 'Name element', ({ opened, records }) =>
        nameElement(records, opened.steps[n]?.id ?? '', cellName(cell), 'hand'),
      );
  }
}

beforeAll(async () => {
  ws = await studio.newWorkspace();
  await demonstrate('first', 'Background');
});

it('shows the skill of one recording, finds its input once another example is taught, and writes a sound folder', async () => {
  await studio.inWindow(`/w/${ws}/tasks/${TASK.id}`, async (page) => {
    await page.getByRole('button', { name: 'Export as skill' }).waitFor();
    await page.keyboard.press('t');
    await page.getByRole('heading', { level: 1, name: 'Skill' }).waitFor();
    await page.getByText('The validator finds nothing wrong.').waitFor();
    const text = page.getByRole('region', { name: 'SKILL.md' });
    expect(await text.textContent()).toContain('Learnt from one recording');
    await page.getByText('None was found: every value is a constant.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // The way to another example is the recorder of the same task.
    await page.keyboard.press('r');
    await page.waitForURL(`**/tasks/${TASK.id}/record`);
    await demonstrate('second', 'Foreground');
    await page.goBack();

    const inputs = page.getByRole('table').filter({ hasText: 'Kind' });
    await inputs.getByText('Foreground').waitFor();
    await inputs.getByText('Background').waitFor();
    await page.getByText(/from 2 recordings; not played again yet/).waitFor();
    expect(await text.textContent()).toContain('what differed between them is an input');
    expect(await axeViolations(page)).toEqual([]);
    // Without the other example it is a constant again.
    await page.getByRole('checkbox', { name: 'Learn from first' }).uncheck();
    await page.getByText(/from 1 recording;/).waitFor();
    await page.getByRole('checkbox', { name: 'Learn from first' }).check();
    await page.getByText(/from 2 recordings;/).waitFor();

    // A name that is none is refused in words; another is taken.
    const name = page.getByRole('textbox', { name: 'Name of the skill' });
    await name.fill('Not a name');
    await page.getByText(/"Not a name" is no name of a skill/).waitFor();
    await name.fill('name-the-layer');
    await page.getByRole('heading', { level: 2, name: 'name-the-layer' }).waitFor();
    const out = path.join(path.dirname(studio.recordings), 'taught');
    await page.getByRole('textbox', { name: 'Write to' }).fill(out);
    await page.keyboard.press('Control+Enter');
    await page.getByText(`Written: ${path.join(out, 'name-the-layer')}`).waitFor();
    expect(validateSkills(out)).toMatchObject({ ok: true, skills: 1 });
    expect(fs.readFileSync(path.join(out, 'name-the-layer', 'SKILL.md'), 'utf8')).toBe(await text.textContent());
    // A second time there is something in the folder.
    await page.keyboard.press('Control+Enter');
    await page.getByText('It was not written.').waitFor();
  });
});

it('is opened from a recording, which is shown first', async () => {
  await studio.inWindow(`/w/${ws}/recordings/first`, async (page) => {
    await page.getByRole('tree', { name: 'Subtasks and steps' }).waitFor();
    await page.getByRole('button', { name: 'Export as skill' }).click();
    await page.getByRole('radio', { name: 'Show the steps of first' }).and(page.locator(':checked')).waitFor();
    await page.getByText('The validator finds nothing wrong.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: TASK.id }).waitFor();
  });
});

it('refuses a recording of another task, and one that is not there', async () => {
  const wishes = { ws, task: TASK.id, recordings: ['first'] };
  await expect(studio.api.skills.preview({ ...wishes, task: 'GIMP_2' })).rejects.toMatchObject({ code: 'USAGE' });
  await expect(studio.api.skills.preview({ ...wishes, recordings: ['gone'] })).rejects.toMatchObject({
    code: 'UNKNOWN_RECORDING',
  });
});
