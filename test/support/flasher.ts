/**
 * A program that shows a window for a moment, again and again, as launchers, lockers and bad timing do: full-screen, in MAGENTA, and
 * called KeePass. Every other time it is a new window that is gone afterwards.
 *
 *     node test/support/flasher.ts managed|unmanaged|grabbing|behind TIMES
 *
 * `managed`: the window manager shows it. `unmanaged`: it does not know of it (override-redirect). `grabbing`: the same, and all
 * keys go to it while it is shown. `behind`: a managed window that stays, without the focus, and that keys go to for a moment.
 * The last two type a `v` meanwhile, all of them an `a` in between. Prints `{"shown":n,"typed":n}` at the end.
 */
import koffi from 'koffi';
import { seeded } from './until.ts';
import * as x11 from './x11.ts';

type Handle = bigint;
const [lib, xtst] = [koffi.load('libX11.so.6'), koffi.load('libXtst.so.6')];
// koffi types its functions as any; the signatures beside each declaration are its C prototype's.
const createWindow = lib.func(
  'unsigned long XCreateSimpleWindow(void *d, unsigned long parent, int x, int y, unsigned int w, unsigned int h, unsigned int border, unsigned long borderColour, unsigned long background)',
) as unknown as (d: Handle, ...rest: number[]) => number;
const changeAttributes = lib.func(
  'int XChangeWindowAttributes(void *d, unsigned long w, unsigned long mask, void *attributes)',
) as unknown as (d: Handle, w: number, mask: number, attributes: Buffer) => number;
const changeProperty = lib.func(
  'int XChangeProperty(void *d, unsigned long w, unsigned long property, unsigned long type, int format, int mode, const char *data, int items)',
) as unknown as (d: Handle, w: number, ...rest: (number | string)[]) => number;
const unmap = lib.func('int XUnmapWindow(void *d, unsigned long w)') as unknown as (d: Handle, w: number) => number;
const withdraw = lib.func('int XWithdrawWindow(void *d, unsigned long w, int screen)') as unknown as (
  d: Handle,
  w: number,
  screen: number,
) => number;
const destroy = lib.func('int XDestroyWindow(void *d, unsigned long w)') as unknown as (d: Handle, w: number) => number;
const grabKeyboard = lib.func(
  'int XGrabKeyboard(void *d, unsigned long w, int owner, int pointerMode, int keyboardMode, unsigned long time)',
) as unknown as (d: Handle, w: number, ...rest: number[]) => number;
const ungrabKeyboard = lib.func('int XUngrabKeyboard(void *d, unsigned long time)') as unknown as (
  d: Handle,
  time: number,
) => number;
const fakeKey = xtst.func(
  'int XTestFakeKeyEvent(void *d, unsigned int code, int down, unsigned long delay)',
) as unknown as (d: Handle, code: number, down: number, delay: number) => number;

const MAGENTA = 0xc81ec8;
const [A_KEY, V_KEY] = [38, 55];
const [WM_CLASS, WM_NAME, STRING] = [67, 39, 31];
const OVERRIDE_REDIRECT = 1 << 9;
/** The shortest and longest time that it is shown, and between two times, ms. */
const [SHORTEST, LONGEST, BETWEEN] = [2, 50, 160];

const kind = process.argv[2] ?? 'managed';
const times = Number(process.argv[3] ?? 30);
const isManaged = kind === 'managed' || kind === 'behind';
const types = kind === 'grabbing' || kind === 'behind';
const { display, root, width, height } = x11.openScreen();
const random = seeded(7);
const clock = new Int32Array(new SharedArrayBuffer(4));
const sleep = (ms: number): unknown => Atomics.wait(clock, 0, 0, ms);

function make(): number {
  const window = createWindow(display, root, 0, 0, width, height, 0, 0, MAGENTA);
  changeProperty(display, window, WM_CLASS, STRING, 8, 0, 'keepass\0KeePass\0', 16);
  changeProperty(display, window, WM_NAME, STRING, 8, 0, 'vault', 5);
  // XSetWindowAttributes on a 64-bit machine: override_redirect at 88.
  const attributes = Buffer.alloc(112);
  attributes.writeInt32LE(1, 88);
  if (!isManaged) changeAttributes(display, window, OVERRIDE_REDIRECT, attributes);
  return window;
}
function press(code: number): void {
  fakeKey(display, code, 1, 0);
  fakeKey(display, code, 0, 0);
  x11.sync(display, 0);
}

let typed = 0;
function typeInto(window: number): void {
  const until = performance.now() + 1000;
  // It can be grabbed for when it is shown.
  while (grabKeyboard(display, window, 0, 1, 1, 0) !== 0) if (performance.now() > until) return;
  press(V_KEY);
  typed++;
}

const kept = make();
console.log(JSON.stringify({ window: kept }));
for (let i = 0; i < times; i++) {
  const window = kind === 'behind' || i % 2 === 0 ? kept : make();
  if (kind !== 'behind') x11.mapRaised(display, window);
  else if (i === 0) {
    x11.mapRaised(display, window);
    // Until somebody has put another window before it.
    sleep(3000);
  }
  x11.sync(display, 0);
  if (types) typeInto(window);
  sleep(SHORTEST + random() * (LONGEST - SHORTEST));
  if (types) ungrabKeyboard(display, 0);
  if (kind === 'managed') withdraw(display, window, 0);
  else if (kind !== 'behind') unmap(display, window);
  if (window !== kept) destroy(display, window);
  x11.sync(display, 0);
  sleep(BETWEEN / 2);
  press(A_KEY);
  sleep(BETWEEN / 2);
}
console.log(JSON.stringify({ shown: times, typed }));
