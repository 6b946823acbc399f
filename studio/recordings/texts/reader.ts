import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadWord } from '../../../core/annotate/proposals/text.ts';
import { type Caller, openCaller } from '../../../native/process/calls.ts';
import { endingInWords } from '../../../native/process/ending.ts';
import { startThread } from '../../../native/process/start-thread.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Rect } from '../../../schemas/events.ts';
import { findLanguages } from './languages.ts';
import type { ReadCalls, ReadStart } from './read-worker.ts';

/** `folder`: data of languages beside the packages. */
type ReaderOptions = { languages: readonly string[]; folder: string | null };

/** Reads crops of pictures, one after another. */
export type TextReader = {
  /** How long the start took, ms. */
  startMs: number;
  /** Words in px of the picture. Throws BAD_FILE for a crop that could not be read; the next one can be. */
  read(file: string, crop: Rect, most: number): Promise<ReadWord[]>;
  close(): Promise<void>;
};

type Limits = {
  /** A start takes a second or two on a busy machine. */
  startMs: number;
  /** A crop takes a tenth of a second. */
  readMs: number;
  /** How often the program is begun again after it died or hung; then nothing more is read. */
  restarts: number;
};
const LIMITS: Limits = { startMs: 60_000, readMs: 10_000, restarts: 3 };

/**
 * Starts the program that reads texts, once for all pictures of a recording. Throws NO_LIBRARY where it or a language's data
 * is missing or unusable; the signal's reason. `thread`: another one, for tests.
 */
export async function startReader(
  { languages, folder }: ReaderOptions,
  {
    signal,
    limits = {},
    thread = new URL('./read-worker.ts', import.meta.url),
  }: { signal?: AbortSignal; limits?: Partial<Limits>; thread?: URL } = {},
): Promise<TextReader> {
  const { startMs, readMs, restarts } = { ...LIMITS, ...limits };
  const data = oneFolder(languages, folder);
  const begun = performance.now();
  let left = restarts;
  let worker: Caller<ReadCalls> | null = null;
  const stop = (): void => void worker?.kill();
  signal?.addEventListener('abort', stop, { once: true });

  async function begin(): Promise<Caller<ReadCalls>> {
    signal?.throwIfAborted();
    const started = openCaller<ReadCalls>(
      // Its own messages are of no use to anybody.
      (wishes) => startThread(thread, { ...wishes, data: data.start, isQuiet: true }),
      (ending) =>
        new Gone(ending.why === 'silent' ? `it took longer than ${ending.silentMs! / 1000} s` : endingInWords(ending)),
    );
    worker = started;
    try {
      await started.call('start', null, { limitMs: startMs });
      signal?.throwIfAborted();
      return started;
    } catch (error) {
      await started.kill();
      worker = null;
      signal?.throwIfAborted();
      throw new StudioError(
        'NO_LIBRARY',
        `The program that reads texts in pictures (tesseract.js) did not start: ${words(error)}. Run \`npm install\` again, check the data of ${languages.join(', ')}, or switch "Read text in pictures" off in the settings.`,
        { languages: [...languages] },
        { cause: error },
      );
    }
  }

  async function close(): Promise<void> {
    signal?.removeEventListener('abort', stop);
    await worker?.kill();
    worker = null;
    data.remove();
  }

  try {
    await begin();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    startMs: performance.now() - begun,
    async read(file, crop, most) {
      signal?.throwIfAborted();
      if (worker === null) {
        if (left <= 0) throw unread(file, 'the program that reads texts ended too often');
        left--;
        await begin();
      }
      const mine = worker as Caller<ReadCalls> | null;
      try {
        return await mine!.call('read', { file, crop, most }, { limitMs: readMs });
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof Gone) worker = null;
        throw unread(file, words(error));
      }
    },
    close,
  };
}

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const unread = (file: string, why: string): StudioError =>
  new StudioError('BAD_FILE', `No text was read in the picture ${file}: ${why}.`, { file });

/** It hung or is gone; any other error is the picture's fault. */
class Gone extends Error {}

/** The program takes all languages from one folder: several, or one whose file is packed otherwise, are copied together. */
function oneFolder(languages: readonly string[], own: string | null): { start: ReadStart; remove(): void } {
  const files = findLanguages(languages, own);
  const gzip = files.every(({ file }) => file.endsWith('.gz'));
  const [first] = files;
  if (first && files.every(({ folder }) => folder === first.folder) && (gzip || files.length === 1)) {
    return { start: { languages: [...languages], folder: first.folder, gzip }, remove: () => undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), 'trajectory-studio-languages-'));
  // It looks into the files for how they are packed, and takes the names from `gzip`.
  for (const file of files) copyFileSync(join(file.folder, file.file), join(folder, `${file.language}.traineddata.gz`));
  return {
    start: { languages: [...languages], folder, gzip: true },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
