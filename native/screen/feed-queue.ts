/**
 * The queue between the thread that reads the screen and the thread that writes into the encoder's pipe: fixed records in
 * shared memory, one writer, one reader. A blocked encoder therefore never delays the next look at the screen (V6).
 */
export type FeedEntry =
  /** From here on pictures of this size go into `fd`; whatever was open before is closed. */
  | { kind: 'segment'; segment: number; fd: number; width: number; height: number }
  | { kind: 'frame'; segment: number; slot: number; address: bigint; bytes: number; pts: number }
  /** Close the pipe: no more pictures. */
  | { kind: 'end' };

export type FeedQueue = {
  /** [head (written), tail (read), slots pinned…]. */
  control: Int32Array<SharedArrayBuffer>;
  records: BigInt64Array<SharedArrayBuffer>;
};

const FIELDS = 6;
const CAPACITY = 64;
const HEAD = 0;
const TAIL = 1;
/** control[PINS + slot] counts the queue's records that still need that slot's picture. */
const PINS = 2;
const MAX_SLOTS = 32;
const KINDS = ['segment', 'frame', 'end'] as const;

export function createFeedQueue(): FeedQueue {
  return {
    control: new Int32Array(new SharedArrayBuffer((PINS + MAX_SLOTS) * 4)),
    records: new BigInt64Array(new SharedArrayBuffer(CAPACITY * FIELDS * 8)),
  };
}

/** False when the queue is full (the caller drops the frame and counts it). */
export function enqueueFrame(queue: FeedQueue, entry: FeedEntry): boolean {
  const head = Atomics.load(queue.control, HEAD);
  if (head - Atomics.load(queue.control, TAIL) >= CAPACITY) return false;
  const at = (head % CAPACITY) * FIELDS;
  const put = (i: number, value: bigint) => {
    queue.records[at + i] = value;
  };
  put(0, BigInt(KINDS.indexOf(entry.kind)));
  if (entry.kind === 'segment') {
    put(1, BigInt(entry.segment));
    put(2, BigInt(entry.fd));
    put(3, BigInt(entry.width));
    put(4, BigInt(entry.height));
  } else if (entry.kind === 'frame') {
    put(1, BigInt(entry.segment));
    put(2, BigInt(entry.slot));
    put(3, entry.address);
    put(4, BigInt(entry.bytes));
    put(5, BigInt(entry.pts));
    Atomics.add(queue.control, PINS + entry.slot, 1);
  }
  Atomics.store(queue.control, HEAD, head + 1);
  Atomics.notify(queue.control, HEAD);
  return true;
}

/**
 * Waits for the next record and hands it to `take`; its slot stays pinned until `take` returns, or, when that returns
 * `keep`, until it is given to `unpin`.
 */
export function dequeue(queue: FeedQueue, take: (entry: FeedEntry) => unknown): void {
  const tail = Atomics.load(queue.control, TAIL);
  while (Atomics.load(queue.control, HEAD) === tail) Atomics.wait(queue.control, HEAD, tail);
  const at = (tail % CAPACITY) * FIELDS;
  const field = (i: number) => queue.records[at + i] ?? 0n;
  const kind = KINDS[Number(field(0))];
  if (kind === 'segment') {
    take({ kind, segment: Number(field(1)), fd: Number(field(2)), width: Number(field(3)), height: Number(field(4)) });
  } else if (kind === 'frame') {
    const slot = Number(field(2));
    const [bytes, pts] = [Number(field(4)), Number(field(5))];
    const kept = take({ kind, segment: Number(field(1)), slot, address: field(3), bytes, pts });
    if (kept !== 'keep') unpin(queue, slot);
  } else {
    take({ kind: 'end' });
  }
  Atomics.store(queue.control, TAIL, tail + 1);
}

/** One record less needs the slot's picture. */
export function unpin(queue: FeedQueue, slot: number): void {
  Atomics.sub(queue.control, PINS + slot, 1);
}

/** True while a record waits that needs this slot's picture. */
export function isPinned(queue: FeedQueue, slot: number): boolean {
  return Atomics.load(queue.control, PINS + slot) > 0;
}

/** Where the queue's end is now; `hasPassed` tells when the reader has done everything before it. */
export function position(queue: FeedQueue): number {
  return Atomics.load(queue.control, HEAD);
}
export function hasPassed(queue: FeedQueue, at: number): boolean {
  return Atomics.load(queue.control, TAIL) >= at;
}
