import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import type { Frame } from '../../schemas/frames.ts';
import { memory as rawMemory } from '../memory/memory.ts';
import type { Picture } from './picture.ts';
import { onScreenAt, type Ring, type Slot } from './ring.ts';
import type { StillJob } from './still-worker.ts';

/** K2: the screen is still when nothing above a thousandth of its pixels changed for 300 ms. */
const SETTLE = 300_000;
export const SETTLE_SHARE = 0.001;

type StillsParts<P extends Picture> = {
  /** Where they go, and who encodes them (still-worker.ts). */
  folder: string;
  port: MessagePort;
  /** The picture that was on the screen at a time, if it is still here. */
  shownAt(t: number): Slot<P> | null;
  /** True for a picture that is not handed on yet: `keep` is called again when it is. */
  isLater(slot: Slot<P>): boolean;
};

/**
 * The picture that was on the screen at `t`; where another took its place by `until`, within 300 ms of its coming, the one that
 * stood at `until` (K1): a program was painting still. Null: it is not here any more. Times: session µs.
 */
export function paintedBy<P extends Picture>(
  ring: Ring<P>,
  { t, until = t }: { t: number; until?: number | undefined },
): Slot<P> | null {
  const standing = onScreenAt(ring, t);
  const came = standing?.frame?.t;
  if (came === undefined || until <= t) return standing;
  let next = Number.POSITIVE_INFINITY;
  for (const { frame } of ring.slots) if (frame && frame.t > came) next = Math.min(next, frame.t);
  return next <= until && next - came < SETTLE ? onScreenAt(ring, until) : standing;
}

/** The stills of a recording: which pictures are kept as one, and the way to who encodes them. Times: session µs. */
export class Stills<P extends Picture> {
  readonly #parts: StillsParts<P>;
  readonly #saved = new Set<number>();
  /** K2, as it happens: what the person did last, and the first picture since that may turn out to be the last one. */
  #from: number | null = null;
  #settling: Frame | null = null;

  constructor(parts: StillsParts<P>) {
    this.#parts = parts;
  }

  keep(slot: Slot<P> | null): void {
    if (!slot?.frame || this.#saved.has(slot.frame.t) || this.#parts.isLater(slot)) return;
    const { t, i } = slot.frame;
    this.#saved.add(t);
    const pixels = new Uint8Array(slot.image.bytes);
    rawMemory().memcpyOut(pixels, slot.image.pointer, slot.image.bytes);
    const { width, height } = slot.image;
    const job: StillJob = { pixels, width, height, file: join(this.#parts.folder, `${t}.png`), t, frame: i };
    this.#parts.port.postMessage(job, [pixels.buffer]);
  }

  /** The person did something at `t`: a still is kept when the screen has come to rest after it. */
  waitAfter(t: number): void {
    this.#from = Math.max(this.#from ?? 0, t);
    this.#settling = null;
  }

  /** A new picture: does it make the one that was waited with the wrong one? `big`: much of it changed. */
  changed(frame: Frame, big: boolean): void {
    if (this.#from === null || frame.t < this.#from) return;
    if (!this.#settling) this.#settling = frame;
    else if (frame.t - this.#settling.t >= SETTLE) this.settled();
    else if (big) this.#settling = frame;
  }

  settle(now: number): void {
    if (this.#settling && now - this.#settling.t >= SETTLE) this.settled();
  }

  /** The picture that was waited with is the one. */
  settled(): void {
    if (this.#settling) this.keep(this.#parts.shownAt(this.#settling.t));
    this.#waitNoLonger();
  }

  /** This picture never was. */
  drop(slot: Slot<P>): void {
    if (this.#settling && this.#settling.t === slot.frame?.t) this.#waitNoLonger();
  }

  /** Those from `from` on never were. */
  forget(from: number): void {
    for (const t of this.#saved) if (t >= from) this.#saved.delete(t);
    this.#waitNoLonger();
  }

  /** It is reported when the stills that were given before are written: the question goes the same way. */
  flush(): void {
    this.#parts.port.postMessage('flush');
  }

  #waitNoLonger(): void {
    this.#settling = null;
    this.#from = null;
  }
}
