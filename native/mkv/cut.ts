import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { type MkvPlace, readMkvIndex } from './read.ts';

/**
 * Shortens a master to its first pictures without copying or coding anything again: the file ends behind the last of them,
 * and its head says nothing of what was there. Our masters keep their pictures in the order in which they are shown (no
 * B-frames), so any picture may be the last one.
 */
export type CutOptions = {
  /** True for the pictures from the beginning that stay; the first one for which it is false ends the file. */
  keep(pts: number, at: number): boolean;
  /**
   * Somebody may still write to the file (an encoder that outlived its recorder): it is made anew under this name beside
   * it, so that whatever is still written goes nowhere. Needs room for a copy.
   */
  anewAs?: string;
};

const ID = { segment: 0x18538067, cluster: 0x1f43b675, seekHead: 0x114d9b74, info: 0x1549a966, tags: 0x1254c367 };
const CRC = 0xbf;
const DURATION = 0x4489;
const VOID = 0xec;
/** The bytes before the first picture are a few hundred. */
const MOST_HEAD = 1 << 20;

/**
 * Gives how many pictures stay. With none the file is left as it is: it holds nothing that is wanted. Done twice it is as
 * done once, and a stop in the middle leaves a file that can be read and cut again. Throws what the file system throws.
 */
export async function cutMkv(path: string, { keep, anewAs }: CutOptions): Promise<number> {
  let kept = 0;
  let last: MkvPlace | null = null;
  let over = false;
  const { blocks, truncated } = await readMkvIndex(path, {
    onBlock({ pts }, place) {
      over ||= !keep(pts, kept);
      if (over) return;
      last = place;
      kept++;
    },
  });
  // Assigned in the callback, which the compiler does not see.
  const end = last as MkvPlace | null;
  if (end === null || (kept === blocks.length && !truncated && anewAs === undefined)) return kept;
  if (anewAs === undefined) shorten(path, end);
  else {
    try {
      copyStart(path, anewAs, end.end);
      shorten(anewAs, end);
      renameSync(anewAs, path);
    } catch (error) {
      rmSync(anewAs, { force: true });
      throw error;
    }
  }
  return kept;
}

function copyStart(from: string, to: string, bytes: number): void {
  const source = openSync(from, 'r');
  const target = openSync(to, 'wx');
  try {
    const part = Buffer.alloc(Math.min(bytes, 1 << 20));
    for (let at = 0; at < bytes; ) {
      const got = readSync(source, part, 0, Math.min(part.length, bytes - at), at);
      if (got === 0) break;
      for (let done = 0; done < got; ) done += writeSync(target, part, done, got - done);
      at += got;
    }
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

function shorten(path: string, { cluster, end }: MkvPlace): void {
  const fd = openSync(path, 'r+');
  try {
    ftruncateSync(fd, end);
    fsyncSync(fd);
    const head = Buffer.alloc(Math.min(MOST_HEAD, cluster));
    readSync(fd, head, 0, head.length, 0);
    for (const patch of headPatches(head)) writeSync(fd, patch.bytes, 0, patch.bytes.length, patch.at);
    for (const patch of clusterPatches(fd, cluster, end)) writeSync(fd, patch.bytes, 0, patch.bytes.length, patch.at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

type Patch = { at: number; bytes: Buffer };
type Element = { id: number; at: number; idBytes: number; sizeBytes: number; body: number; size: number };

/** The segment is as long as its pictures; what describes the rest (its index, its length, its tags) becomes empty space. */
function headPatches(head: Buffer): Patch[] {
  const patches: Patch[] = [];
  const ebml = elementAt(head, 0);
  const segment = ebml && elementAt(head, ebml.body + ebml.size);
  if (!segment || segment.id !== ID.segment) return [];
  patches.push({ at: segment.at + segment.idBytes, bytes: unknownSize(segment.sizeBytes) });
  for (let at = segment.body, one = elementAt(head, at); one && at < head.length; one = elementAt(head, at)) {
    at = one.body + one.size;
    if (at > head.length) break;
    if (one.id === ID.seekHead || one.id === ID.tags) patches.push(emptied(one));
    if (one.id !== ID.info) continue;
    for (let inner = one.body, part = elementAt(head, inner); part && inner < at; part = elementAt(head, inner)) {
      inner = part.body + part.size;
      // The checksum is that of a head with the old length.
      if (part.id === DURATION || part.id === CRC) patches.push(emptied(part));
    }
  }
  return patches;
}

/** The last cluster ends with the last picture. */
function clusterPatches(fd: number, cluster: number, end: number): Patch[] {
  const bytes = Buffer.alloc(64);
  const length = readSync(fd, bytes, 0, bytes.length, cluster);
  const found = elementAt(bytes.subarray(0, length), 0);
  if (!found || found.id !== ID.cluster) return [];
  const patches = [{ at: cluster + found.idBytes, bytes: sizeOf(end - cluster - found.body, found.sizeBytes) }];
  const first = elementAt(bytes, found.body);
  if (first?.id !== CRC) return patches;
  const { at, bytes: nothing } = emptied(first);
  return [...patches, { at: cluster + at, bytes: nothing }];
}

/** The same bytes as an element that means nothing, and zeros in it. */
function emptied({ at, idBytes, sizeBytes, size }: Element): Patch {
  return {
    at,
    bytes: Buffer.concat([Buffer.from([VOID]), sizeOf(size, idBytes - 1 + sizeBytes), Buffer.alloc(size)]),
  };
}

/** A size in so many bytes. */
function sizeOf(value: number, bytes: number): Buffer {
  const out = Buffer.alloc(bytes);
  let rest = value;
  for (let i = bytes - 1; i >= 0; i--) {
    out[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  out[0] = (out[0] ?? 0) | (1 << (8 - bytes));
  return out;
}
function unknownSize(bytes: number): Buffer {
  const out = Buffer.alloc(bytes, 0xff);
  out[0] = (1 << (9 - bytes)) - 1;
  return out;
}

function elementAt(bytes: Buffer, at: number): Element | null {
  const idBytes = lengthOf(bytes[at]);
  if (idBytes > 4 || at + idBytes >= bytes.length) return null;
  const sizeBytes = lengthOf(bytes[at + idBytes]);
  const body = at + idBytes + sizeBytes;
  if (sizeBytes > 8 || body > bytes.length) return null;
  let size = (bytes[at + idBytes] ?? 0) & (0xff >> sizeBytes);
  for (let i = 1; i < sizeBytes; i++) size = size * 256 + (bytes[at + idBytes + i] ?? 0);
  return { id: bytes.readUIntBE(at, idBytes), at, idBytes, sizeBytes, body, size };
}
/** How many bytes a number has, by its first one; 9 for what is none. */
const lengthOf = (first: number | undefined): number => (first === undefined ? 9 : Math.clz32(first) - 23);
