import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { intersect } from '../../core/rect.ts';
import type { Action } from '../../schemas/actions.ts';
import { openFolder } from '../../studio/recordings/closed.ts';
import { startReader } from '../../studio/recordings/texts/reader.ts';
import { startApp } from '../support/apps.ts';
import { startRecorder, studioMust } from '../support/cli.ts';
import { type Desk, deskForEach } from '../support/desk.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { handsFor, perform, press, type Step, type, wait } from '../support/person.ts';
import { filesWith, keysOf } from '../support/private.ts';
import { must, run, type Started } from '../support/process.ts';
import { problemsOf, readEvents, readRecording, sessionUs } from '../support/recordings.ts';
import { monotonicUs, until } from '../support/until.ts';

/**
 * Secrets typed into every kind of field that Debian has, one after the other in one recording: no letter of them is in any file
 * of it, and what is typed beside them is. Nobody speaks AT-SPI when the recording begins.
 */

const SECRET = 'Qz7jXvk2';
/** No layout of the test has them: the hands map them onto a spare key for one press, as on-screen keyboards do. */
const REMAPPED = ['☃', 'Щ'];
const LETTERS = ['Q', 'Z', 'J', 'X', 'V', 'K', '7', '2'];
const PYTHON = '/usr/bin/python3';

let display: VirtualDisplay;
let workspace: Desk['workspace'];
deskForEach((made) => {
  ({ display, workspace } = made);
});
const xdotool = (...words: string[]) => must('xdotool', words, { env: display.env });

/** `got`: whether the secret arrived. `again`: F2 shows the letters, then it is typed once more. */
type Field = {
  name: string;
  needs: [string, ...string[]];
  open(): Promise<Started | null>;
  title: RegExp;
  /** Whether it waits for the secret by now. Absent: as soon as it is in front. */
  asking?: () => Promise<boolean>;
  got?: (started: Started) => boolean;
  again?: true;
  /** Keys that also have to be withheld, and what is done for it. */
  more?: { keys: number; steps: () => Promise<unknown> };
};

const dialog = (name: string, program: string, args: string[], title: string, said = ''): Field => ({
  name,
  needs: ['which', program],
  title: new RegExp(title),
  open: () => display.launch(program, args),
  got: (started) => started.stdout().includes(said + SECRET),
});
/** A program asks on stdin for what it shows, as gpg-agent does. */
const pinentry = (program: string): Field => ({
  ...dialog(program, 'sh', ['-c', `printf 'SETPROMPT PIN\\nGETPIN\\n' | ${program} --no-global-grab`], '.', 'D '),
  needs: ['which', program],
  title: /^(?:pinentry.*|Pinentry.*|\[\d+\]@.*)$/,
});
/** In a shell that waits for it. Keys that come before a terminal's program asks are shown: `asking` waits for that. */
const terminal = (name: string, program: string, command: string): Field => ({
  name: `${name} in a terminal`,
  needs: ['which', program],
  title: /^Asking$/,
  async open() {
    const shell = path.join(display.home, 'ask.sh');
    fs.writeFileSync(shell, 'tty > tty; read -s x', { mode: 0o755 });
    fs.rmSync(path.join(display.home, 'tty'), { force: true });
    const isInner = command.includes('ask.sh');
    const words = ['-c', `${isInner ? '' : 'tty > tty; '}${command}`];
    return display.launch('xterm', ['-T', 'Asking', '-geometry', '80x20+100+100', '-e', 'bash', ...words]);
  },
  async asking() {
    const tty = fs.readFileSync(path.join(display.home, 'tty'), 'utf8').trim();
    return / -echo\b/.test((await run('stty', ['-F', tty, '-a'])).stdout);
  },
});
const python = (name: string, needs: string, program: string, more: Partial<Field> = {}): Field => ({
  name,
  needs: [PYTHON, '-c', needs],
  title: /^Secret form$/,
  async open() {
    const file = path.join(display.home, 'form.py');
    fs.writeFileSync(file, program);
    return display.launch(PYTHON, [file], { ...display.env, GSK_RENDERER: 'cairo' });
  },
  ...more,
});
const gtk4 = (field: string): string => `
import gi
gi.require_version('Gtk', '4.0')
from gi.repository import Gtk
def show(app):
    window = Gtk.ApplicationWindow(application=app, title='Secret form')
    field = ${field}
    window.set_child(field)
    window.present()
    field.grab_focus()
app = Gtk.Application()
app.connect('activate', show)
app.run([])
`;
const qt = (of: string, mode: string): string => `
from ${of}.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from ${of}.QtGui import QKeySequence
${of === 'PyQt5' ? 'from PyQt5.QtWidgets import QShortcut' : 'from PyQt6.QtGui import QShortcut'}
app = QApplication([])
window = QWidget()
window.setWindowTitle('Secret form')
field = QLineEdit()
field.setEchoMode(QLineEdit.EchoMode.${mode})
QShortcut(QKeySequence('F2'), window).activated.connect(lambda: field.setEchoMode(QLineEdit.EchoMode.Normal))
QVBoxLayout(window).addWidget(field)
window.show()
field.setFocus()
app.exec()
`;
const GTK_3 = `
import gi
gi.require_version('Gtk', '3.0')
gi.require_version('Gdk', '3.0')
from gi.repository import Gdk, Gtk
window = Gtk.Window(title='Secret form')
field = Gtk.Entry(visibility=False)
clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
window.connect('key-press-event', lambda w, e: e.keyval == Gdk.KEY_F2 and field.set_visibility(True))
window.connect('key-press-event', lambda w, e: e.keyval == Gdk.KEY_F3 and clipboard.set_text('${SECRET}', -1))
window.add(field)
window.show_all()
field.grab_focus()
Gtk.main()
`;
const TK =
  "import tkinter as t; w = t.Tk(); w.title('Enter password'); e = t.Entry(w, show='*'); e.pack(); e.focus_force(); w.mainloop()";
