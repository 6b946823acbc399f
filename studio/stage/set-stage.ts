import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { speakingArgs, speakingEnv } from '../../native/elements/speaking.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Recipe } from '../../schemas/play.ts';
import { lastBytesIn } from '../files/bounded.ts';
import { arrange, type StartedProgram } from './arrange.ts';
import { writeAuthority } from './authority.ts';
import { type CageWishes, cageAbility, openCage, whyNoCage } from './cage.ts';
import { fillHome } from './copies.ts';
import { type DiskWatch, watchDisk, watchKept } from './disk-watch.ts';
import { wantElements } from './elements.ts';
import {
  type FileOf,
  homeOf,
  makeStageFolder,
  putFiles,
  type StageState,
  stageFolder,
  thisProcess,
  writeState,
} from './home.ts';
import { OPENBOX } from './openbox.ts';
import { failed, logOf, START_MS, type StagePlace, type StartedOnStage } from './place.ts';
import { endProcesses, STAGE_MARK } from './processes.ts';
import { clearAway, sweepStages, type VirtualStage, virtualStage } from './stage.ts';
import { openUncaged } from './uncaged.ts';

/** Sets a virtual stage up by a recipe. */

export type StageWishes = {
  recipe: Recipe;
  width: number;
  height: number;
  /** The keyboard's layout, where the recipe names none. */
  layout: { layout: string; variant: string };
  fileOf: FileOf;
  task: string | null;
  /** The folder of the task's workspace. */
  workspace: string | null;
  /** The home begins as this copy of one was, instead of with the recipe's files. */
  from?: { root: string; copy: string };
  /** It stays when this process ends, until `endStage`. */
  keep?: boolean;
  /** Its programs tell of their elements (AT-SPI), for checks of them. */
  elements?: boolean;
  /** Programs that are started on it later, beside those of the recipe (`open`). */
  later?: readonly Pick<Recipe, 'programs'>[];
  /** Its programs may run beside everything else where this system allows no cage. Else it is refused. */
  withoutCage?: boolean;
  /** How long programs may take to show their windows, ms. */
  patienceMs?: number;
  signal?: AbortSignal;
};

const NEEDED = ['Xvfb', 'openbox', 'dbus-daemon', 'setxkbmap', 'xset', 'setpriv'];

/** Why no stage can be set up on this machine; null when one can. */
export function stageUnable(platform: NodeJS.Platform = process.platform): StudioError | null {
  if (platform !== 'linux') {
    return new StudioError(
      'UNSUPPORTED_PLATFORM',
      `A virtual stage needs Linux: use a Linux machine.${platform === 'win32' ? ' A demonstration can also be played on the present display: `npm run studio -- play ID --stage display`.' : ''}`,
      { platform },
    );
  }
  const missing = NEEDED.filter((name) => !inPath(name));
  if (missing.length === 0) return null;
  return new StudioError(
    'NO_LIBRARY',
    `A virtual stage needs ${missing.join(', ')}. Install them: "apt install xvfb openbox dbus-daemon x11-xkb-utils x11-xserver-utils util-linux".`,
    { missing },
  );
}

/** Why no recipe may start its programs on this machine, where nobody allowed it; null when they may. */
export function cageUnable(): StudioError | null {
  const why = process.env[WITHOUT_CAGE] === '1' ? null : whyNoCage();
  return why === null ? null : noCage(why);
}

/** The programs that a recipe starts and that are not installed here. */
export const programsMissing = ({ programs }: Pick<Recipe, 'programs'>): string[] => [
  ...new Set(programs.map(({ command }) => command).filter((command) => !inPath(command))),
];

/** A stage in the hands of who set it up. */
export type SetStage = VirtualStage & {
  /**
   * Starts the programs of a task that comes later, and puts their windows in their places. One whose window is there is not started
   * again, but brought to the front. They are among `later` of its wishes. Throws as setting it up does; the stage stays as it is.
   */
  open(recipe: Pick<Recipe, 'programs'>, options?: { signal?: AbortSignal; patienceMs?: number }): Promise<void>;
};

