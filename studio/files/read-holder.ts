import { basename, dirname } from 'node:path';
import { readIn } from './inside.ts';
import { type Holder, parseHolder } from './process-id.ts';

/** More than a note of who holds something ever needs, bytes. */
const MOST_BYTES = 4096;

/**
 * Who a file names as its holder; null where nobody can be read from it: it is not there, or was not whole yet when its program
 * was killed. A folder from elsewhere may have a pipe in its place, which is not waited for.
 */
export function readHolder(file: string): Holder | null {
  try {
    return parseHolder(readIn(dirname(file), basename(file), MOST_BYTES).toString('utf8'));
  } catch {
    return null;
  }
}
