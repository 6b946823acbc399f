import { closeSync, openSync, readSync } from 'node:fs';

/** Enough for what comes before the first picture, bytes. */
const HEAD = 65_536;
const MOST_PX = 32_768;
const VIDEO = 0xe0;
const WIDTH = 0xb0;
const HEIGHT = 0xba;
/** Ids of the elements that lead to the size: Segment, Tracks, TrackEntry, Video. */
const WAY: ReadonlySet<number> = new Set([0x18538067, 0x1654ae6b, 0xae, VIDEO]);

/** The size of a master's pictures, px, as its track says; null when the head cannot be read. */
export function readPictureSize(path: string): { width: number; height: number } | null {
  const bytes = Buffer.alloc(HEAD);
  const fd = openSync(path, 'r');
  try {
    return sizeIn(bytes.subarray(0, readSync(fd, bytes, 0, HEAD, 0)));
  } finally {
    closeSync(fd);
  }
}

function sizeIn(bytes: Buffer): { width: number; height: number } | null {
  let [width, height, at] = [0, 0, 0];
  while (at < bytes.length && !(width && height)) {
    const id = number(bytes, at, false);
    const length = id && number(bytes, at + id.bytes, true);
    if (!id || !length) return null;
    const body = at + id.bytes + length.bytes;
    if ((id.value === WIDTH || id.value === HEIGHT) && length.value >= 1 && length.value <= 4) {
      if (body + length.value > bytes.length) return null;
      const value = bytes.readUIntBE(body, length.value);
      if (value < 1 || value > MOST_PX) return null;
      if (id.value === WIDTH) width = value;
      else height = value;
    }
    at = WAY.has(id.value) ? body : body + length.value;
  }
  return width && height ? { width, height } : null;
}

/** An EBML number of at most eight bytes; an id keeps its marker. */
function number(bytes: Buffer, at: number, strip: boolean): { value: number; bytes: number } | null {
  const first = bytes[at] ?? 0;
  if (first === 0) return null;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return null;
  let value = strip ? first & (0xff >> length) : first;
  for (let i = 1; i < length; i++) value = value * 256 + bytes[at + i]!;
  return { value, bytes: length };
}
