import { createHash } from 'node:crypto';

/** A UUID (version 8) that follows from this content: what is taken again after a kill has the same one. */
export function contentId(...content: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of content) hash.update(part);
  const bytes = hash.digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
