import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, constants as zlib } from 'node:zlib';
import {
  isAtif,
  isOsworldLine,
  isOwamcap,
  isTrajectory,
  isVideocuaLog,
  type NamedData,
  namedBytes,
  namedJson,
  OUR_MANIFEST,
} from '../../core/import/named-data.ts';
import { whyTooMuch } from '../../core/json-depth.ts';
import { append } from '../../core/lists.ts';
import { plural } from '../../core/words.ts';
import { DEMUXERS } from '../../native/ffmpeg/input.ts';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import { firstBytes } from '../files/first-bytes.ts';
import { sniffMime } from '../files/mime.ts';
import { readTarHeader, TAR_BLOCK } from '../files/tar.ts';
import { LIMITS } from './limits.ts';

/** Everything that is imported, in a sentence for who has something else. */
const TAKEN =
  "What is imported: a recording's folder or its .tar, a workspace archive (.tar), a video (mp4, mov, mkv, webm), a folder of DuckTrack, AgentNet or Codex Record & Replay, an OWAMcap recording (.mcap), NaturalGAIA trajectories (.json, .jsonl), runs in ATIF (.json), runs of OSWorld (a folder with traj.jsonl), tasks of VideoCUA (a folder with action_log.json).";

/** A file is looked at by its beginning; JSON that is one value must be read whole, up to so much. */
const HEAD = 1 << 16;
const MOST_JSON = 16 * 1024 * 1024;

type Sighting =
  /** It is one of these, by its content. */
  | { kind: 'video' | 'recording' | 'naturalgaia' | 'atif' | 'owamcap' | 'osworld' | 'videocua' }
  /** It is something else that has a name. */
  | { named: NamedData }
  /** Nobody here knows it: what can be said of it, as it goes on after "It is". */
  | { unknown: string; isJson?: boolean };

/** A file by its content, never by its name. Throws what opening it throws. */
export function lookAtFile(path: string, size: number): Sighting {
  const head = firstBytes(path, HEAD);
  if (head.length === 0) return { unknown: 'empty' };
  if (isTar(head)) return { kind: 'recording' };
  if (isOwamcap(head)) return { kind: 'owamcap' };
  const named = packedOf(head) ?? namedBytes(head, size);
  if (named) return { named };
  if (Object.hasOwn(DEMUXERS, sniffMime(head))) return { kind: 'video' };
  const json = jsonOf(path, head, size);
  // Also one that is torn: its reader says where.
  if (isAtif(json) || (json === undefined && ATIF_HEAD.test(head.toString('utf8', 0, 2000)))) return { kind: 'atif' };
  if (json === undefined) return { unknown: textOf(head) };
  if (isTrajectory(json)) return { kind: 'naturalgaia' };
  // Its pictures lie beside it, by whatever name it has.
  if (isOsworldLine(json)) return { kind: 'osworld' };
  if (isVideocuaLog(json)) return { kind: 'videocua' };
  const data = namedJson(json);
  if (data) return { named: data };
  // Its reader says what is wrong with the rest of it.
  if (hasMessages(json) || (Array.isArray(json) && json.length === 0)) return { kind: 'naturalgaia' };
  return { unknown: `JSON ${fieldsOf(json)}`, isJson: true };
}

