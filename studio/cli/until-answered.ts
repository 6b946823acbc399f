import { writeSync } from 'node:fs';
import { log } from '../../native/log/log.ts';
import { ERROR_EXIT } from '../../schemas/errors.ts';

/** Node's status of a process whose main module still waits. */
const UNSETTLED = 13;

/**
 * Gives what `work` gives. A process ends when nothing is left that could bring an answer, however much still waits for one (a process
 * that was lost, a pipe that was closed). Node then ends with a warning about this file and the status 13, which here means that an
 * endpoint or a server is out of reach. So it is said in words, with the status of a defect.
 */
export async function untilAnswered<T>(work: Promise<T>): Promise<T> {
  const lost = (status: number): void => {
    if (status !== UNSETTLED) return;
    // First, since nobody may read the words.
    log.error('ended without an answer');
    writeSync(
      2,
      'error INTERNAL: The program ended while it still waited for something that can no longer answer. What was written is kept. Try again; `doctor --log` shows what happened before.\n',
    );
    process.exitCode = ERROR_EXIT.INTERNAL;
  };
  process.once('exit', lost);
  try {
    return await work;
  } finally {
    process.off('exit', lost);
  }
}
