import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { NewWorkspace } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { onDisplay } from '../support/on-display.ts';
import { chord, handsFor, perform, type Step, type } from '../support/person.ts';
import { filesWith, GREEN, keysOf, MAGENTA, openTerminal, picturesWith, recordOn } from '../support/private.ts';
import { must } from '../support/process.ts';
import { problemsOf, readRecording } from '../support/recordings.ts';
import { SHORTCUTS } from '../support/shortcuts.ts';
import { sleep, until } from '../support/until.ts';

/** Nothing that a person left out is in the recording: no key, no picture, no title (I6; docs/recording-folder.md). */

let display: VirtualDisplay;
let workspace: NewWorkspace;
onDisplay({ width: 800, height: 500 }, (made) => {
  ({ display, workspace } = made);
});

const play = async (...steps: Step[]) => perform(display, await handsFor(display, 'human'), steps);
const xdotool = (...words: string[]) => must('xdotool', words, { env: display.env });
const terminal = (title: string, className: string, rgb: readonly number[]) =>
  openTerminal(display, title, className, rgb);
const record = (args: string[]) => recordOn(display, workspace.path, args);

/** Whether every sign of `part` stands in `whole`, in this order. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const sign of whole) if (sign === part[at]) at++;
  return at === part.length;
}

it('an exclude list and pauses leave nothing but their times', async () => {
  const work = await terminal('work', 'Work', [0x10, 0x10, 0x30]);
  const vault = await terminal('KeePass vault', 'Vault', MAGENTA);
  // In front from the start, through the countdown and the check.
  const recording = await record(['--exclude', 'keepass', '--countdown', '1']);
  await recording.has('pause', 'excluded-app');
  await play(type('hunter'));
  await xdotool('windowactivate', work.id);
  await recording.has('resume', 'excluded-app');
  await play(type('abc'));
  // Typed into it in the moment in which it comes to the front, again and again.
  const keys = [...'12345678'].flatMap((key) => ['key', '--delay', '0', key]);
  for (let round = 2; round <= 4; round++) {
    await xdotool('windowactivate', vault.id, 'sleep', '0.02', ...keys);
    await recording.has('pause', 'excluded-app', round);
    await xdotool('windowactivate', work.id);
    await recording.has('resume', 'excluded-app', round);
  }
  await play(type('d'));
  // A private pause, in which a window is opened that no list names.
  await play(chord(...SHORTCUTS.privacy));
  await recording.has('pause', 'privacy');
  const bank = await terminal('Bank account DE4711', 'Bank', GREEN);
  await play(type('secret'));
  await bank.stop();
  await until('the bank to be gone', async () => (await xdotool('getactivewindow').catch(() => '')).trim() !== bank.id);
  await xdotool('windowactivate', '--sync', work.id);
  await play(chord(...SHORTCUTS.privacy));
  await recording.has('resume', 'privacy');
  // Several in a row.
  for (let round = 1; round <= 3; round++) {
    await play(chord(...SHORTCUTS.pause));
    await recording.has('pause', 'user', round);
    await play(type('x'), chord(...SHORTCUTS.pause));
    await recording.has('resume', 'user', round);
    await play(type('e'));
  }
  await recording.stop();

  const { folder } = recording;
  expect(await problemsOf(folder)).toEqual([]);
  const keysWritten = keysOf(folder).join('').toLowerCase();
  expect(keysWritten.replaceAll(/\d/g, '')).toEqual('abcdeee');
  // On a busy machine the window may come to the front after some of the keys: those were typed where they may be seen.
  expect(vault.got()).toMatch(/\d/);
  expect(isWithin(keysWritten, work.got()), `${keysWritten} of ${work.got()}`).toBe(true);
  const { pictures, shown } = await picturesWith(display, folder, [MAGENTA, GREEN]);
  expect(pictures).toBeGreaterThan(5);
  expect(shown).toEqual([0, 0]);
  for (const word of ['KeePass', 'DE4711', 'Vault', 'keepass']) expect(filesWith(folder, word), word).toEqual([]);
  // A title that may be recorded is in the raw file, and in the file derived of it.
  expect(filesWith(folder, '"title":"work"').sort()).toEqual(['derived/recording.jsonl', 'windows.jsonl']);
  const inPauses = recording.events();
  let open = false;
  for (const event of inPauses) {
    if (event.type === 'pause') open = event.reason !== 'sync';
    if (event.type === 'resume') open = false;
    if (open) expect(['pause', 'anchor', 'own', 'view', 'keydown', 'keyup']).toContain(event.type);
  }
  expect(readRecording(folder).sync?.verdict).not.toBe('failed');
});

it('an allow list records nothing but its programs, also what comes to the front during the countdown', async () => {
  const vault = await terminal('diary', 'Diary', MAGENTA);
  const work = await terminal('a page about WorkBench', 'Browser', GREEN);
  const bench = await terminal('bench', 'WorkBench', [0x10, 0x10, 0x30]);
  const recording = await record(['--only', 'workbench', '--countdown', '3']);
  await until('the countdown', () => /\d …/.test(recording.started.stderr()));
  await xdotool('windowactivate', vault.id);
  await recording.has('resume', 'sync');
  await play(type('diary'));
  await xdotool('windowactivate', bench.id);
  await recording.has('resume', 'excluded-app');
  await play(type('abc'));
  await xdotool('windowactivate', work.id, 'sleep', '0.02', 'key', 'x', 'key', 'y');
  await recording.has('pause', 'excluded-app', 2);
  await xdotool('windowactivate', bench.id);
  await recording.has('resume', 'excluded-app', 2);
  await play(type('d'));
  await sleep(100);
  await recording.stop();

  const { folder } = recording;
  const keysWritten = keysOf(folder).join('').toLowerCase();
  expect(keysWritten.replaceAll(/[xy]/g, '')).toEqual('abcd');
  // On a busy machine the other window may come to the front after the first key: that one was typed where it may be seen.
  expect(isWithin(keysWritten, bench.got()), `${keysWritten} of ${bench.got()}`).toBe(true);
  expect(`${bench.got()}${work.got()}`.replaceAll(/[^xy]/g, '')).toEqual('xy');
  expect((await picturesWith(display, folder, [MAGENTA, GREEN])).shown).toEqual([0, 0]);
  for (const word of ['diary', 'Diary', 'Browser', 'a page about']) expect(filesWith(folder, word), word).toEqual([]);
});

const PYTHON = '/usr/bin/python3';
const TOOLTIP = `
import gi
gi.require_version('Gtk', '3.0')
gi.require_version('Gdk', '3.0')
from gi.repository import Gdk, Gtk
style = Gtk.CssProvider()
style.load_from_data(b'tooltip, tooltip * { background: #c81ec8; color: #c81ec8; }')
Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), style, 800)
window = Gtk.Window(title='Vault entries')
window.set_default_size(300, 200)
label = Gtk.Label(label='entry')
label.set_tooltip_text('A secret that is only in this tooltip')
window.add(label)
window.show_all()
Gtk.main()
`;

it('notifications, and tooltips of a program that is left out, are not in the pictures', async () => {
  const config = path.join(display.home, 'dunstrc');
  const colours = ['background', 'foreground', 'frame_color'].map((name) => `${name} = "#c81ec8"`).join('\n');
  fs.writeFileSync(config, `[global]\nwidth = 300\n[urgency_low]\n${colours}\n[urgency_normal]\n${colours}\n`);
  await display.launch('dunst', ['-conf', config]);
  const program = path.join(display.home, 'vault.py');
  fs.writeFileSync(program, TOOLTIP);
  await display.launch(PYTHON, [program]);
  const vault = await until('the vault', async () => {
    const found = await xdotool('search', '--onlyvisible', '--name', '^Vault entries$').catch(() => '');
    return found.trim().split('\n')[0];
  });
  await xdotool('windowmove', vault, '480', '280');
  const work = await terminal('work', 'Work', [0x10, 0x10, 0x30]);
  await xdotool('windowsize', work.id, '400', '300');
  const recording = await record(['--exclude', 'vault']);
  await recording.has('resume', 'sync');
  await play(type('abc'));
  const at = '/org/freedesktop/Notifications';
  const dot = 'org.freedesktop.Notifications';
  const words = ['Vault', '0', '', 'DE4711', 'is paid', '[]', '{}', '1500'];
  const ask = ['call', '--session', '--dest', dot, '--object-path', at, '--method', `${dot}.Notify`, ...words];
  await must('gdbus', ask, { env: display.env });
  await recording.has('pause', 'excluded-app');
  await recording.has('resume', 'excluded-app');
  await play(type('de'));
  // Over the window that is not in front.
  await xdotool('mousemove', '620', '380', 'sleep', '0.2', 'mousemove', '622', '381');
  await recording.has('pause', 'excluded-app', 2);
  await sleep(500);
  await xdotool('mousemove', '100', '200');
  await recording.has('resume', 'excluded-app', 2);
  await play(type('f'));
  await sleep(200);
  await recording.stop();
  const { folder } = recording;
  expect(keysOf(folder).join('').toLowerCase()).toBe('abcdef');
  const { pictures, shown } = await picturesWith(display, folder, [MAGENTA]);
  expect(pictures).toBeGreaterThan(5);
  expect(shown).toEqual([0]);
  for (const word of ['DE4711', 'tooltip']) expect(filesWith(folder, word), word).toEqual([]);
});
