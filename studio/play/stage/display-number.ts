import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StudioError } from '../../../schemas/errors.ts';

/**
 * The number of a display whose server runs in a cage. The cage has a /tmp of its own, so that the server can neither see which
 * numbers are taken nor be found at its number by programs outside: its number is taken for it, by the lock file that every X
 * server looks at, and its socket is shown at the place where everybody looks for one.
 */

const SOCKETS = '/tmp/.X11-unix';
/** Above those that people's own sessions have. */
const [FIRST, LAST] = [100, 9999];
const socketAt = (number: number): string => join(SOCKETS, `X${number}`);
const lockOf = (number: number): string => `/tmp/.X${number}-lock`;

/** `pid`: a process that is there as long as the display. `own`: where the server's socket will be. Throws CAPTURE_FAILED. */
export function takeDisplayNumber(pid: number, own: (number: number) => string): number {
  makeSocketFolder();
  // Written elsewhere first: one that is read half would be taken for a lock that was forgotten.
  const written = `/tmp/.tX${pid}-stage`;
  writeFileSync(written, `${String(pid).padStart(10)}\n`, { mode: 0o444 });
  try {
    const abstract = abstractSockets();
    for (let number = FIRST; number <= LAST; number++) {
      if (abstract.includes(`@${socketAt(number)}\n`) || isThere(socketAt(number))) continue;
      if (!lock(written, number)) continue;
      symlinkSync(own(number), socketAt(number));
      return number;
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StudioError('CAPTURE_FAILED', `The display of the stage cannot be shown in ${SOCKETS}: ${why}.`, {});
  } finally {
    unlinkSync(written);
  }
  throw new StudioError('CAPTURE_FAILED', 'No number is free for the display of the stage (`ls /tmp/.X*-lock`).', {});
}

/** Gives the number back, if it leads to this stage's socket still. */
export function freeDisplayNumber(number: number, own: string): void {
  try {
    if (readlinkSync(socketAt(number)) !== own) return;
    unlinkSync(socketAt(number));
    unlinkSync(lockOf(number));
  } catch {
    // It was not taken by a stage in a cage, or is gone.
  }
}

function lock(written: string, number: number): boolean {
  for (const isForgotten of [true, false]) {
    try {
      linkSync(written, lockOf(number));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (!isForgotten || isHeld(number)) return false;
      unlinkSync(lockOf(number));
    }
  }
  return false;
}

function isHeld(number: number): boolean {
  try {
    process.kill(Number(readFileSync(lockOf(number), 'latin1').trim()), 0);
    return true;
  } catch (error) {
    // Somebody else's process, or a file that cannot be read.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

const abstractSockets = (): string => {
  try {
    return readFileSync('/proc/net/unix', 'latin1');
  } catch {
    return '';
  }
};

function makeSocketFolder(): void {
  if (isThere(SOCKETS)) return;
  mkdirSync(SOCKETS, { recursive: true });
  // As every X server makes it: anybody may put a socket there, and remove only their own.
  chmodSync(SOCKETS, 0o1777);
}
