import { join } from 'node:path';
import sharp from 'sharp';

/** Pictures with texts, drawn with the fonts of this machine. */

export type DrawnText = { text: string; x: number; y: number; size?: number };

/** Writes a PNG of texts, each with the left end of its base line at (x, y). Gives its path. */
export async function drawTexts(
  folder: string,
  texts: readonly DrawnText[],
  { width = 640, height = 400, paper = '#f2f1f0', ink = '#2e3436', more = '' } = {},
): Promise<string> {
  const drawn = texts.map(
    ({ text, x, y, size = 13 }) =>
      `<text x="${x}" y="${y}" font-family="DejaVu Sans" font-size="${size}" fill="${ink}">${text}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${paper}"/>${more}${drawn.join('')}</svg>`;
  const file = join(folder, `texts-${drawn.length}-${paper.slice(1)}-${width}x${height}.png`);
  await sharp(Buffer.from(svg)).removeAlpha().png().toFile(file);
  return file;
}
