import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import koffi from 'koffi';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DeviceEvent } from './device-event.ts';
import { DEFAULT_POINTER, type DeviceInfo } from './evdev.ts';
import { type InputCalls, inputAccess, openInputDevices } from './input-devices.ts';
import { inputRefused } from './permissions.ts';
import { type EvdevLine, evdevReport } from './records-for-tests.ts';

/** The devices as they come and go: pipes with recorded bytes, and a kernel whose answers are written down here. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'input-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const records = (us: number, ...lines: EvdevLine[]): Buffer => evdevReport(us, lines);

const KEYBOARD: DeviceInfo = { name: 'A keyboard', keys: [1, 30, 42], rels: [], abs: {}, props: [] };
function plug(name: string): number {
  const path = join(folder, name);
  writeFileSync(`${path}.json`, JSON.stringify(KEYBOARD));
  spawnSync('mkfifo', [path]);
  return openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
}
/** Numbers of errors (errno.h). */
const ENODEV = 19;
const EAGAIN = 11;
const EINVAL = 22;
const told = (events: readonly DeviceEvent[]) => events.map((e) => (e.kind === 'key' ? [e.code, e.down] : e.kind));

/** Reads until something came. */
function heard(devices: ReturnType<typeof openInputDevices>): DeviceEvent[] {
  for (let i = 0; i < 100; i++) {
    const events = devices.read(50);
    if (events.length > 0) return events;
  }
  return [];
}

test('a keyboard that is plugged in later is heard; one that is pulled lets go of what was held on it', () => {
  const first = plug('event0');
  const devices = openInputDevices(folder, () => DEFAULT_POINTER);
  devices.read(0);
  expect(devices.names()).toEqual([join(folder, 'event0')]);
  const second = plug('event1');
  for (let i = 0; i < 100 && devices.names().length < 2; i++) devices.read(20);
  writeSync(second, records(1000, [1, 42, 1]));
  writeSync(first, records(2000, [1, 30, 1]));
  const events = [...heard(devices), ...devices.read(50)];
  expect(told(events).toSorted()).toEqual([
    ['KeyA', true],
    ['ShiftLeft', true],
  ]);
  rmSync(join(folder, 'event1'));
  closeSync(second);
  expect(told(heard(devices))).toEqual([['ShiftLeft', false]]);
  expect(devices.names()).toEqual([join(folder, 'event0')]);
  devices.close();
  closeSync(first);
});

const fail = (errno: number): number => {
  koffi.errno(errno);
  return -1;
};

/** A kernel with one device: what it answers to ioctls, as recorded from a laptop, and what can be read. */
function kernelWith(answers: Record<number, Uint8Array>, reads: (Buffer | number)[]) {
  const asked: number[] = [];
  const state = { opened: 0, closed: 0, clock: -1 };
  const calls: InputCalls = {
    open: () => ++state.opened,
    close: () => ++state.closed,
    read(fd, to) {
      const next = reads.shift();
      if (fd < 0 || next === undefined) return fail(EAGAIN);
      if (typeof next === 'number') return fail(next);
      to.set(next);
      return next.length;
    },
    poll(table) {
      if (reads.length > 0) table[6] = 1;
      return reads.length > 0 ? 1 : 0;
    },
    ioctl(_fd, request, data) {
      // The number of EVIOC…: the request's lowest byte.
      const number = request & 0xff;
      asked.push(number);
      if (number === 0xa0) {
        state.clock = data[0] ?? -1;
        return 0;
      }
      const answer = answers[number];
      if (!answer) return fail(EINVAL);
      data.set(answer.subarray(0, data.length));
      return answer.length;
    },
    inotifyInit: () => -1,
    inotifyAdd: () => -1,
  };
  return { calls, asked, state };
}
const bitsOf = (bytes: number, ...numbers: number[]): Uint8Array => {
  const out = new Uint8Array(bytes);
  for (const n of numbers) out[n >> 3] = (out[n >> 3] ?? 0) | (1 << (n & 7));
  return out;
};
const range = (max: number): Uint8Array => {
  const out = new Uint8Array(24);
  new DataView(out.buffer).setInt32(8, max, true);
  return out;
};
/** EVIOCGNAME, EVIOCGPROP, EVIOCGBIT of keys and of axes, EVIOCGABS of X and Y. */
const TOUCHPAD = {
  6: new TextEncoder().encode('SynPS/2 Synaptics TouchPad\0'),
  9: bitsOf(8, 0, 2),
  33: bitsOf(96, 0x110, 0x145, 0x14a, 0x14d),
  35: bitsOf(8, 0, 1),
  64: range(5000),
  65: range(3000),
};

