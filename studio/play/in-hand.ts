import { type InHand, inHandOf } from '../../core/play/in-hand.ts';
import type { PlayPart, PlayPicture, Restless } from '../../core/play/part.ts';
import { isSameRect } from '../../core/rect.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { readRgb } from '../files/picture.ts';

/** Reads the pictures of a step. Throws what reading them throws. */
export async function takeInHand(part: PlayPart, byItself: Restless | null): Promise<InHand> {
  const { before, after, away, later, caret, settling } = part;
  const likeIt = async (picture: PlayPicture | null, like: PlayPicture): Promise<RgbImage | null> =>
    picture && isSameRect(picture, like) ? readRgb(picture.file) : null;
  const [early, middle] = [await likeIt(settling?.[0] ?? null, before), await likeIt(settling?.[1] ?? null, before)];
  const pictures = {
    before: await readRgb(before.file),
    after: await readRgb(after.file),
    away: await likeIt(away, before),
    later: await likeIt(later, after),
    caret: caret && (await readRgb(caret.file)),
    settling: early && middle && ([early, middle] as const),
  };
  return inHandOf(part, pictures, byItself);
}
