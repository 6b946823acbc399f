import koffi from 'koffi';
import { StudioError } from '../../schemas/errors.ts';
import { memory, type Pointer } from '../memory/memory.ts';

/**
 * Wayland's wire protocol, as much of it as a client needs that asks and waits: a socket, messages of 32-bit words, and file
 * descriptors beside them, which Node's sockets cannot carry. libwayland-client would need a table in C for each interface.
 */
export type WaylandClient = {
  /** A number for a new object, whose events go to `hear`. */
  object(hear?: EventHandler): number;
  send(object: number, opcode: number, args: Buffer, fd?: number): void;
  /** The compositor's globals: interface to [name, version]; all of them where there are several (outputs). */
  globals(): ReadonlyMap<number, { face: string; version: number }>;
  bind(name: number, version: number, hear?: EventHandler): number;
  /** Sends nothing more until everything that was asked is answered. Throws NO_DISPLAY when the compositor is gone. */
  roundtrip(): void;
  /** Hands out what has come; waits at most so long for it. */
  turn(withinMs: number): void;
  close(): void;
};
export type WaylandEvent = { opcode: number; args: WireReader; fd(): number };
type EventHandler = (event: WaylandEvent) => void;

type Fn<A extends unknown[], R> = (...args: A) => R;

const AF_UNIX = 1;
const SOCK_STREAM = 1;
const SOCK_CLOEXEC = 0o2000000;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
const MSG_CMSG_CLOEXEC = 0x40000000;
const SOL_SOCKET = 1;
const SCM_RIGHTS = 1;
const POLLIN = 1;
const ROUNDTRIP_MS = 5000;
const DISPLAY = 1;
const BYTES = 65_536;

let loaded: ReturnType<typeof bindLibc> | null = null;
const libc = (): ReturnType<typeof bindLibc> => {
  loaded ??= bindLibc();
  return loaded;
};
// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
function bindLibc() {
  const c = koffi.load('libc.so.6');
  return {
    socket: c.func('int socket(int family, int type, int protocol)') as Fn<[number, number, number], number>,
    connect: c.func('int connect(int fd, const uint8_t *address, uint32 bytes)') as Fn<
      [number, Uint8Array, number],
      number
    >,
    sendmsg: c.func('long sendmsg(int fd, void *message, int flags)') as Fn<[number, Pointer, number], number>,
    recvmsg: c.func('long recvmsg(int fd, void *message, int flags)') as Fn<[number, Pointer, number], number>,
    poll: c.func('int poll(_Inout_ uint8_t *fds, ulong n, int ms)') as Fn<[Uint8Array, number, number], number>,
    close: c.func('int close(int fd)') as Fn<[number], number>,
  };
}

/** A connected socket of this path; null where nobody listens. Close it with `closeFd`. */
export function connectUnix(path: string): number | null {
  const { socket, connect, close } = libc();
  const fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const address = Buffer.alloc(110);
  address.writeUInt16LE(AF_UNIX, 0);
  if (fd < 0 || Buffer.byteLength(path) > 107) return null;
  address.write(path, 2);
  if (connect(fd, address, address.length) === 0) return fd;
  close(fd);
  return null;
}
export const closeFd = (fd: number): void => void libc().close(fd);

class WireReader {
  readonly #bytes: Buffer;
  #at = 0;
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  uint(): number {
    const value = this.#bytes.readUInt32LE(this.#at);
    this.#at += 4;
    return value;
  }
  int(): number {
    return this.uint() | 0;
  }
  string(): string {
    const length = this.uint();
    const text = this.#bytes.toString('utf8', this.#at, this.#at + Math.max(0, length - 1));
    this.#at += Math.ceil(length / 4) * 4;
    return text;
  }
}

