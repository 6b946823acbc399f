import { closeSync } from 'node:fs';
import { libc } from '../memory/libc.ts';
import { memory } from '../memory/memory.ts';
import { uints, type WaylandClient } from './wire.ts';

const BUFFERS = 4;
const XRGB8888 = 1;

/** Pictures of a window in memory that the compositor reads, four bytes a pixel (BGRx). */
export class SharedPixels {
  readonly #pixels: bigint;
  /** Bytes of one picture. */
  readonly #bytes: number;
  readonly #buffers: readonly number[];
  /** Those that the compositor has not given back. */
  readonly #busy = new Set<number>();

  constructor(client: WaylandClient, shm: number, { width, height }: { width: number; height: number }) {
    this.#bytes = width * height * 4;
    const all = this.#bytes * BUFFERS;
    const fd = libc().memfdCreate('trajectory-studio', 0);
    libc().ftruncate(fd, all);
    this.#pixels = libc().mmap(null, all, 3, 1, fd, 0);
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
    libc().munmap(this.#pixels, this.#bytes * BUFFERS);
  }

  #at(index: number): bigint {
    return this.#pixels + BigInt(index * this.#bytes);
  }
}
