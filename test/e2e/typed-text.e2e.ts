import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Action } from '../../schemas/actions.ts';
import { type App, startApp } from '../support/apps.ts';
import { startRecorder, studioMust } from '../support/cli.ts';
import { type Desk, deskForEach } from '../support/desk.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { chord, handsFor, perform, press, type Step, type, wait } from '../support/person.ts';
import { filesWith } from '../support/private.ts';
import { run } from '../support/process.ts';
import { problemsOf, readEvents, readRecording } from '../support/recordings.ts';
import { soon } from '../support/studio-expect.ts';
import { until } from '../support/until.ts';

/**
 * The text of a step is what arrived in the field of a real program: with input methods (IBus with a Chinese and a Japanese
 * engine), and with what a page adds by itself. The truth is what the program saved or shows.
 */

let display: VirtualDisplay;
let workspace: Desk['workspace'];
deskForEach((made) => {
  ({ display, workspace } = made);
});
const play = async (...steps: Step[]) => perform(display, await handsFor(display, 'human'), steps);

/** Programs that are started from now on write with this engine. */
async function inputMethod(engine: string): Promise<void> {
  Object.assign(display.env, { GTK_IM_MODULE: 'ibus', XMODIFIERS: '@im=ibus', IBUS_ENABLE_SYNC_MODE: '1' });
  // Its Japanese engine is a script for the system's own Python.
  const system = { PATH: `/usr/bin:${process.env.PATH}` };
  await display.launch('ibus-daemon', ['--replace', '--panel', 'disable', '--xim'], system);
  await until(`the engine ${engine}`, async () => {
    await run('ibus', ['engine', engine], { env: display.env });
    const now = await run('ibus', ['engine'], { env: display.env });
    return now.stdout.trim() === engine;
  });
}

async function actionsOf(recording: string): Promise<Action[]> {
  const { json } = await studioMust(['actions', recording, '--workspace', workspace.path, '--json']);
  return (json as { actions: Action[] }).actions;
}
const told = ({ kind, text, keys }: Action): string => `${kind} ${text ?? keys?.join('+')}`;
const typed = (actions: readonly Action[]): Action[] => actions.filter(({ kind }) => kind === 'type');

/** What the program has written, once it has. */
const savedIn = (file: string): Promise<string> =>
  until(`the text in ${file}`, () => fs.readFileSync(file, 'utf8').trim());

async function mousepad(file: string): Promise<App> {
  fs.writeFileSync(file, '');
  return startApp(display, 'mousepad', { file, x: 40, y: 40, width: 700, height: 400 });
}

it('Chinese by pinyin: the text is what stands in the file, the keys are kept beside it', async () => {
  await inputMethod('libpinyin');
  const file = path.join(display.home, 'note.txt');
  await mousepad(file);
  const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--elements'] });
  await play(type('nihao '), wait(600), chord('ctrl', 's'));
  expect(await savedIn(file)).toBe('你好');
  const { line } = await recorder.stop();
  const actions = await actionsOf(line.recording);
  expect(actions.map(told)).toEqual(['type 你好', 'press ctrl+s']);
  expect(actions[0]).toMatchObject({ textFrom: 'field', keystrokes: [...'nihao '] });
  expect(readRecording(recorder.folder)).toMatchObject({ version: 4, verdict: { kind: 'complete' } });
  expect(await problemsOf(recorder.folder)).toEqual([]);
});

it('Japanese, accepted with Enter', async () => {
  await inputMethod('anthy');
  const file = path.join(display.home, 'note.txt');
  await mousepad(file);
  // It begins with Latin letters.
  await play(chord('ctrl', 'j'), wait(300));
  const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--elements'] });
  await play(type('nihongo '), wait(500), press('Enter'), wait(500), chord('ctrl', 's'));
  expect(await savedIn(file)).toBe('日本語');
  const { line } = await recorder.stop();
  const actions = await actionsOf(line.recording);
  expect(actions.map(told)).toEqual(['type 日本語', 'press Enter', 'press ctrl+s']);
  expect(actions[0]).toMatchObject({ textFrom: 'field', keystrokes: [...'nihongo '] });
});

