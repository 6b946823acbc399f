import { StudioError } from '../../schemas/errors.ts';
import type { Display, Rect } from '../../schemas/events.ts';
import { memory } from '../memory/memory.ts';
import type { FullWindow, FullWindowInput } from '../platform/stage.ts';
import { watchOutputs } from './outputs.ts';
import { SharedPixels } from './shared-pixels.ts';
import { WindowInput } from './window-input.ts';
import { openWayland, text, uints, type WaylandEvent } from './wire.ts';

const OPENED_MS = 5000;
const SHOWN_MS = 3000;
const SETTLED_MS = 1500;

type Size = { width: number; height: number };
type Place = Pick<Display, 'id' | 'x' | 'y' | 'scale'>;

/**
 * `draw` gives the window's picture for its size in the desktop's own pixels, four bytes each (BGRx); `patch`: the side of the
 * square in its lower right corner that is painted. Throws NO_DISPLAY, UNSUPPORTED_PLATFORM, CAPTURE_FAILED.
 */
export async function openFullWindow(
  display: Place,
  draw: (size: Size) => Promise<Uint8Array>,
  patch: number,
): Promise<FullWindow> {
  const window = new UnshownWindow(display);
  const size = await window.sized();
  const pixels = new SharedPixels(window.client, window.shm, size);
  pixels.fill(await draw(size));
  const input = new WindowInput(window.client, display, (hear) => window.need('wl_seat', 5, hear));
  const shown = new ShownWindow({ window, pixels, input, size, patch });
  await shown.settle();
  return shown;
}

/**
 * A window of ours that fills a display (`doctor --prove`): the only place that a program may choose on Wayland. The
 * compositor gives it its size.
 */
class UnshownWindow {
  readonly client = openWayland();
  readonly shm: number;
  readonly presentation: number;
  readonly surface: number;
  #size: Size = { width: 0, height: 0 };
  #configured = false;
  #closed = false;

  constructor(display: Place) {
    const { client } = this;
    const output = watchOutputs(client).objectOf(display.id);
    const compositor = this.need('wl_compositor', 4);
    this.shm = this.need('wl_shm', 1);
    this.presentation = this.need('wp_presentation', 1);
    const shell = this.need('xdg_wm_base', 1, ({ opcode, args }) => {
      if (opcode === 0) client.send(shell, 3, uints(args.uint()));
    });
    this.surface = client.object();
    client.send(compositor, 0, uints(this.surface));
    const xdgSurface = client.object(({ opcode, args }) => {
      if (opcode !== 0) return;
      client.send(xdgSurface, 4, uints(args.uint()));
      this.#configured = this.#size.width > 0;
    });
    client.send(shell, 2, uints(xdgSurface, this.surface));
    const toplevel = client.object(({ opcode, args }) => {
      if (opcode === 0) this.#size = { width: args.int(), height: args.int() };
      if (opcode === 1) this.#closed = true;
    });
    client.send(xdgSurface, 1, uints(toplevel));
    client.send(toplevel, 2, text('Trajectory Studio'));
    client.send(toplevel, 3, text('trajectory-studio'));
    client.send(toplevel, 11, uints(output));
    client.send(this.surface, 6, Buffer.alloc(0));
  }

  /** Binds what the compositor has; without it the connection is closed. */
  need(face: string, version: number, hear?: (event: WaylandEvent) => void): number {
    const { client } = this;
    for (const [name, offered] of client.globals()) if (offered.face === face) return client.bind(name, version, hear);
    client.close();
    throw new StudioError('UNSUPPORTED_PLATFORM', `This compositor has no ${face}, so nothing can be proved here.`, {});
  }

  /** Waits until the window has a size. */
  async sized(): Promise<Size> {
    try {
      await this.turns('give our window a size', OPENED_MS, () => this.#configured);
    } catch (error) {
      this.client.close();
      throw error;
    }
    return this.#size;
  }

  isClosed(): boolean {
    return this.#closed;
  }

  /** Takes what comes until it is `done`. `what` the compositor was to do is in the error. */
  async turns(what: string, withinMs: number, done: () => boolean): Promise<void> {
    const until = performance.now() + withinMs;
    while (!done()) {
      if (performance.now() > until) throw new StudioError('CAPTURE_FAILED', `The compositor did not ${what}.`, {});
      this.client.turn(0);
      await new Promise((next) => setTimeout(next, 1));
    }
  }
}

/** The window with its picture: keeps what the person does, and paints a patch at times that the compositor names. */
class ShownWindow implements FullWindow {
  readonly #window: UnshownWindow;
  readonly #pixels: SharedPixels;
  readonly #input: WindowInput;
  readonly #size: Size;
  readonly #patch: number;

  constructor(parts: { window: UnshownWindow; pixels: SharedPixels; input: WindowInput; size: Size; patch: number }) {
    this.#window = parts.window;
    this.#pixels = parts.pixels;
    this.#input = parts.input;
    this.#size = parts.size;
    this.#patch = parts.patch;
  }

  /** Shows it, and waits until it is as large as it stays. Closes it where that fails. */
  async settle(): Promise<void> {
    try {
      await this.#show({ x: 0, y: 0, ...this.#size }, () => undefined);
      // Desktops let a new window grow: until then they tell of places in a window that is not yet as large as it stays.
      const settled = performance.now() + SETTLED_MS;
      await this.#window.turns('let our window settle', 2 * SETTLED_MS, () => performance.now() > settled);
      this.#input.reset();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  async paint(rgb: number): Promise<{ before: number; after: number }> {
    const { width, height } = this.#size;
    const patch = this.#patch;
    const corner = { x: width - patch, y: height - patch, width: patch, height: patch };
    const row = Buffer.alloc(patch * 4);
    for (let x = 0; x < patch; x++) row.writeUInt32LE(rgb, x * 4);
    return this.#show(corner, (to) => {
      for (let y = corner.y; y < height; y++)
        memory().memcpyIn(to + BigInt((y * width + corner.x) * 4), row, row.length);
    });
  }

  turn(): void {
    this.#window.client.turn(0);
  }

  told(): FullWindowInput[] {
    return this.#input.take();
  }

  isClosed(): boolean {
    return this.#window.isClosed();
  }

  close(): void {
    this.#window.client.close();
    this.#pixels.close();
  }

  /** Shows the next buffer; resolves when it was on the screen: CLOCK_MONOTONIC, µs. */
  async #show(damage: Rect, fill: (at: bigint) => void): Promise<{ before: number; after: number }> {
    const { client, surface, presentation } = this.#window;
    let free = this.#pixels.take();
    await this.#window.turns('give a buffer back', SHOWN_MS, () => {
      free ??= this.#pixels.take();
      return free !== null;
    });
    if (!free) throw new StudioError('CAPTURE_FAILED', 'The compositor did not give a buffer back.', {});
    fill(free.at);
    let after = 0;
    const feedback = client.object(({ opcode, args }) => {
      if (opcode !== 1) return;
      const [high, low, ns] = [args.uint(), args.uint(), args.uint()];
      after = (high * 2 ** 32 + low) * 1_000_000 + Math.ceil(ns / 1000);
    });
    const before = Number(process.hrtime.bigint() / 1000n);
    client.send(surface, 1, uints(free.buffer, 0, 0));
    client.send(surface, 9, uints(damage.x, damage.y, damage.width, damage.height));
    client.send(presentation, 1, uints(surface, feedback));
    client.send(surface, 6, Buffer.alloc(0));
    await this.#window.turns('show our window', SHOWN_MS, () => after > 0);
    return { before, after };
  }
}
