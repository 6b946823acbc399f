import { constants, inflateRawSync } from 'node:zlib';

/** One file of an office document, which is a ZIP archive. What is too large or odd is refused with the reason. */

/** The largest part that is unpacked, bytes: a sheet of a million cells. All that are read together: a thousand may share their bytes. */
const MOST_PART = 32_000_000;
const MOST_PARTS = 3 * MOST_PART;
const MOST_ENTRIES = 20_000;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
/** The end's own length, and the longest comment behind it. */
const END_BYTES = 22;
const MOST_COMMENT = 65_535;

export type Zip = { names: readonly string[]; read(name: string): Buffer | null };

/** Reads the list of a ZIP's files. Throws an Error whose message is a part of a sentence. */
export function readZip(bytes: Buffer): Zip {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  const start = bytes.readUInt32LE(end + 16);
  if (count > MOST_ENTRIES || start === 0xffffffff) throw new Error('it holds too many files');
  const entries = new Map<string, number>();
  let at = start;
  for (let n = 0; n < count; n++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) throw torn();
    const nameLength = bytes.readUInt16LE(at + 28);
    entries.set(bytes.toString('utf8', at + 46, at + 46 + nameLength), at);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  let left = MOST_PARTS;
  return {
    names: [...entries.keys()],
    read: (name) => {
      const entry = entries.get(name);
      if (entry === undefined) return null;
      const part = readEntry(bytes, entry, name, Math.min(left, MOST_PART));
      left -= part.length;
      return part;
    },
  };
}

function readEntry(bytes: Buffer, at: number, name: string, most: number): Buffer {
  const flags = bytes.readUInt16LE(at + 8);
  const method = bytes.readUInt16LE(at + 10);
  const packed = bytes.readUInt32LE(at + 20);
  const local = bytes.readUInt32LE(at + 42);
  if ((flags & 1) !== 0) throw new Error('it is locked with a password');
  if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== LOCAL) throw torn();
  const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  if (from + packed > bytes.length) throw torn();
  const data = bytes.subarray(from, from + packed);
  const tooLarge = (): Error =>
    new Error(
      `its part ${name.slice(0, 80)} is larger than ${MOST_PART / 1e6} MB unpacked, or all its parts than ${MOST_PARTS / 1e6} MB`,
    );
  if (method === 0 && packed > most) throw tooLarge();
  if (method === 0) return data;
  if (most === 0) throw tooLarge();
  if (method !== 8) throw new Error(`its part ${name.slice(0, 80)} is packed in an unknown way`);
  try {
    return inflateRawSync(data, { maxOutputLength: most, finishFlush: constants.Z_FINISH });
  } catch (error) {
    const large = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (large) throw tooLarge();
    throw new Error(`its part ${name.slice(0, 80)} is damaged`);
  }
}

function findEnd(bytes: Buffer): number {
  const last = bytes.length - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MOST_COMMENT); at--) if (bytes.readUInt32LE(at) === END) return at;
  throw new Error('it is no ZIP archive, as such documents are');
}

const torn = (): Error => new Error('its list of files is damaged');
