import { fork } from 'node:child_process';
import type { FormatName } from '../../../core/export/formats.ts';
import { type ErrorBody, StudioError } from '../../../schemas/errors.ts';
import type { Validation } from '../validate.ts';

/** The order of the process that reads an export back, and its answer. */
export type ValidateOrder = { format: FormatName; dir: string };
export type FromValidator = { found: Validation } | { error: ErrorBody };

/** How much memory it may use beside the bytes of files, MB. A group of rows of our own takes a tenth of it. */
const MOST_MEMORY_MB = 1536;

/**
 * `validateExport` in a process of its own: an export may be somebody else's, and a file of a few hundred bytes (a column of
 * one value, two thousand million times) can ask a reader for more memory than there is, which ends a whole process. Throws
 * what it throws, and BAD_FILE where reading it ended that process.
 */
export function validateApart(
  format: FormatName,
  dir: string,
  { signal, memoryMb = MOST_MEMORY_MB }: { signal?: AbortSignal | undefined; memoryMb?: number } = {},
): Promise<Validation> {
  return new Promise<Validation>((done, failed) => {
    const child = fork(new URL('./validate-main.ts', import.meta.url), [], {
      execArgv: [`--max-old-space-size=${memoryMb}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const end = (settle: () => void): void => {
      signal?.removeEventListener('abort', stop);
      child.removeAllListeners();
      child.on('error', () => undefined); // It is over either way.
      child.kill('SIGKILL');
      settle();
    };
    const stop = (): void => end(() => failed(signal?.reason));
    child.on('message', (answer: FromValidator) => {
      if ('found' in answer) return end(() => done(answer.found));
      const { code, message, details } = answer.error;
      end(() => failed(new StudioError(code, message, details)));
    });
    child.once('exit', () =>
      end(() =>
        failed(
          new StudioError(
            'BAD_FILE',
            `${dir} cannot be read back: reading it used up all memory that it may use, or ended otherwise. One of its files is damaged, or made to do so.`,
            { dir },
          ),
        ),
      ),
    );
    child.once('error', (error) => end(() => failed(error)));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    else child.send({ format, dir } satisfies ValidateOrder, () => undefined);
  });
}
