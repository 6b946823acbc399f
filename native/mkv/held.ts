import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * A Matroska file that ffmpeg writes into a pipe and that reaches the disk picture by picture, each only when it was let
 * out (I6). Takes what `-f matroska -cluster_time_limit 0 pipe:1` gives: a head, then a cluster of known size a picture.
 */
export type HeldFile = {
  /** More of ffmpeg's output. Throws what the file system throws. */
  take(bytes: Buffer): void;
  /** So many pictures from the beginning may be on the disk. */
  allow(pictures: number): void;
  /** Forgets what waits and what comes. */
  drop(): void;
  close(): void;
  /** Bytes that wait. */
  waiting(): number;
};

const CLUSTER = 0x1f43b675;
const SEGMENT = 0x18538067;
/** Elements are known to be small but for clusters; a cluster holds one picture. */
const MOST_BYTES = 2 ** 30;

export function openHeldFile(path: string): HeldFile {
  let rest: Buffer = Buffer.alloc(0);
  let head: Buffer[] = [];
  let clusters: Buffer[] = [];
  let fd: number | null = null;
  let allowed = 0;
  let written = 0;
  let over = false;

  function put(bytes: Buffer): void {
    // Nothing is made before the first picture may be in it.
    fd ??= openSync(path, 'wx');
    let done = 0;
    while (done < bytes.length) done += writeSync(fd, bytes, done);
  }
  function release(): void {
    while (written < allowed && clusters.length > 0) {
      for (const part of head.splice(0)) put(part);
      const cluster = clusters.shift();
      if (cluster) put(cluster);
      written++;
    }
  }
  function drop(): void {
    over = true;
    rest = Buffer.alloc(0);
    head = [];
    clusters = [];
  }

  return {
    take(bytes) {
      if (over) return;
      rest = Buffer.concat([rest, bytes]);
      for (let next = elementAt(rest); next; next = elementAt(rest)) {
        const element = rest.subarray(0, next.bytes);
        rest = rest.subarray(next.bytes);
        if (next.id === CLUSTER) clusters.push(element);
        // After the pictures comes only an index, which readers can do without.
        else if (written === 0 && clusters.length === 0) head.push(element);
      }
      release();
    },
    allow(pictures) {
      allowed = Math.max(allowed, pictures);
      if (!over) release();
    },
    drop,
    close() {
      drop();
      if (fd !== null) closeSync(fd);
      fd = null;
    },
    waiting: () => rest.length + clusters.reduce((sum, { length }) => sum + length, 0),
  };
}

/** The element at the beginning, when all of it is there; of the segment, which holds the others, its head alone. */
function elementAt(bytes: Buffer): { id: number; bytes: number } | null {
  const idLength = lengthOf(bytes[0]);
  if (idLength === null || bytes.length < idLength + 1) return null;
  const id = bytes.readUIntBE(0, Math.min(idLength, 6));
  const sizeLength = lengthOf(bytes[idLength]);
  if (sizeLength === null || bytes.length < idLength + sizeLength) return null;
  const before = idLength + sizeLength;
  if (id === SEGMENT) return { id, bytes: before };
  let size = (bytes[idLength] ?? 0) & (0xff >> sizeLength);
  for (let i = 1; i < sizeLength; i++) size = size * 256 + (bytes[idLength + i] ?? 0);
  if (size > MOST_BYTES) throw new Error(`ffmpeg wrote an element of ${size} bytes.`);
  return bytes.length < before + size ? null : { id, bytes: before + size };
}

/** How many bytes a number of Matroska has, by its first one; null before that is there. */
function lengthOf(first: number | undefined): number | null {
  if (first === undefined) return null;
  return first === 0 ? 8 : Math.clz32(first) - 23;
}
