import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import type { ReadWord } from '../../../core/annotate/proposals/text.ts';
import { serveCalls } from '../../../native/process/serve.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Rect } from '../../../schemas/events.ts';
import { checkedPicture } from '../../files/picture.ts';

/**
 * A thread that reads texts in crops of pictures. tesseract.js has a thread of its own below it; whatever ends that one ends
 * this one too, and reader.ts begins another. Nothing here asks the network: program and data are files.
 */

export type ReadStart = { languages: string[]; folder: string; gzip: boolean };
type ReadJob = { file: string; most: number; crop: Rect };

/** Letters on a screen are a third as high as in what the program was made for. */
const LARGER = 3;
/** Texts anywhere, in no order, as on a screen (`PSM.SPARSE_TEXT`), and the newer of its two ways to read (`OEM.LSTM_ONLY`). */
const SPARSE = '11';
const BY_NET = 1;
const MOST_WORDS = 400;
const MOST_WORD = 200;
/** Screens without a note of their own; the program guesses one else and says so for each picture. */
const DPI = '210';
/** Dark and light by their surroundings (Sauvola): a dark window before a black desktop would be all black otherwise. */
const LOCALLY = '2';

type Corners = { x0: number; y0: number; x1: number; y1: number };
type Found = {
  data: {
    blocks: { paragraphs: { lines: { words: { text: string; confidence: number; bbox: Corners }[] }[] }[] }[] | null;
  };
};
/** The part of tesseract.js that is used; the package is optional, so its own types may be absent. */
type Reader = {
  setParameters(values: Record<string, string>): Promise<unknown>;
  recognize(picture: Buffer, options: object, output: { blocks: true; text: false }): Promise<Found>;
};
type Program = {
  createWorker(languages: string[], way: number, options: Record<string, unknown>): Promise<Reader>;
};

const why = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300);

// Given by reader.ts, which starts this thread.
const { languages, folder, gzip } = workerData as ReadStart;
const reader = start();
// Said where it is asked for.
reader.catch(() => undefined);

async function start(): Promise<Reader> {
  const program = createRequire(import.meta.url)('tesseract.js') as Program;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const made = program.createWorker(languages, BY_NET, {
    langPath: folder,
    gzip,
    cacheMethod: 'none',
    // Without it an error would be thrown where nobody can catch it, and a start that fails would never end. Later ones are of
    // one picture, and its own answer.
    errorHandler: (error: unknown) => failed.reject(new Error(why(error))),
  });
  const ready = await Promise.race([made, failed.promise]);
  await ready.setParameters({ tessedit_pageseg_mode: SPARSE, user_defined_dpi: DPI, thresholding_method: LOCALLY });
  return ready;
}

const calls = {
  async start(_nothing: null): Promise<void> {
    await reader;
  },
  async read({ file, most, crop }: ReadJob): Promise<ReadWord[]> {
    try {
      const picture = await enlarged(file, most, crop);
      const { data } = await (await reader).recognize(picture, {}, { blocks: true, text: false });
      return wordsIn(data, crop);
    } catch (error) {
      throw new StudioError('BAD_FILE', why(error), { file });
    }
  },
};
export type ReadCalls = typeof calls;
serveCalls(calls);

/** The crop, larger, without colour, dark on light: what the program was made for, and read in half of the time. */
async function enlarged(file: string, most: number, { x, y, width, height }: Rect): Promise<Buffer> {
  const { picture } = await checkedPicture(file, { most });
  const part = picture.removeAlpha().extract({ left: x, top: y, width, height }).grayscale();
  const { data, info } = await part.clone().raw().toBuffer({ resolveWithObject: true });
  const dark = isDark(data, info.channels);
  // One that is as small as a pixel is nothing to read, and the program says so on the terminal.
  const large = part.clone().resize({ width: width * LARGER, height: height * LARGER, fit: 'fill', kernel: 'cubic' });
  return (dark ? large.negate({ alpha: false }) : large).png({ compressionLevel: 1 }).toBuffer();
}

/** So much lighter or darker than the background letters are, of 255. */
const LETTERS = 60;

/** Most of what lies around letters is their background: it is dark, or a middle colour with hardly anything but lighter letters. */
function isDark(grey: Buffer, channels: number): boolean {
  const counts = new Uint32Array(256);
  for (let at = 0; at < grey.length; at += channels) counts[grey[at]!]!++;
  const below = (level: number): number => counts.subarray(0, Math.max(0, level)).reduce((sum, n) => sum + n, 0);
  const all = Math.ceil(grey.length / channels);
  let paper = 0;
  while (below(paper + 1) * 2 < all) paper++;
  const lighter = all - below(paper + LETTERS);
  return paper < 128 || lighter > 4 * below(paper - LETTERS + 1);
}

/** In px of the picture. */
function wordsIn({ blocks }: Found['data'], crop: Rect): ReadWord[] {
  const lines = (blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines));
  return lines
    .flatMap(({ words }, line) =>
      words.map(({ text, confidence, bbox: { x0, y0, x1, y1 } }): ReadWord => {
        const left = crop.x + Math.max(0, Math.round(x0 / LARGER));
        const top = crop.y + Math.max(0, Math.round(y0 / LARGER));
        const right = crop.x + Math.round(x1 / LARGER);
        const bottom = crop.y + Math.round(y1 / LARGER);
        return {
          line,
          text: text.trim().slice(0, MOST_WORD),
          box: { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) },
          confidence: Math.min(1, Math.max(0, confidence / 100)),
        };
      }),
    )
    .slice(0, MOST_WORDS);
}
