import { appendFileSync, chmodSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The app's own logs: files on this disk, nowhere else. Two of each, so that they never grow without end. */
export type Log = { write(text: string): void };

const MOST_BYTES = 2_000_000;

/**
 * Writes lines of the form that native/log has (`npm run studio -- doctor --log` reads both) to NAME.log, for its owner alone;
 * NAME.old.log is the one before. What follows the first colon of a text is its detail, which is left out of what is packed for
 * others: an address, the words of an error, what the studio's process printed. A disk that takes nothing stops nobody.
 */
export function openLog(folder: string, name: string, now: () => Date = () => new Date()): Log {
  const file = join(folder, `${name}.log`);
  return {
    write(text) {
      try {
        const size = statSync(file, { throwIfNoEntry: false })?.size;
        if (size === undefined) mkdirSync(folder, { recursive: true });
        // It may be older than this rule.
        else if (size > 0) chmodSync(file, 0o600);
        if ((size ?? 0) > MOST_BYTES) renameSync(file, join(folder, `${name}.old.log`));
        const lines = text
          .trimEnd()
          .split('\n')
          .map((line) => lineOf(line, now()));
        appendFileSync(file, lines.join(''), { mode: 0o600 });
      } catch {
        // There is no other place to say it.
      }
    },
  };
}

function lineOf(text: string, time: Date): string {
  const [, what = text, detail] = /^([^:]{1,80}): (.*)$/.exec(text) ?? [];
  const entry = { time: time.toISOString(), level: 'info', from: 'desktop', pid: process.pid, what, detail };
  return `${JSON.stringify(entry)}\n`;
}
