import fs from 'node:fs';
import path from 'node:path';
import { UiohookKey } from 'uiohook-napi';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp } from '../support/apps.ts';
import { startDisplay, type VirtualDisplay } from '../support/display.ts';
import type { Sent } from '../support/fast-hands.ts';
import type { Heard } from '../support/listener.ts';
import { colourOf, openPainter, syncError } from '../support/paints.ts';
import { chord, click, drag, handsFor, perform, press, type } from '../support/person.ts';
import { must, type Started } from '../support/process.ts';
import { soon } from '../support/studio-expect.ts';
import { until } from '../support/until.ts';

/** Proofs of the test support itself, without the recorder: who judges must be judged first. */

const support = (file: string) => path.join(import.meta.dirname, '..', 'support', file);

let display: VirtualDisplay;
beforeEach(async () => {
  display = await startDisplay({ width: 1280, height: 800 });
});
afterEach(() => display.stop());

async function listen(): Promise<{ started: Started; heard(): Heard[] }> {
  const started = await display.launch(process.execPath, [support('listener.ts')]);
  await until('the listener', () => started.stdout().includes('ready'), { seen: started.stderr });
  const lines = () => started.stdout().split('\n').slice(1, -1);
  return { started, heard: () => lines().map((line) => JSON.parse(line) as Heard) };
}

describe('the person', () => {
  it.each(['human', 'fast'] as const)('clicks and drags exactly where the steps say, at %s speed', async (speed) => {
    const { heard } = await listen();
    const steps = [
      click(301, 207, { count: 2 }),
      drag(
        [
          [50, 60],
          [120, 90],
          [333, 444],
        ],
        { button: 'right' },
      ),
    ];
    await perform(display, await handsFor(display, speed), steps);
    const buttons = () => heard().filter((event) => event.type === 'down' || event.type === 'up');
    await until('six button events', () => buttons().length >= 6);
    expect(buttons()).toEqual([
      { type: 'down', x: 301, y: 207, button: 1 },
      { type: 'up', x: 301, y: 207, button: 1 },
      { type: 'down', x: 301, y: 207, button: 1 },
      { type: 'up', x: 301, y: 207, button: 1 },
      { type: 'down', x: 50, y: 60, button: 2 },
      { type: 'up', x: 333, y: 444, button: 2 },
    ]);
  });

  it('presses the key that a name means', async () => {
    const { heard } = await listen();
    const names = ['Escape', 'Enter', 'Tab', 'Backspace', 'Delete', 'Home', 'ArrowLeft', 'F5', 'CapsLock', 'CapsLock'];
    const steps = names.map((name) => press(name));
    await perform(display, await handsFor(display, 'fast'), steps);
    await until('all keys', () => heard().filter((event) => event.type === 'keyup').length === names.length);
    const codes = heard()
      .filter((event) => event.type === 'keydown')
      .map((event) => event.keycode);
    const { Escape, Enter, Tab, Backspace, Delete, Home, ArrowLeft, F5, CapsLock } = UiohookKey;
    expect(codes).toEqual([Escape, Enter, Tab, Backspace, Delete, Home, ArrowLeft, F5, CapsLock, CapsLock]);
  });

  it.each([
    ['us', '', 'cost is $5 and $6 total'],
    ['de', '', 'Grüße & ÄÖÜ {ß@€} é à ô'],
    ['fr', 'oss', 'Ça été là, où ? œuf ê ï €'],
  ])('types on the layout %s %s what an application then saves', async (layout, variant, text) => {
    await display.setLayout({ layout, variant });
    const file = path.join(display.home, 'typed.txt');
    fs.writeFileSync(file, '');
    const app = await startApp(display, 'mousepad', { file, x: 20, y: 20, width: 800, height: 600 });
    await perform(display, await handsFor(display, 'fast'), [type(text)]);
    await app.idle();
    await perform(display, await handsFor(display, 'fast'), [chord('ctrl', 's')]);
    await until('the saved text', () => fs.readFileSync(file, 'utf8') !== '');
    expect(fs.readFileSync(file, 'utf8').trimEnd()).toBe(text);
  });

  it('types Russian, in an application without shortcuts, because Ctrl+S has no key there', async () => {
    await display.setLayout({ layout: 'ru' });
    const file = path.join(display.home, 'typed.txt');
    const app = await startApp(display, 'xterm', { file, x: 20, y: 20, width: 800, height: 600 });
    await perform(display, await handsFor(display, 'fast'), [type('Привет, Ёжик №5\n')]);
    await app.idle();
    await soon(() => fs.readFileSync(file, 'utf8')).toBe('Привет, Ёжик №5\n');
  });

  it('types the same letters with CapsLock on', async () => {
    const file = path.join(display.home, 'typed.txt');
    const app = await startApp(display, 'xterm', { file, x: 20, y: 20, width: 800, height: 600 });
    const steps = [press('CapsLock'), type('LOUD and 3 quiet', { caps: true }), press('CapsLock'), type(' x\n')];
    await perform(display, await handsFor(display, 'fast'), steps);
    await app.idle();
    await soon(() => fs.readFileSync(file, 'utf8')).toBe('LOUD and 3 quiet x\n');
  });

  it('makes a thousand events a second and the listener hears each', async () => {
    const { heard } = await listen();
    const log = path.join(display.home, 'sent.jsonl');
    const hands = await display.launch(process.execPath, [support('fast-hands.ts'), log, '1000', '5']);
    await hands.exited;
    const sent = fs
      .readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line) as Sent);
    expect(sent).toHaveLength(5000);
    await until('all of them', () => heard().length >= 5000);
    expect(heard().map((event) => event.type)).toEqual(sent.map((event) => event.type));
  });
});

