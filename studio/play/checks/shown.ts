import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ReadWord } from '../../../core/annotate/proposals/text.ts';
import { darkOnLight } from '../../../core/play/pixels.ts';
import type { RgbImage } from '../../../schemas/picture.ts';
import { parseLanguages } from '../../recordings/texts/languages.ts';
import { startReader } from '../../recordings/texts/reader.ts';

/** More words than this are not read of one picture (read-worker.ts). */
const MOST_WORDS = 400;
/** Less sure words are mostly icons, 0 to 1. */
const LEAST_SURE = 0.5;

/** Less than a check of this kind may take (evaluate.ts), ms. */
const LIMITS = { startMs: 40_000, readMs: 45_000, restarts: 0 };

/**
 * The text that a picture of the screen shows, line by line. Read by a program of this machine, without a network. Throws
 * NO_LIBRARY where it or a language's data is missing, and an Error whose message is a part of a sentence.
 */
export async function textOn(picture: RgbImage, languages: string): Promise<string> {
  // In the folder of the process that looks, which is removed after it.
  const file = join(tmpdir(), 'screen.png');
  const reader = await startReader({ languages: parseLanguages(languages), folder: null }, { limits: LIMITS });
  try {
    // Of a crop with a few large signs the one way reads nothing, of dark windows the other.
    for (const { width, height, rgb } of [darkOnLight(picture), picture]) {
      await sharp(rgb, { raw: { width, height, channels: 3 } })
        .png({ compressionLevel: 1 })
        .toFile(file);
      const words = await reader.read(file, { x: 0, y: 0, width, height }, width * height);
      if (words.length >= MOST_WORDS)
        throw new Error(`it shows ${MOST_WORDS} words or more; name an area with fewer of them`);
      const text = linesOf(words);
      if (text !== '') return text;
    }
    return '';
  } finally {
    await reader.close();
  }
}

function linesOf(words: readonly ReadWord[]): string {
  const lines: string[] = [];
  let last = -1;
  for (const { line, text, confidence } of words) {
    if (confidence < LEAST_SURE || text === '') continue;
    if (line === last) lines.push(`${lines.pop() ?? ''} ${text}`);
    else lines.push(text);
    last = line;
  }
  return lines.join('\n');
}
