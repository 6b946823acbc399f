import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { OPENBOX } from '../../studio/play/stage/openbox.ts';
import { must, processInfo, run, type Started, start } from './process.ts';
import { until } from './until.ts';

/** A virtual display with a window manager, a home of its own and nothing of the user's (Xvfb, openbox). */

export type Layout = { layout: string; variant?: string };
export type DisplayOptions = {
  /** Default 1920x1080x24. A display can later be resized to anything up to this size. */
  width?: number;
  height?: number;
  depth?: number;
  /** Default us. */
  layout?: Layout;
  windowManager?: boolean;
  /** The accessibility bus of GTK applications; off by default, because it slows their start. */
  accessibility?: boolean;
};

export type VirtualDisplay = {
  /** `:70` */
  name: string;
  width: number;
  height: number;
  /** For every program that belongs on this display. */
  env: NodeJS.ProcessEnv;
  /** Private folder, removed at the end: home, profiles, logs. */
  home: string;
  server: Started;
  setLayout(layout: Layout): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** Starts a program on the display; `stop` ends it with the rest. */
  launch(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Started>;
  /** Ends everything that was started on it and frees its number. Can be called twice. */
  stop(): Promise<void>;
};

const FIRST = 70;
const LAST = 89;
/** In one place for all tests, also for those that have a temporary folder of their own: two on one display would share its input. */
const lockFile = (number: number) => `/tmp/trajectory-studio-display-${number}.lock`;

/** Starts a display and resolves when it answers and the window manager manages. */
export async function startDisplay(options: DisplayOptions = {}): Promise<VirtualDisplay> {
  const { width = 1920, height = 1080, depth = 24 } = options;
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'trajectory-studio-home-'));
  const processes: Started[] = [];
  let number = -1;
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= (async () => {
      // The latest first, so that applications end before the window manager and the server.
      for (const started of processes.toReversed()) await started.stop(3000);
      if (number >= 0) fs.rmSync(lockFile(number), { force: true });
      fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    })();
    return stopped;
  };
  try {
    const claimed = await claimServer(width, height, depth);
    number = claimed.number;
    processes.push(claimed.server);
    const env = environment(`:${number}`, home, options.accessibility ?? false);
    const bus = await start('dbus-daemon', ['--session', '--nofork', '--print-address'], { env });
    processes.push(bus);
    env.DBUS_SESSION_BUS_ADDRESS = await until('the session bus', () => bus.stdout().trim(), { seen: bus.stderr });
    const display: VirtualDisplay = {
      name: `:${number}`,
      width,
      height,
      env,
      home,
      server: claimed.server,
      setLayout: (layout) => setLayout(env, layout),
      async resize(toWidth, toHeight) {
        await resize(env, toWidth, toHeight);
        display.width = toWidth;
        display.height = toHeight;
      },
      async launch(command, args, more = {}) {
        const started = await start(command, args, { env: { ...env, ...more }, cwd: home });
        processes.push(started);
        return started;
      },
      stop,
    };
    await setLayout(env, options.layout ?? { layout: 'us' });
    // On a busy machine a key may stay down longer than meant; the server would then repeat it.
    await must('xset', ['r', 'off'], { env });
    if (options.windowManager ?? true) {
      fs.mkdirSync(path.join(home, '.config', 'openbox'), { recursive: true });
      fs.writeFileSync(path.join(home, '.config', 'openbox', 'rc.xml'), OPENBOX);
      const openbox = await display.launch('openbox', ['--sm-disable']);
      await until(
        'the window manager',
        async () => {
          const root = await run('xprop', ['-root', '_NET_SUPPORTING_WM_CHECK'], { env });
          return root.stdout.includes('window id');
        },
        { seen: openbox.stderr },
      );
    }
    return display;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Takes the first free number and starts its server; goes on to the next when another program has it. */
async function claimServer(width: number, height: number, depth: number): Promise<{ number: number; server: Started }> {
  let last = 'every number is taken';
  for (let number = FIRST; number <= LAST; number++) {
    if (!lock(number)) continue;
    // -noreset: without it the server forgets modes and layouts whenever its last client leaves.
    const screen = ['-screen', '0', `${width}x${height}x${depth}`, '-dpi', '96'];
    const args = [`:${number}`, ...screen, '-nolisten', 'tcp', '-noreset', '+extension', 'RANDR'];
    const server = await start('Xvfb', args).catch((error: Error) => {
      fs.rmSync(lockFile(number), { force: true });
      throw error;
    });
    fs.writeFileSync(lockFile(number), `${process.pid} ${server.pid}\n`);
    const env = { ...process.env, DISPLAY: `:${number}` };
    const up = await until(`display :${number}`, async () => {
      if (server.exit()) return 'gone';
      const answers = (await run('xdotool', ['getdisplaygeometry'], { env })).status === 0;
      // Another program's server may answer in the moment in which ours finds the number taken.
      return answers && isOwnServer(number, server.pid) && 'up';
    });
    if (up === 'up') return { number, server };
    last = server.stderr().trim();
    fs.rmSync(lockFile(number), { force: true });
  }
  throw new Error(`no virtual display could be started on :${FIRST} to :${LAST} (${last})`);
}

/** Whether X's own lock of the number names this server. */
const isOwnServer = (number: number, pid: number): boolean =>
  Number(readOr(`/tmp/.X${number}-lock`, '').trim()) === pid;

/** A lock file with this process's id and the server's; one left by a dead process is taken over, its server ended. */
function lock(number: number): boolean {
  const file = lockFile(number);
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      fs.writeFileSync(file, `${process.pid}\n`, { flag: 'wx' });
      return true;
    } catch {
      const [owner, server] = readOr(file, '').trim().split(' ').map(Number);
      if (owner === undefined || Number.isNaN(owner) || owner === 0 || processInfo(owner)) return false;
      if (server && processInfo(server)?.command.startsWith(`Xvfb :${number} `)) process.kill(server, 'SIGKILL');
      fs.rmSync(file, { force: true });
    }
  }
  return false;
}

