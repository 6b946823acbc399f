import { StudioError } from '../../schemas/errors.ts';

/**
 * The part of the tar format that recordings need: POSIX ustar with plain files and folders, GNU's base-256 sizes for
 * files over 8 GiB. Anything else (links, devices, extended headers) is refused by its type.
 */
export const TAR_BLOCK = 512;
export type TarEntry = { path: string; size: number; kind: 'file' | 'folder' };

/** One header block. `path` at most 100 bytes, or 255 when it can be cut at a `/`. Throws BAD_FILE for a longer one. */
export function tarHeader({
  path,
  size,
  kind,
  isProgram = false,
}: TarEntry & {
  /** It may be run. */
  isProgram?: boolean;
}): Buffer {
  const block = Buffer.alloc(TAR_BLOCK);
  const [prefix, name] = splitPath(path);
  block.write(name, 0, 100, 'utf8');
  block.write(kind === 'folder' || isProgram ? '0000755\0' : '0000644\0', 100, 'latin1');
  block.write('0000000\0', 108, 'latin1');
  block.write('0000000\0', 116, 'latin1');
  writeSize(block, size);
  // Always the same time, so that the same recording gives the same archive.
  block.write('00000000000\0', 136, 'latin1');
  block.write('        ', 148, 'latin1');
  block.write(kind === 'folder' ? '5' : '0', 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  block.write(prefix, 345, 155, 'utf8');
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

function splitPath(path: string): [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= 100) return ['', path];
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155 && name !== '') return [prefix, name];
  }
  throw new StudioError(
    'BAD_FILE',
    `The name "${path.slice(0, 120)}" is too long for a .tar; export to a folder instead.`,
    {
      file: path,
    },
  );
}

const OCTAL_MOST = 8 ** 11 - 1;

function writeSize(block: Buffer, size: number): void {
  if (size <= OCTAL_MOST) {
    block.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
    return;
  }
  block.writeUInt32BE(0x80000000, 124);
  block.writeBigUInt64BE(BigInt(size), 128);
}

function readSize(block: Buffer): number {
  if ((block[124]! & 0x80) !== 0) {
    const big = block.readBigUInt64BE(128);
    return big <= BigInt(Number.MAX_SAFE_INTEGER) && block.readUInt32BE(124) === 0x80000000 ? Number(big) : Number.NaN;
  }
  const text = block
    .toString('latin1', 124, 136)
    .replace(/[\0 ]+$/, '')
    .trim();
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
}

/** The sum of the block's bytes, those of the checksum itself read as spaces. */
function checksum(block: Buffer): number {
  let sum = 0;
  for (let i = 0; i < TAR_BLOCK; i++) sum += i >= 148 && i < 156 ? 32 : block[i]!;
  return sum;
}

const text = (block: Buffer, at: number, length: number): string => {
  const end = block.indexOf(0, at);
  return block.toString('utf8', at, end >= 0 && end < at + length ? end : at + length);
};

/** Reads a header block; null for an empty one (the end). Throws BAD_FILE for what is no header, or of another kind. */
export function readTarHeader(block: Buffer, at: number): TarEntry | null {
  if (block.every((byte) => byte === 0)) return null;
  const bad = (why: string): StudioError =>
    new StudioError('BAD_FILE', `The archive cannot be read at byte ${at}: ${why}. Nothing was kept.`, { offset: at });
  const wanted = Number.parseInt(text(block, 148, 8).trim(), 8);
  if (wanted !== checksum(block)) throw bad('it is damaged, or no .tar (unpack a .tar.gz or .zip first)');
  const name = text(block, 0, 100);
  const prefix = text(block, 257, 5) === 'ustar' ? text(block, 345, 155) : '';
  const path = prefix === '' ? name : `${prefix}/${name}`;
  const type = String.fromCharCode(block[156]!);
  const size = readSize(block);
  if (!Number.isSafeInteger(size) || size < 0) throw bad(`the size of "${path.slice(0, 100)}" is no number`);
  if (type === '5') return { path, size: 0, kind: 'folder' };
  if (type === '0' || type === '\0') return { path, size, kind: 'file' };
  const what = type === '1' || type === '2' ? 'a link' : `an entry of type "${type}"`;
  throw bad(`"${path.slice(0, 100)}" is ${what}; only plain files and folders are taken`);
}

/** How many bytes follow a file's content up to the next block. */
export const padding = (size: number): number => (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK;
