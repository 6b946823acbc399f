import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The app's own logs: files on this disk, nowhere else. Two of each, so that they never grow without end. */
export type Log = { write(text: string): void };

const MOST_BYTES = 2_000_000;

/** Writes lines with their time to NAME.log; NAME.old.log is the one before. A disk that takes nothing stops nobody. */
export function openLog(folder: string, name: string, now: () => Date = () => new Date()): Log {
  const file = join(folder, `${name}.log`);
  return {
    write(text) {
      try {
        mkdirSync(folder, { recursive: true });
        if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) {
          renameSync(file, join(folder, `${name}.old.log`));
        }
        for (const line of text.trimEnd().split('\n')) appendFileSync(file, `${now().toISOString()} ${line}\n`);
      } catch {
        // There is no other place to say it.
      }
    },
  };
}