it('without an input method the keys and the field say the same, and a field that a page completes says more', async () => {
  const page = path.join(display.home, 'form.html');
  const complete = "if (event.inputType === 'insertText' && this.value === 'mon') this.value = 'monday'";
  const say = "document.title = [...document.querySelectorAll('input')].map((i) => i.value).join('|')";
  fs.writeFileSync(
    page,
    `<title>form</title><body oninput="${say}"><input id=u autofocus><br><input oninput="${complete}"><br><input>`,
  );
  const app = await startApp(display, 'chromium', {
    url: `file://${page}`,
    args: ['--force-renderer-accessibility'],
    x: 40,
    y: 40,
    width: 700,
    height: 400,
  });
  const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--elements'] });
  await play(type('bob smith'), press('Tab'), wait(400), type('mon'), wait(600), press('Tab'), wait(400), type('nod'));
  await soon(() => app.title()).toBe('bob smith|monday|nod');
  await play(wait(600));
  const { line } = await recorder.stop();
  const made = typed(await actionsOf(line.recording));
  expect(made.map(({ text }) => text)).toEqual(['bob smith', 'monday', 'nod']);
  expect(made.map(({ textFrom }) => textFrom)).toEqual([undefined, 'field', undefined]);
  expect(made.map(({ keystrokes }) => keystrokes?.join(''))).toEqual(['bob smith', 'mon', 'nod']);
});

it('what a terminal prints is none of it, and without elements nothing of a field is written', async () => {
  await startApp(display, 'xterm', { x: 40, y: 40, width: 700, height: 400 });
  const recorder = await startRecorder(display, { workspace: workspace.path });
  await play(type('echo hello'), press('Enter'), wait(500));
  const { line } = await recorder.stop();
  expect((await actionsOf(line.recording)).map(told)).toEqual(['type echo hello', 'press Enter']);
  expect(readEvents(recorder.folder).some((event) => event.type === 'text')).toBe(false);
  expect(readRecording(recorder.folder)).toMatchObject({ version: 1 });
});

/** A field for a password, which shows its letters by F2. */
const SECRET_FORM = `
import gi
gi.require_version('Gtk', '3.0')
gi.require_version('Gdk', '3.0')
from gi.repository import Gdk, Gtk
window = Gtk.Window(title='Secret form')
field = Gtk.Entry(visibility=False)
window.connect('key-press-event', lambda w, e: e.keyval == Gdk.KEY_F2 and field.set_visibility(True))
window.add(field)
window.show_all()
field.grab_focus()
Gtk.main()
`;

it('a password that an input method makes is in no file, also where its letters are shown', async () => {
  await inputMethod('libpinyin');
  const file = path.join(display.home, 'form.py');
  fs.writeFileSync(file, SECRET_FORM);
  const form = await display.launch('/usr/bin/python3', [file], display.env);
  await until('the form', async () => {
    const { stdout } = await run('xdotool', ['getactivewindow', 'getwindowname'], { env: display.env });
    return stdout.trim() === 'Secret form';
  });
  const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--elements'] });
  await play(type('nihao '), wait(600), press('F2'), wait(400), type('nihao '), wait(600), press('Enter'), wait(300));
  await recorder.stop();
  await form.stop(1000);
  for (const word of ['nihao', '你好']) expect(filesWith(recorder.folder, word)).toEqual([]);
  const events = readEvents(recorder.folder);
  expect(events.filter((event) => event.type === 'text')).toEqual([]);
  expect(events.flatMap((event) => (event.type === 'keydown' ? [event.code] : []))).toEqual(['F2', 'Enter']);
  const withheld = events.flatMap((event) => (event.type === 'withheld' ? [event] : []));
  expect(withheld.map(({ keys, why }) => `${keys} ${why}`)).toEqual(['6 field', '6 was-field']);
  expect(await problemsOf(recorder.folder)).toEqual([]);
});
