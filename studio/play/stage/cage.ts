import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { viewArgs } from './cage-view.ts';
import { takeDisplayNumber } from './display-number.ts';
import { socketOf, stageFolder } from './home.ts';
import { sharedPlace } from './isolation.ts';
import { limitLines, openGroup } from './limits.ts';
import { canHaveOwnNetwork, connect, insideOf, SHARED_NETWORK } from './own-network.ts';
import {
  cageEnded,
  cageLate,
  failed,
  logOf,
  type Program,
  START_MS,
  type StagePlace,
  type StartedOnStage,
  serverEnded,
  serverLate,
  withLog,
} from './place.ts';
import { STAGE_MARK } from './processes.ts';
import { stageFilter } from './system-calls.ts';

/**
 * A stage's cage, by bubblewrap: one set of namespaces (files, processes, memory, network, names) for everything that runs on
 * the stage, its display too, without any right over the system and with the kernel's doors closed (system-calls.ts). A shell
 * inside, the warden, starts what it is told through its input. With it everything in the cage ends; and it ends with this
 * process, unless the stage is kept.
 */

const PROBE_MS = 5000;

export type CageWishes = {
  id: string;
  network: boolean;
  keep: boolean;
  /** The recipe's programs, by their whole paths. */
  programs: readonly string[];
  /** The stage's environment, by which its processes are found. */
  env: Readonly<Record<string, string>>;
};

/** Ways to a cage, the best first; root can have one where nobody else may, too. */
const WAYS: readonly (readonly string[])[] = [['--unshare-user'], []];
const APART = ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'];

type Ability = { way: readonly string[]; sizes: boolean } | { why: string };
let known: Ability | null = null;

/** Whether stages are cages on this machine, tried once. `why`: what is missing and what to do. */
export function cageAbility(): Ability {
  known ??= tryCages();
  return known;
}

/** Why stages are no cages on this machine, and what to do; null: they are. */
export function whyNoCage(): string | null {
  const ability = cageAbility();
  return 'why' in ability ? ability.why : null;
}

function tryCages(): Ability {
  let said = '';
  for (const way of process.getuid?.() === 0 ? WAYS : WAYS.slice(0, 1)) {
    const seen = ['--ro-bind', '/usr', '/usr', '--proc', '/proc', '--dev', '/dev'];
    const system = ['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'];
    const args = [...way, ...APART, '--unshare-net', ...seen, ...system, '--cap-drop', 'ALL', '--', '/usr/bin/true'];
    const { status, error, stderr } = spawnSync('bwrap', args, { encoding: 'utf8', timeout: PROBE_MS });
    if (error && 'code' in error && error.code === 'ENOENT')
      return { why: 'bubblewrap is not installed; install it: "apt install bubblewrap"' };
    if (status === 0) {
      const help = spawnSync('bwrap', ['--help'], { encoding: 'utf8', timeout: PROBE_MS });
      return { way, sizes: help.stdout.includes('--size') };
    }
    said = (error?.message ?? stderr).trim().slice(0, 300);
  }
  return {
    why: `bubblewrap may not make one here (${said}); allow namespaces to programs of yours: "sysctl -w kernel.unprivileged_userns_clone=1" (Debian) or "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0" (Ubuntu), in a container its option for them`,
  };
}

/** Programs that put themselves into a sandbox of their own, and do not start where they cannot. */
const BROWSERS = /chrom|brave|edge|vivaldi|opera|electron|firefox|librewolf|thunderbird|code$|codium/i;

/** Where commands come from, and when there are no more: the shell stays for a stage that is kept, and else ends all. */
const WARDEN = 'LINE_END="\n"\nwhile IFS= read -r line; do eval "$line"; done';
const STAYS = 'exec sleep infinity';

/** Opens a cage of which `cageAbility` said that it can be. Throws CAPTURE_FAILED. */
export async function openCage(
  { id, network: wanted, keep, programs, env }: CageWishes,
  { way, sizes }: Exclude<Ability, { why: string }>,
): Promise<StagePlace> {
  // In a cage nobody else's can be in the way.
  const home = sharedPlace() ?? join(tmpdir(), 'stage-home');
  const filter = stageFilter({
    ownSandbox: programs.some((path) => BROWSERS.test(basename(path))),
    asRoot: process.getuid?.() === 0,
  });
  const network = wanted ? (canHaveOwnNetwork() ? 'own' : 'shared') : 'none';
  const notes = [
    ...(filter === null ? [`System calls are not refused on the stage: those of ${process.arch} are not known.`] : []),
    ...(network === 'shared' ? [SHARED_NETWORK] : []),
  ];
  const group = openGroup(id);
  const args = [
    ...way,
    ...APART,
    ...(network === 'shared' ? [] : ['--unshare-net']),
    ...(network === 'own' ? ['--info-fd', '5'] : []),
    ...['--new-session', '--cap-drop', 'ALL'],
    ...(keep ? [] : ['--die-with-parent']),
    ...(filter === null ? [] : ['--seccomp', '4']),
    ...viewArgs({ id, home, network, programs, sizes }),
    ...['--', '/bin/sh', '-c', [...limitLines(), WARDEN, ...(keep ? [STAYS] : [])].join('\n')],
  ];
  // All else is set for each program: what one is to be without, it would have from here.
  const least = { PATH: env.PATH ?? '/usr/bin:/bin', [STAGE_MARK]: id };
  const child = startCage(id, [...group.enter, 'bwrap', ...args], least, { filter, asks: network === 'own' });
  const warden = wardenOf(child, id);
  // Only with a process can its display's number be held.
  const { pid } = child;
  if (pid === undefined) throw failed('bubblewrap (bwrap) could not be started.');
  if (network === 'own') {
    const [info, held] = child.stdio.slice(5) as unknown as [Readable, Readable]; // Opened as pipes; Node's types end at 4.
    const inside = await insideOf(info);
    await warden.answers();
    await connect({ id, inside, ownUsers: way.length > 0, held, env: least });
  }
  return {
    caged: true,
    pid,
    home,
    notes,
    async startServer({ env: own, args: words }) {
      const number = takeDisplayNumber(pid, (n) => socketOf(id, n));
      await warden.display({
        command: 'Xvfb',
        args: [`:${number}`, ...words, '-displayfd', '3'],
        env: own,
        log: 'Xvfb',
      });
      return `:${number}`;
    },
    run: warden.run,
  };
}

