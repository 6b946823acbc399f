import { spawn } from 'node:child_process';
import type { AidElement } from '../../../schemas/aids.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { MOST_PIXELS } from '../../../schemas/limits.ts';
import { checkedPicture, pictureError } from '../../files/picture.ts';
import type { ElementFinder } from './spread.ts';

/** Texts of a screen by the program `tesseract`, where it is installed. */

/** Letters on a screen are half as high as in what the program was made for. */
const LARGER = 2;
/** Less sure words are mostly icons, 0 to 100. */
const LEAST_CONFIDENCE = 50;
/** Words of one text are at most this many times their height apart: the next column of a table is another text. */
const WORD_GAP = 0.9;

export function textFinder(signal: AbortSignal | undefined): ElementFinder {
  return {
    async find(file) {
      const picture = await enlarged(file);
      return textsOf(await tesseract(picture, signal), LARGER);
    },
    close: () => Promise.resolve(),
  };
}

async function enlarged(file: string): Promise<Buffer> {
  try {
    const { picture, width } = await checkedPicture(file, { most: MOST_PIXELS / LARGER ** 2 });
    return await picture
      .removeAlpha()
      .resize({ width: width * LARGER, kernel: 'cubic' })
      .grayscale()
      .png()
      .toBuffer();
  } catch (error) {
    throw pictureError(file, error);
  }
}

function tesseract(picture: Buffer, signal: AbortSignal | undefined): Promise<string> {
  return new Promise((done, fail) => {
    signal?.throwIfAborted();
    // `--psm 11`: texts anywhere, in no order, as on a screen.
    const child = spawn('tesseract', ['stdin', 'stdout', '--psm', '11', 'tsv'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, OMP_THREAD_LIMIT: '1' },
      ...(signal && { signal }),
    });
    const [out, complaints]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (data: Buffer) => out.push(data));
    child.stderr.on('data', (data: Buffer) => complaints.push(data));
    child.on('error', (error) => fail(signal?.aborted ? signal.reason : missing(error)));
    child.on('close', (status) => {
      if (status === 0) done(Buffer.concat(out).toString('utf8'));
      else fail(failed(Buffer.concat(complaints).toString('utf8')));
    });
    // It may end before it has read everything; its status tells.
    child.stdin.on('error', () => undefined);
    child.stdin.end(picture);
  });
}

function missing(error: Error): StudioError {
  const absent = 'code' in error && error.code === 'ENOENT';
  return new StudioError(
    'NO_LIBRARY',
    `Texts of pictures are read by the program tesseract, which ${absent ? 'is not installed' : `cannot be started (${error.message})`}. Install it (Debian: apt-get install tesseract-ocr; macOS: brew install tesseract), or give the texts of another program by --aids FILE.`,
    { program: 'tesseract' },
    { cause: error },
  );
}

function failed(text: string): StudioError {
  const why = text.trim().split('\n').slice(-3).join(' ');
  return new StudioError(
    'NO_LIBRARY',
    `tesseract could not read a picture: ${why}. Check its installation, language "eng" included, or give the texts by --aids FILE.`,
    { program: 'tesseract' },
  );
}

type Word = { line: string; x: number; y: number; width: number; height: number; text: string };

/** Texts of tesseract's table of words, those of a line that stand together as one. Boxes in px of the picture itself. */
export function textsOf(table: string, scale: number): AidElement[] {
  const words = table
    .split('\n')
    .slice(1)
    .flatMap((row): Word[] => {
      const [level, page, block, paragraph, line, , x, y, width, height, confidence, text = ''] = row.split('\t');
      if (level !== '5' || Number(confidence) < LEAST_CONFIDENCE || !/[\p{L}\p{N}]/u.test(text)) return [];
      const box = { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
      return [{ line: [page, block, paragraph, line].join(' '), ...box, text: text.trim() }];
    });
  const texts: Word[] = [];
  for (const word of words) {
    const last = texts.at(-1);
    const gap = last ? word.x - (last.x + last.width) : 0;
    if (last && last.line === word.line && gap >= 0 && gap <= WORD_GAP * Math.max(last.height, word.height)) {
      const [top, bottom] = [Math.min(last.y, word.y), Math.max(last.y + last.height, word.y + word.height)];
      Object.assign(last, { y: top, height: bottom - top, width: word.x + word.width - last.x });
      last.text += ` ${word.text}`;
    } else texts.push({ ...word });
  }
  const px = (value: number): number => Math.round(value / scale);
  return texts.map(({ x, y, width, height, text }) => ({
    box: [px(x), px(y), Math.max(1, px(width)), Math.max(1, px(height))],
    text,
  }));
}
