import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import koffi from 'koffi';
import type { DeviceEvent, PointerSettings } from './device-event.ts';
import { type DeviceInfo, isInputDevice, readDevice } from './evdev.ts';

/**
 * All devices of /dev/input that people type and point with, read by the kernel's own interface, as they come and go. Only
 * ever used in a thread of its own: `read` waits.
 */
const INPUT_FOLDER = '/dev/input';

/** A folder in the place of /dev/input, with pipes in the place of devices: tests, and machines that have none. */
export const inputFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  env.TRAJECTORY_STUDIO_INPUT || INPUT_FOLDER;

type Fn<A extends unknown[], R> = (...args: A) => R;

const O_RDONLY = 0;
const O_NONBLOCK = 0o4000;
const O_CLOEXEC = 0o2000000;
const POLLIN = 1;
const IN_CREATE = 0x100;
const IN_ATTRIB = 0x4;
const CLOCK_MONOTONIC = 1;
const { errno: ERRNO } = koffi.os;

/** The kernel's calls; each sets `koffi.errno()` where it fails. */
export type InputCalls = ReturnType<typeof bind>;
let loaded: InputCalls | null = null;
const libc = (): InputCalls => {
  loaded ??= bind();
  return loaded;
};
// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
function bind() {
  const c = koffi.load('libc.so.6');
  return {
    open: c.func('int open(const char *path, int flags)') as Fn<[string, number], number>,
    close: c.func('int close(int fd)') as Fn<[number], number>,
    read: c.func('long read(int fd, _Out_ uint8_t *to, size_t n)') as Fn<[number, Uint8Array, number], number>,
    poll: c.func('int poll(_Inout_ uint8_t *fds, ulong n, int ms)') as Fn<[Uint8Array, number, number], number>,
    ioctl: c.func('int ioctl(int fd, ulong request, _Inout_ uint8_t *data)') as Fn<
      [number, number, Uint8Array],
      number
    >,
    inotifyInit: c.func('int inotify_init1(int flags)') as Fn<[number], number>,
    inotifyAdd: c.func('int inotify_add_watch(int fd, const char *path, uint32 mask)') as Fn<
      [number, string, number],
      number
    >,
  };
}

/** _IOC('E'): linux/input.h. */
const request = (write: boolean, number: number, bytes: number): number =>
  (((write ? 1 : 2) << 30) >>> 0) + bytes * 65_536 + 0x4500 + number;
const EVIOCGNAME = request(false, 0x06, 256);
const EVIOCGPROP = request(false, 0x09, 8);
const EVIOCGKEY = request(false, 0x18, 96);
const EVIOCGBIT = (type: number, bytes: number) => request(false, 0x20 + type, bytes);
const EVIOCGABS = (axis: number) => request(false, 0x40 + axis, 24);
const EVIOCSCLOCKID = request(true, 0xa0, 4);
const ABSOLUTE = [0, 1, 0x2f, 0x35, 0x36];

function bits(bytes: Uint8Array): number[] {
  const set: number[] = [];
  bytes.forEach((byte, i) => {
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) set.push(i * 8 + bit);
  });
  return set;
}

/** The device's own description; null where it is none. Sets its clock to CLOCK_MONOTONIC. */
function describe({ ioctl }: InputCalls, fd: number, path: string): DeviceInfo | null {
  const ask = (code: number, bytes: number): Uint8Array | null => {
    const data = new Uint8Array(bytes);
    return ioctl(fd, code, data) >= 0 ? data : null;
  };
  const clock = new Uint8Array(4);
  clock[0] = CLOCK_MONOTONIC;
  if (ioctl(fd, EVIOCSCLOCKID, clock) < 0) return koffi.errno() === ERRNO.ENOTTY ? described(path) : null;
  const abs: Record<number, { min: number; max: number }> = {};
  const axes = new Set(bits(ask(EVIOCGBIT(3, 8), 8) ?? new Uint8Array()));
  for (const axis of ABSOLUTE.filter((one) => axes.has(one))) {
    const data = ask(EVIOCGABS(axis), 24);
    if (!data) continue;
    const view = new DataView(data.buffer);
    abs[axis] = { min: view.getInt32(4, true), max: view.getInt32(8, true) };
  }
  return {
    name:
      Buffer.from(ask(EVIOCGNAME, 256) ?? [])
        .toString('utf8')
        .split('\0')[0] ?? '',
    keys: bits(ask(EVIOCGBIT(1, 96), 96) ?? new Uint8Array()),
    rels: bits(ask(EVIOCGBIT(2, 2), 2) ?? new Uint8Array()),
    abs,
    props: bits(ask(EVIOCGPROP, 8) ?? new Uint8Array()),
  };
}

