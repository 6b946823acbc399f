import { closeSync } from 'node:fs';
import koffi from 'koffi';
import { StudioError } from '../../schemas/errors.ts';
import type { Button, Display } from '../../schemas/events.ts';
import { xKeycodeToCode } from '../input/keys.ts';
import { memory } from '../memory/memory.ts';
import type { FullWindow, FullWindowInput } from '../platform/stage.ts';
import { MOUSE_BUTTONS } from './evdev.ts';
import { watchOutputs } from './outputs.ts';
import { openWayland, text, uints, type WaylandEvent } from './wire.ts';

/**
 * A window of ours that fills a display (`doctor --prove`): the only place that a program may choose on Wayland. It keeps what
 * the compositor tells it of the person's input, and paints a patch at times that the compositor names.
 */
const BUFFERS = 4;
const XRGB8888 = 1;
const FIRST_BUTTON = 0x110;
/** wl_pointer.axis: the vertical one. */
const VERTICAL = 0;
const OPENED_MS = 5000;
const SHOWN_MS = 3000;
const SETTLED_MS = 1500;

type Fn<A extends unknown[], R> = (...args: A) => R;
let loaded: ReturnType<typeof bind> | null = null;
// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
function bind() {
  const c = koffi.load('libc.so.6');
  return {
    memfd: c.func('int memfd_create(const char *name, uint32 flags)') as Fn<[string, number], number>,
    truncate: c.func('int ftruncate(int fd, long bytes)') as Fn<[number, number], number>,
    mmap: c.func('void *mmap(void *at, size_t n, int protection, int flags, int fd, long offset)') as Fn<
      [null, number, number, number, number, number],
      bigint
    >,
    munmap: c.func('int munmap(void *at, size_t n)') as Fn<[bigint, number], number>,
  };
}

/**
 * `draw` gives the window's picture for its size in the desktop's own pixels, four bytes each (BGRx); `patch`: the side of the
 * square in its lower right corner that is painted. Throws NO_DISPLAY, UNSUPPORTED_PLATFORM, CAPTURE_FAILED.
 */