/** With the terminal that it was started from, which `su -c` takes away. */
const askIn = (program: string): string => `t=$(tty); printf 'GETPIN\\n' | ${program} --ttyname $t --ttytype xterm`;
const asNobody = (command: string): string =>
  process.getuid?.() === 0 ? `setpriv --reuid=65534 --regid=65534 --clear-groups ${command}` : command;

const chromium: Field = {
  name: 'a page in Chromium',
  needs: ['which', 'chromium'],
  title: /Secret form/,
  again: true,
  // Filled in by itself.
  more: { keys: 0, steps: () => xdotool('key', 'F4', 'sleep', '0.4') },
  async open() {
    const page = path.join(display.home, 'form.html');
    const show = `onkeydown="if (event.key === 'F2') f.type = 'text'; if (event.key === 'F4') g.value = '${SECRET}'"`;
    fs.writeFileSync(
      page,
      `<title>Secret form</title><body ${show}><input id=f type=password autofocus><input id=g type=password></body>`,
    );
    await startApp(display, 'chromium', {
      url: `file://${page}`,
      args: ['--force-renderer-accessibility'],
      x: 40,
      y: 40,
      width: 700,
      height: 400,
    });
    return null;
  },
};

const lxqtSudo: Field = {
  ...dialog('lxqt-sudo', 'sh', ['-c', `exec ${asNobody('lxqt-sudo true')}`], '^LXQt sudo'),
  needs: ['which', 'lxqt-sudo'],
  got: () => true,
};
/** A page with a field, as above; it is started slowly. */
const firefox: Field = {
  name: 'a page in Firefox',
  needs: ['which', 'firefox-esr'],
  title: /^Secret page/,
  again: true,
  async open() {
    const page = path.join(display.home, 'page.html');
    fs.writeFileSync(
      page,
      `<title>Secret page</title><body onkeydown="if (event.key === 'F2') f.type = 'text'"><input id=f type=password autofocus></body>`,
    );
    const profile = path.join(display.home, 'firefox');
    fs.mkdirSync(profile, { recursive: true });
    const quiet = ['browser.aboutwelcome.enabled', 'browser.shell.checkDefaultBrowser', 'app.normandy.enabled'];
    const prefs = quiet.map((name) => `user_pref("${name}", false);\n`).join('');
    fs.writeFileSync(
      path.join(profile, 'user.js'),
      `${prefs}user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);\n`,
    );
    const args = ['--no-remote', '--new-instance', '--profile', profile, `file://${page}`];
    return display.launch('firefox-esr', args, { ...display.env, MOZ_DISABLE_CONTENT_SANDBOX: '1' });
  },
};