describe('the ground truth', () => {
  it('paints the next colour at each press and logs an interval around it', async () => {
    const painter = await openPainter(display);
    await perform(display, await handsFor(display, 'fast'), [click(150, 150), click(200, 180)]);
    const paints = await until('two paints', () => painter.paints().length === 2 && painter.paints());
    expect(paints.map((paint) => paint.colour)).toEqual([colourOf(0), colourOf(1)]);
    for (const paint of paints) expect(paint.after).toBeGreaterThan(paint.before);
    const grab = [
      '-v',
      'error',
      '-f',
      'x11grab',
      '-draw_mouse',
      '0',
      '-video_size',
      '2x2',
      '-grab_x',
      '150',
      '-grab_y',
      '150',
    ];
    const raw = path.join(display.home, 'pixel.raw');
    await must('ffmpeg', [...grab, '-i', display.name, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', raw]);
    expect(fs.readFileSync(raw).readUIntBE(0, 3)).toBe(colourOf(1));
  });

  it('has 256 different colours', () => {
    expect(new Set(Array.from({ length: 256 }, (_, n) => colourOf(n))).size).toBe(256);
  });

  it('finds no error when the paint lies between “not yet” and “there”, and how far outside otherwise', () => {
    const paint = { before: 1000, after: 1010 };
    expect(syncError(paint, 500, 1500)).toBe(0);
    expect(syncError(paint, 1005, 1500)).toBe(0);
    expect(syncError(paint, null, 1000)).toBe(0);
    expect(syncError(paint, 500, 900)).toBe(-100);
    expect(syncError(paint, 1210, 1500)).toBe(200);
  });

  it('shows a picture that a plain grab gives back in every pixel', async () => {
    const raw = path.join(display.home, 'picture.raw');
    const picture = await display.launch(process.execPath, [support('picture.ts'), raw]);
    await until('the picture', () => picture.stdout().includes('ready'), { seen: picture.stderr });
    const grabbed = path.join(display.home, 'grabbed.raw');
    const grab = ['-v', 'error', '-f', 'x11grab', '-draw_mouse', '0', '-i', display.name, '-frames:v', '1'];
    await must('ffmpeg', [...grab, '-f', 'rawvideo', '-pix_fmt', 'rgb24', grabbed]);
    expect(fs.readFileSync(grabbed).equals(fs.readFileSync(raw))).toBe(true);
  });
});

describe('the display', () => {
  it('changes its size while it runs', async () => {
    await display.resize(1024, 700);
    expect((await must('xdotool', ['getdisplaygeometry'], { env: display.env })).trim()).toBe('1024 700');
    await display.resize(1280, 800);
    expect((await must('xdotool', ['getdisplaygeometry'], { env: display.env })).trim()).toBe('1280 800');
  });

  it('gives each of several at once a number and a home of its own', async () => {
    const other = await startDisplay({ width: 640, height: 480, windowManager: false });
    try {
      expect(other.name).not.toBe(display.name);
      expect(other.home).not.toBe(display.home);
    } finally {
      await other.stop();
    }
    expect(fs.existsSync(other.home)).toBe(false);
    expect(other.server.exit()).not.toBeNull();
  });
});