/** Sets a stage up; resolves when its programs' windows are there. Throws NO_LIBRARY, UNSUPPORTED_PLATFORM, UNKNOWN_FILE, CAPTURE_FAILED, DISK_FULL. */
export async function setStage(wishes: StageWishes): Promise<SetStage> {
  const unable = stageUnable();
  if (unable) throw unable;
  await sweepStages();
  const { recipe, signal, task, workspace } = wishes;
  const { width, height } = recipe.screen ?? wishes;
  const id = makeStageFolder();
  const folder = stageFolder(id);
  // Until it is set up it is this process's, also one that is kept: whoever comes after a kill removes it.
  let state: StageState = { id, display: '', width, height, env: {}, task, workspace, owner: thisProcess() };
  let ended: Promise<string | null> | null = null;
  let disk: DiskWatch | null = null;
  const end = (): Promise<string | null> => {
    disk?.stop();
    ended ??= clearAway(state)
      .catch((error) => String(error))
      .then((left) => [disk?.ended() ?? null, left].filter((one) => one !== null).join(' ') || null);
    return ended;
  };
  try {
    writeState(state);
    if (wishes.from) await fillHome(id, wishes.from.root, wishes.from.copy);
    else await putFiles(id, recipe, wishes.fileOf);
    const authority = join(folder, 'xauthority');
    writeAuthority(authority);
    const programs = [recipe, ...(wishes.later ?? [])].flatMap((one) =>
      one.programs.map(({ command }) => programAt(command)),
    );
    const own = environment(id, authority);
    const place = await openPlace(
      { id, network: recipe.network, keep: wishes.keep === true, programs, env: own },
      wishes.withoutCage === true || programs.length === 0,
    );
    const keep = wishes.keep === true;
    if (!keep) disk = watchDisk(id, () => void endProcesses(id));
    else if (place.pid !== null) watchKept(id, place.pid, own);
    const env: Record<string, string> = { ...own, ...homeVariables(place.home) };
    const display = await place.startServer({ env, args: serverArgs(width, height, authority) });
    env.DISPLAY = display;
    // Known at once, so that whoever removes the stage gives the display's number back.
    state = { ...state, display };
    writeState(state);
    signal?.throwIfAborted();
    startBus(place, env, folder);
    setLayout(env, recipe.layout ?? wishes.layout);
    await startManager(place, env, id);
    const speaks = wishes.elements === true;
    const silent = speaks ? await wantElements(env) : null;
    state = { ...state, env };
    writeState(state);
    signal?.throwIfAborted();
    const launch = { id, place, env, speaks, screen: { width, height }, opened: new Set<string>() };
    await openPrograms(launch, recipe, [], wishes);
    if (wishes.keep === true) {
      state = { ...state, owner: null };
      writeState(state);
    }
    const stage = virtualStage(state, [...place.notes, ...(silent === null ? [] : [silent])], end);
    return {
      ...stage,
      async open(next, options = {}) {
        const full = (): StudioError | null => {
          const why = disk?.ended() ?? null;
          return why === null ? null : new StudioError('DISK_FULL', why, { stage: id });
        };
        try {
          const titles = await titlesOn(stage);
          await openPrograms(launch, next, titles, options);
        } catch (error) {
          throw full() ?? error;
        }
      },
    };
  } catch (error) {
    await end();
    // What then failed only followed from it.
    const full = disk?.ended() ?? null;
    throw full === null ? error : new StudioError('DISK_FULL', full, { stage: id });
  }
}

type Launch = {
  id: string;
  place: StagePlace;
  env: Record<string, string>;
  speaks: boolean;
  screen: { width: number; height: number };
  /** What was started, by its words. */
  opened: Set<string>;
};

/** `titles`: of windows that are there. Throws CAPTURE_FAILED. */
async function openPrograms(
  { id, place, env, speaks, screen, opened }: Launch,
  recipe: Pick<Recipe, 'programs'>,
  titles: readonly string[],
  options: { signal?: AbortSignal; patienceMs?: number },
): Promise<void> {
  const started = recipe.programs.map(({ command, args, env: more, window }): StartedProgram => {
    const key = JSON.stringify([command, args]);
    if (window !== undefined && opened.has(key) && titles.some((title) => title.includes(window)))
      return { command, window, wasThere: true, failed: () => null, said: () => '' };
    opened.add(key);
    const words = args.map((arg) => (arg.startsWith('~/') ? join(place.home, arg.slice(2)) : arg));
    const program = speaks
      ? { args: speakingArgs({ program: command, args: words }), env: { ...speakingEnv(env), ...more } }
      : { args: words, env: { ...env, ...more } };
    return startedProgram(command, window, id, place.run({ command, ...program, log: command }));
  });
  await arrange(recipe, started, env, screen, options);
}

async function titlesOn(stage: VirtualStage): Promise<string[]> {
  const display = stage.openDisplay();
  try {
    return await display.titles();
  } finally {
    await display.close();
  }
}

/** The end of what a program printed is told in errors, since its stage goes away with them. */
const MOST_SAID_LINES = 3;
const MOST_SAID = 400;
const MOST_READ = 4000;

function startedProgram(
  command: string,
  window: string | undefined,
  id: string,
  running: StartedOnStage,
): StartedProgram {
  return {
    command,
    window,
    failed: running.failed,
    said: () => {
      const end = lastBytesIn(stageFolder(id), logOf(command), MOST_READ).toString('utf8');
      return end
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .slice(-MOST_SAID_LINES)
        .join(' / ')
        .slice(-MOST_SAID);
    },
  };
}