export async function openFullWindow(
  display: Pick<Display, 'id' | 'x' | 'y' | 'scale'>,
  draw: (size: { width: number; height: number }) => Promise<Uint8Array>,
  patch: number,
): Promise<FullWindow> {
  loaded ??= bind();
  const { memfd, truncate, mmap, munmap } = loaded;
  const client = openWayland();
  const output = watchOutputs(client).objectOf(display.id);
  const need = (face: string, version: number, hear?: (event: WaylandEvent) => void): number => {
    for (const [name, offered] of client.globals()) if (offered.face === face) return client.bind(name, version, hear);
    client.close();
    throw new StudioError('UNSUPPORTED_PLATFORM', `This compositor has no ${face}, so nothing can be proved here.`, {});
  };
  const compositor = need('wl_compositor', 4);
  const shm = need('wl_shm', 1);
  const presentation = need('wp_presentation', 1);
  const shell = need('xdg_wm_base', 1, ({ opcode, args }) => {
    if (opcode === 0) client.send(shell, 3, uints(args.uint()));
  });

  let size = { width: 0, height: 0 };
  let configured = false;
  let closed = false;
  let told: FullWindowInput[] = [];
  const surface = client.object();
  client.send(compositor, 0, uints(surface));
  const xdgSurface = client.object(({ opcode, args }) => {
    if (opcode !== 0) return;
    client.send(xdgSurface, 4, uints(args.uint()));
    configured = size.width > 0;
  });
  client.send(shell, 2, uints(xdgSurface, surface));
  const toplevel = client.object(({ opcode, args }) => {
    if (opcode === 0) size = { width: args.int(), height: args.int() };
    if (opcode === 1) closed = true;
  });
  client.send(xdgSurface, 1, uints(toplevel));
  client.send(toplevel, 2, text('Trajectory Studio'));
  client.send(toplevel, 3, text('trajectory-studio'));
  client.send(toplevel, 11, uints(output));
  client.send(surface, 6, Buffer.alloc(0));
  const turns = async (what: string, withinMs: number, done: () => boolean): Promise<void> => {
    const until = performance.now() + withinMs;
    while (!done()) {
      if (performance.now() > until) throw new StudioError('CAPTURE_FAILED', `The compositor did not ${what}.`, {});
      client.turn(0);
      await new Promise((next) => setTimeout(next, 1));
    }
  };
  try {
    await turns('give our window a size', OPENED_MS, () => configured);
  } catch (error) {
    client.close();
    throw error;
  }

  const { width, height } = size;
  const bytes = width * height * 4;
  const fd = memfd('trajectory-studio', 0);
  truncate(fd, bytes * BUFFERS);
  const pixels = mmap(null, bytes * BUFFERS, 3, 1, fd, 0);
  const pool = client.object();
  client.send(shm, 0, uints(pool, bytes * BUFFERS), fd);
  closeSync(fd);
  const busy = new Set<number>();
  const buffers = Array.from({ length: BUFFERS }, (_, i) => {
    const buffer = client.object(() => busy.delete(i));
    client.send(pool, 0, uints(buffer, bytes * i, width, height, width * 4, XRGB8888));
    return buffer;
  });
  const picture = await draw(size);
  for (let i = 0; i < BUFFERS; i++) memory().memcpyIn(pixels + BigInt(i * bytes), picture, bytes);

  /** Shows the next buffer; resolves when it was on the screen: CLOCK_MONOTONIC, µs. */
  async function show(damage: { x: number; y: number; width: number; height: number }, fill: (at: bigint) => void) {
    let free = -1;
    await turns('give a buffer back', SHOWN_MS, () => {
      free = buffers.findIndex((_, i) => !busy.has(i));
      return free >= 0;
    });
    busy.add(free);
    fill(pixels + BigInt(free * bytes));
    let after = 0;
    const feedback = client.object(({ opcode, args }) => {
      if (opcode !== 1) return;
      const [high, low, ns] = [args.uint(), args.uint(), args.uint()];
      after = (high * 2 ** 32 + low) * 1_000_000 + Math.ceil(ns / 1000);
    });
    const before = Number(process.hrtime.bigint() / 1000n);
    client.send(surface, 1, uints(buffers[free] ?? 0, 0, 0));
    client.send(surface, 9, uints(damage.x, damage.y, damage.width, damage.height));
    client.send(presentation, 1, uints(surface, feedback));
    client.send(surface, 6, Buffer.alloc(0));
    await turns('show our window', SHOWN_MS, () => after > 0);
    return { before, after };
  }

  /** Null until the pointer was moved over the window as it stays. */
  let at: { x: number; y: number } | null = null;
  /** wl_fixed, 1/256 of a logical pixel, as physical px of the virtual desktop. */
  const place = (x: number, y: number) => ({
    x: display.x + (x / 256) * display.scale,
    y: display.y + (y / 256) * display.scale,
  });
  function onPointer({ opcode, args }: WaylandEvent): void {
    if (opcode === 0 || opcode === 2) {
      args.uint();
      if (opcode === 0) args.uint();
      at = place(args.int(), args.int());
    } else if (opcode === 3) {
      args.uint();
      args.uint();
      const [code, state] = [args.uint(), args.uint()];
      const button: Button = MOUSE_BUTTONS[code - FIRST_BUTTON] ?? `button${code - FIRST_BUTTON + 1}`;
      if (at) told.push({ type: state === 1 ? 'down' : 'up', button, ...at });
    } else if (opcode === 4) {
      args.uint();
      const [axis, value] = [args.uint(), args.int()];
      if (value !== 0) told.push({ type: 'wheel', way: `${axis === VERTICAL ? 'y' : 'x'}${value > 0 ? '+' : '-'}` });
    }
  }
  function onKey({ opcode, args, fd: keymap }: WaylandEvent): void {
    if (opcode === 0) closeSync(keymap());
    if (opcode !== 3) return;
    for (let skipped = 0; skipped < 2; skipped++) args.uint();
    const [number, state] = [args.uint(), args.uint()];
    told.push({ type: state === 1 ? 'keydown' : 'keyup', code: xKeycodeToCode(number + 8) ?? 'Unknown' });
  }
  let [hasPointer, hasKeyboard] = [false, false];
  const seat = need('wl_seat', 5, ({ opcode, args }) => {
    if (opcode !== 0) return;
    const offered = args.uint();
    // With each cast some compositors make their pointer and keyboard anew: the old ones say nothing any more.
    hasPointer &&= (offered & 1) !== 0;
    hasKeyboard &&= (offered & 2) !== 0;
    if (offered & 1 && !hasPointer) client.send(seat, 0, uints(client.object(onPointer)));
    if (offered & 2 && !hasKeyboard) client.send(seat, 1, uints(client.object(onKey)));
    hasPointer ||= (offered & 1) !== 0;
    hasKeyboard ||= (offered & 2) !== 0;
  });

  const close = (): void => {
    client.close();
    munmap(pixels, bytes * BUFFERS);
  };
  try {
    await show({ x: 0, y: 0, width, height }, () => undefined);
    // Desktops let a new window grow: until then they tell of places in a window that is not yet as large as it stays.
    const settled = performance.now() + SETTLED_MS;
    await turns('let our window settle', 2 * SETTLED_MS, () => performance.now() > settled);
    at = null;
    told = [];
  } catch (error) {
    close();
    throw error;
  }
  const corner = { x: width - patch, y: height - patch, width: patch, height: patch };
  return {
    paint(rgb) {
      const row = Buffer.alloc(patch * 4);
      for (let x = 0; x < patch; x++) row.writeUInt32LE(rgb, x * 4);
      return show(corner, (to) => {
        for (let y = corner.y; y < height; y++)
          memory().memcpyIn(to + BigInt((y * width + corner.x) * 4), row, row.length);
      });
    },
    turn: () => client.turn(0),
    told() {
      const heard = told;
      told = [];
      return heard;
    },
    isClosed: () => closed,
    close,
  };
}
