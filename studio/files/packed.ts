import { spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { padding, readTarHeader, TAR_BLOCK } from './tar.ts';
import { readZip } from './zip.ts';

/** A plain archive: the names of its files, and what is in one of them. */
export type Packed = { names: readonly string[]; read(name: string): Promise<Buffer> };

/** The largest .tar that is unpacked, bytes, and the most files in it. */
const MOST_UNPACKED = 200_000_000;
const MOST_ENTRIES = 20_000;

/** Whether it begins as an archive that is read. */
export const isPacked = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 2) === 'PK' ||
  (bytes[0] === 0x1f && bytes[1] === 0x8b) ||
  bytes.subarray(0, XZ.length).equals(XZ) ||
  bytes.toString('latin1', 257, 262) === 'ustar';

/** By its first bytes, whatever its name is: zip, tar, tar packed by gzip or xz. Rejects with an Error whose message is a part of a sentence. */
export async function readPacked(bytes: Buffer): Promise<Packed> {
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') {
    const zip = await readZip(bytes);
    return { names: zip.names, read: async (name) => (await zip.read(name)) ?? Buffer.alloc(0) };
  }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return readTar(await unpacked(bytes));
  if (bytes.subarray(0, XZ.length).equals(XZ)) return readTar(await fromXz(bytes));
  if (bytes.length >= TAR_BLOCK && bytes.toString('latin1', 257, 262) === 'ustar') return readTar(bytes);
  throw new Error('it is no archive that is read: .zip, .tar, .tar.gz and .tar.xz are');
}

async function unpacked(bytes: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MOST_UNPACKED });
  } catch (error) {
    const large = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new Error(large ? `it is larger than ${MOST_UNPACKED / 1e6} MB unpacked` : 'its packed bytes are damaged');
  }
}

const XZ = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);
const MOST_XZ_MEMORY = 128 << 20;
/** As long as a check may take. */
const XZ_MS = 20_000;

/** By the machine's own `xz`, which every Debian has: Node has no reader of it. */
function fromXz(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('xz', ['--decompress', '--stdout', `--memlimit-decompress=${MOST_XZ_MEMORY}`, '--no-warn'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: XZ_MS,
      killSignal: 'SIGKILL',
    });
    const pieces: Buffer[] = [];
    let size = 0;
    const fail = (why: string): void => {
      child.kill('SIGKILL');
      reject(new Error(why));
    };
    child.once('error', () => fail('it is packed by xz, and there is no program xz here (Debian: xz-utils)'));
    child.stdin.on('error', () => undefined); // It ended before it had read all; its status says why.
    child.stdout.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > MOST_UNPACKED) fail(`it is larger than ${MOST_UNPACKED / 1e6} MB unpacked`);
      else pieces.push(piece);
    });
    child.once('close', (status) =>
      status === 0 ? resolve(Buffer.concat(pieces)) : reject(new Error('its packed bytes are damaged')),
    );
    child.stdin.end(bytes);
  });
}

function readTar(bytes: Buffer): Packed {
  const files = new Map<string, Buffer>();
  let longName: string | null = null;
  for (let at = 0, entries = 0; at + TAR_BLOCK <= bytes.length; ) {
    if (++entries > MOST_ENTRIES) throw new Error('it holds too many files');
    const { entry, type } = headerAt(bytes, at);
    if (entry === null) break;
    const from = at + TAR_BLOCK;
    if (from + entry.size > bytes.length) throw new Error('it ends in the middle');
    const content = bytes.subarray(from, from + entry.size);
    if (type === 'L') longName = content.toString('utf8').replace(/\0+$/, '');
    else if (type === 'x') longName = pathOfPax(content) ?? longName;
    else {
      if (PLAIN.has(type) && entry.kind === 'file') files.set((longName ?? entry.path).replace(/^\.\//, ''), content);
      longName = null;
    }
    at = from + entry.size + padding(entry.size);
  }
  return { names: [...files.keys()], read: async (name) => files.get(name) ?? Buffer.alloc(0) };
}

/** Types of a plain file and of a folder. */
const PLAIN: ReadonlySet<string> = new Set(['0', '5', '\0']);

/** The long name that a record of PAX (`27 path=a/b…`) gives the next entry; null where it gives none. */
function pathOfPax(content: Buffer): string | null {
  let path: string | null = null;
  for (let at = 0; at < content.length; ) {
    const blank = content.indexOf(0x20, at);
    const length = blank < 0 ? Number.NaN : Number(content.toString('latin1', at, blank));
    // One that lies about its length ends them.
    if (!Number.isInteger(length) || length <= blank - at || at + length > content.length) return path;
    const record = content.toString('utf8', blank + 1, at + length).replace(/\n$/, '');
    if (record.startsWith('path=')) path = record.slice('path='.length);
    at += length;
  }
  return path;
}

/** Links and devices are passed over; a long name (`L` of GNU, `x` of PAX) is of the entry after it. */
function headerAt(bytes: Buffer, at: number): { entry: ReturnType<typeof readTarHeader>; type: string } {
  const block = bytes.subarray(at, at + TAR_BLOCK);
  const type = String.fromCharCode(block[156] ?? 0);
  if (PLAIN.has(type)) return { entry: readTarHeader(block, at), type };
  // Their length is where that of a file is; the checksum is made right for the other type.
  const as = Buffer.from(block);
  as[156] = 0x30;
  let sum = 0;
  for (let n = 0; n < TAR_BLOCK; n++) sum += n >= 148 && n < 156 ? 32 : as[n]!;
  as.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return { entry: readTarHeader(as, at), type };
}
