import { createHash } from 'node:crypto';
import { closeSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { log } from '../../native/log/log.ts';
import { ACTION_RULES_VERSION } from '../../schemas/actions.ts';
import type { RecordingPage } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import { KEYFRAME_RULES_VERSION } from '../../schemas/recording.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { entriesBelow, folderIn, openIn, readIn, removeIn } from '../files/inside.ts';
import {
  BY_HAND_FILE,
  EVENTS_FILE,
  FRAMES_FILE,
  madeOf,
  RECORDING_FILE,
  readRecording,
  WINDOWS_FILE,
} from '../store/recording-folder.ts';
import { readAgentLog } from './agent-log.ts';
import { type Derived, derive } from './derive.ts';
import { DERIVED_FOLDER } from './folders.ts';
import { recordingPage } from './page.ts';

/**
 * The one derived file of a closed recording, derived/recording.jsonl: made once, and again when a raw file or a rule is
 * another. Its first line holds everything that pages ask for; the second, which takes much longer to read, the rest.
 */

/** Version of the file in derived/. Raise it when its shape or the code that makes it changes. */
const DERIVED_VERSION = 5;
const KEPT = 'recording.jsonl';
const BESIDE = /^recording-[0-9.]+\.jsonl$/;
/** Files of older versions of this program. */
const OLDER = ['opened.json', 'actions.json', 'recording.json'];

/** The part of `Derived` that no page needs. */
type Rest = Pick<Derived, 'actions' | 'warnings' | 'keyframes'>;
type Head = { page: RecordingPage; pts: number[] };

/** Everything derived of a recording. `rest` reads its part at the first question and keeps it. */
export type Kept = Head & { rest(): Rest };

/** The two lines of the file without the key, as a thread hands them over. */
export type KeptText = { head: string; rest: string };

/**
 * Whether something was made by newer rules than `mine`: both begin with the versions of their rules, numbers with a blank
 * between. A program leaves what newer rules made where it lies and keeps its own beside: two servers of different versions
 * would otherwise make everything anew in turns, for ever.
 */
export function byNewerRules(theirs: string, mine: string): boolean {
  const [one, other] = [rulesIn(theirs), rulesIn(mine)];
  const at = one.findIndex((version, n) => version !== other[n]);
  return at >= 0 && one[at]! > (other[at] ?? 0);
}

const rulesIn = (key: string): number[] => (/^[0-9]+(?: [0-9]+){2}/.exec(key)?.[0] ?? '').split(' ').map(Number);

/**
 * Says of which raw files and by which rules something was derived. recording.json counts by its content, but for the name
 * of the playback copy, which is made later and changes nothing that is derived.
 */
export function derivedKey(folder: string): string {
  const files = [EVENTS_FILE, FRAMES_FILE, WINDOWS_FILE, BY_HAND_FILE].map((name) => {
    const info = statSync(join(folder, name), { throwIfNoEntry: false, bigint: true });
    // With its number: a folder that is copied in with its times brings nothing derived that would be believed.
    return info ? `${name}=${info.size}@${info.mtimeNs}#${info.ino}` : `${name}=none`;
  });
  return [DERIVED_VERSION, ACTION_RULES_VERSION, KEYFRAME_RULES_VERSION, metaKey(folder), ...files].join(' ');
}

const PLAYBACK = /"playback":\s*(?:null|"[^"\n]*")/;

function metaKey(folder: string): string {
  try {
    const text = readIn(folder, RECORDING_FILE).toString('utf8').replace(PLAYBACK, '');
    return `${RECORDING_FILE}=${createHash('sha256').update(text).digest('base64url')}`;
  } catch {
    return `${RECORDING_FILE}=none`; // Whoever reads it says what is wrong.
  }
}

/**
 * From derived/ when it was made of the same files by the same rules, else made anew and kept there. Blocks for about a
 * second a million events that were not reduced yet.
 * Throws BAD_FILE, FUTURE_VERSION; USAGE for a recording that was not closed.
 */
export function derivedFolder(folder: string, key = derivedKey(folder)): Kept {
  const text = keptText(folder, key);
  return (text && parseKept(text)) ?? makeAndKeep(folder, key).kept;
}

/** The same as text; for a recording of which nothing is kept yet. */
export function derivedText(folder: string, key: string): KeptText {
  return makeAndKeep(folder, key).text;
}

/** From so many bytes of events on (some thousand steps) deriving takes longer than starting a thread for it. */
export const LONG_BYTES = 1_500_000;

export const isLong = (folder: string, longBytes = LONG_BYTES): boolean =>
  (statSync(join(folder, EVENTS_FILE), { throwIfNoEntry: false })?.size ?? 0) >= longBytes;

// Written by makeAndKeep.
const beginningOf = (key: string): string => `{"key":${JSON.stringify(key)},"head":`;

/** Where a program keeps what it derived while the one file is of a newer program's rules. */
const besideOf = (key: string): string => `recording-${rulesIn(key).join('.')}.jsonl`;

/** Whether derived/ holds something under this key: its beginning says so. */
export const isKept = (folder: string, key: string): boolean =>
  [KEPT, besideOf(key)].some((name) => beginsWith(folder, name, beginningOf(key)));

const beginsWith = (folder: string, name: string, beginning: string): boolean =>
  beginningIn(folder, name, Buffer.byteLength(beginning)) === beginning;

/** The first bytes of a file in derived/; empty where it cannot be read. */
function beginningIn(folder: string, name: string, bytes: number): string {
  try {
    const file = openIn(folder, `${DERIVED_FOLDER}/${name}`);
    try {
      const head = Buffer.alloc(bytes);
      return head.toString('utf8', 0, readSync(file, head, 0, head.length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** The file that this program may write: never over what newer rules made. */
function nameFor(folder: string, key: string): string {
  const head = /^\{"key":"([0-9 ]+)/.exec(beginningIn(folder, KEPT, 100));
  return head && byNewerRules(head[1]!, key) ? besideOf(key) : KEPT;
}

/** Of a day with millions of events; what is larger is made anew. */
const MOST_KEPT = 1 << 30;

/** The text in derived/ under this key; null when there is none. */
const keptText = (folder: string, key: string) => textIn(folder, KEPT, key) ?? textIn(folder, besideOf(key), key);

function textIn(folder: string, name: string, key: string): { head: string; rest: Buffer } | null {
  try {
    const bytes = readIn(folder, `${DERIVED_FOLDER}/${name}`, MOST_KEPT);
    const beginning = Buffer.from(beginningOf(key));
    // One that is out of date is not parsed.
    if (!bytes.subarray(0, beginning.length).equals(beginning)) return null;
    const end = bytes.indexOf(0x0a);
    if (end < 0) return null;
    return { head: bytes.toString('utf8', beginning.length, end - 1), rest: bytes.subarray(end + 1) };
  } catch {
    return null; // Not there, or spoilt: it is made again.
  }
}

/** Null for spoilt text. The file is written whole by writeFileAtomic under its key, so it has these shapes. */
export function parseKept({ head, rest }: { head: string; rest: string | Buffer }): Kept | null {
  try {
    const { page, pts } = JSON.parse(head) as Head;
    let unread: string | Buffer | null = rest;
    let read: Rest | null = null;
    return {
      page,
      pts,
      rest() {
        read ??= JSON.parse(String(unread)) as Rest;
        unread = null;
        return read;
      },
    };
  } catch {
    return null;
  }
}

/** A log that cannot be read is said where runs are read: the recording is whole without it. */
function runOf(folder: string): ReturnType<typeof readAgentLog> {
  try {
    return readAgentLog(folder);
  } catch (error) {
    log.warn('run log not read', { error });
    return null;
  }
}

function makeAndKeep(folder: string, key: string): { kept: Kept; text: KeptText } {
  const meta = readRecording(folder);
  const { id, state } = meta;
  if (state !== 'closed') {
    throw new StudioError(
      'USAGE',
      `Recording ${id} was not closed: stop it first, or run \`recover\` when its recorder is gone.`,
      { recording: id },
    );
  }
  const { made, page } = madeOf(folder, () => {
    const derived = derive(folder);
    return { made: derived, page: recordingPage(meta, derived, runOf(folder)) };
  });
  const { actions, warnings, keyframes, pts } = made;
  const head: Head = { page, pts };
  const rest: Rest = { actions, warnings, keyframes };
  const text: KeptText = { head: JSON.stringify(head), rest: JSON.stringify(rest) };
  try {
    const place = folderIn(folder, DERIVED_FOLDER);
    const name = nameFor(folder, key);
    writeFileAtomic(join(place, name), `${beginningOf(key)}${text.head}}\n${text.rest}\n`);
    // Older programs kept theirs of files that are others by now, or they make it once more.
    const beside = [...entriesBelow(place)].map((entry) => entry.name).filter((there) => BESIDE.test(there));
    const old = name === KEPT ? [...OLDER, ...beside] : [];
    for (const each of old) removeIn(folder, `${DERIVED_FOLDER}/${each}`);
  } catch (error) {
    // A folder that cannot be written (read-only, disk full) is opened all the same, only not as fast the next time.
    log.warn('steps not kept', { error });
  }
  return { kept: { ...head, rest: () => rest }, text };
}
