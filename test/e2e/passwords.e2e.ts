import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Action } from '../../schemas/actions.ts';
import { startApp } from '../support/apps.ts';
import { startRecorder, studioMust } from '../support/cli.ts';
import { type Desk, deskForEach } from '../support/desk.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { chord, click, handsFor, perform, press, type Step, type, wait } from '../support/person.ts';
import { filesWith, keysOf } from '../support/private.ts';
import { must, run } from '../support/process.ts';
import { findRecordings, problemsOf, readEvents, readFrames, readRecording } from '../support/recordings.ts';
import { soon } from '../support/studio-expect.ts';
import { until } from '../support/until.ts';

/** What is typed into fields for passwords of real programs is in no file of the recording. The secret's letters stand nowhere else. */

const SECRET = 'Qz7jXvk2';
const LETTERS = ['Q', 'Z', 'J', 'X', 'V', 'K', '7', '2'];

let display: VirtualDisplay;
let workspace: Desk['workspace'];
deskForEach((made) => {
  ({ display, workspace } = made);
});
const play = async (...steps: Step[]) => perform(display, await handsFor(display, 'human'), steps);
const xdotool = (...words: string[]) => must('xdotool', words, { env: display.env });

async function zenity(title: string, ...words: string[]): Promise<{ id: string; pid: number; said(): string }> {
  const started = await display.launch('zenity', [...words, '--title', title]);
  const id = await until(`the dialog ${title}`, async () => {
    const found = await xdotool('search', '--onlyvisible', '--name', `^${title}$`).catch(() => '');
    return found.trim().split('\n')[0] ?? '';
  });
  await until(`${title} to be active`, async () => (await xdotool('getactivewindow').catch(() => '')).trim() === id);
  return { id, pid: started.pid, said: () => started.stdout().trim() };
}

/** No file has the secret, and none of its keys went anywhere. `chords`: letters that were pressed with Ctrl, as Ctrl+V. */
async function expectNoSecret(folder: string, chords: string[] = []): Promise<void> {
  expect(filesWith(folder, SECRET)).toEqual([]);
  expect(filesWith(folder, SECRET.toLowerCase())).toEqual([]);
  expect(keysOf(folder).filter((key) => LETTERS.includes(key))).toEqual(chords);
  expect(await problemsOf(folder)).toEqual([]);
}
async function actionsOf(recording: string): Promise<Action[]> {
  const { json } = await studioMust(['actions', recording, '--workspace', workspace.path, '--json']);
  return (json as { actions: Action[] }).actions;
}
const told = ({ kind, text, keys, withheld }: Action): string =>
  withheld ? `${kind} withheld` : kind === 'click' ? kind : `${kind} ${text ?? keys?.join('+')}`;
const withheldOf = (folder: string) =>
  readEvents(folder).flatMap((event) => (event.type === 'withheld' ? [event] : []));

it('a GTK dialog for a password that is open from the start: what is typed is counted, Enter is a step', async () => {
  const dialog = await zenity('Login', '--password');
  const recorder = await startRecorder(display, { workspace: workspace.path });
  await play(type(SECRET), wait(300), press('Enter'));
  await until('the dialog to have it', () => dialog.said());
  const { line } = await recorder.stop();
  expect(dialog.said()).toBe(SECRET);
  await expectNoSecret(recorder.folder);
  expect((await actionsOf(line.recording)).map(told)).toEqual(['type withheld', 'press Enter']);
  expect(withheldOf(recorder.folder).reduce((sum, { keys }) => sum + keys, 0)).toBe(SECRET.length);
  expect(readRecording(recorder.folder)).toMatchObject({ version: 3, verdict: { kind: 'complete' } });
});

/** Three fields: for a password, for a name, and one that hides its letters in another way (rows of settings have such in GTK 4). */
const FORMS = {
  'GTK 4': {
    needs: "import gi; gi.require_version('Gtk', '4.0')",
    // Without a graphics card it would be busy with drawing.
    env: { GSK_RENDERER: 'cairo' },
    program: `
import gi
gi.require_version('Gtk', '4.0')
from gi.repository import Gtk
def show(app):
    window = Gtk.ApplicationWindow(application=app, title='Login form')
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    fields = [Gtk.PasswordEntry(), Gtk.Entry(), Gtk.Entry(visibility=False)]
    for field in fields:
        box.append(field)
    window.set_child(box)
    window.present()
    fields[0].grab_focus()
app = Gtk.Application()
app.connect('activate', show)
app.run([])
`,
  },
  'Qt 5': {
    needs: 'import PyQt5.QtWidgets',
    env: {},
    program: `
from PyQt5.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
app = QApplication([])
window = QWidget()
window.setWindowTitle('Login form')
box = QVBoxLayout(window)
fields = [QLineEdit(), QLineEdit(), QLineEdit()]
fields[0].setEchoMode(QLineEdit.Password)
fields[2].setEchoMode(QLineEdit.NoEcho)
for field in fields:
    box.addWidget(field)
window.show()
fields[0].setFocus()
app.exec()
`,
  },
};
/** The system's own: others do not know its packages. */
const PYTHON = '/usr/bin/python3';

