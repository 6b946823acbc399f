import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** One coded picture of a master: its time in ms and whether decoding can start at it. */
export type MkvBlock = { pts: number; key: boolean };

/** The contents of a Matroska file, read from its structure alone (no decoding), and whether it was ended properly. */
export type MkvIndex = { blocks: MkvBlock[]; truncated: boolean };

export type MkvOptions = {
  /** How many pictures something else names (frames.jsonl); far more than that are not listed. */
  named?: number;
  signal?: AbortSignal;
  /** Is told where each picture lies, in the order of the file. */
  onBlock?(block: MkvBlock, place: MkvPlace): void;
};
/** Bytes from the file's beginning: its cluster, and the first one behind the picture. */
export type MkvPlace = { cluster: number; end: number };

const ID = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  reference: 0xfb,
};
const CONTAINERS: ReadonlySet<number> = new Set([ID.segment, ID.cluster, ID.blockGroup]);
/** A writer may begin these without knowing where they end; of anything else the size is known (RFC 9559, 5). */
const MAY_BE_UNKNOWN: ReadonlySet<number> = new Set([ID.segment, ID.cluster]);

/** Nine hours at 60 pictures a second. */
const MOST_PICTURES = 2_000_000;
/** So many pictures are read of a film, where so many are named: a damaged frames.jsonl names fewer than there are. */
export const mostPictures = (named: number): number => Math.min(MOST_PICTURES, 2 * named + 10_000);
/** Elements for each picture: our own masters have two to four, with the cluster's own. */
const ELEMENTS_A_PICTURE = 16;
/** Track, time and flags stand before a block's picture. */
const BLOCK_HEAD = 4;
/** The longest head of an element: an id of 8 bytes, a size of 8, and the beginning of what it holds. */
const HEAD = 32;
/** Read at once: small elements come many to a read, and skipping over a large picture costs one. */
const WINDOW = 4096;
/** How long the rest of the program waits at most, ms. */
const SLICE_MS = 8;

/**
 * Lists the coded pictures of a master, also of one whose writer was killed: the list ends at a torn or impossible element.
 * Reads a few bytes an element, so a large file costs little, and gives way to the rest of the program every few ms.
 * A file that is no Matroska has no pictures. Throws what fs throws when the file cannot be read; what `signal` says.
 */
export async function readMkvIndex(path: string, options: MkvOptions = {}): Promise<MkvIndex> {
  // A named pipe would never answer; opened so, it is at least seen to be none of ours.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const info = fstatSync(fd);
    const size = info.isFile() ? info.size : 0;
    const walk = walker(reader(fd), size, mostPictures(options.named ?? MOST_PICTURES), options.onBlock);
    while (!walk(performance.now() + SLICE_MS)) {
      await nextTurn();
      options.signal?.throwIfAborted();
    }
    return walk.index();
  } finally {
    closeSync(fd);
  }
}

/** The bytes of an element's head. `bytes` is shared by all heads: it holds the newest one's, from `at` on. */
type Head = { bytes: Buffer; at: number; length: number };

function reader(fd: number): (at: number) => Head {
  const bytes = Buffer.alloc(WINDOW);
  const head: Head = { bytes, at: 0, length: 0 };
  let start = 0;
  let got = 0;
  return (at) => {
    const inside = at >= start && at + HEAD <= start + got;
    if (!inside) {
      start = at;
      got = readSync(fd, bytes, 0, WINDOW, at);
    }
    head.at = at - start;
    head.length = Math.min(HEAD, got - head.at);
    return head;
  };
}

/** Goes on until the time is over; true when the file is read to its end. */
type Walk = { (until: number): boolean; index(): MkvIndex };

function walker(
  headAt: (at: number) => Head,
  end: number,
  most: number,
  onBlock: MkvOptions['onBlock'] = () => undefined,
): Walk {
  const blocks: MkvBlock[] = [];
  let at = 0;
  let clusterTime = 0;
  let cluster = 0;
  let groupEnd = 0;
  let truncated = false;
  let elements = 0;

  /** False where the list ends. */
  function element(): boolean {
    const head = headAt(at);
    const id = vint(head, 0, false);
    const length = id && vint(head, id.bytes, true);
    if (!id || !length) return false;
    if (at === 0 && id.value !== ID.ebml) return false;
    if (length.unknown && !MAY_BE_UNKNOWN.has(id.value)) return false;
    const payload = at + id.bytes + length.bytes;
    if (!length.unknown && payload + length.value > end) {
      truncated = true;
      // A cluster that is cut off still holds whole blocks; anything else that is cut off holds nothing.
      if (!CONTAINERS.has(id.value)) return false;
    }
    const body = id.bytes + length.bytes;
    if (id.value === ID.cluster) cluster = at;
    if (id.value === ID.timestamp) {
      if (length.value > 8) return false;
      clusterTime = unsigned(head, body, length.value);
      if (!Number.isSafeInteger(clusterTime)) return false;
    }
    if (id.value === ID.simpleBlock || id.value === ID.block) {
      if (length.value < BLOCK_HEAD || blocks.length >= most) return false;
      const relative = head.bytes.readInt16BE(head.at + body + 1);
      const flags = head.bytes[head.at + body + 3] ?? 0;
      const block = { pts: clusterTime + relative, key: id.value === ID.block || (flags & 0x80) !== 0 };
      blocks.push(block);
      onBlock(block, { cluster, end: Math.max(payload + length.value, groupEnd) });
    }
    // A block in a group is a key frame unless the group refers to another block.
    if (id.value === ID.reference && payload <= groupEnd) {
      const last = blocks.at(-1);
      if (last) last.key = false;
    }
    if (id.value === ID.blockGroup) groupEnd = payload + length.value;
    at = CONTAINERS.has(id.value) ? payload : payload + length.value;
    return ++elements <= ELEMENTS_A_PICTURE * most;
  }

  const walk = (until: number): boolean => {
    for (let n = 1; at < end; n++) {
      if (!element()) {
        truncated = true;
        return true;
      }
      if (n % 64 === 0 && performance.now() > until) return false;
    }
    return true;
  };
  return Object.assign(walk, { index: (): MkvIndex => ({ blocks: inShownOrder(blocks), truncated }) });
}

/**
 * In the order in which they are shown. Our own masters are written so; an imported video may hold pictures that are stored after later ones
 * (B-frames), and those before a key frame in time are decoded from the key frame before it.
 */
function inShownOrder(blocks: MkvBlock[]): MkvBlock[] {
  const inOrder = blocks.every((block, at) => at === 0 || blocks[at - 1]!.pts <= block.pts);
  return inOrder ? blocks : blocks.sort((a, b) => a.pts - b.pts);
}

/** At most 8 bytes. */
function unsigned({ bytes, at }: Head, from: number, length: number): number {
  let value = 0;
  for (let i = 0; i < length; i++) value = value * 256 + (bytes[at + from + i] ?? 0);
  return value;
}

function vint(
  { bytes, at, length: available }: Head,
  from: number,
  strip: boolean,
): { value: number; bytes: number; unknown: boolean } | null {
  const first = from < available ? (bytes[at + from] ?? 0) : 0;
  if (first === 0) return null;
  const length = Math.clz32(first) - 23;
  if (from + length > available) return null;
  let value = strip ? first & (0xff >> length) : first;
  const bits = 0xff >> length;
  let ones = (first & bits) === bits;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + from + i] ?? 0;
    if (byte !== 0xff) ones = false;
    value = value * 256 + byte;
  }
  return { value, bytes: length, unknown: strip && ones };
}
