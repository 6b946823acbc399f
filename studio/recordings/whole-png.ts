import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The last chunk of every PNG: no length, IEND, its checksum. */
const END = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);

/** False for a still that is missing or that a power cut left empty or torn. */
export function isWholePng(file: string): boolean {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return false;
  }
  try {
    const { size } = fstatSync(fd);
    if (size < SIGNATURE.length + END.length) return false;
    return at(fd, 0, SIGNATURE.length).equals(SIGNATURE) && at(fd, size - END.length, END.length).equals(END);
  } finally {
    closeSync(fd);
  }
}

function at(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(fd, bytes, 0, length, from);
  return bytes;
}
