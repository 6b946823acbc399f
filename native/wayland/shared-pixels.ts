import { closeSync } from 'node:fs';
import koffi from 'koffi';
import { memory } from '../memory/memory.ts';
import { uints, type WaylandClient } from './wire.ts';

const BUFFERS = 4;
const XRGB8888 = 1;

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

/** Pictures of a window in memory that the compositor reads, four bytes a pixel (BGRx). */
export class SharedPixels {
  readonly #pixels: bigint;
  /** Bytes of one picture. */
  readonly #bytes: number;
  readonly #buffers: readonly number[];
  /** Those that the compositor has not given back. */
  readonly #busy = new Set<number>();

  constructor(client: WaylandClient, shm: number, { width, height }: { width: number; height: number }) {
    loaded ??= bind();
    this.#bytes = width * height * 4;
    const all = this.#bytes * BUFFERS;
    const fd = loaded.memfd('trajectory-studio', 0);
    loaded.truncate(fd, all);
    this.#pixels = loaded.mmap(null, all, 3, 1, fd, 0);
    const pool = client.object();
    client.send(shm, 0, uints(pool, all), fd);
    closeSync(fd);
    this.#buffers = Array.from({ length: BUFFERS }, (_, i) => {
      const buffer = client.object(() => this.#busy.delete(i));
      client.send(pool, 0, uints(buffer, this.#bytes * i, width, height, width * 4, XRGB8888));
      return buffer;
    });
  }

  /** Puts a picture into all buffers. */
  fill(picture: Uint8Array): void {
    for (let i = 0; i < BUFFERS; i++) memory().memcpyIn(this.#at(i), picture, this.#bytes);
  }

  /** A buffer's object and the address of its pixels; null while the compositor has them all. */
  take(): { buffer: number; at: bigint } | null {
    const free = this.#buffers.findIndex((_, i) => !this.#busy.has(i));
    if (free < 0) return null;
    this.#busy.add(free);
    return { buffer: this.#buffers[free] ?? 0, at: this.#at(free) };
  }

  close(): void {
    loaded?.munmap(this.#pixels, this.#bytes * BUFFERS);
  }

  #at(index: number): bigint {
    return this.#pixels + BigInt(index * this.#bytes);
  }
}
