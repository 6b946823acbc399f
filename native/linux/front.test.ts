import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { FrontWatch } from '../platform/platform.ts';
import { watchFront } from './front.ts';
import { libX11 } from './library.ts';
import { openX, type XDisplay, x11 } from './x11.ts';
import { startXvfb, type TestServer } from './xvfb-for-tests.ts';

/** A screen without a window manager: what is here no list knows. */

const [WM_CLASS, WM_NAME, STRING] = [67, 39, 31];
let server: TestServer;
let display: XDisplay;
let front: FrontWatch;

beforeAll(async () => {
  server = await startXvfb();
  display = openX(server.name);
});
afterAll(async () => {
  x11().closeDisplay(display);
  await server.close();
});
beforeEach(() => {
  front = watchFront(server.name);
  front.look();
});

// koffi types its functions as any; the texts are their C prototypes.
const lib = libX11();
const unmap = lib.func('int XUnmapWindow(void *d, unsigned long w)') as (d: XDisplay, w: number) => number;
const setProperty = lib.func(
  'int XChangeProperty(void *d, unsigned long w, unsigned long property, unsigned long type, int format, int mode, const char *data, int items)',
) as (d: XDisplay, w: number, ...rest: (number | string)[]) => number;
const setBytes = lib.func(
  'int XChangeProperty(void *d, unsigned long w, unsigned long property, unsigned long type, int format, int mode, const uint8_t *data, int items)',
) as (d: XDisplay, w: number, ...rest: (number | Uint8Array)[]) => number;
const grab = lib.func(
  'int XGrabKeyboard(void *d, unsigned long w, int owner, int pointerMode, int keyboardMode, unsigned long time)',
) as (d: XDisplay, w: number, ...rest: number[]) => number;
const ungrab = lib.func('int XUngrabKeyboard(void *d, unsigned long time)') as (d: XDisplay, time: number) => number;
const reparent = lib.func('int XReparentWindow(void *d, unsigned long w, unsigned long parent, int x, int y)') as (
  d: XDisplay,
  ...rest: number[]
) => number;
const focusOn = lib.func('int XSetInputFocus(void *d, unsigned long w, int revert, unsigned long time)') as (
  d: XDisplay,
  ...rest: number[]
) => number;

function make(app: string, x = 10): number {
  const window = x11().createWindow(display, x11().root(display), x, 10, 50, 50, 0, 0, 0);
  if (app !== '') name(window, app);
  return window;
}
function name(window: number, app: string): void {
  setProperty(display, window, WM_CLASS, STRING, 8, 0, `${app}\0${app}\0`, 2 * app.length + 2);
  setProperty(display, window, WM_NAME, STRING, 8, 0, app, app.length);
}
const map = (window: number) => x11().mapRaised(display, window);
const gone = (window: number) => x11().destroyWindow(display, window);
function look() {
  x11().sync(display, 0);
  const { seen = [], typed = [], missed = false } = front.look();
  const apps = (windows: readonly { app: string }[]) => [...new Set(windows.map(({ app }) => app))];
  return { seen: apps(seen), typed: apps(typed), missed };
}
const NOTHING = { seen: [], typed: [], missed: false };

test('a window is seen as long as it is there, also one that was there before it was looked', () => {
  const window = make('rofi');
  expect(look()).toEqual(NOTHING);
  map(window);
  expect([look(), look()]).toEqual([
    { ...NOTHING, seen: ['rofi'] },
    { ...NOTHING, seen: ['rofi'] },
  ]);
  const later = watchFront(server.name);
  expect(later.look().seen).toEqual([{ app: 'rofi', title: 'rofi' }]);
  name(window, 'dmenu');
  expect(look().seen).toEqual(['dmenu']);
  unmap(display, window);
  expect(look()).toEqual(NOTHING);
  gone(window);
  expect(look()).toEqual(NOTHING);
});

