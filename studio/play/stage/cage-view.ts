import { accessSync, constants, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLOCK_FOLDER, homeOf, stageFolder } from './home.ts';
import { ownNames } from './own-network.ts';

/**
 * The files that programs in a cage see, as words for bubblewrap: /usr and /etc read-only, the programs that the recipe names,
 * and the stage. Everything else is new and empty.
 */

/** Folders of the system that are part of /usr, or lead there. */
const SYSTEM = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** What packages made for all programs alike. Without the fonts' cache every program would make its own, for seconds. */
const MADE = [
  '/var/cache/fontconfig',
  '/var/lib/aspell',
  '/var/lib/dictionaries-common',
  '/var/lib/ghostscript',
  '/var/lib/libreoffice',
  '/nix/store',
  '/gnu/store',
];
/**
 * The kernel's own settings, which root's programs may write by their owner alone, without any right (a program that it starts is
 * among them): bubblewrap leaves them so in a namespace of users.
 */
const KERNEL = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'driver', 'dynamic_debug', 'mtrr'].map(
  (name) => `/proc/${name}`,
);
const MIB = 2 ** 20;
/** The most that files without a disk may take; the kernel's own limit of memory counts them too. */
const SIZES = { tmp: 1024 * MIB, shm: 1024 * MIB, run: 64 * MIB };

export type CageView = {
  id: string;
  /** The home's path as programs see it. */
  home: string;
  /** `shared` with the machine; `own`: with a way out alone. */
  network: 'none' | 'own' | 'shared';
  /** Programs of the recipe, by their whole paths. */
  programs: readonly string[];
  /** bubblewrap knows `--size`. */
  sizes: boolean;
};

export function viewArgs({ id, home, network, programs, sizes }: CageView): string[] {
  const folder = stageFolder(id);
  const tmpfs = (path: string, size: number): string[] => [...(sizes ? ['--size', `${size}`] : []), '--tmpfs', path];
  const same = (flag: string, part: string): string[] => [flag, join(folder, part), join(folder, part)];
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...SYSTEM.flatMap(systemFolder),
    ...['--ro-bind', '/etc', '/etc'],
    ...hiddenIn('/etc'),
    ...MADE.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...KERNEL.flatMap((path) => ['--ro-bind-try', path, path]),
    ...tmpfs('/dev/shm', SIZES.shm),
    ...tmpfs('/tmp', SIZES.tmp),
    ...tmpfs('/var/tmp', SIZES.tmp),
    ...tmpfs('/run', SIZES.run),
    ...['--dir', '/home', '--dir', '/root'],
    ...(network === 'shared' ? namesOfHosts() : []),
    ...(network === 'own' ? ownNames(id) : []),
    ...programs.flatMap(outsideOfUsr),
    ...['--bind', join(folder, 'x11'), '/tmp/.X11-unix'],
    ...['--bind', homeOf(id), home],
    ...same('--bind', 'run'),
    ...same('--bind', 'log'),
    ...same('--ro-bind', 'xauthority'),
    ...same('--ro-bind', CLOCK_FOLDER),
    // Else they would be places to fill memory from.
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--chdir', home],
  ];
}

function systemFolder(path: string): string[] {
  try {
    if (lstatSync(path).isSymbolicLink()) return ['--symlink', readlinkSync(path), path];
    return ['--ro-bind', path, path];
  } catch {
    return []; // Not on this system.
  }
}

/** What others than this person may not read (for root: passwords' hashes, keys) is not shown to programs either. */
function hiddenIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    try {
      if (entry.isSymbolicLink()) return [];
      const isFolder = entry.isDirectory();
      const { mode } = lstatSync(path);
      if ((mode & (isFolder ? 0o005 : 0o004)) !== 0) return isFolder ? hiddenIn(path) : [];
      accessSync(path, constants.R_OK);
      return isFolder ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path];
    } catch {
      return []; // Closed to this person as well, or gone.
    }
  });
}

/** Where names of hosts are looked up, which lies elsewhere on systems with a resolver of their own. */
function namesOfHosts(): string[] {
  try {
    const path = realpathSync('/etc/resolv.conf');
    return path.startsWith('/etc/') ? [] : ['--ro-bind', path, path];
  } catch {
    return []; // A system without names.
  }
}

const isSeen = (path: string): boolean => ['/usr', '/etc', ...SYSTEM].some((seen) => isIn(seen, path));

/** A program that lies elsewhere: its folder in /opt or /snap, where a whole program lies, else its file alone. */
function outsideOfUsr(program: string): string[] {
  if (!statSync(program).isFile()) return [];
  const path = realpathSync(program);
  const whole = /^\/(?:opt|snap)\/[^/]+/.exec(path)?.[0];
  const shown = isSeen(path) ? [] : ['--ro-bind', whole ?? path, whole ?? path];
  const asNamed =
    isSeen(program) || program === path || isIn(whole, dirname(program)) ? [] : ['--ro-bind', path, program];
  return [...shown, ...asNamed];
}

const isIn = (folder: string | undefined, path: string): boolean =>
  folder !== undefined && `${path}/`.startsWith(`${folder}/`);
