import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { reduceResultSchema } from '../../../schemas/actions.ts';
import { checksOf, recipeOf } from '../../demo/day/parts.ts';
import { studioMust } from '../../support/cli.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';

/** Chords that a browser keeps for itself reach a stage in the page by its buttons. */

const TASK = 'KEYS_1';
const studio = studioFixture();
const dir = (): string => path.dirname(studio.recordings);
let ws = '';

beforeAll(async () => {
  const where = ['--workspace', dir()];
  await studioMust(['init', ...where]);
  await studioMust(['software', 'add', 'Keys', ...where]);
  await studioMust(['tasks', 'add', '--app', 'Keys', '--goal', 'Press every key', '--id', TASK, ...where]);
  const attach = async (role: string, what: object): Promise<void> => {
    const file = path.join(path.dirname(dir()), `${role}.json`);
    fs.writeFileSync(file, JSON.stringify(what));
    await studioMust(['tasks', 'attach', TASK, file, '--role', role, ...where]);
  };
  // No program is there that a chord would end or cover.
  await attach('recipe', recipeOf({ programs: [] }));
  await attach('checks', checksOf({ id: 'none', kind: 'window', title: 'no such window' }));
  ws = await studio.newWorkspace();
  const asked = await studio.api.setup.asked({ ws, task: TASK });
  await studio.api.setup.agree({ ws, task: TASK, hashes: asked.map(({ hash }) => hash) });
}, 120_000);

it('each button presses its chord on the stage and gives the keyboard back to it; all of them are recorded', async () => {
  let shown: string[] = [];
  await studio.inWindow(`/w/${ws}/tasks/${TASK}`, async (page) => {
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: 'Do it on a stage' }).waitFor();
    await page.keyboard.press('b');
    const stage = page.getByRole('textbox', { name: /^The stage: mouse and keyboard act on it/ });
    await stage.waitFor({ timeout: 60_000 });
    const buttons = page.getByRole('group', { name: 'Keys that the browser keeps for itself' }).getByRole('button');
    shown = await buttons.allTextContents();
    for (const [n, name] of shown.entries()) {
      await buttons.nth(n).click();
      expect(await stage.evaluate((field) => field === document.activeElement), name).toBe(true);
      // A letter between them, by the keyboard alone, shows that nothing of the chord is still held.
      await page.keyboard.press('x');
    }
    // By keys alone: the chord that leaves the stage goes to the first button, whose Enter presses it.
    await page.keyboard.press('Control+Alt+Enter');
    await page.keyboard.press('Enter');
    expect(await stage.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: /^Done/ }).click();
    await page.getByRole('heading', { name: 'Failed' }).waitFor({ timeout: 120_000 });
  });
  const { runs } = await studio.api.runs.list({ ws });
  const { json } = await studioMust(['actions', runs[0]!.recording, '--json', '--workspace', dir()]);
  const { actions } = reduceResultSchema.parse(json);
  const CHORDS = [
    ...['ctrl+w', 'ctrl+t', 'ctrl+n', 'ctrl+shift+t', 'ctrl+shift+n', 'ctrl+Tab', 'ctrl+shift+Tab', 'alt+Tab'],
    ...['alt+F4', 'alt+Space', 'meta', 'PrintScreen', 'F11', 'ctrl+alt+Enter'],
  ];
  expect(shown).toHaveLength(CHORDS.length);
  const said = actions.map(({ kind, keys, text }) => (kind === 'type' ? text : keys?.join('+')));
  expect(said).toEqual([...CHORDS.flatMap((chord) => [chord, 'x']), 'ctrl+w']);
}, 300_000);
