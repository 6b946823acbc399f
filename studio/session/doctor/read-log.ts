import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** What is in the logs of this program (native/log, electron/host/log.ts), for a person and for a report of a bug. */

/** An entry as it was read: nothing of it is sure but its time and what happened. */
export type ReadEntry = { time: string; what: string } & Record<string, unknown>;

/** Of one file no more than this is read, from its end: there are two of each, of this size at most. */
const MOST_READ = 2_100_000;
/** Left out of what is packed: words of errors, addresses, what a process printed. */
const PRIVATE = 'detail';
/** Packed as a number that is the same throughout: who it is stays with the sender. */
const NUMBERED = ['person', 'recording', 'workspace', 'job'] as const;

/** The last entries of all logs in these folders, in the order of time; lines that are none are passed over. */
export function readLog(folders: readonly string[], most: number): ReadEntry[] {
  const files = folders.flatMap((folder) => logsIn(folder).map((name) => join(folder, name)));
  return files
    .flatMap((file) => endOf(file).split('\n').flatMap(entryOf))
    .sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)))
    .slice(-most);
}

function logsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.log'));
  } catch {
    return [];
  }
}

function endOf(file: string): string {
  try {
    const handle = openSync(file, 'r');
    try {
      const { size } = fstatSync(handle);
      const from = Math.max(0, size - MOST_READ);
      const bytes = Buffer.alloc(size - from);
      return bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, from));
    } finally {
      closeSync(handle);
    }
  } catch {
    return '';
  }
}

function entryOf(line: string): ReadEntry[] {
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry !== 'object' || entry === null || !('time' in entry && 'what' in entry)) return [];
    const { time, what } = entry;
    return typeof time === 'string' && typeof what === 'string' ? [{ ...entry, time, what }] : [];
  } catch {
    return [];
  }
}

/** A line for a person. */
export function lineOfEntry({ time, level, from, pid, what, ...facts }: ReadEntry): string {
  const rest = Object.entries(facts).map(([key, value]) => `${key}=${plain(value)}`);
  return [time, String(level ?? '').padEnd(5), `${plain(from)}[${plain(pid)}]`, what, ...rest].join(' ');
}

const plain = (value: unknown): string =>
  (Array.isArray(value) ? value.join(' < ') : String(value)).replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 300);

/** The entries as they may be sent: without details, and with numbers in place of people, recordings and workspaces. */
export function packEntries(entries: readonly ReadEntry[]): ReadEntry[] {
  const numbers = new Map<string, string>();
  const numberOf = (kind: string, value: unknown): string => {
    const key = `${kind} ${String(value)}`;
    const known = numbers.get(key) ?? `${kind}-${numbers.size + 1}`;
    numbers.set(key, known);
    return known;
  };
  return entries.map(({ [PRIVATE]: _, ...entry }) => {
    const packed: ReadEntry = { ...entry };
    for (const kind of NUMBERED) if (entry[kind] !== undefined) packed[kind] = numberOf(kind, entry[kind]);
    return packed;
  });
}
