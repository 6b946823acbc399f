import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** One coded picture of a master: its time in ms and whether decoding can start at it. */
export type MkvBlock = { pts: number; key: boolean };

/** What a Matroska file holds, read from its structure alone (no decoding), and whether it was ended properly. */
export type MkvIndex = { blocks: MkvBlock[]; truncated: boolean };

const ID = {
  segment: 0x18538067,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  reference: 0xfb,
};
const CONTAINERS: ReadonlySet<number> = new Set([ID.segment, ID.cluster, ID.blockGroup]);

/**
 * Lists the coded pictures of a master, also of one whose writer was killed: a torn last element ends the list.
 * Reads a few bytes an element, so a large file costs little. Throws what fs throws when the file cannot be read.
 */
export function readMkvIndex(path: string): MkvIndex {
  const fd = openSync(path, 'r');
  try {
    return walk(fd, fstatSync(fd).size);
  } finally {
    closeSync(fd);
  }
}

function walk(fd: number, end: number): MkvIndex {
  const head = Buffer.alloc(32);
  const blocks: MkvBlock[] = [];
  let at = 0;
  let clusterTime = 0;
  let groupEnd = 0;
  let truncated = false;
  while (at < end) {
    const got = readSync(fd, head, 0, head.length, at);
    const id = vint(head, 0, got, false);
    const length = id && vint(head, id.bytes, got, true);
    if (!id || !length) {
      truncated = true;
      break;
    }
    const payload = at + id.bytes + length.bytes;
    if (!length.unknown && payload + length.value > end) {
      truncated = true;
      // A cluster that is cut off still holds whole blocks; anything else that is cut off holds nothing.
      if (!CONTAINERS.has(id.value)) break;
    }
    const body = id.bytes + length.bytes;
    if (id.value === ID.timestamp) clusterTime = Number(unsigned(head, body, length.value));
    if (id.value === ID.simpleBlock || id.value === ID.block) {
      const relative = head.readInt16BE(body + 1);
      const flags = head[body + 3] ?? 0;
      blocks.push({ pts: clusterTime + relative, key: id.value === ID.block || (flags & 0x80) !== 0 });
    }
    // A block in a group is a key frame unless the group refers to another block.
    if (id.value === ID.reference && payload <= groupEnd) {
      const last = blocks.at(-1);
      if (last) last.key = false;
    }
    if (id.value === ID.blockGroup) groupEnd = payload + length.value;
    at = CONTAINERS.has(id.value) || length.unknown ? payload : payload + length.value;
  }
  return { blocks: inShownOrder(blocks), truncated };
}

/**
 * As they are shown. Our own masters are written so; an imported video may hold pictures that are stored after later ones
 * (B-frames), and those before a key frame in time are decoded from the key frame before it.
 */
function inShownOrder(blocks: MkvBlock[]): MkvBlock[] {
  const inOrder = blocks.every((block, at) => at === 0 || blocks[at - 1]!.pts <= block.pts);
  return inOrder ? blocks : blocks.sort((a, b) => a.pts - b.pts);
}

function unsigned(bytes: Buffer, at: number, length: number): bigint {
  let value = 0n;
  for (let i = 0; i < length; i++) value = value * 256n + BigInt(bytes[at + i] ?? 0);
  return value;
}

function vint(
  bytes: Buffer,
  at: number,
  end: number,
  strip: boolean,
): { value: number; bytes: number; unknown: boolean } | null {
  const first = at < end ? (bytes[at] ?? 0) : 0;
  if (first === 0) return null;
  const length = Math.clz32(first) - 23;
  if (at + length > end) return null;
  let value = strip ? first & (0xff >> length) : first;
  const bits = 0xff >> length;
  let ones = (first & bits) === bits;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i] ?? 0;
    if (byte !== 0xff) ones = false;
    value = value * 256 + byte;
  }
  return { value, bytes: length, unknown: strip && ones };
}