for (const [toolkit, { needs, env, program }] of Object.entries(FORMS)) {
  const isThere = (await run(PYTHON, ['-c', needs]).catch(() => null))?.status === 0;
  it.runIf(isThere)(
    `a form of ${toolkit}: fields for passwords and those that hide their letters, not the one between them`,
    async () => {
      const file = path.join(display.home, 'form.py');
      fs.writeFileSync(file, program);
      await display.launch(PYTHON, [file], { ...display.env, ...env });
      await until('the form', async () =>
        (await xdotool('search', '--onlyvisible', '--name', 'Login form').catch(() => '')).trim(),
      );
      await play(wait(1000));
      const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--elements'] });
      const next = [wait(400), press('Tab'), wait(400)];
      await play(type(SECRET), ...next, type('bon'), ...next, type(SECRET), wait(500));
      const { line } = await recorder.stop();
      await expectNoSecret(recorder.folder);
      expect((await actionsOf(line.recording)).map(told)).toEqual([
        ...['type withheld', 'press Tab', 'type bon', 'press Tab', 'type withheld'],
      ]);
      expect(withheldOf(recorder.folder).map(({ keys }) => keys)).toEqual([SECRET.length, SECRET.length]);
    },
  );
}

it('a form in Chromium: the fields beside the password are whole, what is pasted into it is a chord', async () => {
  const page = path.join(display.home, 'form.html');
  const fields = '<input id=u autofocus><br><input type=password><br><input id=n><br>';
  const say =
    "document.title = [...document.querySelectorAll('input')].map((i) => i.type === 'password' ? i.value.length : i.value).join('|')";
  fs.writeFileSync(page, `<title>form</title><body oninput="${say}">${fields}</body>`);
  const app = await startApp(display, 'chromium', {
    url: `file://${page}`,
    args: ['--force-renderer-accessibility'],
    x: 40,
    y: 40,
    width: 700,
    height: 400,
  });
  const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--elements'] });
  await play(type('bob smith'), press('Tab'), wait(200), type(SECRET), wait(400), press('Tab'), wait(400), type('nod'));
  await play(chord('ctrl', 'a'), chord('ctrl', 'c'), wait(200), chord('shift', 'Tab'), wait(400), chord('ctrl', 'a'));
  await play(chord('ctrl', 'v'));
  await soon(() => app.title()).toBe('bob smith|3|nod');
  const { line } = await recorder.stop();
  await expectNoSecret(recorder.folder, ['V']);
  expect((await actionsOf(line.recording)).map(told)).toEqual([
    ...['type bob smith', 'press Tab', 'type withheld', 'press Tab', 'type nod'],
    ...['press ctrl+a', 'press ctrl+c', 'press shift+Tab', 'press ctrl+a', 'press ctrl+v'],
  ]);
});

it('a program in front that is busy as a recording begins, and for some seconds of it, costs no letter', async () => {
  const busy = await zenity('Busy', '--entry');
  process.kill(busy.pid, 'SIGSTOP');
  const beginning = startRecorder(display, { workspace: workspace.path, args: ['--elements'] });
  // The program is busy beyond the first question, and answers before the recorder asks no more, however slow its start is.
  await until('the recording to be made', () => findRecordings(workspace.path).length > 0 || null);
  setTimeout(() => process.kill(busy.pid, 'SIGCONT'), 1500);
  const recorder = await beginning;
  await play(type('bon'), wait(400));
  process.kill(busy.pid, 'SIGSTOP');
  await play(type('fire'), wait(4500));
  process.kill(busy.pid, 'SIGCONT');
  await play(wait(400), press('Enter'));
  await until('the dialog to have it', () => busy.said());
  const { line } = await recorder.stop();
  expect(busy.said()).toBe('bonfire');
  expect((await actionsOf(line.recording)).map(told)).toEqual(['type bonfire', 'press Enter']);
});

it('keys for a program that hangs are withheld once it is clear that it does not answer; those for others are not', async () => {
  const plain = await zenity('Plain', '--entry');
  const stuck = await zenity('Login', '--password');
  const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--elements'] });
  process.kill(stuck.pid, 'SIGSTOP');
  await play(type(SECRET), wait(6000));
  await xdotool('windowactivate', '--sync', plain.id);
  // What is typed before the other program has told that it has the keyboard may be withheld, too.
  await until('keys to be recorded again', async () => {
    await play(press('Home'));
    return readEvents(recorder.folder, 'torn-end-allowed').some((e) => e.type === 'keydown' && e.code === 'Home');
  });
  await play(type('bonfire'), wait(300));
  const { line } = await recorder.stop();
  process.kill(stuck.pid, 'SIGCONT');
  await expectNoSecret(recorder.folder);
  const made = (await actionsOf(line.recording)).map(told);
  expect([made[0], made.at(-1)]).toEqual(['type withheld', 'type bonfire']);
  expect(['press Home', 'type withheld']).toEqual(expect.arrayContaining(made.slice(0, -1)));
});

