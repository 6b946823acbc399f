import { appendFileSync, chmodSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What this program did, one line of JSON each: what, who, which recording, how long. In a folder on this disk and nowhere else,
 * for its owner alone. Never what a person has typed, never a title of a window, never a secret: an entry takes words of the code
 * and ids, and of an error its name, its code and where it was thrown, since messages may quote anything.
 */
const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

/** What an entry may say beside what happened. Words are those of the code. */
type Facts = {
  /** Ids. */
  recording?: string | undefined;
  workspace?: string | undefined;
  job?: string | undefined;
  /** The name by which somebody works; left out of what is packed. */
  person?: string | null | undefined;
  /** Words of the code: of a process, a kind of job, a procedure, a command. */
  name?: string | undefined;
  /** The id of the request, and by what somebody was let in: `session`, `token`. */
  request?: string | undefined;
  by?: string | undefined;
  why?: string | undefined;
  code?: string | undefined;
  status?: number | null | undefined;
  count?: number | undefined;
  bytes?: number | undefined;
  /** How long it took. */
  ms?: number | undefined;
  /** What was thrown. */
  error?: unknown;
};
/** `from`: which program, `pid`: which process of it. */
export type LogEntry = { time: string; level: Level; from: string; pid: number; what: string } & Record<
  string,
  unknown
>;

const WORDS: ReadonlySet<string> = new Set(['recording', 'workspace', 'job', 'name', 'request', 'by', 'why', 'code']);
const NUMBERS: ReadonlySet<string> = new Set(['status', 'count', 'bytes', 'ms']);
/** Anything else that comes in the place of a word. */
const LEFT_OUT = '(left out)';
const isWord = (value: unknown): value is string => typeof value === 'string' && /^[\w.:-]{1,80}$/.test(value);

/** The most of one file; there are two, this one and the one before. */
const MOST_BYTES = 2_000_000;
const MOST_FRAMES = 6;
const MOST_CAUSES = 3;

/** The least that is kept: `debug`, `info`, `warn`, `error`, or `off`. */
const LEVEL_VARIABLE = 'TRAJECTORY_STUDIO_LOG';
const least = (): number => {
  const wanted = process.env[LEVEL_VARIABLE] ?? 'info';
  return wanted === 'off' ? LEVELS.length : Math.max(0, LEVELS.indexOf((wanted || 'info') as Level));
};

/** Where a process that outlives whoever started it (a recording's) writes when nobody hears it any more. */
const FOLDER_VARIABLE = 'TRAJECTORY_STUDIO_LOG_FOLDER';
const ALONE = 'alone';

let from = 'unknown';
let openFolder: string | null = null;
let send: ((entry: LogEntry) => void) | null = null;

/** Entries of this process, and of all that it starts, go to NAME.log in this folder from now on; NAME.old.log is the one before. */
export function openLogFile(folder: string, name: string): void {
  from = name;
  openFolder = folder;
  send = (entry) => append(join(folder, `${name}.log`), JSON.stringify(entry));
}

/** For the environment of a process that outlives this one: where its last words go then. */
export const logPlace = (): Readonly<Record<string, string>> =>
  openFolder === null ? {} : { [FOLDER_VARIABLE]: openFolder };

/**
 * Entries go to whoever started this process or thread, which has a file, or hands them on too. `isHeard`: whether that one is
 * still there; else they go to a file of their own, where this process was told a folder.
 */
export function sendEntriesTo(
  tell: (message: { type: 'log'; entry: LogEntry }) => void,
  isHeard: () => boolean = () => true,
): void {
  const folder = process.env[FOLDER_VARIABLE];
  send = (entry) => {
    if (folder === undefined || isHeard()) tell({ type: 'log', entry });
    else append(join(folder, `${ALONE}.log`), JSON.stringify({ ...entry, from: ALONE }));
  };
}

/** One line more. A disk that takes nothing stops nothing. */
function append(file: string, line: string): void {
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if ((size ?? 0) > MOST_BYTES) renameSync(file, file.replace(/\.log$/, '.old.log'));
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
    // It may be older than this rule.
    if (size === undefined) chmodSync(file, 0o600);
  } catch {
    // There is no other place to say it.
  }
}

type Say = (what: string, facts?: Facts) => void;