/** A pipe with recorded bytes, as the tests have it, says in a file beside it what it is. */
function described(path: string): DeviceInfo | null {
  try {
    return JSON.parse(readFileSync(`${path}.json`, 'utf8')) as DeviceInfo; // written by the tests
  } catch {
    return null;
  }
}

type Device = { fd: number; path: string; reader: ReturnType<typeof readDevice> };
type InputDevices = {
  /** Waits at most so long for input, and gives what came. */
  read(withinMs: number): DeviceEvent[];
  names(): string[];
  close(): void;
};

/** Whether input can be read at all: how many devices there are, and how many of them this person may read. */
export function inputAccess(folder: string = INPUT_FOLDER): { devices: number; readable: number } {
  const paths = eventPaths(folder);
  let readable = 0;
  for (const path of paths) {
    const fd = libc().open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) continue;
    readable++;
    libc().close(fd);
  }
  return { devices: paths.length, readable };
}

function eventPaths(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^event\d+$/.test(name))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** How often the folder is looked at where the system does not tell of new devices, ms. */
const RESCAN_MS = 1000;

export function openInputDevices(
  folder: string,
  settings: () => PointerSettings,
  c: InputCalls = libc(),
): InputDevices {
  let devices: Device[] = [];
  const known = new Set<string>();
  const news = c.inotifyInit(O_NONBLOCK | O_CLOEXEC);
  // ATTRIB: udev gives the group its right a moment after the device is there.
  const told = news >= 0 && c.inotifyAdd(news, folder, IN_CREATE | IN_ATTRIB) >= 0;
  let scannedAt = Number.NEGATIVE_INFINITY;
  const nowUs = () => Number(process.hrtime.bigint() / 1000n);

  function scan(): void {
    scannedAt = performance.now();
    const paths = eventPaths(folder);
    for (const path of paths) {
      if (known.has(path)) continue;
      const fd = c.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
      if (fd < 0) continue;
      const info = describe(c, fd, path);
      if (info && isInputDevice(info)) devices.push({ fd, path, reader: readDevice(info, settings) });
      else c.close(fd);
      known.add(path);
    }
    for (const path of known) if (!paths.includes(path)) known.delete(path);
  }

  function drain(device: Device, out: DeviceEvent[]): void {
    const bytes = new Uint8Array(24 * 64);
    for (;;) {
      const n = c.read(device.fd, bytes, bytes.length);
      if (n < 0 && [ERRNO.EAGAIN, ERRNO.EINTR].includes(koffi.errno())) return;
      if (n <= 0) {
        // ENODEV: unplugged, or the machine went to sleep. It comes back as a new device.
        for (const event of device.reader.gone(nowUs())) out.push(event);
        c.close(device.fd);
        known.delete(device.path);
        devices = devices.filter((one) => one !== device);
        scannedAt = Number.NEGATIVE_INFINITY;
        return;
      }
      for (const event of device.reader.feed(bytes.subarray(0, n))) out.push(event);
      if (!device.reader.lost()) continue;
      const held = new Uint8Array(96);
      if (c.ioctl(device.fd, EVIOCGKEY, held) >= 0)
        for (const event of device.reader.resync(nowUs(), new Set(bits(held)))) out.push(event);
    }
  }

  return {
    read(withinMs) {
      if (!told || performance.now() - scannedAt > RESCAN_MS) scan();
      const fds = [...devices.map(({ fd }) => fd), ...(told ? [news] : [])];
      const table = Buffer.alloc(Math.max(8, fds.length * 8));
      fds.forEach((fd, i) => {
        table.writeInt32LE(fd, i * 8);
        table.writeInt16LE(POLLIN, i * 8 + 4);
      });
      if (c.poll(table, fds.length, withinMs) <= 0) return [];
      const out: DeviceEvent[] = [];
      const ready = devices.filter((_, i) => table.readInt16LE(i * 8 + 6) !== 0);
      for (const device of ready) drain(device, out);
      if (told && table.readInt16LE((fds.length - 1) * 8 + 6) !== 0) {
        const rest = new Uint8Array(4096);
        while (c.read(news, rest, rest.length) > 0);
        scan();
      }
      return out.sort((a, b) => a.us - b.us);
    },
    names: () => devices.map(({ path }) => path),
    close() {
      for (const { fd } of devices) c.close(fd);
      if (news >= 0) c.close(news);
      devices = [];
    },
  };
}