test('a device is what its ioctls say; its clock is the session’s', () => {
  writeFileSync(join(folder, 'event5'), '');
  const { calls, state } = kernelWith(TOUCHPAD, [
    records(10, [1, 0x145, 1], [1, 0x14a, 1], [3, 0, 1000], [3, 1, 600]),
    records(200_000, [3, 0, 1500], [3, 1, 600]),
  ]);
  const devices = openInputDevices(folder, () => DEFAULT_POINTER, calls);
  expect(heard(devices)).toEqual([{ us: 200_000, kind: 'moved', by: expect.closeTo(100) }]);
  expect(state.clock).toBe(1);
  devices.close();
  expect(state.closed).toBe(state.opened);
});

test('a device whose clock cannot be set is left out, and closed', () => {
  writeFileSync(join(folder, 'event5'), '');
  const { calls, state } = kernelWith(TOUCHPAD, []);
  const refusing: InputCalls = { ...calls, ioctl: () => fail(ENODEV) };
  const devices = openInputDevices(folder, () => DEFAULT_POINTER, refusing);
  devices.read(0);
  expect([devices.names(), state.closed]).toEqual([[], 1]);
  devices.close();
});

const KEYS = { 6: new TextEncoder().encode('AT keyboard\0'), 33: bitsOf(96, 1, 30, 42, 48) };

test('the machine goes to sleep (ENODEV): what was held is let go, and the device comes back as a new one', () => {
  writeFileSync(join(folder, 'event0'), '');
  const { calls, state } = kernelWith(KEYS, [records(1, [1, 42, 1]), ENODEV, records(9, [1, 30, 1])]);
  const devices = openInputDevices(folder, () => DEFAULT_POINTER, calls);
  const events = [...heard(devices), ...heard(devices)];
  expect(told(events)).toEqual([
    ['ShiftLeft', true],
    ['ShiftLeft', false],
    ['KeyA', true],
  ]);
  expect([state.opened, state.closed]).toEqual([2, 1]);
  devices.close();
});

test('events that the kernel dropped (SYN_DROPPED): what is really held is asked by EVIOCGKEY', () => {
  writeFileSync(join(folder, 'event0'), '');
  const dropped = Buffer.concat([records(2, [0, 3, 0]), records(3)]);
  const { calls, asked } = kernelWith({ ...KEYS, 24: bitsOf(96, 48) }, [records(1, [1, 30, 1]), dropped]);
  const devices = openInputDevices(folder, () => DEFAULT_POINTER, calls);
  const events = heard(devices);
  expect(asked).toContain(0x18);
  expect(told(events)).toEqual([
    ['KeyA', true],
    ['KeyA', false],
    ['KeyB', true],
  ]);
  devices.close();
});

test('no device, and devices that may not be read, are said clearly, with what to do', () => {
  expect(inputRefused(inputAccess(folder))?.message).toContain('There is no input device');
  expect(inputRefused({ devices: 12, readable: 0 })?.message).toMatch(
    /None of the 12 input devices .*group "input".*usermod -aG input/s,
  );
  writeFileSync(join(folder, 'event3'), '');
  expect(inputRefused(inputAccess(folder))).toBeNull();
});
