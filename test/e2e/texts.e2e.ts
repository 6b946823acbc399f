import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newWorkspace, startRecorder, studio, studioMust } from '../support/cli.ts';
import { startDisplay, type VirtualDisplay } from '../support/display.ts';
import { click, handsFor, perform, wait } from '../support/person.ts';
import { must } from '../support/process.ts';
import { until } from '../support/until.ts';

/** Texts in pictures: real dialogs on a display without accessibility, so that no program tells a name. */

let display: VirtualDisplay;
let workspace: ReturnType<typeof newWorkspace>;
beforeEach(async () => {
  workspace = newWorkspace();
  display = await startDisplay({ width: 1000, height: 700 });
});
afterEach(async () => {
  await display.stop();
  workspace.remove();
});

/** A question with two buttons at its lower right; gives their middles. */
async function question(title: string, at: number, buttons: [left: string, right: string], theme: string) {
  const words = ['--question', '--no-wrap', '--text', 'What shall be done with the changes of today?'];
  const labels = ['--cancel-label', buttons[0], '--ok-label', buttons[1]];
  await display.launch('zenity', [...words, ...labels, '--title', title], { ...display.env, GTK_THEME: theme });
  const { env } = display;
  const id = await until(`the dialog ${title}`, async () => {
    const found = await must('xdotool', ['search', '--onlyvisible', '--name', `^${title}$`], { env }).catch(() => '');
    return found.trim().split('\n')[0] ?? '';
  });
  await must('xdotool', ['windowmove', id, '200', String(at)], { env });
  return until(`${title} to lie there`, async () => {
    const text = await must('xwininfo', ['-id', id], { env });
    const value = (key: string) => Number(new RegExp(`${key}:\\s+(-?\\d+)`).exec(text)?.[1]);
    const [left, top] = [value('Absolute upper-left X'), value('Absolute upper-left Y')];
    if (Math.abs(left - 200) > 60 || Math.abs(top - at) > 60) return null;
    const [right, y] = [left + value('Width'), top + value('Height') - 25];
    return { left: [right - 172, y] as const, right: [right - 62, y] as const };
  });
}

type Read = { source: string; text: { text: string } | null; ms: number };
type Told = {
  actions: { action: string; kind: string; element: unknown; text: Read | null }[];
  texts: { languages: string[]; startMs: number; medianMs: number };
};

it('the first proposal for a button of a program that tells nothing is the text on it, in light and dark windows', async () => {
  const light = await question('Light', 80, ['Discard all', 'Save copy'], 'Adwaita');
  const dark = await question('Dark', 400, ['Keep both', 'Replace'], 'Adwaita:dark');
  const recorder = await startRecorder(display, { workspace: workspace.path });
  const hands = await handsFor(display, 'human');
  await perform(display, hands, [wait(300), click(...light!.right), wait(300), click(...dark!.left), wait(300)]);
  const { line } = await recorder.stop();
  const args = [line.recording, '--workspace', workspace.path];

  const before = (await studioMust(['elements', ...args, '--json'])).json as Told;
  expect(before.texts).toBeNull();
  const { actions, texts } = (await studioMust(['elements', ...args, '--read-texts', '--json'])).json as Told;
  expect(actions.map(({ kind, element, text }) => [kind, element, text?.source, text?.text?.text])).toEqual([
    ['click', null, 'ocr', 'Save copy'],
    ['click', null, 'ocr', 'Keep both'],
  ]);
  expect(texts.languages).toEqual(['eng']);
  expect(texts.medianMs).toBeGreaterThan(0);
  // Kept: the next question reads nothing.
  const told = await studioMust(['elements', ...args]);
  expect(told.stdout).toMatch(/Save copy .*ocr, \d+ % sure, \d+ ms/);
  expect(told.stdout).toMatch(/Texts read at 2 of 2 presses without a name in .* ms each at the median/);

  for (const [n, [name, [x, y]]] of (
    [
      ['Save copy', light!.right],
      ['Keep both', dark!.left],
    ] as const
  ).entries()) {
    const { json } = await studioMust([
      'annotate',
      'proposals',
      line.recording,
      actions[n]!.action,
      ...args.slice(1),
      '--json',
    ]);
    const { proposals } = json as {
      proposals: {
        name: string;
        source: string;
        confidence: number;
        box: { x: number; y: number; width: number; height: number };
      }[];
    };
    expect(proposals[0]).toMatchObject({ name, source: 'ocr' });
    expect(proposals[0]!.confidence).toBeLessThan(0.9);
    const { box } = proposals[0]!;
    expect([x >= box.x, y >= box.y, x < box.x + box.width, y < box.y + box.height]).toEqual([true, true, true, true]);
  }

  const missing = await studio(['elements', ...args, '--read-texts', '--languages', 'qqq']);
  expect(missing.error?.message ?? missing.stderr).toMatch(/npm install @tesseract\.js-data\/qqq/);
  const folder = path.join(display.home, 'languages');
  const own = ['elements', ...args, '--read-texts', '--languages', 'qqq', '--text-data', folder];
  const none = await studio(own);
  expect([none.status, none.error?.message ?? none.stderr]).toEqual([2, expect.stringContaining(folder)]);
  fs.mkdirSync(folder);
  expect((await studio(own)).status).toBe(3);
});
