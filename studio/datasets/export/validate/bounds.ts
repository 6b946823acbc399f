import path from 'node:path';
import { StudioError, whyNot } from '../../../../schemas/errors.ts';
import { MOST_PIXELS } from '../../../../schemas/limits.ts';
import { readBounded } from '../../../files/bounded.ts';
import { type TextLine, textLines } from '../../../files/text-lines.ts';
import { checkImage, type ImageCheck } from './images.ts';
import type { Report } from './problems.ts';

/** Files of an export that somebody else may have made, each up to a size. Only names found by walking the folder come here. */

/** The lines of a file that was found; a problem, and none after it, where one is too long to be a line. */
export function* exportLines(dir: string, file: string, report: Report): Generator<TextLine> {
  try {
    yield* textLines(path.join(dir, file));
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    report('JSONL_BAD', file, '', error.message);
  }
}

/** A text file's content up to this size: the elements of a million pictures. */
const MOST_TEXT = 256_000_000;
/** The largest picture that is decoded, as it is without any compression, bytes. */
export const MOST_PICTURE = 4 * MOST_PIXELS;

/** A whole text of an export. Throws an Error for one that is too large. */
export const wholeText = (dir: string, file: string): string =>
  readBounded(path.join(dir, file), MOST_TEXT).toString('utf8');

/** Looks at a picture of an export; one that is too large is damaged. */
export async function lookAtPicture(file: string): Promise<ImageCheck> {
  try {
    return await checkImage(readBounded(file, MOST_PICTURE));
  } catch (error) {
    return { damage: whyNot(error) };
  }
}
