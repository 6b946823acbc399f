import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { readRgb } from '../../files/picture.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { textOn } from './shown.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

test('a few large digits at the edge of a window are read, and nothing is of an empty one', async () => {
  const file = join(folders.make(), 'display.png');
  /** A calculator's display before a black desktop, and the upper end of a key. */
  const read = async (digits: string): Promise<string> => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="560" height="200"><rect width="560" height="200"/><rect width="500" height="200" fill="#efefef"/><rect x="-10" y="-10" width="501" height="158" fill="#fff" stroke="#bbb"/><rect x="104" y="176" width="380" height="90" fill="#e8e8e8" stroke="#aaa"/><text x="486" y="86" font-size="48" font-weight="bold" text-anchor="end" font-family="DejaVu Sans" fill="#222">${digits}</text></svg>`;
    await sharp(Buffer.from(svg)).removeAlpha().png().toFile(file);
    return textOn(await readRgb(file), 'eng');
  };
  expect(await read('75')).toContain('75');
  expect(await read('88')).toContain('88');
  expect(await read('')).toBe('');
});
