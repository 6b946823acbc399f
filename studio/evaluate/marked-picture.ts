import sharp from 'sharp';
import type { Box } from '../../core/evaluate/aids.ts';
import { drawMarks } from '../../core/evaluate/draw-marks.ts';
import { StudioError } from '../../schemas/errors.ts';

/** A picture with numbered marks, as PNG (M26). Throws BAD_FILE. */
export async function markedPicture(file: string, marks: readonly Box[]): Promise<Buffer> {
  try {
    const { data, info } = await sharp(file)
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const { rgb } = drawMarks({ width, height, rgb: data }, marks);
    return await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StudioError('BAD_FILE', `The picture ${file} cannot be read: ${why}`, { file }, { cause: error });
  }
}
