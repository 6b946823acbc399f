import { gunzipSync } from 'node:zlib';
import { padding, readTarHeader, TAR_BLOCK } from '../../files/tar.ts';
import { readZip } from './zip.ts';

/** A plain archive: the names of its files, and what is in one of them. */
export type Archive = { names: readonly string[]; read(name: string): Promise<Buffer> };

/** The largest .tar that is unpacked, bytes, and the most files in it. */
const MOST_UNPACKED = 200_000_000;
const MOST_ENTRIES = 20_000;

/** By its first bytes, whatever its name is: zip, tar, tar packed by gzip. Rejects with an Error whose message is a part of a sentence. */
export async function readArchive(bytes: Buffer): Promise<Archive> {
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') {
    const zip = await readZip(bytes);
    return { names: zip.names, read: async (name) => (await zip.read(name)) ?? Buffer.alloc(0) };
  }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return readTar(unpacked(bytes));
  if (bytes.length >= TAR_BLOCK && bytes.toString('latin1', 257, 262) === 'ustar') return readTar(bytes);
  throw new Error('it is no archive that is read: .zip, .tar and .tar.gz are');
}

function unpacked(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED });
  } catch (error) {
    const large = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new Error(large ? `it is larger than ${MOST_UNPACKED / 1e6} MB unpacked` : 'its packed bytes are damaged');
  }
}

function readTar(bytes: Buffer): Archive {
  const files = new Map<string, Buffer>();
  for (let at = 0, entries = 0; at + TAR_BLOCK <= bytes.length; ) {
    if (++entries > MOST_ENTRIES) throw new Error('it holds too many files');
    const { entry, isOther } = headerAt(bytes, at);
    if (entry === null) break;
    const from = at + TAR_BLOCK;
    if (from + entry.size > bytes.length) throw new Error('it ends in the middle');
    if (!isOther && entry.kind === 'file')
      files.set(entry.path.replace(/^\.\//, ''), bytes.subarray(from, from + entry.size));
    at = from + entry.size + padding(entry.size);
  }
  return { names: [...files.keys()], read: async (name) => files.get(name) ?? Buffer.alloc(0) };
}

/** Entries that are no plain files (links, the long names of GNU and PAX) are passed over. */
function headerAt(bytes: Buffer, at: number): { entry: ReturnType<typeof readTarHeader>; isOther: boolean } {
  const block = bytes.subarray(at, at + TAR_BLOCK);
  const type = String.fromCharCode(block[156] ?? 0);
  const isOther = !['0', '5', '\0'].includes(type);
  if (!isOther) return { entry: readTarHeader(block, at), isOther };
  // Their length is where that of a file is; the checksum is made right for the other type.
  const as = Buffer.from(block);
  as[156] = 0x30;
  let sum = 0;
  for (let n = 0; n < TAR_BLOCK; n++) sum += n >= 148 && n < 156 ? 32 : as[n]!;
  as.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return { entry: readTarHeader(as, at), isOther };
}
