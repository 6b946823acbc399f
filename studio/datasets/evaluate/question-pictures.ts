import { dirname, isAbsolute } from 'node:path';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import { readIn } from '../../files/inside.ts';
import type { ChatPart } from '../../models/chat.ts';
import { sha256 } from './data-set.ts';

/** A question's pictures as data addresses, and their hashes. */
type QuestionPictures = { parts: ChatPart[]; hashes: string[] };

/**
 * Pictures beside the questions' file. A path that leads out of its folder (`..`, absolute, a link) is refused: a file of
 * questions from elsewhere must not send a person's files away. Throws BAD_FILE.
 */
export function questionPictures(file: string, id: string, images: readonly string[]): QuestionPictures {
  const folder = dirname(file);
  const result: QuestionPictures = { parts: [], hashes: [] };
  for (const image of images) {
    const bad = (why: string) =>
      new StudioError('BAD_FILE', `${file}: the picture ${image} of ${id} ${why}.`, { file, id, image });
    if (isAbsolute(image) || image.includes('\\')) throw bad('is no path relative to the file');
    let data: Buffer;
    try {
      data = readIn(folder, image);
    } catch (error) {
      if (error instanceof StudioError && error.details.missing !== true)
        throw bad("lies outside of the file's folder, or is a link, no plain file or one of more than 64 MB");
      throw bad(`cannot be read (${whyNot(error)})`);
    }
    const type = pictureType(data);
    if (type === null) throw bad('is no PNG, JPEG, WebP or GIF');
    result.parts.push({ type: 'image_url', image_url: { url: `data:${type};base64,${data.toString('base64')}` } });
    result.hashes.push(sha256(data));
  }
  return result;
}

/** By its first bytes, not by its name. */
function pictureType(data: Buffer): string | null {
  const starts = (...bytes: number[]) => bytes.every((byte, i) => data[i] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (starts(0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  if (starts(0x52, 0x49, 0x46, 0x46) && data.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return null;
}
