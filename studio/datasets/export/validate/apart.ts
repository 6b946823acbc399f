import type { FormatName } from '../../../../core/export/formats.ts';
import { openCaller } from '../../../../native/process/calls.ts';
import { startProcess } from '../../../../native/process/start-process.ts';
import { StudioError } from '../../../../schemas/errors.ts';
import type { Validation } from '../validate.ts';
import type { ValidateCalls } from './validate-main.ts';

/** How much memory it may use beside the bytes of files, MB. A group of rows of our own takes a tenth of it. */
const MOST_MEMORY_MB = 1536;

/**
 * `validateExport` in a process of its own: an export may be somebody else's, and a file of a few hundred bytes (a column of
 * one value, two thousand million times) can ask a reader for more memory than there is, which ends a whole process. Throws
 * what it throws, and BAD_FILE where reading it ended that process.
 */
export async function validateApart(
  format: FormatName,
  dir: string,
  { signal, memoryMb = MOST_MEMORY_MB }: { signal?: AbortSignal | undefined; memoryMb?: number } = {},
): Promise<Validation> {
  const entry = new URL('./validate-main.ts', import.meta.url);
  const reader = openCaller<ValidateCalls>(
    (wishes) => startProcess(entry, { ...wishes, signal, memoryMb }),
    ({ why, error }) => {
      if (why === 'aborted' || why === 'unstarted') return error;
      return new StudioError(
        'BAD_FILE',
        `${dir} cannot be read back: reading it used up all memory that it may use, or ended otherwise. One of its files is damaged, or made to do so.`,
        { dir },
      );
    },
  );
  try {
    return await reader.call('validate', { format, dir });
  } finally {
    void reader.kill();
  }
}
