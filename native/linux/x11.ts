import { StudioError } from '../../schemas/errors.ts';
import { libc } from '../memory/libc.ts';
import { lazy, type Pointer } from '../memory/memory.ts';
import { libX11, loadLibrary } from './library.ts';

/**
 * Every call of Xlib and its extensions that is made more than once, each with its C signature beside its TypeScript one (koffi hands pointers over as
 * bigint). Loaded on first use, so that importing this file is safe on any machine.
 *
 * Xlib ends the whole process when the server goes away or answers with an error. A recorder may not end like that
 * (D2), so `guardXlib` replaces both handlers by libc functions: an error is passed over (the call's status tells), and
 * a thread whose connection is lost waits in `pause()` for ever while the main thread, which never calls Xlib itself,
 * notices and closes the recording. A process whose main thread calls Xlib would hear of nothing any more, the end of its
 * parent least of all: it asks to end instead (`endWithConnection`).
 */
export type XDisplay = bigint;
/** The size of an XEvent, whatever is in it. */
export const EVENT_BYTES = 192;
type Fn<A extends unknown[], R> = (...args: A) => R;
type Out = number[];

// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
export const x11 = lazy(() => {
  const x = libX11();
  return {
    initThreads: x.func('int XInitThreads()') as Fn<[], number>,
    setErrorHandler: x.func('void *XSetErrorHandler(void *handler)') as Fn<[Pointer], Pointer>,
    setIoErrorHandler: x.func('void *XSetIOErrorHandler(void *handler)') as Fn<[Pointer], Pointer>,
    openDisplay: x.func('void *XOpenDisplay(const char *name)') as Fn<[string | null], XDisplay | null>,
    closeDisplay: x.func('int XCloseDisplay(void *d)') as Fn<[XDisplay], number>,
    connectionNumber: x.func('int XConnectionNumber(void *d)') as Fn<[XDisplay], number>,
    defaultScreen: x.func('int XDefaultScreen(void *d)') as Fn<[XDisplay], number>,
    root: x.func('unsigned long XDefaultRootWindow(void *d)') as Fn<[XDisplay], number>,
    defaultVisual: x.func('void *XDefaultVisual(void *d, int screen)') as Fn<[XDisplay, number], Pointer>,
    defaultDepth: x.func('int XDefaultDepth(void *d, int screen)') as Fn<[XDisplay, number], number>,
    flush: x.func('int XFlush(void *d)') as Fn<[XDisplay], number>,
    sync: x.func('int XSync(void *d, int discard)') as Fn<[XDisplay, number], number>,
    pending: x.func('int XPending(void *d)') as Fn<[XDisplay], number>,
    nextEvent: x.func('int XNextEvent(void *d, _Out_ uint8_t *event)') as Fn<[XDisplay, Uint8Array], number>,
    atom: x.func('unsigned long XInternAtom(void *d, const char *name, int onlyIfExists)') as Fn<
      [XDisplay, string, number],
      number
    >,
    /** A name to be freed. */
    atomName: x.func('void *XGetAtomName(void *d, unsigned long atom)') as Fn<[XDisplay, number], Pointer | null>,
    selectionOwner: x.func('unsigned long XGetSelectionOwner(void *d, unsigned long selection)') as Fn<
      [XDisplay, number],
      number
    >,
    /** Which events of a window this connection wants to hear. */
    selectInput: x.func('int XSelectInput(void *d, unsigned long window, long mask)') as Fn<
      [XDisplay, number, number],
      number
    >,
    inputFocus: x.func('int XGetInputFocus(void *d, _Out_ unsigned long *focus, _Out_ int *revert)') as Fn<
      [XDisplay, Out, Out],
      number
    >,
    queryPointer: x.func(
      'int XQueryPointer(void *d, unsigned long window, _Out_ unsigned long *root, _Out_ unsigned long *child, _Out_ int *rootX, _Out_ int *rootY, _Out_ int *x, _Out_ int *y, _Out_ unsigned int *mask)',
    ) as Fn<[XDisplay, number, Out, Out, Out, Out, Out, Out, Out], number>,
    queryTree: x.func(
      'int XQueryTree(void *d, unsigned long window, _Out_ unsigned long *root, _Out_ unsigned long *parent, _Out_ void **children, _Out_ unsigned int *n)',
    ) as Fn<[XDisplay, number, Out, Out, (Pointer | null)[], Out], number>,
    grabServer: x.func('int XGrabServer(void *d)') as Fn<[XDisplay], number>,
    ungrabServer: x.func('int XUngrabServer(void *d)') as Fn<[XDisplay], number>,
    queryExtension: x.func(
      'int XQueryExtension(void *d, const char *name, _Out_ int *major, _Out_ int *event, _Out_ int *error)',
    ) as Fn<[XDisplay, string, Out, Out, Out], number>,
    getProperty: x.func(
      'int XGetWindowProperty(void *d, unsigned long window, unsigned long property, long offset, long length, int erase, unsigned long type, _Out_ unsigned long *actualType, _Out_ int *format, _Out_ unsigned long *items, _Out_ unsigned long *left, _Out_ void **data)',
    ) as Fn<[XDisplay, number, number, number, number, number, number, Out, Out, Out, Out, (Pointer | null)[]], number>,
    free: x.func('int XFree(void *p)') as Fn<[Pointer], number>,
    getGeometry: x.func(
      'int XGetGeometry(void *d, unsigned long drawable, _Out_ unsigned long *root, _Out_ int *x, _Out_ int *y, _Out_ unsigned int *w, _Out_ unsigned int *h, _Out_ unsigned int *border, _Out_ unsigned int *depth)',
    ) as Fn<[XDisplay, number, Out, Out, Out, Out, Out, Out, Out], number>,
    /** Offsets in XWindowAttributes, which is 136 bytes. */
    getAttributes: x.func('int XGetWindowAttributes(void *d, unsigned long window, _Out_ uint8_t *attributes)') as Fn<
      [XDisplay, number, Uint8Array],
      number
    >,
    translate: x.func(
      'int XTranslateCoordinates(void *d, unsigned long from, unsigned long to, int x, int y, _Out_ int *tx, _Out_ int *ty, _Out_ unsigned long *child)',
    ) as Fn<[XDisplay, number, number, number, number, Out, Out, Out], number>,
    createWindow: x.func(
      'unsigned long XCreateSimpleWindow(void *d, unsigned long parent, int x, int y, unsigned int w, unsigned int h, unsigned int border, unsigned long borderColour, unsigned long background)',
    ) as Fn<[XDisplay, number, number, number, number, number, number, number, number], number>,
    changeAttributes: x.func(
      'int XChangeWindowAttributes(void *d, unsigned long window, unsigned long mask, void *attributes)',
    ) as Fn<[XDisplay, number, number, Uint8Array], number>,
    mapRaised: x.func('int XMapRaised(void *d, unsigned long window)') as Fn<[XDisplay, number], number>,
    raise: x.func('int XRaiseWindow(void *d, unsigned long window)') as Fn<[XDisplay, number], number>,
    moveResize: x.func(
      'int XMoveResizeWindow(void *d, unsigned long window, int x, int y, unsigned int w, unsigned int h)',
    ) as Fn<[XDisplay, number, number, number, number, number], number>,
    sendEvent: x.func(
      'int XSendEvent(void *d, unsigned long window, int propagate, long mask, const uint8_t *event)',
    ) as Fn<[XDisplay, number, number, number, Uint8Array], number>,
    destroyWindow: x.func('int XDestroyWindow(void *d, unsigned long window)') as Fn<[XDisplay, number], number>,
    setBackground: x.func('int XSetWindowBackground(void *d, unsigned long window, unsigned long colour)') as Fn<
      [XDisplay, number, number],
      number
    >,
    clear: x.func('int XClearWindow(void *d, unsigned long window)') as Fn<[XDisplay, number], number>,
  };
});

