import koffi from 'koffi';

/**
 * The few calls of Xlib that the test programs need, bound here again on purpose: the ground truth must not share code
 * with what it judges. Use it in a process of its own: when the server goes, Xlib ends the process.
 */

type Handle = bigint;
const lib = koffi.load('libX11.so.6');
// koffi types its functions as any; the signatures beside each declaration are its C prototype's.
const bind = <T extends (...args: never[]) => unknown>(prototype: string): T => lib.func(prototype) as unknown as T;

const openDisplay = bind<(name: string | null) => Handle | null>('void *XOpenDisplay(const char *name)');
const rootOf = bind<(d: Handle) => number>('unsigned long XDefaultRootWindow(void *d)');
const screenOf = bind<(d: Handle) => number>('int XDefaultScreen(void *d)');
const visualOf = bind<(d: Handle, s: number) => Handle>('void *XDefaultVisual(void *d, int s)');
const widthOf = bind<(d: Handle, s: number) => number>('int XDisplayWidth(void *d, int s)');
const heightOf = bind<(d: Handle, s: number) => number>('int XDisplayHeight(void *d, int s)');
const createWindow = bind<(d: Handle, parent: number, ...rest: (number | bigint | Buffer | null)[]) => number>(
  'unsigned long XCreateWindow(void *d, unsigned long parent, int x, int y, unsigned int w, unsigned int h, unsigned int border, int depth, unsigned int cls, void *visual, unsigned long mask, void *attributes)',
);
const nextEvent = bind<(d: Handle, event: Buffer) => number>('int XNextEvent(void *d, void *event)');
const createImage = bind<(d: Handle, visual: Handle, ...rest: (number | Buffer)[]) => Handle>(
  'void *XCreateImage(void *d, void *visual, unsigned int depth, int format, int offset, void *data, unsigned int w, unsigned int h, int pad, int stride)',
);

export const sync = bind<(d: Handle, discard: number) => number>('int XSync(void *d, int discard)');
export const clearWindow = bind<(d: Handle, w: number) => number>('int XClearWindow(void *d, unsigned long w)');
export const mapRaised = bind<(d: Handle, w: number) => number>('int XMapRaised(void *d, unsigned long w)');
export const createPixmap = bind<(d: Handle, w: number, width: number, height: number, depth: number) => number>(
  'unsigned long XCreatePixmap(void *d, unsigned long w, unsigned int width, unsigned int height, unsigned int depth)',
);
export const createGc = bind<(d: Handle, w: number, mask: number, values: null) => Handle>(
  'void *XCreateGC(void *d, unsigned long w, unsigned long mask, void *values)',
);
export const setForeground = bind<(d: Handle, gc: Handle, colour: number) => number>(
  'int XSetForeground(void *d, void *gc, unsigned long colour)',
);
export const setBackgroundPixmap = bind<(d: Handle, w: number, pixmap: number) => number>(
  'int XSetWindowBackgroundPixmap(void *d, unsigned long w, unsigned long pixmap)',
);
export const fillRectangle = bind<(d: Handle, w: number, gc: Handle, ...rect: number[]) => number>(
  'int XFillRectangle(void *d, unsigned long w, void *gc, int x, int y, unsigned int width, unsigned int height)',
);
export const drawString = bind<
  (d: Handle, w: number, gc: Handle, x: number, y: number, s: string, n: number) => number
>('int XDrawString(void *d, unsigned long w, void *gc, int x, int y, const char *s, int n)');
export const copyArea = bind<(d: Handle, from: number, to: number, gc: Handle, ...rect: number[]) => number>(
  'int XCopyArea(void *d, unsigned long from, unsigned long to, void *gc, int sx, int sy, unsigned int width, unsigned int height, int dx, int dy)',
);
const putImage = bind<(d: Handle, w: number, gc: Handle, image: Handle, ...rect: number[]) => number>(
  'int XPutImage(void *d, unsigned long w, void *gc, void *image, int sx, int sy, int dx, int dy, unsigned int width, unsigned int height)',
);

export type Screen = { display: Handle; root: number; width: number; height: number };

/** Connects to $DISPLAY. Throws when there is none. */
export function openScreen(): Screen {
  const display = openDisplay(null);
  if (!display) throw new Error(`no display ${process.env.DISPLAY ?? '($DISPLAY is not set)'}`);
  const screen = screenOf(display);
  return { display, root: rootOf(display), width: widthOf(display, screen), height: heightOf(display, screen) };
}

export const BUTTON_PRESS = 4;
export const BUTTON_RELEASE = 5;
const BUTTON_MASK = (1 << 2) | (1 << 3);
const STRUCTURE_NOTIFY_MASK = 1 << 17;
const MAP_NOTIFY = 19;
const [BACK_PIXEL, OVERRIDE_REDIRECT, EVENT_MASK] = [1 << 1, 1 << 9, 1 << 11];

/** A window that the window manager leaves alone: exactly at its place, without a frame, on top. Resolves mapped. */
export function openWindow(screen: Screen, x: number, y: number, width: number, height: number, colour: number) {
  // XSetWindowAttributes on a 64-bit machine: background_pixel at 8, event_mask at 72, override_redirect at 88.
  const attributes = Buffer.alloc(112);
  attributes.writeBigUInt64LE(BigInt(colour), 8);
  attributes.writeBigUInt64LE(BigInt(BUTTON_MASK | STRUCTURE_NOTIFY_MASK), 72);
  attributes.writeInt32LE(1, 88);
  const mask = BACK_PIXEL | OVERRIDE_REDIRECT | EVENT_MASK;
  const rest = [x, y, width, height, 0, 24, 1, null, mask, attributes];
  const window = createWindow(screen.display, screen.root, ...rest);
  mapRaised(screen.display, window);
  while (waitEvent(screen).type !== MAP_NOTIFY);
  return window;
}

/** Waits for the next event; `time` is the server's, ms (of a button; meaningless for others). */
export function waitEvent(screen: Screen): { type: number; time: number } {
  const event = Buffer.alloc(192);
  nextEvent(screen.display, event);
  return { type: event.readInt32LE(0), time: Number(event.readBigUInt64LE(56)) };
}

/** Puts 32-bit pixels (B, G, R, unused) of `width` x `height` into a drawable at its origin. */
export function putPixels(
  screen: Screen,
  target: number,
  gc: Handle,
  bgrx: Buffer,
  width: number,
  height: number,
): void {
  const visual = visualOf(screen.display, screenOf(screen.display));
  const Z_PIXMAP = 2;
  const image = createImage(screen.display, visual, 24, Z_PIXMAP, 0, bgrx, width, height, 32, width * 4);
  putImage(screen.display, target, gc, image, 0, 0, 0, 0, width, height);
  sync(screen.display, 0);
}