/** Nothing of the person's own session, and no service of theirs. */
function environment(id: string, authority: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    XAUTHORITY: authority,
    XDG_RUNTIME_DIR: join(stageFolder(id), 'run'),
    XDG_SESSION_TYPE: 'x11',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    // A file of the home, so that checks can read what programs set.
    GSETTINGS_BACKEND: 'keyfile',
    GTK_IM_MODULE: 'gtk-im-context-simple',
    GDK_BACKEND: 'x11',
    QT_QPA_PLATFORM: 'xcb',
    NO_AT_BRIDGE: '1',
    [STAGE_MARK]: id,
  };
}

const homeVariables = (home: string): Record<string, string> => ({
  HOME: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_CACHE_HOME: join(home, '.cache'),
  XDG_DATA_HOME: join(home, '.local', 'share'),
  XDG_STATE_HOME: join(home, '.local', 'state'),
});

/** Says for every command and page that stages may be without a cage, as `--without-cage` does for one command. */
const WITHOUT_CAGE = 'TRAJECTORY_WITHOUT_CAGE';

/** A cage, where this system allows one. Throws NO_CAGE where it does not, unless programs may run `free`. */
async function openPlace(wishes: CageWishes, free: boolean): Promise<StagePlace> {
  const ability = cageAbility();
  if (!('why' in ability)) return openCage(wishes, ability);
  const unable = free ? null : cageUnable();
  if (unable) throw unable;
  const open = openUncaged(wishes.id, wishes);
  return { ...open, notes: [uncagedNote(ability.why), ...open.notes] };
}

const FREE = 'could read and change everything that you can';
function noCage(why: string): StudioError {
  return new StudioError(
    'NO_CAGE',
    `Nothing was started: this system lets no stage be a cage, so that the recipe's programs, and whatever is typed into them, ${FREE}. For a cage: ${why}. To do without: --without-cage, or ${WITHOUT_CAGE}=1 for the pages.`,
    { why },
  );
}

const uncagedNote = (why: string): string => `The stage is no cage: its programs ${FREE}. For a cage: ${why}.`;

const serverArgs = (width: number, height: number, authority: string): string[] => [
  ...['-screen', '0', `${width}x${height}x24`],
  ...['-dpi', '96'],
  ...['-nolisten', 'tcp'],
  '-noreset',
  ...['-auth', authority],
];

function startBus({ run }: StagePlace, env: Record<string, string>, folder: string): void {
  const address = `unix:path=${join(folder, 'run', 'bus')}`;
  run({
    command: 'dbus-daemon',
    args: ['--session', '--nofork', '--nopidfile', `--address=${address}`],
    env,
    log: 'dbus',
  });
  env.DBUS_SESSION_BUS_ADDRESS = address;
}

function setLayout(env: Record<string, string>, { layout, variant }: { layout: string; variant: string }): void {
  const args = ['-model', 'pc105', '-layout', layout, '-variant', variant, '-option', ''];
  const { status, stderr } = spawnSync('setxkbmap', args, { env, encoding: 'utf8', timeout: START_MS });
  if (status !== 0)
    throw failed(
      `The keyboard layout ${layout}${variant ? `(${variant})` : ''} could not be set on the stage: ${stderr.trim().slice(0, 300)}`,
    );
  // A key that a busy machine holds too long would repeat.
  spawnSync('xset', ['r', 'off'], { env, timeout: START_MS });
}

async function startManager({ run }: StagePlace, env: Record<string, string>, id: string): Promise<void> {
  const file = join(stageFolder(id), 'run', 'openbox.xml');
  writeFileSync(file, OPENBOX, { mode: 0o600 });
  mkdirSync(join(homeOf(id), '.config', 'openbox'), { recursive: true, mode: 0o700 });
  // It runs the command when it manages windows: one that comes before may lie where nobody manages it.
  const ready = join(stageFolder(id), 'run', 'managed');
  const args = ['--sm-disable', '--config-file', file, '--startup', `touch ${ready}`];
  run({ command: 'openbox', args, env, log: 'openbox' });
  const until = performance.now() + START_MS;
  while (!existsSync(ready)) {
    if (performance.now() > until) throw failed('The window manager (openbox) of the stage did not start in time.');
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Where a program is; null where there is none of that name. A folder can be entered, and is no program. */
function pathOf(name: string): string | null {
  const places = name.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  const found = places.find((place) => {
    try {
      accessSync(join(place, name), constants.X_OK);
      return statSync(join(place, name)).isFile();
    } catch {
      return false;
    }
  });
  return found === undefined ? null : resolve(found, name);
}

const inPath = (name: string): boolean => pathOf(name) !== null;

/** Where a recipe's program is. Throws UNKNOWN_APP. */
function programAt(command: string): string {
  const path = pathOf(command);
  if (path !== null) return path;
  const message = `The recipe starts “${command}”, which is not installed here. Install it, or start another program in the recipe.`;
  throw new StudioError('UNKNOWN_APP', message, { program: command });
}
