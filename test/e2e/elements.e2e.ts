import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { boxIou } from '../../core/rect.ts';
import type { ElementLine } from '../../schemas/elements.ts';
import type { Rect } from '../../schemas/events.ts';
import { type App, startApp } from '../support/apps.ts';
import { startRecorder, studioMust } from '../support/cli.ts';
import { type Desk, deskForEach } from '../support/desk.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { chord, click, handsFor, perform, type Step, scroll, type, wait } from '../support/person.ts';
import { filesWith, recordOn } from '../support/private.ts';
import { must } from '../support/process.ts';
import { problemsOf, readEvents, readRecording } from '../support/recordings.ts';
import { SHORTCUTS } from '../support/shortcuts.ts';
import { until } from '../support/until.ts';

/**
 * The element at each press, from real GTK programs. The truth is in the pictures: a style sheet paints what the pointer is
 * on in a colour that nothing else has.
 */

let display: VirtualDisplay;
let workspace: Desk['workspace'];
deskForEach((made) => {
  ({ display, workspace } = made);
  const folder = path.join(display.home, '.config', 'gtk-3.0');
  fs.mkdirSync(folder, { recursive: true });
  const paint = '{ background-image: none; background-color: #c81ec8; color: #c81ec8; box-shadow: none; }';
  const still = '* { transition: none; animation: none; }';
  fs.writeFileSync(path.join(folder, 'gtk.css'), `${still}\nmenu menuitem:hover ${paint}\nbutton:hover ${paint}\n`);
});

const MAGENTA = [0xc8, 0x1e, 0xc8];
const play = async (...steps: Step[]) => perform(display, await handsFor(display, 'human'), steps);
const xdotool = (...words: string[]) => must('xdotool', words, { env: display.env });

type Told = { action: string; kind: string; element: (ElementLine & { spoken: string | null; tookMs: number }) | null };
async function elementsOf(recording: string): Promise<Told[]> {
  const { json } = await studioMust(['elements', recording, '--workspace', workspace.path, '--json']);
  return (json as { actions: Told[] }).actions;
}
const linesOf = (folder: string): ElementLine[] => {
  const file = path.join(folder, 'elements.jsonl');
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ElementLine);
};

