import sharp from 'sharp';
import type { Box } from '../../../core/evaluate/aids.ts';
import { drawMarks } from '../../../core/evaluate/draw-marks.ts';
import { pictureError, readRgb } from '../../files/picture.ts';

/** A picture with numbered marks, as PNG (M26). Throws BAD_FILE. */
export async function markedPicture(file: string, marks: readonly Box[]): Promise<Buffer> {
  try {
    const { rgb, width, height } = drawMarks(await readRgb(file), marks);
    return await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer();
  } catch (error) {
    throw pictureError(file, error);
  }
}