const ATIF_HEAD = /^\uFEFF?\s*\{[^{]{0,400}"schema_version"\s{0,9}:\s{0,9}"ATIF/;

/** The run in a folder, by the name that Harbor gives it; null when there is none. */
export function atifIn(folder: string): string | null {
  const file = join(folder, 'trajectory.json');
  return isAtifFile(file) ? file : null;
}

function isTar(head: Buffer): boolean {
  if (head.length < TAR_BLOCK) return false;
  try {
    return readTarHeader(head.subarray(0, TAR_BLOCK), 0) !== null;
  } catch (error) {
    // A header with a right checksum and an entry of another kind is a .tar all the same.
    return (
      head.toString('latin1', 257, 262) === 'ustar' ||
      (error instanceof StudioError && /only plain files/.test(error.message))
    );
  }
}

/** gzip: what is in it, as far as its beginning tells. */
function packedOf(head: Buffer): NamedData | null {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return null;
  const advice = 'Unpack it first (gunzip, or tar xzf), and import what was in it.';
  try {
    const inside = gunzipSync(head.subarray(0, 4096), { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: 1 << 20 });
    if (isTar(inside)) return { what: 'a .tar packed by gzip', advice };
    const named = namedBytes(inside.subarray(0, 4096), Number.MAX_SAFE_INTEGER);
    return { what: named ? `${named.what}, packed by gzip` : 'a file packed by gzip', advice };
  } catch {
    return { what: 'a file packed by gzip', advice };
  }
}

/** The value of a JSON file, or of the first line of JSON Lines; undefined for anything else. */
function jsonOf(path: string, head: Buffer, size: number): unknown {
  const text = head.toString('utf8').replace(/^\uFEFF/, '');
  if (!/^\s*[[{]/.test(text)) return undefined;
  const line = text.trimStart().split('\n', 1)[0]!; // There is at least one.
  return parsed(line) ?? (size > MOST_JSON ? undefined : parsed(readFileSync(path, 'utf8').replace(/^\uFEFF/, '')));
}

function parsed(text: string): unknown {
  if (whyTooMuch(text) !== null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hasMessages(value: unknown): boolean {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === 'object' && one !== null && Object.hasOwn(one, 'messages');
}

function fieldsOf(value: unknown): string {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  const names = typeof one === 'object' && one !== null ? Object.keys(one).slice(0, 6) : [];
  return names.length === 0 ? 'without fields' : `with the fields ${names.map((name) => name.slice(0, 40)).join(', ')}`;
}

function textOf(head: Buffer): string {
  const isWritten = sniffMime(head).startsWith('text/') && !head.some((byte) => byte < 9 || (byte > 13 && byte < 32));
  if (!isWritten) return 'a file of a form that is not known here';
  return `text that begins with "${head.toString('utf8').replace(/\s+/g, ' ').trim().slice(0, 60)}"`;
}

/** [files that it holds, what it is, advice] */
const FOLDERS: readonly (readonly [files: readonly string[], named: NamedData])[] = [
  [
    ['studio.sqlite'],
    { what: 'a workspace of ours', advice: 'Open it, or export an archive of it and import that (archive export).' },
  ],
  [['SKILL.md'], { what: 'a skill', advice: null }],
  [
    ['evaluation_examples'],
    {
      what: 'a copy of OSWorld',
      advice: 'Its tasks are taken by `tasks import-osworld`, from evaluation_examples/examples.',
    },
  ],
];

/** A folder that is none of those that are imported, by the names in it. Throws BAD_FILE when it cannot be listed. */
export function lookAtFolder(path: string): NamedData | null {
  const names = listedNames(path);
  const has = (name: string): boolean => names.includes(name);
  const known = FOLDERS.find(([files]) => files.every(has));
  if (known) return known[1];
  if (namedFile(join(path, 'manifest.json'))?.what === OUR_MANIFEST) return exportOfOurs(path);
  if (has('meta') && plainSize(join(path, 'meta', 'info.json')) !== null)
    return { what: 'a LeRobot data set', advice: null };
  const mcap = names.filter((name) => /\.mcap$/i.test(name)).length;
  if (mcap > 0)
    return { what: `a folder of ${plural(mcap, 'MCAP recording')}`, advice: 'Import each of them by itself.' };
  const runs = names.filter((name) => plainSize(join(path, name, 'traj.jsonl')) !== null).length;
  if (runs > 0)
    return { what: `a folder with ${plural(runs, 'OSWorld run')} in it`, advice: 'Import each of them by itself.' };
  const inside = names.filter((name) => plainSize(join(path, name, 'recording.json')) !== null).length;
  if (inside > 0)
    return {
      what: `a folder with ${plural(inside, 'recording')} of ours in it`,
      advice: 'Import each of them by itself.',
    };
  const advice = videoIn(names);
  return advice === null ? ofOneForm(path, names) : { what: 'a folder with a video', advice };
}

/** So many folders of an export are looked through for something that is imported. */
const LOOKED_THROUGH = 200;

/** An export as a whole is not imported; where its format is one that is, its tasks are, each by itself. */
function exportOfOurs(path: string): NamedData {
  const what = 'an export of ours';
  const archive =
    'import the recordings that it was made of, or an archive of them (archive export), which lose nothing';
  const task = importedIn(path);
  if (task === null) return { what, advice: `To have it here, ${archive}.` };
  return { what, advice: `Import each of its tasks by itself, such as ${task}. Better, ${archive}.` };
}

/** A task in an export of a format that is imported, the nearest to its top; null where there is none. */
function importedIn(path: string): string | null {
  const folders = [path];
  for (let at = 0; at < Math.min(folders.length, LOOKED_THROUGH); at++) {
    const folder = folders[at]!; // There are more than `at`.
    const names = listedNames(folder).toSorted();
    if (names.includes('traj.jsonl') || names.includes('action_log.json')) return folder;
    const run = names.find((name) => /\.json$/i.test(name) && name !== 'manifest.json');
    if (run !== undefined && isAtifFile(join(folder, run))) return join(folder, run);
    if (folders.length < LOOKED_THROUGH) append(folders, foldersOf(folder, names));
  }
  return null;
}

const foldersOf = (folder: string, names: readonly string[]): string[] =>
  names
    .slice(0, LOOKED_THROUGH)
    .map((name) => join(folder, name))
    .filter((one) => infoOf(one)?.isDirectory());

function isAtifFile(file: string): boolean {
  const size = plainSize(file);
  if (size === null) return false;
  const looked = lookAtFile(file, size);
  return 'kind' in looked && looked.kind === 'atif';
}

/** So many files of a folder are looked at to see what they are. */
const LOOKED_AT = 3;

/** A folder of files of one form that has a name, as far as the first of them tell; null for any other. */
function ofOneForm(path: string, names: readonly string[]): NamedData | null {
  const jsons = names.filter((name) => /\.jsonl?$/i.test(name)).toSorted();
  const looked = jsons.slice(0, LOOKED_AT).map((name) => namedFile(join(path, name)));
  const [first] = looked;
  if (!first || looked.some((one) => one?.what !== first.what)) return null;
  const among = jsons.length === 1 ? 'a JSON file:' : `${plural(jsons.length, 'JSON file')}, each like ${jsons[0]}:`;
  return { what: `a folder with ${among} ${first.what}`, advice: first.advice };
}

function namedFile(path: string): NamedData | null {
  const size = plainSize(path);
  if (size === null) return null;
  const looked = lookAtFile(path, size);
  return 'named' in looked ? looked.named : null;
}

export function listedNames(path: string): string[] {
  try {
    return readdirSync(path).slice(0, LIMITS.entries);
  } catch (error) {
    throw new StudioError('BAD_FILE', `${path} cannot be read: ${whyNot(error)}.`, { file: path });
  }
}

const videoIn = (names: readonly string[]): string | null => {
  const video = names.find((name) => /\.(mp4|mkv|mov|webm|m4v)$/i.test(name));
  return video === undefined ? null : `Its video can be imported by itself: ${video.slice(0, 200)}.`;
};

function plainSize(path: string): number | null {
  const info = infoOf(path);
  return info?.isFile() ? info.size : null;
}

function infoOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export const notTaken = (path: string, { what, advice }: NamedData): StudioError =>
  new StudioError('BAD_FILE', `${path} is ${what}, which is not imported. ${advice ?? TAKEN}`, {
    file: path,
    is: what,
  });

export const notKnown = (path: string, what: string): StudioError =>
  new StudioError('BAD_FILE', `${path} is not known: it is ${what}. ${TAKEN}`, { file: path });