export const uints = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => {
    bytes.writeUInt32LE(value >>> 0, i * 4);
  });
  return bytes;
};
export function text(value: string): Buffer {
  const bytes = Buffer.from(`${value}\0`);
  return Buffer.concat([uints(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

/** The compositor's socket as the environment names it; null: this is no Wayland session. */
function waylandSocket(env: NodeJS.ProcessEnv = process.env): string | null {
  const name = env.WAYLAND_DISPLAY || (env.XDG_SESSION_TYPE === 'wayland' ? 'wayland-0' : '');
  if (name === '') return null;
  return name.startsWith('/') ? name : `${env.XDG_RUNTIME_DIR ?? ''}/${name}`;
}

/** Throws NO_DISPLAY when no compositor answers. */
export function openWayland(path: string | null = waylandSocket()): WaylandClient {
  const gone = (): StudioError =>
    new StudioError(
      'NO_DISPLAY',
      `No Wayland compositor answers at ${path ?? 'WAYLAND_DISPLAY, which is not set'}.`,
      {},
    );
  const fd = path === null ? null : connectUnix(path);
  if (fd === null) throw gone();
  const c = libc();
  const space = koffi.alloc('uint8', BYTES + 512) as bigint; // koffi hands addresses out as bigint
  const [iovec, control, message, bytes] = [space, space + 64n, space + 256n, space + 512n];
  let open = true;
  let nextId = 2;
  let rest = Buffer.alloc(0);
  let fds: number[] = [];
  const heard = new Map<number, EventHandler>();
  const globals = new Map<number, { face: string; version: number }>();

  /** msghdr for `n` bytes and so many bytes of control. */
  function header(n: number, controlBytes: number): void {
    const io = Buffer.alloc(16);
    io.writeBigUInt64LE(bytes, 0);
    io.writeBigUInt64LE(BigInt(n), 8);
    memory().memcpyIn(iovec, io, 16);
    const head = Buffer.alloc(56);
    head.writeBigUInt64LE(iovec, 16);
    head.writeBigUInt64LE(1n, 24);
    if (controlBytes > 0) head.writeBigUInt64LE(control, 32);
    head.writeBigUInt64LE(BigInt(controlBytes), 40);
    memory().memcpyIn(message, head, 56);
  }

  function send(object: number, opcode: number, args: Buffer, sent?: number): void {
    const all = Buffer.concat([uints(object, ((8 + args.length) << 16) | opcode), args]);
    memory().memcpyIn(bytes, all, all.length);
    header(all.length, sent === undefined ? 0 : 24);
    if (sent !== undefined) {
      const about = Buffer.alloc(24);
      about.writeBigUInt64LE(20n, 0);
      about.writeInt32LE(SOL_SOCKET, 8);
      about.writeInt32LE(SCM_RIGHTS, 12);
      about.writeInt32LE(sent, 16);
      memory().memcpyIn(control, about, 24);
    }
    if (c.sendmsg(fd as number, message, MSG_NOSIGNAL) !== all.length) throw gone();
  }

  function receive(): boolean {
    header(BYTES, 128);
    const n = c.recvmsg(fd as number, message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (n === 0) throw gone();
    if (n < 0) return false;
    const got = Buffer.alloc(n);
    memory().memcpyOut(got, bytes, n);
    const head = Buffer.alloc(56);
    memory().memcpyOut(head, message, 56);
    const about = Buffer.alloc(Math.min(128, Number(head.readBigUInt64LE(40))));
    if (about.length >= 16) {
      memory().memcpyOut(about, control, about.length);
      for (let at = 16; at + 4 <= Number(about.readBigUInt64LE(0)); at += 4) fds.push(about.readInt32LE(at));
    }
    rest = Buffer.concat([rest, got]);
    return true;
  }

  function deliver(): void {
    while (rest.length >= 8) {
      const size = rest.readUInt16LE(6);
      if (size < 8 || rest.length < size) return;
      const event = rest.subarray(0, size);
      rest = rest.subarray(size);
      heard.get(event.readUInt32LE(0))?.({
        opcode: event.readUInt16LE(4),
        args: new WireReader(event.subarray(8)),
        fd: () => fds.shift() ?? -1,
      });
    }
  }

  function object(hear?: EventHandler): number {
    const made = nextId++;
    if (hear) heard.set(made, hear);
    return made;
  }

  function turn(withinMs: number): void {
    if (!open) return;
    const wait = Buffer.alloc(8);
    wait.writeInt32LE(fd as number, 0);
    wait.writeInt16LE(POLLIN, 4);
    if (c.poll(wait, 1, Math.ceil(withinMs)) <= 0) return;
    while (receive());
    deliver();
  }

  heard.set(DISPLAY, ({ opcode, args }) => {
    if (opcode !== 0) return;
    const [at, code] = [args.uint(), args.uint()];
    throw new StudioError('INTERNAL', `The compositor refused object ${at}, error ${code}: ${args.string()}`, {});
  });
  const registry = object(({ opcode, args }) => {
    const name = args.uint();
    if (opcode === 0) globals.set(name, { face: args.string(), version: args.uint() });
    else globals.delete(name);
  });
  send(DISPLAY, 1, uints(registry));

  const client: WaylandClient = {
    object,
    send,
    globals: () => globals,
    bind(name, version, hear) {
      const about = globals.get(name);
      const made = object(hear);
      send(registry, 0, Buffer.concat([uints(name), text(about?.face ?? ''), uints(version, made)]));
      return made;
    },
    roundtrip() {
      let done = false;
      send(DISPLAY, 0, uints(object(() => (done = true))));
      const until = performance.now() + ROUNDTRIP_MS;
      while (!done) {
        if (performance.now() > until) throw gone();
        turn(100);
      }
    },
    turn,
    close() {
      if (!open) return;
      open = false;
      for (const one of fds) c.close(one);
      fds = [];
      c.close(fd);
      koffi.free(space);
    },
  };
  client.roundtrip();
  return client;
}
