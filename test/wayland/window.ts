import { appendFileSync, closeSync } from 'node:fs';
import koffi from 'koffi';
import { memory } from '../../native/memory/memory.ts';
import { openWayland, text, uints, type WaylandEvent } from '../../native/wayland/wire.ts';
import { colourOf } from '../support/paints.ts';

/**
 * A native Wayland program that fills the screen, writes down what it is told of the person's input, and paints at each press
 * of the left button: `node window.ts LOG`. Each line is JSON; a paint's times are CLOCK_MONOTONIC µs, before the compositor
 * was asked and when it says that the paint was shown (wp_presentation).
 */
const [, , log = ''] = process.argv;
const PATCH = { x: 500, y: 250, width: 200, height: 150 };
const BUFFERS = 4;
const XRGB8888 = 1;
const nowUs = () => Number(process.hrtime.bigint() / 1000n);
const tell = (line: object) => appendFileSync(log, `${JSON.stringify(line)}\n`);

type Fn<A extends unknown[], R> = (...args: A) => R;
const c = koffi.load('libc.so.6');
// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
const memfd = c.func('int memfd_create(const char *name, uint32 flags)') as Fn<[string, number], number>;
const truncate = c.func('int ftruncate(int fd, long bytes)') as Fn<[number, number], number>;
const mmap = c.func('void *mmap(void *at, size_t n, int protection, int flags, int fd, long offset)') as Fn<
  [null, number, number, number, number, number],
  bigint
>;

const client = openWayland();
const bind = (face: string, version: number, hear?: (event: WaylandEvent) => void): number => {
  for (const [name, offered] of client.globals()) if (offered.face === face) return client.bind(name, version, hear);
  throw new Error(`The compositor has no ${face}.`);
};
const compositor = bind('wl_compositor', 4);
const shm = bind('wl_shm', 1);
const presentation = bind('wp_presentation', 1);
const shell = bind('xdg_wm_base', 1, ({ opcode, args }) => {
  if (opcode === 0) client.send(shell, 3, uints(args.uint()));
});

const surface = client.object();
client.send(compositor, 0, uints(surface));
let size = { width: 0, height: 0 };
let configured = false;
const xdgSurface = client.object(({ opcode, args }) => {
  if (opcode !== 0) return;
  client.send(xdgSurface, 4, uints(args.uint()));
  configured = size.width > 0;
});
client.send(shell, 2, uints(xdgSurface, surface));
const toplevel = client.object(({ opcode, args }) => {
  if (opcode === 0) size = { width: args.int(), height: args.int() };
  if (opcode === 1) process.exit(0);
});
client.send(xdgSurface, 1, uints(toplevel));
client.send(toplevel, 2, text('A native Wayland program'));
client.send(toplevel, 3, text('studio-test'));
client.send(toplevel, 11, uints(0));
client.send(surface, 6, Buffer.alloc(0));
while (!configured || size.width === 0) client.turn(100);

type Canvas = { width: number; height: number; bytes: number; pixels: bigint; buffers: number[]; busy: Set<number> };
let canvas = makeCanvas();
function makeCanvas(): Canvas {
  const { width, height } = size;
  const bytes = width * height * 4;
  const fd = memfd('studio-test', 0);
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
  return { width, height, bytes, pixels, buffers, busy };
}

let painted = 0;
function show(colour: number, shown: (us: number) => void): void {
  const { width, bytes, pixels, buffers, busy } = canvas;
  const free = buffers.findIndex((_, i) => !busy.has(i));
  if (free < 0) throw new Error('The compositor keeps all buffers.');
  busy.add(free);
  const row = Buffer.alloc(PATCH.width * 4);
  for (let x = 0; x < PATCH.width; x++) row.writeUInt32LE(colour, x * 4);
  for (let y = 0; y < PATCH.height; y++)
    memory().memcpyIn(pixels + BigInt(free * bytes + ((PATCH.y + y) * width + PATCH.x) * 4), row, row.length);
  client.send(surface, 1, uints(buffers[free] ?? 0, 0, 0));
  client.send(surface, 9, uints(PATCH.x, PATCH.y, PATCH.width, PATCH.height));
  const feedback = client.object(({ opcode, args }) => {
    // Not shown (opcode 2): the next one took its place.
    if (opcode === 2) shown(nowUs());
    if (opcode !== 1) return;
    const [high, low, ns] = [args.uint(), args.uint(), args.uint()];
    shown((high * 2 ** 32 + low) * 1_000_000 + Math.ceil(ns / 1000));
  });
  client.send(presentation, 1, uints(surface, feedback));
  client.send(surface, 6, Buffer.alloc(0));
}

let at = { x: 0, y: 0 };
const place = (x: number, y: number) => ({ x: Math.round(x / 256), y: Math.round(y / 256) });
let hasPointer = false;
let hasKeyboard = false;
const seat = bind('wl_seat', 5, ({ opcode, args }) => {
  if (opcode !== 0) return;
  const offered = args.uint();
  // With each cast the compositor makes its pointer and keyboard anew: the old ones say nothing any more.
  hasPointer &&= (offered & 1) !== 0;
  hasKeyboard &&= (offered & 2) !== 0;
  if (offered & 1 && !hasPointer) {
    hasPointer = true;
    const pointer = client.object(onPointer);
    client.send(seat, 0, uints(pointer));
  }
  if (offered & 2 && !hasKeyboard) {
    hasKeyboard = true;
    const keyboard = client.object((event) => {
      if (event.opcode === 0) closeSync(event.fd());
      if (event.opcode === 1) tell({ type: 'focus' });
      if (event.opcode !== 3) return;
      const [, , code, state] = [event.args.uint(), event.args.uint(), event.args.uint(), event.args.uint()];
      tell({ type: 'key', code, down: state === 1 });
    });
    client.send(seat, 1, uints(keyboard));
  }
});

function onPointer({ opcode, args }: WaylandEvent): void {
  if (opcode === 0) {
    args.uint();
    args.uint();
    at = place(args.int(), args.int());
    tell({ type: 'enter', ...at });
  }
  if (opcode === 2) {
    args.uint();
    at = place(args.int(), args.int());
    tell({ type: 'move', ...at });
  }
  if (opcode === 3) {
    args.uint();
    const [time, code, state] = [args.uint(), args.uint(), args.uint()];
    tell({ type: 'button', code, down: state === 1, ...at });
    if (code === 0x110 && state === 1) paint(time);
  }
  if (opcode === 8) {
    args.uint();
    tell({ type: 'wheel', steps: args.int(), ...at });
  }
}

function paint(pressMs: number): void {
  const n = painted++;
  const before = nowUs();
  show(colourOf(n), (after) => tell({ type: 'paint', n, colour: colourOf(n), before, after, pressMs }));
}

const showAll = () => show(0x202020, () => tell({ type: 'shown', ...size }));
showAll();
process.on('SIGTERM', () => process.exit(0));
setInterval(() => {
  client.turn(0);
  // The display has another size now.
  if (!configured || (size.width === canvas.width && size.height === canvas.height)) return;
  canvas = makeCanvas();
  showAll();
}, 1);
