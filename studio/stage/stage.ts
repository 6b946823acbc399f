import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { speakingArgs, speakingEnv } from '../../native/elements/speaking.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Recipe } from '../../schemas/play.ts';
import { lastBytesIn } from '../files/bounded.ts';
import { arrange, type StartedProgram } from './arrange.ts';
import { writeAuthority } from './authority.ts';
import { wantElements } from './elements.ts';
import {
  type FileOf,
  homeOf,
  isOwned,
  listStages,
  makeStageFolder,
  putFiles,
  removeStageFolder,
  type StageState,
  stageFolder,
  thisProcess,
  writeState,
} from './home.ts';
import { isolate } from './isolation.ts';
import { OPENBOX } from './openbox.ts';
import { endProcesses, STAGE_MARK } from './processes.ts';

/**
 * A virtual stage: a display with a window manager, a session bus and a home of its own, and no network unless the recipe
 * asks for it. Set up, used, thrown away; two of them side by side do not meet. Linux only.
 */
export type VirtualStage = {
  readonly state: StageState;
  readonly home: string;
  /** Wishes of the recipe that could not be met, in words. */
  readonly notes: readonly string[];
  /**
   * Ends every program on it and removes its folder. Gives what is left all the same, in words; null: nothing. Can be called
   * twice, and never throws: what was done on the stage counts whatever becomes of it.
   */
  end(): Promise<string | null>;
};

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
  /** It stays when this process ends, until `endStage`. */
  keep?: boolean;
  /** Its programs tell of their elements (AT-SPI), for checks of them. */
  elements?: boolean;
  /** How long programs may take to show their windows, ms. */
  patienceMs?: number;
  signal?: AbortSignal;
};

const NEEDED = ['Xvfb', 'openbox', 'dbus-daemon', 'setxkbmap', 'xset', 'setpriv'];
const START_MS = 20_000;

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

/** The programs that a recipe starts and that are not installed here. */
export const programsMissing = ({ programs }: Pick<Recipe, 'programs'>): string[] => [
  ...new Set(programs.map(({ command }) => command).filter((command) => !inPath(command))),
];