const FIELDS: Field[] = [
  dialog('zenity', 'zenity', ['--password', '--title', 'Login'], '^Login$'),
  dialog('an entry of zenity', 'zenity', ['--entry', '--hide-text', '--title', 'Entry'], '^Entry$'),
  // Its Enter answers nothing.
  {
    ...dialog('a form of zenity', 'zenity', ['--forms', '--add-password', 'PIN', '--title', 'Forms'], '^Forms$'),
    got: () => true,
  },
  dialog('yad', 'yad', ['--entry', '--hide-text', '--title', 'Yad'], '^Yad$'),
  dialog('a form of yad', 'yad', ['--form', '--field=PIN:H', '--title', 'Yad form'], '^Yad form$'),
  python('GTK 3', "import gi; gi.require_version('Gtk', '3.0')", GTK_3, { again: true }),
  python('GTK 3 by remapped keys', "import gi; gi.require_version('Gtk', '3.0')", GTK_3, {
    more: { keys: REMAPPED.length, steps: () => xdotool('type', '--delay', '60', REMAPPED.join('')) },
  }),
  python('GTK 3 by the clipboard', "import gi; gi.require_version('Gtk', '3.0')", GTK_3, {
    more: {
      // Shift+Insert counts as one.
      keys: 1,
      steps: () => xdotool('key', 'F3', 'sleep', '0.2', 'key', 'ctrl+a', 'key', 'shift+Insert', 'sleep', '0.4'),
    },
  }),
  python('a field of GTK 4', "import gi; gi.require_version('Gtk', '4.0')", gtk4('Gtk.PasswordEntry()')),
  python('an entry of GTK 4', "import gi; gi.require_version('Gtk', '4.0')", gtk4('Gtk.Entry(visibility=False)')),
  python('Qt 5', 'import PyQt5.QtWidgets', qt('PyQt5', 'Password'), { again: true }),
  python('Qt 5 without an echo', 'import PyQt5.QtWidgets', qt('PyQt5', 'NoEcho')),
  python('Qt 6', 'import PyQt6.QtWidgets', qt('PyQt6', 'Password'), { again: true }),
  python('Tk', 'import tkinter', TK, { title: /^Enter password$/ }),
  pinentry('pinentry-gtk-2'),
  pinentry('pinentry-qt'),
  pinentry('pinentry-fltk'),
  pinentry('pinentry-gnome3'),
  lxqtSudo,
  dialog('kdialog', 'kdialog', ['--password', 'PIN', '--title', 'Kdialog'], '^Kdialog'),
  dialog('ssh-askpass', '/usr/libexec/ssh-askpass/x11-ssh-askpass', ['PIN'], '^(?:OpenSSH|PIN|.*askpass).*'),
  dialog('gnome-ssh-askpass', '/usr/lib/openssh/gnome-ssh-askpass', ['PIN'], '^OpenSSH$'),
  dialog('lxqt-openssh-askpass', 'lxqt-openssh-askpass', ['PIN'], '.*'),
  terminal('read -s', 'bash', 'read -s x'),
  terminal('getpass', PYTHON, `${PYTHON} -c 'import getpass; getpass.getpass()'`),
  terminal('sudo', 'sudo', asNobody('sudo -k true')),
  terminal('su', 'su', asNobody('su root')),
  terminal('ssh (its own prompt)', 'ssh-keygen', 'ssh-keygen -q -N secret1 -f key; ssh-keygen -y -f key'),
  terminal('dialog', 'dialog', 'dialog --passwordbox PIN 8 40'),
  terminal('whiptail', 'whiptail', 'whiptail --passwordbox PIN 8 40'),
  terminal('pinentry-curses', 'pinentry-curses', askIn('pinentry-curses')),
  terminal('pinentry-tty', 'pinentry-tty', askIn('pinentry-tty')),
  terminal('gpg', 'gpg', 'echo x > x; gpg --pinentry-mode loopback -c x'),
  terminal('tmux', 'tmux', 'tmux -L secrets new "bash ask.sh"'),
  terminal('screen', 'screen', 'screen -c /dev/null bash ask.sh'),
  chromium,
  firefox,
];
const isThere = async ({ needs: [program, ...words] }: Field): Promise<boolean> =>
  (await run(program, words).catch(() => null))?.status === 0;

async function activeTitle(): Promise<string> {
  return (await xdotool('getactivewindow', 'getwindowname').catch(() => '')).trim();
}

/** What was typed when, CLOCK_MONOTONIC in µs. */
type Typed = { field: Field; from: number; to: number };

