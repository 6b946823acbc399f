import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { timeOfText } from '../../../core/compositions/day.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Recipe } from '../../../schemas/play.ts';
import { arrange } from './arrange.ts';
import { writeAuthority } from './authority.ts';
import { type CageWishes, cageAbility, openCage, whyNoCage } from './cage.ts';
import { clockNotes, type StageClock, startClock } from './clock.ts';
import { fillHome } from './copies.ts';
import { type DiskWatch, watchDisk, watchKept } from './disk-watch.ts';
import { wantElements } from './elements.ts';
import { type FileOf, homeOf, makeStageFolder, putFiles, stageFolder, thisProcess, writeState } from './home.ts';
import {
  HAS_BEGUN,
  type Launch,
  openPrograms,
  raising,
  runToEnd,
  startService,
  type ToStart,
  wereOpened,
} from './launch.ts';
import { OPENBOX } from './openbox.ts';
import { failed, START_MS, type StagePlace } from './place.ts';
import { endProcesses, hasDisplayServer, STAGE_MARK } from './processes.ts';
import { needServices, startServices } from './services.ts';
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
  /** The time that its programs see, ms since 1970 without a zone, instead of the one that the recipe says. */
  clock?: number;
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

/** Why no service of a recipe can run: without a cage each program has a network of its own, or the machine's. Null: they can. */
export function servicesUnable(services: Recipe['services'], whyNot: () => string | null): StudioError | null {
  const why = services.length === 0 ? null : whyNot();
  if (why === null) return null;
  const names = services.map(({ name }) => `“${name}”`).join(', ');
  const message = `Nothing was started: the services of the recipe (${names}) need the stage's own network, which only a cage has. For a cage: ${why}. Or take the services out of the recipe.`;
  return new StudioError('NO_CAGE', message, { services: services.map(({ name }) => name) });
}

type Started = Pick<Recipe, 'programs'> & Partial<Pick<Recipe, 'services'>>;

/** Everything that a recipe may start: its programs, its services and what changes their data. */
export const startedBy = ({
  programs,
  services = [],
}: Started): (ToStart & Pick<Recipe['programs'][number], 'args' | 'env'>)[] => [
  ...programs,
  ...services.flatMap((service) => [service, ...service.changes]),
];

/** The programs that a recipe starts and that are not installed here. */
export const programsMissing = (recipe: Started): string[] => [
  ...new Set(
    startedBy(recipe)
      .map(({ command }) => command)
      .filter((command) => !inPath(command)),
  ),
];

/** A stage in the hands of who set it up. */
export type SetStage = VirtualStage & {
  /**
   * Starts the programs of a task that comes later, and puts their windows in their places. One whose window is there is not started
   * again, but brought to the front. They are among `later` of its wishes. Throws as setting it up does; the stage stays as it is.
   */
  open(recipe: Pick<Recipe, 'programs'>, options?: { signal?: AbortSignal; patienceMs?: number }): Promise<void>;
  /** Why nothing can be done on it any more: its display, a service or the disk gave out. Null: it is as it was set up. */
  gone(): StudioError | null;
  /** Its programs' clock; null: they see the machine's. */
  readonly clock: StageClock | null;
  /** Runs a program on it to its end. Throws CAPTURE_FAILED with the last that it printed, also when it takes longer than that. */
  run(program: ToStart, limitMs: number): Promise<void>;
  /** Brings a window to the front. Throws CAPTURE_FAILED when none with this in its title is there. */
  raise(title: string): Promise<void>;
};

