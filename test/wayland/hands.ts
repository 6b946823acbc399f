import { spawnSync } from 'node:child_process';
import { constants, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DeviceInfo } from '../../native/wayland/evdev.ts';
import { evdevReport } from '../../native/wayland/records-for-tests.ts';

export type HandsDo =
  /** `untold`: the mouse says so, and the compositor never tells of the pointer's place after it. */
  | { kind: 'move'; dx: number; dy: number; untold?: boolean }
  | { kind: 'place'; x: number; y: number }
  | { kind: 'button'; code: number; down: boolean }
  | { kind: 'key'; code: number; down: boolean }
  | { kind: 'wheel'; steps: number };

/**
 * The person's hands: what they do is injected into Mutter, and written as the kernel would have told of it, onto pipes in
 * the place of /dev/input (there is none in a container).
 */
const MOUSE: DeviceInfo = {
  name: 'A mouse',
  keys: [0x110, 0x111, 0x112, 0x113, 0x114],
  rels: [0, 1, 6, 8, 11, 12],
  abs: {},
  props: [],
};
const KEYBOARD: DeviceInfo = {
  name: 'A keyboard',
  keys: Array.from({ length: 120 }, (_, i) => i + 1),
  rels: [],
  abs: {},
  props: [],
};

/** Makes the folder's pipes: event0 is a keyboard, event1 a mouse. */
export function makeDevices(folder: string): void {
  [KEYBOARD, MOUSE].forEach((info, i) => {
    const path = join(folder, `event${i}`);
    spawnSync('mkfifo', [path]);
    writeFileSync(`${path}.json`, JSON.stringify(info));
  });
}

type Hands = {
  /** Does it and gives its time, CLOCK_MONOTONIC in µs. */
  act(what: HandsDo): number;
};

export function openHands(folder: string, inject: (method: string, args: string) => void): Hands {
  // Read and write: opening waits for nobody, and a recorder that ends does not break the pipe.
  const open = (name: string) => openSync(join(folder, name), constants.O_RDWR | constants.O_NONBLOCK);
  const [keyboard, mouse] = [open('event0'), open('event1')];
  const tellKernel = (fd: number, ...records: [number, number, number][]): number => {
    const us = Number(process.hrtime.bigint() / 1000n);
    writeSync(fd, evdevReport(us, records));
    return us;
  };
  let at = { x: 0, y: 0 };
  return {
    act(what) {
      if (what.kind === 'move') {
        const us = tellKernel(mouse, [2, 0, what.dx], [2, 1, what.dy]);
        if (what.untold) return us;
        at = { x: at.x + what.dx, y: at.y + what.dy };
        inject('NotifyPointerMotionRelative', `(${what.dx}.0, ${what.dy}.0)`);
        return us;
      }
      if (what.kind === 'place') {
        const us = tellKernel(mouse, [2, 0, what.x - at.x || 1], [2, 1, what.y - at.y]);
        at = { x: what.x, y: what.y };
        inject('NotifyPointerMotionAbsolute', `(STREAM, ${what.x}.0, ${what.y}.0)`);
        return us;
      }
      if (what.kind === 'button') {
        const us = tellKernel(mouse, [4, 4, what.code], [1, what.code, what.down ? 1 : 0]);
        inject('NotifyPointerButton', `(${what.code}, ${what.down})`);
        return us;
      }
      if (what.kind === 'key') {
        const us = tellKernel(keyboard, [4, 4, what.code], [1, what.code, what.down ? 1 : 0]);
        inject('NotifyKeyboardKeycode', `(uint32 ${what.code}, ${what.down})`);
        return us;
      }
      // Down, away from the person's own view of the wheel: -1 notch, 120 parts each.
      const us = tellKernel(mouse, [2, 8, -what.steps], [2, 11, -what.steps * 120]);
      inject('NotifyPointerAxisDiscrete', `(uint32 0, ${what.steps})`);
      return us;
    },
  };
}