/** Where the painted thing lies in the picture before each step; null where there is none. */
async function painted(recording: string): Promise<(Rect | null)[]> {
  const out = path.join(display.home, 'keyframes');
  await studioMust(['keyframes', recording, '--workspace', workspace.path, '--out', out]);
  const names = fs.globSync('**/*before*.png', { cwd: out }).sort();
  return Promise.all(names.map((name) => boxOfColour(path.join(out, name))));
}
async function boxOfColour(file: string): Promise<Rect | null> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let [left, top, right, bottom] = [info.width, info.height, -1, -1];
  for (let at = 0, pixel = 0; at < data.length; at += 3, pixel++) {
    if (data[at] !== MAGENTA[0] || data[at + 1] !== MAGENTA[1] || data[at + 2] !== MAGENTA[2]) continue;
    const [x, y] = [pixel % info.width, Math.floor(pixel / info.width)];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** A dialog with a title of its own; gives its window's box. */
async function dialog(
  title: string,
  x: number,
  y: number,
  ...words: string[]
): Promise<Rect & { pid: number; id: string }> {
  const started = await display.launch('zenity', [...words, '--title', title]);
  const id = await until(`the dialog ${title}`, async () => {
    const found = await xdotool('search', '--onlyvisible', '--name', `^${title}$`).catch(() => '');
    return found.trim().split('\n')[0] ?? '';
  });
  await xdotool('windowmove', id, String(x), String(y));
  const box = await until(`${title} to lie there`, async () => {
    const text = await must('xwininfo', ['-id', id], { env: display.env });
    const value = (key: string) => Number(new RegExp(`${key}:\\s+(-?\\d+)`).exec(text)?.[1]);
    const [left, top] = [value('Absolute upper-left X'), value('Absolute upper-left Y')];
    const near = Math.abs(left - x) < 60 && Math.abs(top - y) < 60;
    return near ? { x: left, y: top, width: value('Width'), height: value('Height') } : null;
  });
  return { ...box!, pid: started.pid, id };
}
const middle = ({ x, y, width, height }: Rect): [number, number] => [
  x + Math.round(width / 2),
  y + Math.round(height / 2),
];

/** mousepad with its menu bar at the top of its client area. */
async function mousepad(): Promise<{ app: App; x: number; y: number }> {
  const app = await startApp(display, 'mousepad', { x: 60, y: 40, width: 700, height: 400 });
  const { x, y } = await app.bounds();
  return { app, x, y };
}

it('each press has the element under it, of a menu that is gone afterwards too, and proposals begin with it', async () => {
  const { x, y } = await mousepad();
  const recorder = await startRecorder(display, { workspace: workspace.path });
  await play(click(x + 300, y + 200), click(x + 18, y + 12), wait(600));
  // The first item of the menu, which begins a new text. A person looks before pressing, and presses where the pointer rests:
  // other hands come from beside the item, which a slow machine paints again too late for the picture before.
  const rested = ['mousemove', String(x + 20), String(y + 40), 'sleep', '0.8'];
  await xdotool(...rested, 'mousedown', '1', 'sleep', '0.06', 'mouseup', '1');
  await until('the new text', async () => (await xdotool('search', '--name', 'Untitled 2').catch(() => '')).trim());
  await play(scroll(x + 300, y + 250, { dy: 2 }));
  const { line } = await recorder.stop();
  expect(await problemsOf(recorder.folder)).toEqual([]);

  const told = await elementsOf(line.recording);
  expect(told.map(({ kind, element }) => [kind, element?.role, element?.name])).toEqual([
    ['click', 'text', ''],
    ['click', 'menu', 'File'],
    ['click', 'menu item', 'New'],
    ['scroll', 'text', ''],
  ]);
  expect(told.map(({ element }) => element?.spoken)).toEqual([null, 'File menu', 'New menu item', null]);
  const item = told[2]!.element!;
  expect(item.when).toBe('before');
  expect(item.path?.map(({ role }) => role)).toEqual(
    expect.arrayContaining(['frame', 'menu bar', 'menu', 'menu item']),
  );
  expect(item).toMatchObject({ source: 'atspi', app: 'mousepad', toolkit: 'gtk' });
  const truth = await painted(line.recording);
  expect(truth).toHaveLength(4);
  expect(boxIou(truth[2]!, item.bounds!)).toBeGreaterThanOrEqual(0.7);

  const words = ['annotate', 'proposals', line.recording, told[2]!.action, '--workspace', workspace.path, '--json'];
  const { json } = await studioMust(words);
  const [first] = (json as { proposals: { name: string; source: string; box: Rect }[] }).proposals;
  expect(first).toMatchObject({ name: 'New menu item', source: 'accessibility' });
  expect(boxIou(first!.box, truth[2]!)).toBeGreaterThanOrEqual(0.7);
});

it('a program that hangs disturbs nothing, and one in a field for passwords is not asked for its name', async () => {
  const { x, y } = await mousepad();
  const stuck = await dialog('Stuck', 820, 60, '--question', '--text', 'Nobody answers here');
  const secret = await dialog('Login', 820, 420, '--password');
  const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--elements'] });
  process.kill(stuck.pid, 'SIGSTOP');
  const [sx, sy] = middle(stuck);
  await play(click(sx, sy), click(sx + 20, sy), click(sx, sy + 10), click(x + 300, y + 200), click(x + 18, y + 12));
  await xdotool('key', 'Escape');
  await xdotool('windowactivate', '--sync', secret.id);
  await play(click(secret.x + Math.round(secret.width * 0.66), secret.y + Math.round(secret.height * 0.57)), wait(300));
  process.kill(stuck.pid, 'SIGCONT');
  const { line } = await recorder.stop();

  expect(readRecording(recorder.folder).verdict).toMatchObject({ kind: 'complete' });
  const presses = readEvents(recorder.folder).filter(({ type }) => type === 'down');
  expect(presses).toHaveLength(6);
  const told = await elementsOf(line.recording);
  const byName = told.filter(({ element }) => element).map(({ element }) => [element!.role, element!.name]);
  expect(byName).toEqual([
    ['text', ''],
    ['menu', 'File'],
    ['password text', ''],
  ]);
  const withheld = linesOf(recorder.folder).find(({ role }) => role === 'password text');
  expect(withheld).toMatchObject({ withheld: true, name: '', description: '' });
  expect(withheld?.bounds?.width).toBeGreaterThan(50);
  expect(filesWith(recorder.folder, 'Nobody answers here')).toEqual([]);
});

it('a program that is left out and a private pause leave no element', async () => {
  const { app, x, y } = await mousepad();
  const vault = await dialog('Vault', 820, 60, '--question', '--text', 'Open it', '--ok-label', 'Reveal4711');
  await app.focus();
  const recording = await recordOn(display, workspace.path, ['--elements', '--exclude', 'vault', '--no-sync-check']);
  await recording.has('resume', 'sync');
  await play(click(x + 300, y + 200));
  // It can be seen beside the other window, and lies under the pointer before it is in front.
  const button: [number, number] = [vault.x + vault.width - 40, vault.y + vault.height - 20];
  await play(wait(200), click(...button), wait(300));
  await app.focus();
  await recording.has('resume', 'excluded-app');
  await play(chord(...SHORTCUTS.privacy));
  await recording.has('pause', 'privacy');
  await play(click(x + 18, y + 12), wait(300));
  await xdotool('key', 'Escape');
  await play(chord(...SHORTCUTS.privacy));
  await recording.has('resume', 'privacy');
  await recording.stop();
  const lines = linesOf(recording.folder);
  expect(lines.map(({ role }) => role)).toEqual(['text']);
  for (const word of ['Reveal4711', 'Vault', 'zenity', 'File menu'])
    expect(filesWith(recording.folder, word), word).toEqual([]);
});

it('a bus that dies in the middle, and one that was never there, leave a whole recording and say so', async () => {
  const { x, y } = await mousepad();
  const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--elements'] });
  await play(click(x + 300, y + 200), type('one'), wait(600));
  process.kill(accessibilityBus(), 'SIGKILL');
  await play(wait(500), click(x + 320, y + 220), type('two'), wait(300));
  const { line } = await recorder.stop();
  const said = ({ code }: { code: string }): boolean => code === 'elements-lost';
  expect(readRecording(recorder.folder)).toMatchObject({ verdict: { kind: 'complete' } });
  expect(readRecording(recorder.folder).warnings.filter(said)).toHaveLength(1);
  const texts = async (id: string) => {
    const { json } = await studioMust(['actions', id, '--workspace', workspace.path, '--json']);
    return (json as { actions: { kind: string; text: string | null }[] }).actions.map(({ kind, text }) => text ?? kind);
  };
  expect(await texts(line.recording)).toEqual(['click', 'one', 'click', 'two']);

  // Nor does the display name one: at-spi2-core started it anew, and it would be found by that.
  await must('xprop', ['-root', '-remove', 'AT_SPI_BUS'], { env: display.env });
  const alone = { ...display.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
  const without = await startRecorder(display, { workspace: workspace.path, args: ['--elements'], env: alone });
  await play(click(x + 300, y + 200), type('three'));
  const ended = await without.stop();
  expect(readRecording(without.folder)).toMatchObject({ verdict: { kind: 'complete' } });
  expect(readRecording(without.folder).warnings.filter(said)).toHaveLength(1);
  expect(await texts(ended.line.recording)).toEqual(['click', 'three']);
});

/** The process id of this display's accessibility bus. */
function accessibilityBus(): number {
  const read = (pid: string, what: string): string => {
    try {
      return fs.readFileSync(`/proc/${pid}/${what}`, 'utf8');
    } catch {
      return '';
    }
  };
  const found = fs
    .readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && read(pid, 'cmdline').includes('accessibility.conf'))
    .find((pid) => read(pid, 'environ').includes(`HOME=${display.home}\0`));
  return Number(found);
}

it('where that is not wanted nobody is asked', async () => {
  const { x, y } = await mousepad();
  const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--no-elements'] });
  await play(click(x + 18, y + 12), type('x'));
  await recorder.stop();
  expect(fs.existsSync(path.join(recorder.folder, 'elements.jsonl'))).toBe(false);
});