it('keys for a program that hung before the recording began are withheld: nobody ever knew where they went', async () => {
  const stuck = await zenity('Login', '--password');
  process.kill(stuck.pid, 'SIGSTOP');
  const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--elements'] });
  await play(type(SECRET), press('Enter'), wait(300));
  const { line } = await recorder.stop();
  process.kill(stuck.pid, 'SIGCONT');
  await expectNoSecret(recorder.folder);
  expect((await actionsOf(line.recording)).map(told)).toEqual(['type withheld', 'press Enter']);
});

it('a dialog for a password that comes while something else is typed gets no letter into the recording', async () => {
  await zenity('Plain', '--entry');
  const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--elements'] });
  await play(type('monday'), wait(500));
  const secret = await zenity('Login', '--password');
  await play(type(SECRET), click(640, 20), wait(300), press('Enter'));
  await until('the answer', () => secret.said() !== '' || null).catch(() => null);
  await play(wait(400));
  const { line } = await recorder.stop();
  await expectNoSecret(recorder.folder);
  const made = (await actionsOf(line.recording)).map(told);
  expect(made.slice(0, 2)).toEqual(['type monday', 'type withheld']);
});

/** Where xvkbd has its keys, px within its window of 638x192. */
const XVKBD: Record<string, [number, number]> = {
  2: [79, 47],
  7: [239, 47],
  q: [62, 79],
  x: [124, 143],
  z: [92, 143],
  v: [188, 143],
  k: [302, 111],
  j: [270, 111],
};
it('a secret that is pressed on an on-screen keyboard is in no line, and no picture shows the keyboard meanwhile', async () => {
  await zenity('Plain', '--entry');
  await display.launch('xvkbd', ['-geometry', '+300+570']);
  const id = await until('the keyboard', async () => {
    const found = await xdotool('search', '--onlyvisible', '--name', '^xvkbd').catch(() => '');
    return found.trim().split('\n')[0] ?? '';
  });
  const { stdout } = await run('xwininfo', ['-id', id], { env: display.env });
  const px = (what: string): number => Number(new RegExp(`${what}: +(-?\\d+)`).exec(stdout)?.[1]);
  const [left, top] = [px('Absolute upper-left X'), px('Absolute upper-left Y')];
  expect([px('Width'), px('Height')]).toEqual([638, 192]);
  const presses = (word: string): Step[] =>
    [...word].flatMap((letter) => {
      const [x, y] = XVKBD[letter] ?? [0, 0];
      return [click(left + x, top + y), wait(150)];
    });
  const recorder = await startRecorder(display, { workspace: workspace.path });
  await play(...presses('k2'), wait(400));
  const dialog = await zenity('Login', '--password');
  await play(wait(600), ...presses('qz7jxvk2'), wait(300), press('Enter'));
  await until('the answer', () => dialog.said());
  await play(wait(800));
  const { line } = await recorder.stop();
  expect(dialog.said()).toBe('qz7jxvk2');
  expect(filesWith(recorder.folder, 'qz7jxvk2')).toEqual([]);
  expect(await problemsOf(recorder.folder)).toEqual([]);
  const made = (await actionsOf(line.recording)).map(told);
  // What is no secret is recorded with its presses; of the secret there is nothing but that it was typed.
  expect(made.filter((one) => one.startsWith('type'))).toEqual(['type k', 'type 2', 'type withheld']);
  expect(made.slice(made.indexOf('type withheld'))).toEqual(['type withheld', 'press Enter']);
  expect(made.filter((one) => /^(?:click|drag)/.test(one)).length).toBeGreaterThanOrEqual(2);
  expect(withheldOf(recorder.folder).map(({ keys, why }) => `${keys} ${why}`)).toEqual(['8 on-screen']);
  const { warnings } = readRecording(recorder.folder);
  expect(warnings.map(({ code }) => code)).toEqual(expect.arrayContaining(['keys-withheld', 'keyboard-hidden']));
  // No frame lies in the time that is told.
  const { message = '' } = warnings.find(({ code }) => code === 'keyboard-hidden') ?? {};
  const [, from = 0, to = 0] = (/From ([\d.]+) s to ([\d.]+) s/.exec(message) ?? []).map(Number);
  const [hidden] = withheldOf(recorder.folder);
  expect(hidden && from * 1e6 <= hidden.from && hidden.t <= to * 1e6).toBe(true);
  const frames = readFrames(recorder.folder).map(({ t }) => t / 1e6);
  expect(frames.filter((t) => t > from + 0.1 && t < to - 0.1)).toEqual([]);
  expect(frames.some((t) => t >= to - 0.1)).toBe(true);
});