async function typeInto(field: Field, play: (...steps: Step[]) => Promise<unknown>): Promise<Typed> {
  const from = monotonicUs();
  const started = await field.open();
  const title = await until(`${field.name} to be in front`, async () => {
    const now = await activeTitle();
    return field.title.test(now) && now;
  });
  const { asking } = field;
  if (asking) await until(`${field.name} to ask`, () => asking().catch(() => false));
  // The least that a person needs to see that something is asked.
  await play(wait(500), type(SECRET), wait(300));
  if (field.again) await play(press('F2'), wait(400), type(SECRET), wait(300));
  await field.more?.steps();
  await play(press('Enter'), wait(300));
  if (field.got && started) await until(`${field.name} to have it`, () => field.got?.(started));
  if (started) await started.stop(1000);
  else await xdotool('getactivewindow', 'windowclose').catch(() => '');
  await until(`${field.name} to be gone`, async () => (await activeTitle()) !== title);
  return { field, from, to: monotonicUs() };
}

/** Of each field how many keys are withheld, and which letters of the secret went down in the open. */
function keptOf(folder: string, typed: readonly Typed[]): Record<string, string> {
  const recording = readRecording(folder);
  const events = readEvents(folder);
  return Object.fromEntries(
    typed.map(({ field, from, to }) => {
      const [begin, end] = [sessionUs(recording, from), sessionUs(recording, to)];
      const within = events.filter((event) => event.t >= begin && event.t < end);
      const open = within.flatMap((event) =>
        event.type === 'keydown' ? [event.code.replace(/^(Key|Digit)/, '')] : [],
      );
      const keys = within.reduce((sum, event) => sum + (event.type === 'withheld' ? event.keys : 0), 0);
      const letters = open.filter((key) => LETTERS.includes(key)).join('');
      const texts = within.some((event) => event.type === 'text') ? ', texts' : '';
      return [field.name, `${keys} withheld${letters && `, written: ${letters}`}${texts}`];
    }),
  );
}
async function expectNoSecret(folder: string, typed: readonly Typed[]): Promise<void> {
  expect(keptOf(folder, typed)).toEqual(
    Object.fromEntries(
      typed.map(({ field }) => [
        field.name,
        `${SECRET.length * (field.again ? 2 : 1) + (field.more?.keys ?? 0)} withheld`,
      ]),
    ),
  );
  for (const word of [SECRET, SECRET.toLowerCase(), 'U2603', 'Cyrillic_SHCHA'])
    expect(filesWith(folder, word)).toEqual([]);
  // The two bytes of one may stand in any picture.
  for (const sign of REMAPPED)
    expect(filesWith(folder, sign).filter((file) => !/\.(?:png|mkv|mp4)$/.test(file))).toEqual([]);
  expect(keysOf(folder).filter((key) => LETTERS.includes(key))).toEqual([]);
  expect(await problemsOf(folder)).toEqual([]);
}
/** How many letters of a secret a word has, in their order: what is read of a picture may have one wrong. */
function lettersOf(secret: string, word: string): number {
  let row = Array.from(secret, () => 0);
  for (const letter of word.toLowerCase()) {
    const before = row;
    row = [];
    for (const [at, one] of [...secret.toLowerCase()].entries())
      row.push(one === letter ? (before[at - 1] ?? 0) + 1 : Math.max(before[at] ?? 0, row[at - 1] ?? 0));
  }
  return row.at(-1) ?? 0;
}

/** A window larger than this is read in its upper left part, px. */
const MOST_READ = { width: 700, height: 260 };
/**
 * The times, s, of the stills after withheld keys in which the secret can be read: of the window alone, since all of a screen takes
 * seconds.
 */
