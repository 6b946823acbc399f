import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { openIn } from './inside.ts';

/** The sha256 of a file inside `root`, as it is now. Throws as openIn. */
export async function hashInside(root: string, path: string): Promise<string> {
  const hash = createHash('sha256');
  const stream = createReadStream('', { fd: openIn(root, path), highWaterMark: 1 << 20 });
  for await (const chunk of stream) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
