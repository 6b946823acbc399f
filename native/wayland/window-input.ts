import { closeSync } from 'node:fs';
import type { Button, Display } from '../../schemas/events.ts';
import { xKeycodeToCode } from '../input/keys.ts';
import type { FullWindowInput } from '../platform/stage.ts';
import { MOUSE_BUTTONS } from './evdev.ts';
import { uints, type WaylandClient, type WaylandEvent } from './wire.ts';

const FIRST_BUTTON = 0x110;
/** wl_pointer.axis: the vertical one. */
const VERTICAL = 0;

/** A person's input in a window of ours that fills a display, as the compositor reports it. */
export class WindowInput {
  readonly #client: WaylandClient;
  readonly #display: Pick<Display, 'x' | 'y' | 'scale'>;
  readonly #seat: number;
  #hasPointer = false;
  #hasKeyboard = false;
  /** Null until the pointer was moved over the window as it stays. */
  #at: { x: number; y: number } | null = null;
  #told: FullWindowInput[] = [];

  /** `bindSeat`: gives the seat's object. */
  constructor(
    client: WaylandClient,
    display: Pick<Display, 'x' | 'y' | 'scale'>,
    bindSeat: (hear: (event: WaylandEvent) => void) => number,
  ) {
    this.#client = client;
    this.#display = display;
    this.#seat = bindSeat((event) => this.#onSeat(event));
  }

  /** Gives what came since the last call. */
  take(): FullWindowInput[] {
    const heard = this.#told;
    this.#told = [];
    return heard;
  }

  /** Forgets all input until now, and the pointer's place. */
  reset(): void {
    this.#at = null;
    this.#told = [];
  }

  #onSeat({ opcode, args }: WaylandEvent): void {
    if (opcode !== 0) return;
    const offered = args.uint();
    const [pointer, keyboard] = [(offered & 1) !== 0, (offered & 2) !== 0];
    // With each cast some compositors make their pointer and keyboard anew: the old ones say nothing any more.
    if (pointer && !this.#hasPointer) this.#listen(0, (event) => this.#onPointer(event));
    if (keyboard && !this.#hasKeyboard) this.#listen(1, (event) => this.#onKey(event));
    this.#hasPointer = pointer;
    this.#hasKeyboard = keyboard;
  }

  #listen(opcode: number, hear: (event: WaylandEvent) => void): void {
    this.#client.send(this.#seat, opcode, uints(this.#client.object(hear)));
  }

  #onPointer({ opcode, args }: WaylandEvent): void {
    if (opcode === 0 || opcode === 2) {
      args.uint();
      if (opcode === 0) args.uint();
      this.#at = this.#place(args.int(), args.int());
    } else if (opcode === 3) {
      args.uint();
      args.uint();
      const [code, state] = [args.uint(), args.uint()];
      const button: Button = MOUSE_BUTTONS[code - FIRST_BUTTON] ?? `button${code - FIRST_BUTTON + 1}`;
      if (this.#at) this.#told.push({ type: state === 1 ? 'down' : 'up', button, ...this.#at });
    } else if (opcode === 4) {
      args.uint();
      const [axis, value] = [args.uint(), args.int()];
      const way = `${axis === VERTICAL ? 'y' : 'x'}${value > 0 ? '+' : '-'}`;
      if (value !== 0) this.#told.push({ type: 'wheel', way });
    }
  }

  #onKey({ opcode, args, fd: keymap }: WaylandEvent): void {
    if (opcode === 0) closeSync(keymap());
    if (opcode !== 3) return;
    for (let skipped = 0; skipped < 2; skipped++) args.uint();
    const [number, state] = [args.uint(), args.uint()];
    this.#told.push({ type: state === 1 ? 'keydown' : 'keyup', code: xKeycodeToCode(number + 8) ?? 'Unknown' });
  }

  /** wl_fixed, 1/256 of a logical pixel, as physical px of the virtual desktop. */
  #place(x: number, y: number): { x: number; y: number } {
    const { x: left, y: top, scale } = this.#display;
    return { x: left + (x / 256) * scale, y: top + (y / 256) * scale };
  }
}
