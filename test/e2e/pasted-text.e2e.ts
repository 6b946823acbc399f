import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Action } from '../../schemas/actions.ts';
import { startApp } from '../support/apps.ts';
import { startRecorder, studioMust } from '../support/cli.ts';
import { type Desk, deskForEach } from '../support/desk.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { chord, click, handsFor, perform, press, type Step, type, wait } from '../support/person.ts';
import { problemsOf } from '../support/recordings.ts';
import { until } from '../support/until.ts';

/**
 * What is pasted by a menu is no part of what was typed before and after it, and what an office program or an editor made
 * with Qt makes of the keys is what the step says. The truth is what the program saved or shows.
 */

let display: VirtualDisplay;
let workspace: Desk['workspace'];
deskForEach((made) => {
  ({ display, workspace } = made);
});
/** Large programs, which are installed for benches only. */
const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => fs.existsSync(path.join(folder, program)));
const PLACE = { x: 40, y: 40, width: 700, height: 400 };
const play = async (...steps: Step[]) => perform(display, await handsFor(display, 'human'), steps);
const record = () => startRecorder(display, { workspace: workspace.path, args: ['--elements'] });

async function actionsOf(recording: string): Promise<Action[]> {
  const { json } = await studioMust(['actions', recording, '--workspace', workspace.path, '--json']);
  return (json as { actions: Action[] }).actions;
}
const told = ({ kind, text, keys }: Action): string => (kind === 'click' ? kind : `${kind} ${text ?? keys?.join('+')}`);
const typed = (actions: readonly Action[]): Action[] => actions.filter(({ kind }) => kind === 'type');
/** Puts a word onto the clipboard. */
const cutWord = (word: string) => play(type(word), chord('ctrl', 'a'), chord('ctrl', 'x'), wait(300));
const saved = (file: string, word: string): Promise<string> =>
  until(`"${word}" in the file`, () => {
    const text = fs.readFileSync(file, 'utf8');
    return text.includes(word) ? text : null;
  });

it("mousepad: the Edit menu's and the context menu's Paste, with the pointer and by its letter", async () => {
  const file = path.join(display.home, 'note.txt');
  fs.writeFileSync(file, '');
  const app = await startApp(display, 'mousepad', { file, ...PLACE });
  const { x, y } = await app.bounds();
  await cutWord('hello');
  const recorder = await record();
  await play(type('one '), click(x + 58, y + 12), wait(400), click(x + 85, y + 138), wait(400), type(' two '));
  await play(click(x + 302, y + 200, { button: 'right' }), wait(400), click(x + 347, y + 318), wait(400));
  await play(type(' three '), chord('alt', 'e'), wait(400), type('p'), wait(400), chord('ctrl', 's'));
  expect((await saved(file, 'three hello')).trim()).toBe('one hello two hello three hello');
  const { line } = await recorder.stop();
  const actions = await actionsOf(line.recording);
  expect(actions.map(told)).toEqual([
    ...['type one ', 'click', 'click', 'type  two ', 'click', 'click', 'type  three '],
    ...['press alt+e', 'type p', 'press ctrl+s'],
  ]);
  expect(actions.filter(({ textFrom }) => textFrom)).toEqual([]);
  expect(await problemsOf(recorder.folder)).toEqual([]);
});

it("Chromium: the context menu's Paste", async () => {
  const page = path.join(display.home, 'form.html');
  const say = 'document.title = this.value';
  const area = `<textarea autofocus oninput="${say}" style="width:600px;height:250px;font:20px sans-serif"></textarea>`;
  fs.writeFileSync(page, `<title>form</title><body>${area}`);
  const args = ['--force-renderer-accessibility', '--test-type'];
  const app = await startApp(display, 'chromium', { url: `file://${page}`, args, ...PLACE });
  const { x, y } = await app.bounds();
  await cutWord('hello');
  const recorder = await record();
  await play(type('one '), click(x + 200, y + 100, { button: 'right' }), wait(800), click(x + 238, y + 251), wait(600));
  await play(type(' two'), wait(600));
  await until('the text', async () => (await app.title()).includes('one hello two'));
  const { line } = await recorder.stop();
  const actions = await actionsOf(line.recording);
  expect(actions.map(told)).toEqual(['type one ', 'click', 'click', 'type  two']);
  expect(typed(actions).map(({ textFrom }) => textFrom)).toEqual([undefined, undefined]);
});

it.runIf(isInstalled('soffice'))('LibreOffice Writer corrects what is typed', async () => {
  const file = path.join(display.home, 'note.txt');
  fs.writeFileSync(file, '');
  await startApp(display, 'office', { file, args: ['--writer'], ...PLACE });
  const recorder = await record();
  await play(type('teh cat sat'), wait(600), chord('ctrl', 's'));
  const text = (await saved(file, 'sat')).replace('\uFEFF', '').trim();
  expect(text).toBe('The cat sat');
  const { line } = await recorder.stop();
  const [first] = await actionsOf(line.recording);
  expect(first).toMatchObject({ kind: 'type', text, textFrom: 'field', keystrokes: [...'teh cat sat'] });
});

it.runIf(isInstalled('soffice'))(
  'LibreOffice Calc opens a cell with the first letter in it, and corrects the word',
  async () => {
    const file = path.join(display.home, 'sheet.fods');
    const spaces = ['office', 'table', 'text'].map(
      (one) => `xmlns:${one}="urn:oasis:names:tc:opendocument:xmlns:${one}:1.0"`,
    );
    fs.writeFileSync(
      file,
      `<?xml version="1.0"?><office:document ${spaces.join(' ')} office:version="1.3" ` +
        'office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>' +
        '<table:table table:name="A"><table:table-column/><table:table-row><table:table-cell/></table:table-row></table:table>' +
        '</office:spreadsheet></office:body></office:document>',
    );
    await startApp(display, 'office', { file, args: ['--calc'], ...PLACE });
    const recorder = await record();
    await play(type('teh cat sat'), wait(600), press('Enter'), wait(600), chord('ctrl', 's'));
    const text = /<text:p>(.*cat sat)<\/text:p>/.exec(await saved(file, 'cat sat'))?.[1];
    expect(text?.toLowerCase()).toBe('the cat sat');
    const { line } = await recorder.stop();
    const [first] = await actionsOf(line.recording);
    expect(first).toMatchObject({ kind: 'type', text, textFrom: 'field', keystrokes: [...'teh cat sat'] });
  },
);

it.runIf(isInstalled('featherpad'))(
  'an editor made with Qt tells little of what a menu pastes: the keys are believed',
  async () => {
    const file = path.join(display.home, 'note.txt');
    fs.writeFileSync(file, '');
    const app = await startApp(display, 'featherpad', { file, ...PLACE });
    const { x, y } = await app.bounds();
    await cutWord('hello');
    const recorder = await record();
    await play(type('one '), click(x + 200, y + 200, { button: 'right' }), wait(600), type('p'), wait(600));
    await play(chord('ctrl', 's'));
    expect((await saved(file, 'one hello')).trim()).toBe('one hello');
    const { line } = await recorder.stop();
    expect((await actionsOf(line.recording)).map(told)).toEqual(['type one ', 'click', 'type p', 'press ctrl+s']);
  },
);
