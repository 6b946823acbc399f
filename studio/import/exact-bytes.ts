import { createReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';
import { hasFile } from '../files/inside.ts';
import { wholeBytes } from '../files/kept/bytes.ts';
import { hasBytes } from '../files/kept/list.ts';

/**
 * The first `size` bytes of a file, exactly so many (a tar header says how many before they come), in pieces of 1 MiB at
 * most; of one that is in the place for large files, from there. Throws BAD_FILE when the file was cut since its size was asked, an AbortError once `signal` fires.
 */
export async function* exactBytes(file: string, size: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  if (size === 0) return;
  const [folder, name] = [dirname(file), basename(file)];
  if (!hasFile(folder, name) && hasBytes(folder, name)) {
    for await (const piece of wholeBytes(folder, name, signal))
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    return;
  }
  let left = size;
  for await (const chunk of createReadStream(file, { end: size - 1, highWaterMark: 1 << 20, signal })) {
    const bytes = chunk as Buffer; // A stream without an encoding gives Buffers.
    left -= bytes.length;
    yield bytes;
  }
  if (left > 0) throw new StudioError('BAD_FILE', `${file} became shorter while it was read. Try again.`, { file });
}
