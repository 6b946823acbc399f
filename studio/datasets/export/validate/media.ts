import { open } from 'node:fs/promises';
import { lookAtPicture } from './bounds.ts';

/** Files of a visual query: stills of ours, or what somebody gave, of the kinds that a task takes. */
export const MEDIA_NAME = /^(?:media\/[\w-]+\/)?(start|end)\.(png|jpg|jpeg|gif|webp|mp4|mov|webm|mkv|ogv)$/;

const HEAD = 16;
/** How files of each ending begin: [offset, hex]. */
const STARTS: Readonly<Record<string, readonly [number, string]>> = {
  gif: [0, '47494638'],
  webp: [0, '52494646'],
  mp4: [4, '66747970'],
  mov: [4, '66747970'],
  webm: [0, '1a45dfa3'],
  mkv: [0, '1a45dfa3'],
  ogv: [0, '4f676753'],
};

/** The fault of a picture or a video; null when there is none. Only the first bytes of videos are read, which may be long. */
export async function mediaDamage(file: string, name: string): Promise<string | null> {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const start = STARTS[ending];
  if (!start) {
    const checked = await lookAtPicture(file);
    return 'damage' in checked ? checked.damage : null;
  }
  const handle = await open(file, 'r');
  try {
    const bytes = Buffer.alloc(HEAD);
    const { bytesRead } = await handle.read(bytes, 0, HEAD, 0);
    const [at, hex] = start;
    const found = bytes.subarray(0, bytesRead).toString('hex', at, at + hex.length / 2);
    return found === hex ? null : `it does not begin as a ${ending} does`;
  } finally {
    await handle.close();
  }
}