/** Sets a stage up; resolves when its programs' windows are there. Throws NO_LIBRARY, UNSUPPORTED_PLATFORM, UNKNOWN_FILE, CAPTURE_FAILED. */
export async function setStage(wishes: StageWishes): Promise<VirtualStage> {
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
  const end = (): Promise<string | null> => {
    ended ??= clearAway(state).catch((error) => String(error));
    return ended;
  };
  try {
    writeState(state);
    putFiles(id, recipe, wishes.fileOf);
    const start = runner(id, wishes.keep === true);
    const authority = join(folder, 'xauthority');
    writeAuthority(authority);
    const isolation = isolate(id, recipe.network);
    const env = environment(id, authority, isolation.home);
    const display = await startServer(start([]), env, width, height, authority);
    signal?.throwIfAborted();
    env.DISPLAY = display;
    const run = start(isolation.prefix);
    await startBus(run, env, folder);
    setLayout(env, recipe.layout ?? wishes.layout);
    await startManager(run, env, id);
    const speaks = wishes.elements === true;
    const silent = speaks ? await wantElements(env) : null;
    state = { ...state, display, env };
    writeState(state);
    signal?.throwIfAborted();
    const started: StartedProgram[] = [];
    for (const { command, args, env: more, window } of recipe.programs) {
      if (!inPath(command)) {
        const message = `The recipe starts “${command}”, which is not installed here. Install it, or start another program in the recipe.`;
        throw new StudioError('UNKNOWN_APP', message, { program: command });
      }
      const words = args.map((arg) => (arg.startsWith('~/') ? join(isolation.home, arg.slice(2)) : arg));
      const child = speaks
        ? run(command, speakingArgs({ program: command, args: words }), { ...speakingEnv(env), ...more }, command)
        : run(command, words, { ...env, ...more }, command);
      started.push(startedProgram(command, window, id, child));
    }
    await arrange(recipe, started, env, { width, height }, { ...wishes });
    if (wishes.keep === true) {
      state = { ...state, owner: null };
      writeState(state);
    }
    return { state, home: homeOf(id), notes: [...isolation.notes, ...(silent === null ? [] : [silent])], end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Ends a stage; what is left of it is a warning beside the result of what was done on it. */
export async function endStageTelling(stage: Pick<VirtualStage, 'end'>, tell: (text: string) => void): Promise<void> {
  const left = await stage.end();
  if (left !== null) tell(`warning: ${left}`);
}

async function clearAway(state: StageState): Promise<string | null> {
  const left = await endProcesses(state.id);
  const stays = removeStageFolder(state);
  return left.length > 0 ? `Programs of the stage cannot be ended: ${left.join(', ')}. End them by hand.` : stays;
}

/**
 * Ends a stage that was kept, by its id, the beginning of it, or its task. Throws UNKNOWN_DISPLAY; CAPTURE_FAILED when something
 * of it is left.
 */
export async function endStage(id: string): Promise<void> {
  const left = await clearAway(findStage(id));
  if (left !== null) throw failed(left);
}

/**
 * A stage by its id, the beginning of it, or its task; a task is one of `workspace`, where one is given, and its stage one that
 * is kept. Throws UNKNOWN_DISPLAY when it is none or not one alone.
 */
export function findStage(id: string, workspace?: string): StageState {
  const ofTask = (stage: StageState): boolean =>
    stage.owner === null && stage.task === id && (workspace === undefined || stage.workspace === workspace);
  const found = listStages().filter((stage) => stage.id.startsWith(id) || ofTask(stage));
  const [stage, more] = found;
  if (!stage || more) {
    throw new StudioError(
      'UNKNOWN_DISPLAY',
      `${found.length === 0 ? 'No' : 'More than one'} stage is called “${id}”. \`stage list\` shows them.`,
      { id },
    );
  }
  return stage;
}

/** Removes stages whose owner was killed, with everything that still runs on them. */
export async function sweepStages(): Promise<void> {
  for (const state of listStages().filter((stage) => !isOwned(stage))) await clearAway(state);
}

type Run = (
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  log: string,
  extra?: 'pipe',
) => ChildProcess;

/** Starts programs in sessions of their own; they end with this process unless the stage is kept. */
function runner(id: string, keep: boolean): (prefix: readonly string[]) => Run {
  const folder = stageFolder(id);
  return (prefix) => (command, args, env, log, extra) => {
    const out = openSync(join(folder, logOf(log)), 'a', 0o600);
    // Last, because a change of rights takes the wish to end with this process away.
    const own = keep ? [] : ['setpriv', '--pdeathsig', 'KILL'];
    const [program = command, ...rest] = [...prefix, ...own, command, ...args];
    const child = spawn(program, rest, {
      cwd: homeOf(id),
      env,
      detached: true,
      stdio: ['ignore', out, out, ...(extra ? [extra] : [])],
    });
    child.on('error', () => undefined); // Seen by what waits for it.
    child.unref();
    closeSync(out);
    return child;
  };
}

const logOf = (name: string): string => join('log', `${name.replaceAll(/[^\w.-]/g, '_')}.log`);

/** The end of what a program printed is told in errors, since its stage goes away with them. */
const MOST_SAID_LINES = 3;
const MOST_SAID = 400;
const MOST_READ = 4000;

function startedProgram(command: string, window: string | undefined, id: string, child: ChildProcess): StartedProgram {
  let how: string | null = null;
  // One that ends well may have handed its window over to another process.
  child.once('exit', (status, signal) => {
    if (status !== 0) how = signal === null ? `status ${status}` : `signal ${signal}`;
  });
  child.once('error', (error) => {
    how = error.message;
  });
  return {
    command,
    window,
    failed: () => how,
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
function environment(id: string, authority: string, home: string): Record<string, string> {
  const folder = stageFolder(id);
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    XAUTHORITY: authority,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_RUNTIME_DIR: join(folder, 'run'),
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

/** Resolves with the display's name. The server chooses a free number itself. */
async function startServer(
  run: Run,
  env: Record<string, string>,
  width: number,
  height: number,
  authority: string,
): Promise<string> {
  const args = [
    '-screen',
    '0',
    `${width}x${height}x24`,
    '-dpi',
    '96',
    '-nolisten',
    'tcp',
    '-noreset',
    '-auth',
    authority,
    '-displayfd',
    '3',
  ];
  const server = run('Xvfb', args, env, 'Xvfb', 'pipe');
  const answer = server.stdio[3] as Readable; // Opened as a pipe above.
  const number = await new Promise<string>((done, fail) => {
    let said = '';
    const timer = setTimeout(() => fail(failed('The virtual display did not start in time.')), START_MS);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      act();
    };
    answer.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1');
      if (said.includes('\n')) settle(() => done(said.trim()));
    });
    server.once('exit', () => settle(() => fail(failed('The virtual display (Xvfb) ended at once.'))));
    server.once('error', (error) => settle(() => fail(failed(`Xvfb could not be started: ${error.message}`))));
  });
  answer.destroy();
  return `:${number}`;
}

async function startBus(run: Run, env: Record<string, string>, folder: string): Promise<void> {
  const address = `unix:path=${join(folder, 'run', 'bus')}`;
  run('dbus-daemon', ['--session', '--nofork', '--nopidfile', `--address=${address}`], env, 'dbus');
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

async function startManager(run: Run, env: Record<string, string>, id: string): Promise<void> {
  const file = join(stageFolder(id), 'openbox.xml');
  writeFileSync(file, OPENBOX, { mode: 0o600 });
  mkdirSync(join(homeOf(id), '.config', 'openbox'), { recursive: true, mode: 0o700 });
  // It runs the command when it manages windows: one that comes before may lie where nobody manages it.
  const ready = join(stageFolder(id), 'run', 'managed');
  run('openbox', ['--sm-disable', '--config-file', file, '--startup', `touch ${ready}`], env, 'openbox');
  const until = performance.now() + START_MS;
  while (!existsSync(ready)) {
    if (performance.now() > until) throw failed('The window manager (openbox) of the stage did not start in time.');
    await new Promise((done) => setTimeout(done, 20));
  }
}

function inPath(name: string): boolean {
  const places = name.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  return places.some((place) => {
    try {
      accessSync(join(place, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const failed = (message: string): StudioError => new StudioError('CAPTURE_FAILED', message, {});