function readOr(file: string, otherwise: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

function environment(display: string, home: string, accessibility: boolean): NodeJS.ProcessEnv {
  const runtime = path.join(home, 'run');
  fs.mkdirSync(runtime, { mode: 0o700 });
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DISPLAY: display,
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    XDG_DATA_HOME: path.join(home, '.local', 'share'),
    XDG_STATE_HOME: path.join(home, '.local', 'state'),
    XDG_RUNTIME_DIR: runtime,
    XDG_SESSION_TYPE: 'x11',
    // The studio's own home is this one, too.
    TRAJECTORY_STUDIO_HOME: undefined,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    // Settings in memory: no service to start, nothing kept.
    GSETTINGS_BACKEND: 'memory',
    GTK_IM_MODULE: 'gtk-im-context-simple',
    GDK_BACKEND: 'x11',
    ...(accessibility ? {} : { NO_AT_BRIDGE: '1', GTK_A11Y: 'none' }),
  };
  for (const name of ['WAYLAND_DISPLAY', 'XAUTHORITY', 'XMODIFIERS', 'DBUS_SESSION_BUS_ADDRESS']) delete env[name];
  return env;
}

async function setLayout(env: NodeJS.ProcessEnv, { layout, variant }: Layout): Promise<void> {
  // `-option` alone clears options that an earlier layout set.
  const args = ['-model', 'pc105', '-layout', layout, '-variant', variant ?? '', '-option', ''];
  await must('setxkbmap', args, { env });
}

/** Xvfb takes any mode up to its first size: one is added under a name of its own and switched to. */
async function resize(env: NodeJS.ProcessEnv, width: number, height: number): Promise<void> {
  const mode = `studio-${width}x${height}`;
  const before = await must('xrandr', [], { env });
  if (!before.includes(mode)) {
    const [w, h] = [String(width), String(height)];
    await must('xrandr', ['--newmode', mode, '60', w, w, w, w, h, h, h, h], { env });
    await must('xrandr', ['--addmode', 'screen', mode], { env });
  }
  await must('xrandr', ['--output', 'screen', '--mode', mode], { env });
}
