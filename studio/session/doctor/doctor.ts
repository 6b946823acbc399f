import { plural } from '../../../core/words.ts';
import type { ElementReadiness } from '../../../native/elements/contract.ts';
import { calmEncoder } from '../../../native/ffmpeg/master.ts';
import type { PermissionCheck } from '../../../native/platform/platform.ts';
import { errorBody } from '../../../schemas/errors.ts';
import type { Display } from '../../../schemas/events.ts';

/** One thing that a recording needs of the machine. `fix` says what to do; null when nothing is to be done. */
export type DoctorCheck = {
  id: string;
  status: 'ok' | 'warn' | 'fail';
  what: string;
  fix: string | null;
  /** Something that can be chosen: it is on where nobody did. */
  byDefault?: boolean;
};

type Report = { status: DoctorCheck['status']; platform: string; checks: DoctorCheck[] };

/** The questions of doctor to a machine; studio/session/doctor/machine.ts asks the real one, tests play one. */
export type Machine = {
  platform: NodeJS.Platform;
  arch: string;
  nodeVersion: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Loads a native module and uses it once. Throws what the loader throws. */
  tryModule(name: NativeModule): Promise<void>;
  /** Throws NO_FFMPEG, FFMPEG_UNSUITABLE. */
  findFfmpeg(): Promise<{ path: string; source: string; version: string; encoders: ReadonlySet<string> }>;
  /** Throws NO_DISPLAY. */
  displays(): Promise<Display[]>;
  permissions(): Promise<PermissionCheck[]>;
  /** X11: which of these extensions the server has. Throws NO_DISPLAY. */
  xExtensions(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** Wayland: the desktop app hands over pictures of the screen. */
  shared?: boolean;
  /** Whether programs tell the elements under the pointer; null where they are not asked. Absent: nobody asks. */
  elements?(): Promise<ElementReadiness | null>;
  /** Linux: why stages are no cages here, and what to do; null: they are. Absent: nobody asks, or no stage can be. */
  cages?(): string | null;
  /** Linux: why no clock of a stage can be set, and what can be said of it when one can. Absent: nobody asks, or no stage can be. */
  clocks?(): { why: string } | { words: string };
  /** Free bytes on the disk that holds the folder. */
  freeBytes(folder: string): number;
};

export const NATIVE_MODULES = ['better-sqlite3', 'uiohook-napi', 'koffi', 'sharp'] as const;
/** Names windows on macOS; Windows and X11 are asked directly. */
const MAC_WINDOWS = '@miniben90/x-win';
export type NativeModule = (typeof NATIVE_MODULES)[number] | typeof MAC_WINDOWS;

/** better-sqlite3 13 and type stripping need it. */
const LEAST_NODE: readonly [number, number] = [22, 18];
/** The encoder that suits screens best, and the one that playback copies are made with. */
const [BEST, COPIES] = ['libx264rgb', 'libx264'];
const GIB = 1024 ** 3;
const WARN_BYTES = 5 * GIB;
const FAIL_BYTES = GIB / 2;
const SETUP = 'Run `npm run setup`, which installs what is missing or says what to install.';

/** The X extensions and what each is for. Without a `must` one nothing can be recorded. */
const EXTENSIONS: readonly { name: string; must: boolean; without: string }[] = [
  { name: 'RECORD', must: true, without: 'input cannot be seen' },
  { name: 'MIT-SHM', must: true, without: 'the screen cannot be read fast enough' },
  { name: 'DAMAGE', must: false, without: 'each frame is compared, at a higher cost' },
  { name: 'RANDR', must: false, without: 'several displays look like one' },
  { name: 'XKEYBOARD', must: false, without: 'typed text is rebuilt with the US layout' },
  { name: 'XTEST', must: false, without: 'the demo cannot play a person' },
];

/** Looks at everything that a recording needs; `folder` is where recordings would go. Never throws. */
export async function examine(machine: Machine, folder: string): Promise<Report> {
  const wanted: NativeModule[] = machine.platform === 'darwin' ? [...NATIVE_MODULES, MAC_WINDOWS] : [...NATIVE_MODULES];
  const modules = await Promise.all(wanted.map((name) => moduleCheck(machine, name)));
  const ffmpeg = await ffmpegCheck(machine);
  const screen = await screenChecks(machine);
  // On X11 the permission is the connection, which the display's own check has tried.
  const refused =
    machine.platform === 'linux' && screen.some(({ id, status }) => id === 'display' && status === 'fail');
  const permissions = refused ? [] : await permissionChecks(machine);
  const elements = refused ? [] : await elementChecks(machine);
  const checks = [
    nodeCheck(machine),
    ...modules,
    ffmpeg,
    ...screen,
    diskCheck(machine, folder),
    ...permissions,
    ...elements,
    ...cageChecks(machine),
    ...clockChecks(machine),
  ];
  const has = (status: DoctorCheck['status']): boolean => checks.some((check) => check.status === status);
  return {
    status: has('fail') ? 'fail' : has('warn') ? 'warn' : 'ok',
    platform: `${machine.platform} ${machine.arch}`,
    checks,
  };
}

const ok = (id: string, what: string): DoctorCheck => ({ id, status: 'ok', what, fix: null });

function nodeCheck({ nodeVersion }: Machine): DoctorCheck {
  const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return ok('node', `Node.js ${nodeVersion}`);
  return {
    id: 'node',
    status: 'fail',
    what: `Node.js ${nodeVersion} is older than ${LEAST_NODE.join('.')}`,
    fix: 'Run `npm install` in this folder: it brings Node.js 24, which `npm run …` then uses.',
  };
}

async function moduleCheck(machine: Machine, name: NativeModule): Promise<DoctorCheck> {
  const id = `module:${name}`;
  try {
    await machine.tryModule(name);
    return ok(id, `${name} loads`);
  } catch (error) {
    const why = errorBody(error).message.split('\n')[0];
    return { id, status: 'fail', what: `${name} does not load: ${why}`, fix: `Run \`npm install\` again. ${SETUP}` };
  }
}

async function ffmpegCheck(machine: Machine): Promise<DoctorCheck> {
  try {
    const { path, source, version, encoders } = await machine.findFfmpeg();
    const what = `ffmpeg ${version} (${source}: ${path})`;
    const lossless = calmEncoder(encoders);
    if (lossless === BEST && encoders.has(COPIES)) return ok('ffmpeg', `${what} with ${BEST}, ${COPIES}`);
    if (lossless === null) {
      return {
        id: 'ffmpeg',
        status: 'fail',
        what: `${what} has no encoder that keeps every pixel: nothing can be recorded`,
        fix: `Set FFMPEG_PATH to an ffmpeg with ${BEST}. ${SETUP}`,
      };
    }
    const without = [
      ...(lossless === BEST ? [] : [`${BEST} (recordings are larger: ${lossless} is used)`]),
      ...(encoders.has(COPIES) ? [] : [`${COPIES} (no playback copies can be made)`]),
    ];
    return {
      id: 'ffmpeg',
      status: 'warn',
      what: `${what} lacks ${without.join(' and ')}`,
      fix: `It records all the same. For the rest, set FFMPEG_PATH to an ffmpeg with ${BEST} and ${COPIES}. ${SETUP}`,
    };
  } catch (error) {
    return { id: 'ffmpeg', status: 'fail', what: errorBody(error).message, fix: SETUP };
  }
}

async function screenChecks(machine: Machine): Promise<DoctorCheck[]> {
  const display = await displayCheck(machine);
  if (machine.platform !== 'linux') return [display];
  if (!machine.env.DISPLAY && !machine.shared && isWayland(machine)) return [sessionCheck(machine, true), display];
  const names = [...EXTENSIONS.map(({ name }) => name), 'XWAYLAND'];
  // Asked only of a server that answered: else the same message would stand there twice.
  const found = display.status === 'ok' ? await machine.xExtensions(names).catch(() => null) : null;
  const session = sessionCheck(machine, found?.has('XWAYLAND') ?? false);
  // XWayland's extensions are not what a Wayland session is recorded by.
  const byX = found !== null && (machine.shared || !(isWayland(machine) && found.has('XWAYLAND')));
  return byX ? [session, display, extensionCheck(found)] : [session, display];
}

async function displayCheck(machine: Machine): Promise<DoctorCheck> {
  try {
    const displays = await machine.displays();
    const sizes = displays.map(
      (one) => `${one.width}x${one.height}${one.scale === 1 ? '' : ` at ${one.scale * 100} %`}`,
    );
    if (displays.length > 0)
      return ok(
        'display',
        `${displays.length === 1 ? '1 display' : `${displays.length} displays`}: ${sizes.join(', ')}`,
      );
    return { id: 'display', status: 'fail', what: 'no display is connected', fix: 'Connect one, or switch it on.' };
  } catch (error) {
    const fix =
      machine.platform === 'linux'
        ? 'Start the studio inside a desktop session. Without one: `Xvfb :99 -screen 0 1920x1080x24 &` and DISPLAY=:99. `npm run demo` brings its own display.'
        : 'Start the studio inside a desktop session.';
    return { id: 'display', status: 'fail', what: errorBody(error).message, fix };
  }
}

const isWayland = ({ env }: Machine): boolean => env.XDG_SESSION_TYPE === 'wayland' || Boolean(env.WAYLAND_DISPLAY);

function sessionCheck(machine: Machine, xwayland: boolean): DoctorCheck {
  const { env, shared = false } = machine;
  const wayland = isWayland(machine);
  // Without DISPLAY the display's own line says what is missing; here there is only no Wayland in the way.
  if (!wayland && !xwayland)
    return ok('session', env.DISPLAY ? `X11 session (DISPLAY=${env.DISPLAY})` : 'no Wayland session');
  const fix = 'Log out, choose the "Xorg" (or "X11") session at the login screen, and log in again.';
  if (shared && env.DISPLAY) {
    const what =
      'this is a Wayland session: the system asks which screen to share, and its pictures are recorded; keys and clicks are heard only in programs that run under X11 (XWayland)';
    return {
      id: 'session',
      status: 'warn',
      what,
      fix: `To have everything heard: ${fix.charAt(0).toLowerCase()}${fix.slice(1)}`,
    };
  }
  if (shared && !env.DISPLAY) {
    const what = 'this is a Wayland session without an X server: the desktop app can tell neither displays nor keys';
    return { id: 'session', status: 'fail', what, fix: `Record with \`npm run studio -- record\`. Or: ${fix}` };
  }
  if (wayland && (xwayland || !env.DISPLAY)) {
    const what =
      'Wayland session: the screen comes from the desktop by PipeWire, the input of all programs from the kernel; windows cannot be left out by their names';
    return ok('session', what);
  }
  if (xwayland) {
    const what = `DISPLAY=${env.DISPLAY} is XWayland: it shows neither the screen nor the input of Wayland's own programs`;
    return {
      id: 'session',
      status: 'fail',
      what,
      fix: 'Start the studio inside the Wayland session, with WAYLAND_DISPLAY set.',
    };
  }
  const what = `the desktop is a Wayland session; only what is shown on DISPLAY=${env.DISPLAY} can be recorded`;
  return { id: 'session', status: 'warn', what, fix };
}

function extensionCheck(found: ReadonlySet<string>): DoctorCheck {
  const missing = EXTENSIONS.filter(({ name }) => !found.has(name));
  const id = 'x-extensions';
  if (missing.length === 0) return ok(id, `X extensions ${EXTENSIONS.map(({ name }) => name).join(', ')}`);
  return {
    id,
    status: missing.some(({ must }) => must) ? 'fail' : 'warn',
    what: `the X server lacks ${missing.map(({ name, without }) => `${name} (${without})`).join(', ')}`,
    fix: "Switch the extensions on in the X server's configuration, or use another X server.",
  };
}

function diskCheck(machine: Machine, folder: string): DoctorCheck {
  const id = 'disk';
  try {
    const free = machine.freeBytes(folder);
    const what = `${(free / GIB).toFixed(1)} GiB free at ${folder}`;
    if (free >= WARN_BYTES) return ok(id, what);
    const status = free >= FAIL_BYTES ? 'warn' : 'fail';
    return { id, status, what: `only ${what}`, fix: 'Free some space, or keep the workspace on another disk.' };
  } catch (error) {
    return { id, status: 'fail', what: errorBody(error).message, fix: 'Give a folder that exists.' };
  }
}

async function permissionChecks(machine: Machine): Promise<DoctorCheck[]> {
  try {
    const status = { true: 'ok', false: 'fail', unknown: 'warn' } as const;
    return (await machine.permissions()).map(({ id, granted, what, fix }) => ({
      id: `permission:${id}`,
      status: status[`${granted}`],
      what,
      fix: granted === true ? null : fix,
    }));
  } catch (error) {
    return [{ id: 'permission', status: 'warn', what: errorBody(error).message, fix: SETUP }];
  }
}

/** Steps are recorded as exactly without: it never fails. */
async function elementChecks(machine: Machine): Promise<DoctorCheck[]> {
  const id = 'elements';
  const found = await machine.elements?.().catch(() => null);
  if (!found) return [];
  const { ready, by, speaking, silent, why, fix, byDefault = false } = found;
  if (!ready) {
    const what = `steps get no names of their elements, and most fields for passwords are not known: ${why}`;
    return [{ id, status: 'warn', what, fix }];
  }
  const told =
    speaking.length === 0 ? 'no open program tells its elements yet' : `elements are told by ${speaking.join(', ')}`;
  const answers = { ...ok(id, `${by} answers; ${told}`), byDefault };
  if (silent.length === 0) return [answers];
  return [
    answers,
    {
      id: 'passwords',
      status: 'warn',
      what: `not known which fields are for passwords in ${silent.join(', ')}: what is typed there is recorded, a password too`,
      fix: 'Pause before you type one. Some programs tell when they are started anew, others with `record --launch PROGRAM`.',
    },
  ];
}

function cageChecks({ cages }: Machine): DoctorCheck[] {
  if (!cages) return [];
  const why = cages();
  const id = 'stages';
  if (why === null) return [ok(id, 'stages are cages: their programs see and change nothing outside')];
  const fix = `For a cage: ${why}.`;
  return [{ id, status: 'warn', what: 'stages are no cages: plays need --without-cage', fix }];
}

function clockChecks({ clocks }: Machine): DoctorCheck[] {
  if (!clocks) return [];
  const found = clocks();
  const id = 'clock';
  if ('words' in found) return [ok(id, found.words)];
  const what = 'scenarios with a clock of their own cannot be run: libfaketime is not installed';
  return [{ id, status: 'warn', what, fix: found.why }];
}

const MARK = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const;

/** The report for people. */
export function reportText(report: Report): string {
  const lines = report.checks.map(({ id, status, what, fix }) => {
    const line = `${MARK[status]}  ${id.padEnd(24)}  ${what}`;
    return fix === null ? line : `${line}\n      ${' '.repeat(24)}  -> ${fix}`;
  });
  const count = (status: DoctorCheck['status']): number =>
    report.checks.filter((check) => check.status === status).length;
  const end =
    report.status === 'ok'
      ? 'Ready to record.'
      : report.status === 'warn'
        ? `Ready to record, with ${count('warn') === 1 ? '1 warning' : `${count('warn')} warnings`}.`
        : `Not ready: ${count('fail')} of ${plural(report.checks.length, 'check')} failed.`;
  return [...lines, '', end].join('\n');
}