async function readableIn(folder: string): Promise<number[]> {
  const { actions, keyframes } = openFolder(folder);
  const reader = await startReader({ languages: ['eng'], folder: null });
  try {
    const times: number[] = [];
    for (const { id, withheld, window } of actions) {
      const still = keyframes.keyframes.find(({ action, role }) => action === id && role === 'after');
      if (!withheld || !still || !window?.bounds) continue;
      const shown = intersect(
        {
          ...window.bounds,
          width: Math.min(window.bounds.width, MOST_READ.width),
          height: Math.min(window.bounds.height, MOST_READ.height),
        },
        { ...still.origin, width: still.width, height: still.height },
      );
      if (!shown) continue;
      const crop = { ...shown, x: shown.x - still.origin.x, y: shown.y - still.origin.y };
      const words = await reader.read(path.join(folder, 'keyframes', still.file), crop, still.width * still.height);
      if (words.some(({ text }) => lettersOf(SECRET, text) >= SECRET.length - 2)) times.push(still.t / 1e6);
    }
    return times;
  } finally {
    await reader.close();
  }
}
/** From when to when the person is told that letters could be read, s. */
const toldOf = (folder: string): [number, number][] =>
  readRecording(folder).warnings.flatMap(({ code, message }) => {
    const [, from, to] = /^From ([\d.]+) s to ([\d.]+) s/.exec(message) ?? [];
    return code === 'password-shown' && from && to ? [[Number(from), Number(to)] as [number, number]] : [];
  });
const wholeActions = async (recording: string): Promise<Action[]> =>
  ((await studioMust(['actions', recording, '--workspace', workspace.path, '--json'])).json as { actions: Action[] })
    .actions;

it('secrets in every kind of field, in one recording that began without an accessibility bus', async () => {
  const there = await Promise.all(FIELDS.map(isThere));
  const fields = FIELDS.filter((_, n) => there[n]);
  expect(fields.length).toBeGreaterThanOrEqual(process.env.STUDIO_CI ? 26 : 10);
  const recorder = await startRecorder(display, { workspace: workspace.path });
  const hands = await handsFor(display, 'fast');
  const play = (...steps: Step[]) => perform(display, hands, steps);
  const typed: Typed[] = [];
  for (const field of fields) typed.push(await typeInto(field, play));
  // What is no secret is recorded, in a terminal and in a field. On a busy machine it may take a moment until that is known.
  const typePlain = (word: string): Promise<unknown> =>
    until(`${word} to be recorded`, async () => {
      await play(wait(500), type(word), wait(500));
      return keysOf(recorder.folder, 'torn-end-allowed').join('').includes(word.toUpperCase());
    });
  const cat = await display.launch('xterm', ['-T', 'Plain', '-e', 'cat']);
  await until('the terminal', async () => (await activeTitle()) === 'Plain');
  await typePlain('bonfire');
  await cat.stop(1000);
  const entry = await display.launch('zenity', ['--entry', '--title', 'Plain entry']);
  await until('the entry', async () => (await activeTitle()) === 'Plain entry');
  await typePlain('monday');
  await entry.stop(1000);
  const { line } = await recorder.stop();
  await expectNoSecret(recorder.folder, typed);
  const texts = (await wholeActions(line.recording)).flatMap(({ text }) => text ?? []);
  expect(texts.join(' ')).toMatch(/^(?:bonfire ?)+(?:monday ?)+$/);
  const { warnings } = readRecording(recorder.folder);
  const codes = warnings.map(({ code }) => code);
  expect(codes).toContain('keys-withheld');
  // Its letters were shown: that is told, with the time, and nowhere else can they be read.
  const told = toldOf(recorder.folder);
  const readable = await readableIn(recorder.folder);
  expect(readable.length).toBeGreaterThanOrEqual(1);
  expect(readable.filter((t) => !told.some(([from, to]) => from - 0.1 <= t && t <= to + 0.1))).toEqual([]);
}, 240_000);

it('the same with a recorder that has no session bus, on a busy machine', async () => {
  const { DBUS_SESSION_BUS_ADDRESS: _, XDG_RUNTIME_DIR: __, ...env } = display.env;
  const busy = await Promise.all([0, 1, 2].map(() => display.launch('sh', ['-c', 'while :; do :; done'])));
  const fields: Field[] = [];
  for (const field of FIELDS)
    if (/^(?:zenity|yad|GTK 3|pinentry-gtk-2|read -s.*|sudo.*)$/.test(field.name) && (await isThere(field)))
      fields.push(field);
  const recorder = await startRecorder(display, { workspace: workspace.path, env });
  const hands = await handsFor(display, 'fast');
  const typed: Typed[] = [];
  for (const field of fields) typed.push(await typeInto(field, (...steps) => perform(display, hands, steps)));
  await recorder.stop();
  for (const one of busy) await one.stop(1000);
  await expectNoSecret(recorder.folder, typed);
  const codes = readRecording(recorder.folder).warnings.map(({ code }) => code);
  expect(codes).toContain('keys-withheld');
});
