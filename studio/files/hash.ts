import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { openIn } from './inside.ts';

/** The sha256 of a file inside `root`, as it is now. Throws as openIn. */
export const hashInside = async (root: string, path: string): Promise<string> =>
  hashOfPieces(createReadStream('', { fd: openIn(root, path), highWaterMark: 1 << 20 }));

/** The sha256 of bytes that come in pieces. Throws what the signal says, between two of them. */
export async function hashOfPieces(pieces: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    signal?.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest('hex');
}