export const xext = lazy(() => {
  const e = loadLibrary('libXext.so.6');
  return {
    shmCreateImage: e.func(
      'void *XShmCreateImage(void *d, void *visual, unsigned int depth, int format, void *data, void *info, unsigned int w, unsigned int h)',
    ) as Fn<[XDisplay, Pointer, number, number, null, Uint8Array, number, number], Pointer | null>,
    shmAttach: e.func('int XShmAttach(void *d, void *info)') as Fn<[XDisplay, Uint8Array], number>,
    shmDetach: e.func('int XShmDetach(void *d, void *info)') as Fn<[XDisplay, Uint8Array], number>,
    shmGetImage: e.func(
      'int XShmGetImage(void *d, unsigned long from, void *image, int x, int y, unsigned long planes)',
    ) as Fn<[XDisplay, number, Pointer, number, number, number], number>,
  };
});

/** XCB below Xlib: it alone hands memory over by a file that is open. */
export const xcbShm = lazy(() => {
  const connection = loadLibrary('libX11-xcb.so.1');
  const core = loadLibrary('libxcb.so.1');
  const shm = loadLibrary('libxcb-shm.so.0');
  return {
    connectionOf: connection.func('void *XGetXCBConnection(void *d)') as Fn<[XDisplay], Pointer>,
    newId: core.func('uint32_t xcb_generate_id(void *c)') as Fn<[Pointer], number>,
    /** Closes the file, whatever becomes of it. Its answer, a structure of one number, comes back as that number. */
    attachFile: shm.func(
      'unsigned int xcb_shm_attach_fd_checked(void *c, uint32_t segment, int32_t fd, uint8_t readOnly)',
    ) as Fn<[Pointer, number, number, number], number>,
    /** Null where the request was done, else an error to be freed. */
    refusal: core.func('void *xcb_request_check(void *c, unsigned int request)') as Fn<
      [Pointer, number],
      Pointer | null
    >,
  };
});

