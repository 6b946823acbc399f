import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type { PlayPart } from '../../../core/play/part.ts';
import type { Recipe } from '../../../schemas/play.ts';
import { processesOf } from '../../../studio/play/stage/processes.ts';
import type { VirtualStage } from '../../../studio/play/stage/stage.ts';
import { sleep } from '../../support/until.ts';
import { type Demonstration, PLACE } from './kinds.ts';
import { looksAs } from './stage.ts';

/** What is made wrong on purpose while a demonstration is played. `n`: the step that it is made wrong at. */
export type Fault = {
  name: FaultName;
  /** The play cannot come out right: it must stop, or its checks must fail. Else it must be carried through. */
  wrong: boolean;
  /** The steps at which it changes anything. */
  at(demo: Demonstration, parts: readonly PlayPart[]): number[];
  recipe?(demo: Demonstration): Recipe;
  parts?(part: PlayPart): PlayPart;
  /**
   * Called when the step before step `n` has been played; `early`, or with `n` 0: before the play begins. Whether it really
   * happened: a play whose fault did not proves nothing.
   */
  meddle?(stage: VirtualStage, demo: Demonstration, parts: readonly PlayPart[]): Promise<boolean> | boolean;
  early?: true;
};

export const FAULT_NAMES = [
  'left-out',
  'point',
  'letter',
  'shortcut',
  'label',
  'disk',
  'killed',
  'late',
  'moved',
] as const;
export type FaultName = (typeof FAULT_NAMES)[number];

export const SAYS: Record<FaultName, string> = {
  'left-out': 'a step left out',
  point: 'a point 60 px off',
  letter: 'a wrong letter',
  shortcut: 'a wrong shortcut',
  label: 'a changed label',
  disk: 'a full disk',
  killed: 'the program killed',
  late: 'answers 3 s late',
  moved: 'a window moved 40 px',
};

const LATE_MS = 3000;
/** Until a killed program is gone. */
const KILLED_MS = 1000;
const MOVED = 40;
const isLetter = (code: string): boolean => /^(?:Key[A-Z]|Digit\d)$/.test(code);
const chosen = (parts: readonly PlayPart[], fits: (part: PlayPart) => boolean): number[] =>
  parts.flatMap((part, n) => (fits(part) ? [n] : []));
const isTyped = ({ at, events }: PlayPart): boolean =>
  at === null && events.some((event) => 'code' in event && isLetter(event.code));
const isHeld = ({ events }: PlayPart): boolean =>
  events.some((event) => 'code' in event && /^(?:Control|Alt|Meta)/.test(event.code));

export const FAULTS: readonly Fault[] = [
  {
    name: 'left-out',
    wrong: true,
    at: (_, parts) => parts.map((_part, n) => n),
    // The part stays in the list, so that what it would have changed is looked for.
    parts: (part) => ({ ...part, events: [] }),
  },
  {
    name: 'point',
    wrong: true,
    at: (_, parts) => chosen(parts, ({ at }) => at !== null),
    parts: (part) => ({
      ...part,
      events: part.events.map((event) => ('x' in event ? { ...event, x: event.x + 60, y: event.y + 60 } : event)),
    }),
  },
  {
    name: 'letter',
    wrong: true,
    at: (_, parts) => chosen(parts, (part) => isTyped(part) && !isHeld(part)),
    parts: otherLetter,
  },
  {
    name: 'shortcut',
    wrong: true,
    at: (_, parts) => chosen(parts, (part) => isTyped(part) && isHeld(part)),
    parts: otherLetter,
  },
  {
    name: 'label',
    wrong: true,
    at: ({ relabelled }) => (relabelled ? [relabelled.step] : []),
    recipe: ({ relabelled, recipe }) => relabelled?.recipe ?? recipe,
    // Some targets come only later (a dialog's button): those of the bench are on the screen from the beginning.
    early: true,
    async meddle(stage, { relabelled }, parts) {
      const part = relabelled && parts[relabelled.step];
      return part?.at ? !(await looksAs(stage, part.before, part.at)) : false;
    },
  },
  { name: 'disk', wrong: true, at: ({ saves }) => (saves === null ? [] : [saves]), meddle: fillDisk, early: true },
  {
    name: 'killed',
    wrong: true,
    at: (_, parts) => parts.map((_part, n) => n).slice(1),
    async meddle({ id }) {
      const killed = signalPrograms(id, 'SIGKILL');
      await sleep(KILLED_MS);
      return killed > 0 && programsOf(id).length === 0;
    },
  },
  {
    name: 'late',
    wrong: false,
    at: (_, parts) => parts.map((_part, n) => n),
    meddle({ id }) {
      const stopped = signalPrograms(id, 'SIGSTOP');
      void sleep(LATE_MS).then(() => signalPrograms(id, 'SIGCONT'));
      return stopped > 0;
    },
  },
  {
    name: 'moved',
    wrong: false,
    at: () => [0],
    recipe: ({ recipe }) => ({
      ...recipe,
      programs: recipe.programs.map((program) => ({ ...program, place: { ...PLACE, x: MOVED, y: MOVED } })),
    }),
  },
];

function otherLetter(part: PlayPart): PlayPart {
  const first = part.events.find((event) => event.type === 'keydown' && isLetter(event.code));
  if (!first || !('code' in first)) return part;
  const { code } = first;
  const other = code.startsWith('Digit')
    ? code === 'Digit7'
      ? 'Digit8'
      : 'Digit7'
    : code === 'KeyX'
      ? 'KeyY'
      : 'KeyX';
  let [down, up] = [false, false];
  const events = part.events.map((event) => {
    if (!('code' in event) || event.code !== code) return event;
    if (event.type === 'keydown' ? down : up) return event;
    if (event.type === 'keydown') down = true;
    else up = true;
    return { ...event, code: other };
  });
  return { ...part, events };
}

/** Everything on a stage but what makes it a stage. */
const OWN = new Set(['Xvfb', 'openbox', 'dbus-daemon', 'node', 'MainThread', 'bwrap', 'sh']);
function programsOf(stage: string): number[] {
  return processesOf(stage).filter((pid) => {
    try {
      return !OWN.has(fs.readFileSync(`/proc/${pid}/comm`, 'latin1').trim());
    } catch {
      return false; // It ended meanwhile.
    }
  });
}

/** How many programs were told. */
function signalPrograms(stage: string, name: NodeJS.Signals): number {
  let told = 0;
  for (const pid of programsOf(stage)) {
    try {
      process.kill(pid, name);
      told++;
    } catch {
      // It ended meanwhile.
    }
  }
  return told;
}

/** The stage lies on a small file system of its own, which another process uses up as long as the stage is there. */
async function fillDisk({ home }: VirtualStage): Promise<boolean> {
  const ballast = path.join(path.dirname(home), 'ballast');
  const { bavail, bsize } = fs.statfsSync(home);
  // Most of it at once; the process takes the rest.
  spawnSync('fallocate', ['-l', `${Math.floor(bavail * 0.99) * bsize}`, ballast]);
  const entry = new URL('./fill-main.ts', import.meta.url).pathname;
  const filler = spawn(process.execPath, [entry, ballast], { stdio: ['ignore', 'pipe', 'inherit'] });
  await Promise.race([once(filler.stdout, 'data'), once(filler, 'close')]);
  return fs.statfsSync(home).bavail === 0;
}
