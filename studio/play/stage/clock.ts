import { closeSync, existsSync, openSync, readdirSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { StudioError } from '../../../schemas/errors.ts';
import { type ClockTurn, clockTurnSchema, MOST_CLOCK_TURNS } from '../../../schemas/recording.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { readBoundedIn } from '../../files/bounded.ts';
import { hasFile } from '../../files/inside.ts';
import { CLOCK_FOLDER, stageFolder } from './home.ts';
import { STAGE_MARK } from './processes.ts';

/**
 * The time that programs on a stage see, by libfaketime: it is put into each of them and reads how far their clock is from the
 * machine's out of a file that is written here. The studio's own processes see the machine's time as ever, and so do recordings.
 * Only the clock of the day is another: programs measure how long something takes as before.
 */
export type StageClock = {
  /** ms since 1970, as the programs read it; they are told no zone. */
  now(): number;
  /** Programs see it the next time that they look. */
  set(at: number): void;
};

const FILE = 'ahead';
/** The newest turns of the clock, as JSON: by them it is known what times the texts on the screen say (PL33). */
const TURNS = 'turns.json';
const MOST_TURN_BYTES = 10_000;
const LIBRARY = 'libfaketimeMT.so.1';

/** Where libfaketime is, for programs with threads; null where it is not installed. */
export function clockLibrary(): string | null {
  const folders = ['/usr/lib', '/usr/local/lib', '/usr/lib64'].flatMap((folder) => {
    if (!existsSync(folder)) return [];
    const own = readdirSync(folder).filter((name) => /-linux-gnu(?:\w*)$/.test(name));
    return [folder, ...own.map((name) => join(folder, name))];
  });
  return folders.map((folder) => join(folder, 'faketime', LIBRARY)).find((file) => existsSync(file)) ?? null;
}

/** Why no clock can be set for programs on this machine; null when one can. */
export function clockUnable(library = clockLibrary()): StudioError | null {
  if (library !== null) return null;
  const message =
    'The programs of the stage are to see another time than this machine’s, for which libfaketime is needed. Install it: "apt install faketime".';
  return new StudioError('NO_LIBRARY', message, { missing: ['faketime'] });
}

/** Sets the clock of a stage that is being made. Throws NO_LIBRARY. `env`: what its programs are started with. */
export function startClock(id: string, at: number): { clock: StageClock; env: Record<string, string> } {
  const library = clockLibrary();
  const unable = clockUnable(library);
  if (unable || library === null) throw unable;
  const folder = join(stageFolder(id), CLOCK_FOLDER);
  const file = join(folder, FILE);
  let ahead = 0;
  let turns: ClockTurn[] = [];
  const write = (to: number): void => {
    const at = Date.now();
    ahead = to - at;
    turns = [...turns, { at, ahead }].slice(-MOST_CLOCK_TURNS);
    writeFileAtomic(join(folder, TURNS), JSON.stringify(turns));
    const seconds = (ahead / 1000).toFixed(3);
    // Whole or as before: a program that reads half of a number would be in another year.
    writeFileSync(`${file}.new`, `${ahead < 0 ? '' : '+'}${seconds}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  write(at);
  return {
    clock: {
      now: () => Date.now() + ahead,
      set: write,
    },
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      // Else a program goes on with the old time for up to two seconds.
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      // Times of files stay: an editor would else take each jump for a change of its file by somebody else.
      NO_FAKE_STAT: '1',
      FAKETIME_DISABLE_SHM: '1',
      TZ: 'UTC',
    },
  };
}

/**
 * The turns of the clock of the stage whose variables these are, the oldest first and the newest at most; empty where its programs
 * see the machine's clock, or it is no stage.
 */
export function stageClockIn(env: NodeJS.ProcessEnv): ClockTurn[] {
  const id = env[STAGE_MARK];
  if (id === undefined || !/^[0-9a-f]{12}$/.test(id)) return [];
  const folder = stageFolder(id);
  const place = join(CLOCK_FOLDER, TURNS);
  if (!hasFile(folder, place)) return [];
  return z.array(clockTurnSchema).parse(JSON.parse(readBoundedIn(folder, place, MOST_TURN_BYTES).toString('utf8')));
}

/** Chromium and what is made of it: its processes for the network and for pages end with libfaketime in them, again and again. */
const UNBEARING = /^(?:chrom(?:e|ium)|google-chrome|brave|vivaldi|microsoft-edge|opera|electron|code$|codium)/i;

/** Whether a program is known not to bear a clock that is set: it sees the machine's time. */
export const bearsNoClock = (command: string): boolean => UNBEARING.test(basename(command));

/** For `doctor`. */
export const CLOCK_WORDS =
  'the clock of a stage can be set (libfaketime); Chromium and what is made of it do not bear it and see the machine’s time';

/** Programs that see the machine's time all the same, in words; `paths`: of those that are to see the stage's. */
export function clockNotes(paths: readonly string[]): string[] {
  const say = (why: string, which: (path: string) => boolean): string[] => {
    const names = [...new Set(paths.filter(which).map((path) => basename(path)))];
    return names.length === 0 ? [] : [`${names.join(', ')}: not with the stage’s time but the machine’s, ${why}.`];
  };
  return [
    ...say('which it does not bear to be set', bearsNoClock),
    ...say('since it is linked statically and takes nothing into itself', cannotHaveClock),
  ];
}

/** A program that takes nothing into itself: it is linked statically, as Go's are. A script is as its interpreter, which is not. */
export function cannotHaveClock(path: string): boolean {
  const head = headOf(path);
  // ELF, of 64 bits, the lowest first: what Debian's programs are.
  if (head.length < 64 || head.readUInt32BE(0) !== ELF || head[4] !== 2 || head[5] !== 1) return false;
  const [at, size, count] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)];
  if (at + size * count > head.length) return false;
  return !Array.from({ length: count }, (_, n) => head.readUInt32LE(at + n * size)).includes(INTERPRETER);
}
const ELF = 0x7f454c46;
/** A program header that names who links the program when it starts (PT_INTERP). */
const INTERPRETER = 3;
const HEAD_BYTES = 8192;

function headOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}