function say(level: Level): Say {
  return (what, facts = {}) => {
    if (send === null || LEVELS.indexOf(level) < least()) return;
    send({ time: new Date().toISOString(), level, from, pid: process.pid, what, ...factsOf(facts) });
  };
}

/** `what` is a text of the code, without anything put into it: scripts/log.test.ts. */
export const log: Record<Level, Say> = {
  debug: say('debug'),
  info: say('info'),
  warn: say('warn'),
  error: say('error'),
};

/** For what is passed over where it fails, and must not go unheard: `promise.catch(passedOver('no copy'))`. */
export const passedOver =
  (what: string, facts: Facts = {}) =>
  (error: unknown): void =>
    log.warn(what, { ...facts, error });

/** A message of a process or thread that was started from here and carries an entry. */
export function isEntry(message: unknown): message is { type: 'log'; entry: LogEntry } {
  if (typeof message !== 'object' || message === null || !('type' in message) || message.type !== 'log') return false;
  return 'entry' in message && typeof message.entry === 'object' && message.entry !== null;
}

/** Writes it here, or hands it on. It is cleaned once more: whatever sent it. */
export function takeEntry({ entry }: { entry: LogEntry }): void {
  const level = LEVELS.find((one) => one === entry.level);
  if (send === null || !level || LEVELS.indexOf(level) < least()) return;
  const { time, pid, what } = entry;
  if (typeof time !== 'string' || typeof pid !== 'number' || typeof what !== 'string') return;
  const { error, errorCode, at } = entry;
  send({
    time: time.slice(0, 30),
    level,
    from,
    pid,
    what: what.slice(0, 80),
    ...factsOf(entry),
    ...thrown({ error, errorCode, at }),
  });
}

function thrown({ error, errorCode, at }: Record<string, unknown>): Record<string, unknown> {
  return {
    ...(isWord(error) && { error }),
    ...(isWord(errorCode) && { errorCode }),
    ...(Array.isArray(at) && { at: at.filter(isPlace).slice(0, MOST_FRAMES) }),
  };
}

function factsOf(facts: Facts | LogEntry): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(facts)) {
    if (value === undefined || value === null) continue;
    if (WORDS.has(key)) clean[key] = isWord(value) ? value : LEFT_OUT;
    else if (NUMBERS.has(key) && Number.isFinite(value)) clean[key] = Math.round(value as number);
    else if (key === 'person') clean[key] = String(value).slice(0, 80);
  }
  return typeof facts.error === 'string' ? clean : { ...clean, ...partsOf(facts.error) };
}

/** Of an error its name, its code and where it was thrown; the same of what caused it. */
function partsOf(error: unknown, depth = 0): Record<string, unknown> {
  if (error === undefined || error === null) return {};
  if (!(error instanceof Error)) return { error: typeof error };
  const code = 'code' in error && isWord(error.code) ? error.code : undefined;
  const cause = depth < MOST_CAUSES ? partsOf(error.cause, depth + 1) : {};
  const at = [...placesOf(error), ...(Array.isArray(cause.at) ? cause.at : [])].slice(0, MOST_FRAMES);
  return {
    error: isWord(error.name) ? error.name : LEFT_OUT,
    ...((code ?? cause.errorCode) !== undefined && { errorCode: code ?? cause.errorCode }),
    ...(at.length > 0 && { at }),
  };
}

/** The folder of this program, as stacks have it: a module's address, or its path. */
const ROOTS = [new URL('../../', import.meta.url).href, fileURLToPath(new URL('../../', import.meta.url))];
const isPlace = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w./-]{1,200}:\d{1,7}$/.test(value);

/** Where it was thrown: files of this program, without the message, which comes first in a stack. */
function placesOf({ stack = '', message }: Error): string[] {
  const begin = stack.indexOf(message);
  const frames = begin < 0 ? stack : stack.slice(begin + message.length);
  return frames.split('\n').flatMap((line) => {
    const root = ROOTS.find((one) => line.includes(one));
    if (root === undefined) return [];
    const place = /^[^:]+:\d+/.exec(line.slice(line.indexOf(root) + root.length).replaceAll('\\', '/'))?.[0];
    return isPlace(place) && !place.startsWith('node_modules/') ? [place] : [];
  });
}