test.each<[string, Record<string, readonly number[]>]>([
  ['UTF-8', { _NET_WM_NAME: [...Buffer.from('Überweisung')] }],
  ['an empty new name beside the old one', { _NET_WM_NAME: [], WM_NAME: [...Buffer.from('Überweisung')] }],
  ['Latin-1', { WM_NAME: [...Buffer.from('Überweisung', 'latin1')] }],
  ['UTF-8 in COMPOUND_TEXT', { WM_NAME: [...Buffer.from('\x1b%GÜberweisung\x1b%@')] }],
])('a title in %s is read', (_what, names) => {
  const window = make('mail');
  for (const [property, bytes] of Object.entries(names))
    setBytes(display, window, x11().atom(display, property, 0), STRING, 8, 0, Uint8Array.from(bytes), bytes.length);
  map(window);
  x11().sync(display, 0);
  const { seen } = front.look();
  gone(window);
  look();
  expect(seen).toContainEqual({ app: 'mail', title: 'Überweisung' });
});

test('a window that came and went between two looks is told once', () => {
  const window = make('rofi');
  look();
  map(window);
  unmap(display, window);
  expect([look(), look()]).toEqual([{ ...NOTHING, seen: ['rofi'] }, NOTHING]);
  map(window);
  gone(window);
  expect([look(), look()]).toEqual([{ ...NOTHING, seen: ['rofi'] }, NOTHING]);
});

test('one that was gone before it could say its name was missed; one that has no name was not', () => {
  const window = make('rofi');
  map(window);
  gone(window);
  expect([look(), look()]).toEqual([{ ...NOTHING, missed: true }, NOTHING]);
  const nameless = make('');
  map(nameless);
  expect(look()).toEqual(NOTHING);
  gone(nameless);
  expect(look()).toEqual(NOTHING);
  const never = make('never shown');
  gone(never);
  expect(look()).toEqual(NOTHING);
});

test('one that got its name only after a look, and was gone before the next, was missed', () => {
  const window = make('');
  expect(look()).toEqual(NOTHING);
  name(window, 'vault');
  map(window);
  gone(window);
  expect([look(), look()]).toEqual([{ ...NOTHING, missed: true }, NOTHING]);
});

test('one that went while its name was read, so that a part of it is known, was missed', () => {
  const window = make('keepass');
  map(window);
  const { getProperty } = x11();
  const reading = vi.spyOn(x11(), 'getProperty').mockImplementation((...what) => {
    // Its title was read just before.
    if (what[1] === window && Number(what[2]) === WM_CLASS) {
      gone(window);
      x11().sync(display, 0);
    }
    return getProperty(...what);
  });
  const first = look();
  reading.mockRestore();
  expect([first, look()]).toEqual([{ ...NOTHING, missed: true }, NOTHING]);
});

test('a window that was raised for a moment is told, one that was lowered is not', () => {
  const [below, above] = [make(''), make('')];
  map(below);
  map(above);
  // It holds an application's window, as a frame does.
  const client = make('vault');
  reparent(display, client, below, 0, 0);
  map(client);
  look();
  name(client, 'bank');
  x11().raise(display, below);
  expect(look().seen).toEqual(['bank']);
  x11().raise(display, above);
  gone(below);
  gone(above);
  look();
});

test('a window has the keyboard while it holds it by a grab, or when it is given to it', () => {
  const window = make('rofi');
  map(window);
  expect(look().typed).toEqual([]);
  expect(grab(display, window, 0, 1, 1, 0)).toBe(0);
  expect([look().typed, look().typed]).toEqual([['rofi'], ['rofi']]);
  ungrab(display, 0);
  look();
  expect(look().typed).toEqual([]);
  grab(display, window, 0, 1, 1, 0);
  ungrab(display, 0);
  expect(look().typed).toEqual(['rofi']);
  expect(look().typed).toEqual([]);
  focusOn(display, window, 1, 0);
  expect([look().typed, look().typed]).toEqual([['rofi'], ['rofi']]);
  gone(window);
  look();
  expect(look()).toEqual(NOTHING);
});

test('a window beside the screen is not seen', () => {
  const window = make('helper', -100);
  map(window);
  look();
  expect(look().seen).toEqual([]);
  x11().moveResize(display, window, 5, 5, 10, 10);
  map(window);
  expect([look().seen, look().seen]).toEqual([['helper'], ['helper']]);
  gone(window);
  look();
});