/** Sets a stage up; resolves when its programs' windows are there. Throws NO_LIBRARY, UNSUPPORTED_PLATFORM, UNKNOWN_FILE, CAPTURE_FAILED, DISK_FULL. */
export async function setStage(wishes: StageWishes): Promise<SetStage> {
  const { recipe, signal, task, workspace } = wishes;
  const unable = stageUnable() ?? servicesUnable(recipe.services, whyNoCage);
  if (unable) throw unable;
  await sweepStages();
  const { width, height } = recipe.screen ?? wishes;
  // Until it is set up it is this process's, also one that is kept: whoever comes after a kill removes it.
  let state = makeStageFolder({ width, height, task, workspace, owner: thisProcess() });
  const { id } = state;
  const folder = stageFolder(id);
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
    if (wishes.from) await fillHome(id, wishes.from.root, wishes.from.copy);
    else await putFiles(id, recipe, wishes.fileOf);
    const authority = join(folder, 'xauthority');
    writeAuthority(authority);
    const all = [recipe, ...(wishes.later ?? [])].flatMap(startedBy);
    const programs = all.map(({ command }) => programAt(command));
    const at = wishes.clock ?? (recipe.clock === undefined ? null : timeOfText(recipe.clock));
    const timed = at === null ? null : startClock(id, at);
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
    env.DBUS_SESSION_BUS_ADDRESS = startBus(place, { ...env, ...timed?.env }, folder);
    setLayout(env, recipe.layout ?? wishes.layout);
    await startManager(place, env, id);
    // Not of the stage's own environment, which the studio's processes on it have too.
    const launch: Launch = {
      id,
      place,
      env,
      speaks: wishes.elements === true,
      clock: timed?.env ?? {},
      screen: { width, height },
      opened: new Set(),
    };
    const services = await startServices(id, recipe.services, (one) => startService(launch, one), wishes);
    const silent = launch.speaks ? await wantElements(env) : null;
    state = { ...state, env };
    writeState(state);
    signal?.throwIfAborted();
    await openPrograms(launch, recipe, [], wishes);
    if (wishes.keep === true) {
      state = { ...state, owner: null };
      writeState(state);
    }
    // Of those that their recipes leave out nothing need be said.
    const unheard = timed === null ? [] : clockNotes(programs.filter((_, n) => all[n]?.clock !== 'machine'));
    const notes = [...place.notes, ...(silent === null ? [] : [silent]), ...unheard];
    const stage = virtualStage(state, notes, end);
    const full = (): StudioError | null => {
      const why = disk?.ended() ?? null;
      return why === null ? null : new StudioError('DISK_FULL', why, { stage: id });
    };
    return {
      ...stage,
      gone() {
        const filled = full();
        if (filled) return filled;
        if (!hasDisplayServer(id)) return failed('The display of the stage has ended.');
        try {
          needServices(services);
          return null;
        } catch (error) {
          return error instanceof StudioError ? error : failed(String(error));
        }
      },
      async open(next, options = {}) {
        try {
          needServices(services);
          // Each look at the stage is a process of its own: a task that needs none begins at once.
          if (next.programs.length === 0) return;
          await openPrograms(launch, next, wereOpened(launch, next) ? await titlesOn(stage) : [], options);
        } catch (error) {
          throw full() ?? error;
        }
      },
      clock: timed?.clock ?? null,
      run: (program, limitMs) => runToEnd(launch, program, limitMs),
      async raise(title) {
        const titles = await titlesOn(stage);
        if (!titles.some((one) => one.includes(title)))
          throw failed(`No window with “${title}” in its title is there.`);
        await arrange(raising(title), [HAS_BEGUN], env, launch.screen, {});
      },
    };
  } catch (error) {
    await end();
    // What then failed only followed from it.
    const why = disk?.ended() ?? null;
    throw why === null ? error : new StudioError('DISK_FULL', why, { stage: id });
  }
}

async function titlesOn(stage: VirtualStage): Promise<string[]> {
  const display = stage.openDisplay();
  try {
    return await display.titles();
  } finally {
    await display.close();
  }
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

/** Gives the bus's address. */
function startBus({ run }: StagePlace, env: Record<string, string>, folder: string): string {
  const address = `unix:path=${join(folder, 'run', 'bus')}`;
  run({
    command: 'dbus-daemon',
    args: ['--session', '--nofork', '--nopidfile', `--address=${address}`],
    env,
    log: 'dbus',
  });
  return address;
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