export const xdamage = lazy(() => {
  const d = loadLibrary('libXdamage.so.1');
  return {
    query: d.func('int XDamageQueryExtension(void *d, _Out_ int *event, _Out_ int *error)') as Fn<
      [XDisplay, Out, Out],
      number
    >,
    create: d.func('unsigned long XDamageCreate(void *d, unsigned long drawable, int level)') as Fn<
      [XDisplay, number, number],
      number
    >,
    subtract: d.func(
      'void XDamageSubtract(void *d, unsigned long damage, unsigned long repair, unsigned long parts)',
    ) as Fn<[XDisplay, number, number, number], void>,
  };
});

export const xrandr = lazy(() => {
  const r = loadLibrary('libXrandr.so.2');
  return {
    getMonitors: r.func('void *XRRGetMonitors(void *d, unsigned long window, int active, _Out_ int *n)') as Fn<
      [XDisplay, number, number, Out],
      Pointer | null
    >,
    freeMonitors: r.func('void XRRFreeMonitors(void *monitors)') as Fn<[Pointer], void>,
  };
});

export const xtst = lazy(() => {
  const t = loadLibrary('libXtst.so.6');
  return {
    query: t.func(
      'int XTestQueryExtension(void *d, _Out_ int *event, _Out_ int *error, _Out_ int *major, _Out_ int *minor)',
    ) as Fn<[XDisplay, Out, Out, Out, Out], number>,
    motion: t.func('int XTestFakeMotionEvent(void *d, int screen, int x, int y, unsigned long delay)') as Fn<
      [XDisplay, number, number, number, number],
      number
    >,
    button: t.func('int XTestFakeButtonEvent(void *d, unsigned int button, int down, unsigned long delay)') as Fn<
      [XDisplay, number, number, number],
      number
    >,
    key: t.func('int XTestFakeKeyEvent(void *d, unsigned int code, int down, unsigned long delay)') as Fn<
      [XDisplay, number, number, number],
      number
    >,
  };
});

let guarded = false;
let endsWithDisplay = false;
/** This process ends, with status 1, when a connection of its is lost. Call before the first connection. */
export function endWithConnection(): void {
  endsWithDisplay = true;
}

/** Replaces Xlib's two deadly handlers (see above). Once a process; call before the first connection. */
export function guardXlib(): void {
  if (guarded) return;
  const passOver = libc().dlsym(null, 'getpid');
  const park = libc().dlsym(null, 'pause');
  if (!passOver || !park) throw new StudioError('INTERNAL', 'libc lacks getpid or pause.', {});
  x11().initThreads();
  x11().setErrorHandler(passOver);
  // Where the handler returns, Xlib ends the process.
  x11().setIoErrorHandler(endsWithDisplay ? passOver : park);
  guarded = true;
}

/** Opens a connection. Throws NO_DISPLAY when no X server answers. */
export function openX(name: string | null = null): XDisplay {
  guardXlib();
  const shown = name ?? process.env.DISPLAY ?? '';
  const display = x11().openDisplay(name);
  if (display) return display;
  const message =
    shown === ''
      ? 'There is no display: DISPLAY is not set. Run this inside a desktop session, or start a virtual display (`Xvfb :99`) and set DISPLAY=:99.'
      : `No X server answers at DISPLAY=${shown}. Check that the display is running and that you may use it (xauth).`;
  throw new StudioError('NO_DISPLAY', message, { display: shown });
}