test('a frame that is shown late tells of the window in it, also when that is gone by then', () => {
  const frame = make('');
  const client = make('vault');
  reparent(display, client, frame, 0, 0);
  map(client);
  expect(look().seen).toEqual(['vault']);
  // It is in the frame, which is not on the screen yet.
  expect([look(), look()]).toEqual([NOTHING, NOTHING]);
  map(frame);
  gone(client);
  // The frame keeps the window's picture until the window manager removes the frame.
  expect([look().seen, look().seen]).toEqual([['vault'], ['vault']]);
  gone(frame);
  look();
  expect(look()).toEqual(NOTHING);
});

test('a frame whose window was gone before it could say its name was missed', () => {
  const [frame, client] = [make(''), make('vault')];
  reparent(display, client, frame, 0, 0);
  map(frame);
  gone(client);
  expect([look().missed, look().missed]).toEqual([true, true]);
  gone(frame);
  look();
  expect(look()).toEqual(NOTHING);
});

test('a window that was put into a frame and taken out of it again between two looks is told once', () => {
  const [frame, client] = [make(''), make('vault')];
  reparent(display, client, frame, 0, 0);
  look();
  look();
  map(frame);
  unmap(display, frame);
  reparent(display, client, x11().root(display), 0, 0);
  expect([look().seen, look().seen]).toEqual([['vault'], []]);
  gone(client);
  gone(frame);
  look();
});

const setNumbers = lib.func(
  'int XChangeProperty(void *d, unsigned long w, unsigned long property, unsigned long type, int format, int mode, const int64_t *data, int items)',
) as (d: XDisplay, w: number, ...rest: (number | BigInt64Array)[]) => number;
const [ATOM, WINDOW_TYPE] = [4, 33];
function say(window: number, property: string, type: number, value: number): void {
  setNumbers(display, window, x11().atom(display, property, 0), type, 32, 0, BigInt64Array.of(BigInt(value)), 1);
}

test("what a notification shows may be any program's: it counts as missed as long as it is there", () => {
  for (const app of ['Dunst', 'some daemon']) {
    const window = make(app);
    if (app !== 'Dunst')
      say(window, '_NET_WM_WINDOW_TYPE', ATOM, x11().atom(display, '_NET_WM_WINDOW_TYPE_NOTIFICATION', 0));
    expect(look()).toEqual(NOTHING);
    map(window);
    expect([look(), look()]).toEqual([
      { ...NOTHING, seen: [app], missed: true },
      { ...NOTHING, seen: [app], missed: true },
    ]);
    gone(window);
    expect(look()).toEqual(NOTHING);
  }
});

test("a tooltip or a menu counts with the window that it belongs to, and with that one's", () => {
  const [vault, dialog, tooltip] = [make('vault'), make('save as'), make('')];
  say(dialog, 'WM_TRANSIENT_FOR', WINDOW_TYPE, vault);
  say(tooltip, 'WM_TRANSIENT_FOR', WINDOW_TYPE, dialog);
  expect(look()).toEqual(NOTHING);
  map(tooltip);
  expect([look(), look()]).toEqual([
    { ...NOTHING, seen: ['save as', 'vault'] },
    { ...NOTHING, seen: ['save as', 'vault'] },
  ]);
  // Round in a circle.
  say(vault, 'WM_TRANSIENT_FOR', WINDOW_TYPE, tooltip);
  expect(look().seen).toEqual(expect.arrayContaining(['save as', 'vault']));
  for (const window of [tooltip, dialog, vault]) gone(window);
  expect(look()).toEqual(NOTHING);
});

test('a tooltip that belongs to nothing counts with the windows of its program that are listed', () => {
  const other = openX(server.name);
  const [vault, tooltip] = [make('vault'), make('')];
  const foreign = x11().createWindow(other, x11().root(other), 10, 10, 50, 50, 0, 0, 0);
  x11().sync(other, 0);
  say(x11().root(display), '_NET_CLIENT_LIST', WINDOW_TYPE, vault);
  look();
  map(tooltip);
  expect(look()).toEqual({ ...NOTHING, seen: ['vault'] });
  gone(tooltip);
  x11().mapRaised(other, foreign);
  x11().sync(other, 0);
  expect(look()).toEqual(NOTHING);
  x11().closeDisplay(other);
  gone(vault);
  setNumbers(
    display,
    x11().root(display),
    x11().atom(display, '_NET_CLIENT_LIST', 0),
    WINDOW_TYPE,
    32,
    0,
    BigInt64Array.of(0n),
    0,
  );
  expect(look()).toEqual(NOTHING);
});
