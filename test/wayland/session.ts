import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Started, start } from '../support/process.ts';
import type { HandsDo } from './hands.ts';
import { makeDevices } from './hands.ts';
import type { OwnScreen } from './own-screen.ts';
import type { Answer, FromDouble, ToDouble } from './portal-double.ts';

/** A Wayland session without a graphics card, a seat or a person: Mutter, PipeWire, a bus, a double of the portal. */
export type WaylandSession = {
  env: NodeJS.ProcessEnv;
  folder: string;
  launch(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Started>;
  answer(answer: Answer): void;
  /** How often the portal has asked, and with what it was asked last. */
  asked(): Extract<FromDouble, { type: 'asked' }> | null;
  casting(): Promise<void>;
  endCast(how?: { silent: boolean }): void;
  /** A screen of the test's own is shared from now on, at this place: a compositor that is not Mutter (own-screen.ts). */
  ownScreen(screen: Extract<ToDouble, { type: 'own-screen' }>['screen']): {
    show: OwnScreen['show'];
    resize: OwnScreen['resize'];
  };
  /**
   * Arranges the displays anew, as a person does in the desktop's settings: the first is the primary one, in numbers of
   * `monitors`; `turned` by 90 degrees. One that is not named is turned off.
   */
  arrange(displays: readonly { monitor: number; x: number; scale?: number; turned?: boolean }[]): void;
  /** Does it, and resolves with its time in µs of CLOCK_MONOTONIC. */
  act(what: HandsDo): Promise<number>;
  close(): Promise<void>;
};

const STARTED_MS = 60_000;

type SessionOptions = {
  /** The sizes of the displays, side by side. */
  monitors?: readonly string[];
  /** Mutter counts in logical pixels, also in fractions of them, and not in the displays' own. */
  logical?: boolean;
};

export async function openWaylandSession({
  monitors = ['1280x720'],
  logical = false,
}: SessionOptions = {}): Promise<WaylandSession> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-wayland-'));
  const [runtime, input] = [join(folder, 'run'), join(folder, 'input')];
  for (const one of [runtime, input]) mkdirSync(one, { mode: 0o700 });
  chmodSync(runtime, 0o700);
  makeDevices(input);
  const settings = join(folder, 'config', 'glib-2.0', 'settings');
  mkdirSync(settings, { recursive: true });
  const features = logical ? "['scale-monitor-framebuffer']" : '@as []';
  // The layouts are GNOME Shell's affair, which is not there: only who takes this for GNOME asks for them.
  const keyfile = `[org/gnome/mutter]\nexperimental-features=${features}\n\n[org/gnome/desktop/input-sources]\nsources=[('xkb', 'us'), ('xkb', 'de')]\nmru-sources=[('xkb', 'de'), ('xkb', 'us')]\n`;
  writeFileSync(join(settings, 'keyfile'), keyfile);
  const { DISPLAY: _, XDG_CURRENT_DESKTOP: __, ...rest } = process.env;
  const env: NodeJS.ProcessEnv = {
    ...rest,
    XDG_RUNTIME_DIR: runtime,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_SESSION_TYPE: 'wayland',
    WAYLAND_DISPLAY: 'wayland-test',
    LIBGL_ALWAYS_SOFTWARE: '1',
    GSETTINGS_BACKEND: 'keyfile',
    TRAJECTORY_STUDIO_INPUT: input,
    // The studio's own home is this person's, too: who allowed what is kept there.
    TRAJECTORY_STUDIO_HOME: undefined,
  };
  const children: ChildProcess[] = [];
  const begin = (program: string, args: string[], stdout: 'ignore' | 'pipe' = 'ignore'): ChildProcess => {
    const child = spawn(program, args, { env, stdio: ['ignore', stdout, 'pipe'] });
    // A pipe that nobody reads would stop it.
    child.stderr?.on('data', (data: Buffer) => {
      said = (said + data.toString()).slice(-4000);
    });
    children.push(child);
    return child;
  };
  let said = '';
  let asked: Extract<FromDouble, { type: 'asked' }> | null = null;
  let onCasting = Promise.withResolvers<void>();
  const doing = new Map<number, (us: number) => void>();
  let number = 0;

  const close = async (): Promise<void> => {
    for (const child of children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    const daemon = begin('dbus-daemon', ['--session', '--nofork', '--print-address'], 'pipe');
    for await (const line of createInterface({ input: daemon.stdout! })) {
      env.DBUS_SESSION_BUS_ADDRESS = line;
      break;
    }
    if (!env.DBUS_SESSION_BUS_ADDRESS) throw new Error(`dbus-daemon does not start: ${said}`);
    begin('pipewire', []);
    begin('mutter', [
      ...['--headless', '--wayland', '--no-x11', '--wayland-display', 'wayland-test'],
      ...monitors.flatMap((size) => ['--virtual-monitor', size]),
    ]);
    await answers(env);
    const double = fork(new URL('./portal-double.ts', import.meta.url), {
      env,
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    children.push(double);
    const ready = Promise.withResolvers<void>();
    double.once('exit', (status) => ready.reject(new Error(`The portal's double ended with status ${status}.`)));
    double.on('message', (message: FromDouble) => {
      if (message.type === 'ready') ready.resolve();
      if (message.type === 'asked') asked = message;
      if (message.type === 'casting') onCasting.resolve();
      if (message.type === 'done') doing.get(message.id)?.(message.us);
    });
    await ready.promise;
    const send = (message: ToDouble) => double.send(message);
    return {
      env,
      folder,
      async launch(command, args, more) {
        const started = await start(command, args, { env: { ...env, ...more } });
        children.push(started.child);
        return started;
      },
      answer: (answer) => send({ type: 'answer', answer }),
      asked: () => asked,
      async casting() {
        await onCasting.promise;
        onCasting = Promise.withResolvers();
      },
      endCast: ({ silent } = { silent: false }) => void send({ type: 'end-cast', silent }),
      ownScreen(screen) {
        send({ type: 'own-screen', screen });
        return {
          show: (picture) => void send({ type: 'show', picture }),
          resize: (size) => void send({ type: 'resize', size }),
        };
      },
      arrange(displays) {
        const [serial] = /\d+/.exec(configure(env, 'GetCurrentState').replace('uint32', '')) ?? [];
        const wanted = displays.map(({ monitor, x, scale = 1, turned = false }, i) => {
          const mode = `('Meta-${monitor}', '${monitors[monitor]}@60.000', {})`;
          return `(${x}, 0, ${scale.toFixed(1)}, uint32 ${turned ? 1 : 0}, ${i === 0}, [${mode}])`;
        });
        configure(env, 'ApplyMonitorsConfig', serial ?? '', '1', `[${wanted.join(', ')}]`, '{}');
      },
      act: (what) =>
        new Promise((done) => {
          doing.set(++number, done);
          send({ type: 'do', id: number, what });
        }),
      close,
    };
  } catch (error) {
    await close();
    throw new Error(`No Wayland session could be started: ${error instanceof Error ? error.message : error}\n${said}`);
  }
}

/** Asks Mutter's own settings of the displays. */
function configure(env: NodeJS.ProcessEnv, method: string, ...args: string[]): string {
  const face = 'org.gnome.Mutter.DisplayConfig';
  const at = ['--dest', face, '--object-path', '/org/gnome/Mutter/DisplayConfig', '--method', `${face}.${method}`];
  const { status, stdout, stderr } = spawnSync('gdbus', ['call', '--session', ...at, ...args], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Mutter refused ${method} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Waits until Mutter answers on the bus and PipeWire at its socket. */
async function answers(env: NodeJS.ProcessEnv): Promise<void> {
  const ask = (program: string, args: string[]): Promise<boolean> => {
    const child = spawn(program, args, { env, stdio: 'ignore' });
    return new Promise((done, failed) => {
      child.once('exit', (status) => done(status === 0));
      child.once('error', failed);
    });
  };
  const until = Date.now() + STARTED_MS;
  const mutter = [
    '--session',
    '--dest',
    'org.gnome.Mutter.ScreenCast',
    '--object-path',
    '/org/gnome/Mutter/ScreenCast',
  ];
  for (;;) {
    const isUp = (await ask('gdbus', ['introspect', ...mutter])) && (await ask('pw-cli', ['info', '0']));
    if (isUp) return;
    if (Date.now() > until) throw new Error('mutter or pipewire did not answer within a minute');
    await new Promise((done) => setTimeout(done, 100));
  }
}
