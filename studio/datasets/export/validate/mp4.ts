import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** What an mp4 says of its video; read here and not by ffmpeg, which wrote it. */
export type FilmFacts = { width: number; height: number; frames: number; seconds: number };

/** A head of an hour of video at 60 pictures a second. */
const MOST_HEAD = 16_000_000;
const MOST_BOXES = 10_000;

/** The facts, or the fault of the file. */
export function filmFacts(file: string): FilmFacts | { damage: string } {
  const handle = openSync(file, 'r');
  try {
    const head = movieBox(handle, fstatSync(handle).size);
    if (head === null) return { damage: 'it has no head (moov) that says what is in it' };
    const inside = (path: readonly string[]): Buffer | undefined =>
      path.reduce<Buffer | undefined>((within, name) => within && boxesIn(within).get(name), head);
    const times = inside(['trak', 'mdia', 'mdhd']);
    const table = inside(['trak', 'mdia', 'minf', 'stbl']);
    const entry = table && boxesIn(table).get('stsd');
    const sizes = table && boxesIn(table).get('stsz');
    if (!times || !entry || !sizes) return { damage: 'its head has no video track' };
    if (times[0] !== 0) return { damage: 'its times are of a version that is not known' };
    const scale = times.readUInt32BE(12);
    if (scale === 0) return { damage: 'it has no clock' };
    const codec = entry.toString('latin1', 12, 16);
    if (!['avc1', 'avc3'].includes(codec)) return { damage: `its video is "${codec}", not H.264` };
    return {
      width: entry.readUInt16BE(40),
      height: entry.readUInt16BE(42),
      frames: sizes.readUInt32BE(8),
      seconds: times.readUInt32BE(16) / scale,
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { damage: 'it ends early' };
  } finally {
    closeSync(handle);
  }
}

/** The content of the box `moov`; null where there is none. Throws RangeError where the file ends before a box does. */
function movieBox(handle: number, size: number): Buffer | null {
  let at = 0;
  for (let number = 0; number < MOST_BOXES && at + 8 <= size; number++) {
    const head = Buffer.alloc(16);
    const read = readSync(handle, head, 0, 16, at);
    let length = head.readUInt32BE(0);
    let own = 8;
    if (length === 1 && read === 16) {
      length = Number(head.readBigUInt64BE(8));
      own = 16;
    }
    if (length === 0) length = size - at;
    if (length < own || at + length > size) throw new RangeError('a box ends after its file');
    if (head.toString('latin1', 4, 8) === 'moov') {
      if (length > MOST_HEAD) throw new RangeError('a head that is too large');
      const bytes = Buffer.alloc(length - own);
      readSync(handle, bytes, 0, bytes.length, at + own);
      return bytes;
    }
    at += length;
  }
  return null;
}

/** The first box of each name. Throws RangeError where one ends after the box around it. */
function boxesIn(bytes: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  let at = 0;
  for (let number = 0; number < MOST_BOXES && at + 8 <= bytes.length; number++) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (length < 8 || at + length > bytes.length) throw new RangeError('a box ends after the one around it');
    if (!found.has(name)) found.set(name, bytes.subarray(at + 8, at + length));
    at += length;
  }
  return found;
}