function startCage(
  id: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  { filter, asks }: { filter: Buffer | null; asks: boolean },
): ChildProcess {
  const [program = '', ...args] = words;
  const file = join(stageFolder(id), 'seccomp.bpf');
  if (filter !== null) writeFileSync(file, filter, { mode: 0o400 });
  const rules = filter === null ? null : openSync(file, 'r');
  try {
    return withLog(id, 'cage', (out) => {
      // The last two: what bubblewrap says of itself, and what is open as long as anything is in the cage.
      const more = asks ? ['pipe' as const, 'pipe' as const] : [];
      const stdio = ['pipe' as const, out, out, 'pipe' as const, rules ?? ('ignore' as const), ...more];
      const child = spawn(program, args, { env, cwd: '/', detached: true, stdio });
      child.on('error', () => undefined); // Seen by what waits for it.
      child.unref();
      return child;
    });
  } finally {
    if (rules !== null) closeSync(rules);
  }
}

type Warden = {
  run(program: Program): StartedOnStage;
  display(server: Program): Promise<void>;
  /**
   * Resolves when the shell in the cage does what it is told: bubblewrap has set up all of it by then. Whoever changes the
   * network before is in its way: slirp4netns turns the loopback device on, which gives it its address, and bubblewrap, which
   * was about to, ended with it ("loopback: Failed RTM_NEWADDR").
   */
  answers(): Promise<void>;
};

/** Speaks with the shell in the cage: lines of shell go in, `NUMBER STATUS` of what ended and the display's number come out. */
function wardenOf(child: ChildProcess, id: string): Warden {
  const orders = child.stdin as Writable; // Both opened as pipes above.
  const answers = child.stdio[3] as Readable;
  // They keep this process alive no more than the cage itself.
  for (const pipe of [orders, answers]) {
    pipe.on('error', () => undefined); // The cage is gone, which its end tells.
    (pipe as Partial<Pick<ChildProcess, 'unref'>>).unref?.();
  }
  const ended = new Map<number, number>();
  let over = false;
  /** What waits for the display: told when it answers, and when anything ends. */
  let shown: (() => void) | null = null;
  let look: (() => void) | null = null;
  createInterface({ input: answers }).on('line', (line) => {
    const [number = '', status] = line.split(' ');
    if (status === undefined) return shown?.();
    ended.set(Number(number), Number(status));
    look?.();
  });
  const gone = (): void => {
    over = true;
    look?.();
  };
  child.once('exit', gone);
  child.once('error', gone);
  let count = 0;
  const start = ({ command, args, env, log }: Program, keepsAnswers: boolean): number => {
    const number = count++;
    const set = Object.entries(env).map(([name, value]) =>
      value === undefined ? `unset ${name}` : `export ${name}=${quoted(value)}`,
    );
    const words = [command, ...args].map(quoted).join(' ');
    const out = quoted(join(stageFolder(id), logOf(log)));
    // A shell's background programs do not hear Ctrl+C, and neither would what runs in their terminals.
    const program = `env --default-signal=INT,QUIT setsid ${words} </dev/null >>${out} 2>&1 ${keepsAnswers ? '' : '3>&-'} 6>&-`;
    orders.write(`( ${[...set, program].join('; ')}; echo "${number} $?" >&3 ) &\n`);
    return number;
  };
  type Settle = (act: () => void) => void;
  /** Waits, for as long as a stage may take to start, for what `begin` sets out to see. */
  const settled = (late: () => Error, begin: (settle: Settle, done: () => void, fail: (why: Error) => void) => void) =>
    new Promise<void>((done, fail) => {
      const timer = setTimeout(() => settle(() => fail(late())), START_MS);
      const settle: Settle = (act) => {
        clearTimeout(timer);
        [shown, look] = [null, null];
        act();
      };
      begin(settle, done, fail);
      look?.();
    });
  return {
    run(program) {
      const number = start(program, false);
      return {
        ended: () => over || ended.has(number),
        failed: () => {
          const status = ended.get(number);
          if (status !== undefined && status !== 0) return howEnded(status);
          return over && status === undefined ? 'the stage’s cage ended' : null;
        },
      };
    },
    display: (program) =>
      settled(serverLate, (settle, done, fail) => {
        const number = start(program, true);
        shown = () => settle(done);
        look = () => {
          if (over || ended.has(number)) settle(() => fail(over ? cageEnded(id) : serverEnded(id)));
        };
      }),
    answers: () =>
      settled(cageLate, (settle, done, fail) => {
        const number = start({ command: 'true', args: [], env: {}, log: 'cage' }, false);
        look = () => {
          if (over) settle(() => fail(cageEnded(id)));
          else if (ended.has(number)) settle(done);
        };
      }),
  };
}

/** A shell says 128 and the signal's number of a program that a signal ended. */
function howEnded(status: number): string {
  const signal = Object.entries(constants.signals).find(([, number]) => number === status - 128)?.[0];
  return signal === undefined ? `status ${status}` : `signal ${signal}`;
}

/** A word for the shell. An order is one line, so that a line's end in it goes by a name. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`).replaceAll('\n', `'"$LINE_END"'`)}'`;
