import koffi, { type LibraryHandle } from 'koffi';
import { StudioError } from '../../schemas/errors.ts';

/**
 * The few Xlib calls of the keyboard adapters, typed. koffi hands pointers over as bigint.
 * Xlib ends the process on an X error, so nothing here names a window or device that may have gone.
 */
export type Pointer = bigint;

export type Xlib = {
  open(name: string | null): Pointer | null;
  close(display: Pointer): void;
  root(display: Pointer): number;
  pending(display: Pointer): number;
  /** Reads the next event into `event` (192 bytes or more). */
  nextEvent(display: Pointer, event: Buffer): void;
  flush(display: Pointer): void;
  /** Atom of a name; 0 when nobody made it yet. */
  atom(display: Pointer, name: string): number;
  atomName(display: Pointer, atom: number): string | null;
  /** A property's bytes (format 8), or null. */
  property(display: Pointer, window: number, atom: number): Buffer | null;
  selectionOwner(display: Pointer, selection: number): number;
  /** Runs `work` while no other client is served, so that what it asks about cannot vanish. */
  grabbed<T>(display: Pointer, work: () => T): T;
  /** Major opcode and first event of an extension, or null. */
  extension(display: Pointer, name: string): { opcode: number; firstEvent: number } | null;
};

const NO_LIBRARY_FIX =
  'Install the X11 client libraries: "apt install libx11-6 libxi6" (Debian, Ubuntu), "dnf install libX11 libXi" (Fedora).';

/** Loads a shared library; NO_LIBRARY with what to install when it is not there. */
export function loadLibrary(name: string): LibraryHandle {
  try {
    return koffi.load(name);
  } catch (cause) {
    throw new StudioError('NO_LIBRARY', `${name} cannot be loaded. ${NO_LIBRARY_FIX}`, { library: name }, { cause });
  }
}

let x11: LibraryHandle | null = null;
export function libX11(): LibraryHandle {
  x11 ??= loadLibrary('libX11.so.6');
  return x11;
}

let table: Xlib | null = null;
export function xlib(): Xlib {
  table ??= bind(libX11());
  return table;
}

function bind(lib: LibraryHandle): Xlib {
  const XOpenDisplay = lib.func('void *XOpenDisplay(const char *name)');
  const XCloseDisplay = lib.func('int XCloseDisplay(void *display)');
  const XDefaultRootWindow = lib.func('unsigned long XDefaultRootWindow(void *display)');
  const XPending = lib.func('int XPending(void *display)');
  const XNextEvent = lib.func('int XNextEvent(void *display, void *event)');
  const XFlush = lib.func('int XFlush(void *display)');
  const XSync = lib.func('int XSync(void *display, int discard)');
  const XInternAtom = lib.func('unsigned long XInternAtom(void *display, const char *name, int only_if_exists)');
  const XGetAtomName = lib.func('void *XGetAtomName(void *display, unsigned long atom)');
  const XFree = lib.func('int XFree(void *data)');
  const XGetSelectionOwner = lib.func('unsigned long XGetSelectionOwner(void *display, unsigned long selection)');
  const XGrabServer = lib.func('int XGrabServer(void *display)');
  const XUngrabServer = lib.func('int XUngrabServer(void *display)');
  const XQueryExtension = lib.func(
    'int XQueryExtension(void *display, const char *name, _Out_ int *major, _Out_ int *event, _Out_ int *error)',
  );
  const XGetWindowProperty = lib.func(
    'int XGetWindowProperty(void *display, unsigned long window, unsigned long property, long offset, long length, int remove, ' +
      'unsigned long type, _Out_ unsigned long *actual, _Out_ int *format, _Out_ unsigned long *items, _Out_ unsigned long *after, _Out_ void **data)',
  );

  const property = (display: Pointer, window: number, atom: number): Buffer | null => {
    const format = [0];
    const items = [0];
    const data: (Pointer | null)[] = [null];
    // 256 KiB at most (the length is in 32-bit units), type AnyPropertyType (0).
    const status = XGetWindowProperty(display, window, atom, 0, 65_536, 0, 0, [0], format, items, [0], data);
    const pointer = data[0] ?? null;
    try {
      if (status !== 0 || pointer === null || format[0] !== 8) return null;
      // Number(): koffi gives a long as number or bigint by its size.
      // A copy: the view's memory is freed below.
      return Buffer.from(new Uint8Array(koffi.view(pointer, Number(items[0]))));
    } finally {
      if (pointer !== null) XFree(pointer);
    }
  };

  return {
    open: (name) => XOpenDisplay(name),
    close: (display) => void XCloseDisplay(display),
    root: (display) => Number(XDefaultRootWindow(display)),
    pending: (display) => XPending(display),
    nextEvent: (display, event) => void XNextEvent(display, event),
    flush: (display) => void XFlush(display),
    atom: (display, name) => Number(XInternAtom(display, name, 1)),
    atomName: (display, atom) => {
      if (atom === 0) return null;
      const pointer: Pointer | null = XGetAtomName(display, atom);
      if (pointer === null) return null;
      const name: string = koffi.decode.string(pointer);
      XFree(pointer);
      return name;
    },
    property,
    selectionOwner: (display, selection) => Number(XGetSelectionOwner(display, selection)),
    grabbed: (display, work) => {
      XGrabServer(display);
      try {
        return work();
      } finally {
        XUngrabServer(display);
        XSync(display, 0);
      }
    },
    extension: (display, name) => {
      const opcode = [0];
      const event = [0];
      if (XQueryExtension(display, name, opcode, event, [0]) === 0) return null;
      return { opcode: opcode[0]!, firstEvent: event[0]! };
    },
  };
}
