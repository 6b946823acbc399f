import { crc32 } from 'node:zlib';
import { plural } from '../../../../core/words.ts';
import { whyNot } from '../../../../schemas/errors.ts';
import { checkedPicture } from '../../../files/picture.ts';

export type ImageCheck = { width: number; height: number } | { damage: string };

const PNG_START = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/**
 * Whether a picture can be read, and is whole: PNG chunk by chunk with its checksums up to IEND, JPEG from its first mark
 * to its last. Cheap beside decoding every pixel, and finds each flipped or lost byte of a PNG.
 */
export async function checkImage(bytes: Uint8Array): Promise<ImageCheck> {
  const isPng = startsWith(bytes, PNG_START);
  const isJpeg = startsWith(bytes, Uint8Array.of(0xff, 0xd8, 0xff));
  if (!isPng && !isJpeg) return { damage: 'it begins like neither a PNG nor a JPEG' };
  const damage = isPng ? pngDamage(bytes) : jpegDamage(bytes);
  if (damage) return { damage };
  try {
    const { width, height } = await checkedPicture(bytes);
    return { width, height };
  } catch (error) {
    return { damage: whyNot(error) };
  }
}

function pngDamage(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = PNG_START.length;
  while (at + 12 <= bytes.length) {
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (end > bytes.length) return `it ends inside a chunk, at byte ${bytes.length} of at least ${end}`;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) {
      return `the checksum of its chunk ${JSON.stringify(type)} at byte ${at} is wrong`;
    }
    if (type === 'IEND') return end === bytes.length ? null : `${plural(bytes.length - end, 'byte')} after its end`;
    at = end;
  }
  return 'it ends before its IEND';
}

function jpegDamage(bytes: Uint8Array): string | null {
  return bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9 ? null : 'it ends before its end mark';
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
