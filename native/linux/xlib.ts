import koffi from 'koffi';
import { StudioError } from '../../schemas/errors.ts';
import type { Pointer } from '../memory/memory.ts';
import { x11 } from './x11.ts';

/**
 * The keyboard adapters' use of Xlib, as plain values.
 * Xlib ends the process on an X error, so nothing here names a window or device that may have gone.
 */
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

let bound: Xlib | null = null;
export function xlib(): Xlib {
  bound ??= bind(x11());
  return bound;
}

function bind(x: ReturnType<typeof x11>): Xlib {
  const property = (display: Pointer, window: number, atom: number): Buffer | null => {
    const format = [0];
    const items = [0];
    const data: (Pointer | null)[] = [null];
    // 256 KiB at most (the length is in 32-bit units), type AnyPropertyType (0).
    const status = x.getProperty(display, window, atom, 0, 65_536, 0, 0, [0], format, items, [0], data);
    const pointer = data[0] ?? null;
    try {
      if (status !== 0 || pointer === null || format[0] !== 8) return null;
      // Number(): koffi gives a long as number or bigint by its size.
      // A copy: the view's memory is freed below.
      return Buffer.from(new Uint8Array(koffi.view(pointer, Number(items[0]))));
    } finally {
      if (pointer !== null) x.free(pointer);
    }
  };

  return {
    open: (name) => x.openDisplay(name),
    close: (display) => void x.closeDisplay(display),
    root: (display) => Number(x.root(display)),
    pending: (display) => x.pending(display),
    nextEvent: (display, event) => void x.nextEvent(display, event),
    flush: (display) => void x.flush(display),
    atom: (display, name) => Number(x.atom(display, name, 1)),
    atomName: (display, atom) => {
      if (atom === 0) return null;
      const pointer = x.atomName(display, atom);
      if (pointer === null) return null;
      const name: string = koffi.decode.string(pointer);
      x.free(pointer);
      return name;
    },
    property,
    selectionOwner: (display, selection) => Number(x.selectionOwner(display, selection)),
    grabbed: (display, work) => {
      x.grabServer(display);
      try {
        return work();
      } finally {
        x.ungrabServer(display);
        x.sync(display, 0);
      }
    },
    extension: (display, name) => {
      const opcode = [0];
      const event = [0];
      if (x.queryExtension(display, name, opcode, event, [0]) === 0) return null;
      return { opcode: opcode[0]!, firstEvent: event[0]! };
    },
  };
}

/** Which of these extensions the X server of $DISPLAY has. Throws NO_DISPLAY, NO_LIBRARY. */
export function extensionsOf(names: readonly string[]): ReadonlySet<string> {
  const display = xlib().open(null);
  if (display === null) throw new StudioError('NO_DISPLAY', 'No X server answers.', { display: process.env.DISPLAY });
  try {
    return new Set(names.filter((name) => xlib().extension(display, name) !== null));
  } finally {
    xlib().close(display);
  }
}
