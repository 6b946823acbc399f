import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { stageFolderName } from './processes.ts';

/**
 * How much of the machine the programs of a stage may take together, so that one that runs wild ends nothing but its stage: by a
 * control group where the system gives one (root's, or a session of systemd), and each process by limits of its own.
 */

const GIB = 2 ** 30;
const PROCESSES = 2048;
const LARGEST_FILE = 4 * GIB;
/** Three quarters of the memory, so that what is recorded has the rest. */
const MEMORY = Math.max(GIB, Math.floor(totalmem() * 0.75));

/** Lines of shell that limit the shell and what it starts: no dumps of memory, files, data in memory and processes. */
export const limitLines = (): string[] => [
  'ulimit -c 0',
  `ulimit -f ${LARGEST_FILE / 512}`,
  `ulimit -d ${Math.floor(MEMORY / 1024)}`,
  // Counted for each stage by itself; the kernel exempts root.
  `ulimit -u ${PROCESSES} 2>/dev/null || ulimit -p ${PROCESSES} 2>/dev/null`,
];

const SYSTEM = '/sys/fs/cgroup';
/** The files of a limit in both versions of control groups. */
const WISHES: readonly { controller: string; files: readonly string[]; most: number }[] = [
  { controller: 'memory', files: ['memory.max', 'memory.limit_in_bytes'], most: MEMORY },
  { controller: 'pids', files: ['pids.max'], most: PROCESSES },
];

/** `enter`: words that stand before a program, which joins the group; empty where the system gives none. */
export function openGroup(id: string): { enter: readonly string[] } {
  const groups = placesOf(id).filter(({ folder, wishes }) => makeGroup(folder, wishes));
  if (groups.length === 0) return { enter: [] };
  const join0 = 'for group in $0; do echo 0 >"$group/cgroup.procs"; done; exec "$@"';
  return { enter: ['sh', '-c', join0, groups.map(({ folder }) => folder).join(' ')] };
}

/** After the last of its processes has ended. */
export function closeGroup(id: string): void {
  for (const { folder } of placesOf(id)) {
    try {
      rmdirSync(folder);
    } catch {
      // There was none.
    }
  }
}

type Group = { folder: string; wishes: typeof WISHES };

/** Where a group of this stage could be: beside this process's own in version 2, below it for each controller in version 1. */
function placesOf(id: string): Group[] {
  const name = stageFolderName(id);
  return ownGroups().flatMap(({ controllers, path }): Group[] => {
    if (controllers.length === 0) {
      const above = join(SYSTEM, dirname(path));
      return path === '/' ? [] : [{ folder: join(above, name), wishes: WISHES }];
    }
    const wishes = WISHES.filter(({ controller }) => controllers.includes(controller));
    return wishes.length === 0 ? [] : [{ folder: join(SYSTEM, controllers.join(','), path, name), wishes }];
  });
}

function ownGroups(): { controllers: string[]; path: string }[] {
  try {
    return (
      readFileSync('/proc/self/cgroup', 'utf8')
        .trim()
        .split('\n')
        .map((line) => {
          const [, controllers = '', ...path] = line.split(':');
          return { controllers: controllers === '' ? [] : controllers.split(','), path: path.join(':') };
        })
        // A path with a blank would be two for the shell; systemd makes none.
        .filter(({ path }) => /^\/[^\s*?[]*$/.test(path))
    );
  } catch {
    return [];
  }
}

function makeGroup(folder: string, wishes: typeof WISHES): boolean {
  try {
    mkdirSync(folder);
  } catch {
    return false; // Not this person's to make, or no such place.
  }
  const limited = wishes.filter(({ files, most }) => files.some((file) => wrote(join(folder, file), most)));
  if (limited.length > 0) return true;
  rmdirSync(folder);
  return false;
}

function wrote(file: string, most: number): boolean {
  try {
    // Never made: the kernel makes the files of a group.
    writeFileSync(file, `${most}`, { flag: 'r+' });
    return true;
  } catch {
    return false;
  }
}
