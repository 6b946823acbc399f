import { closeSync, constants, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import koffi from 'koffi';

/**
 * Whether a program in a terminal waits for something that it does not show: `read -s`, sudo, ssh, su. The terminal's program says
 * so in its tty (termios), which anybody may read whose tty it is. The kernel's lists of processes tell which ttys a window has.
 */
export type Terminals = {
  /** Null: the window's process has no tty in it, so it is no terminal. */
  of(pid: number): TerminalEcho | null;
};
/**
 * `hidden`: a secret is waited for. `shown`: none is. `unknown`: a tty that may not be read, or a program that hands keys on to
 * another machine, which alone knows.
 */
export type TerminalEcho = 'hidden' | 'shown' | 'unknown';

/** Which ttys a window has is looked up again after so long, ms. */
const LOOK_AGAIN_MS = 250;
/** Processes that are looked at for one window. */
const MOST_PROCESSES = 100;
/** Ttys within ttys: a multiplexer, `script`, sudo with a tty of its own. */
const MOST_NESTED = 4;

/** Bits of termios' c_lflag. */
const [ISIG, ICANON, ECHO] = [0o1, 0o2, 0o10];
const LFLAG_AT = 12;
const TERMIOS_BYTES = 60;
/** The first major number of pseudo terminals. */
const [PTS_MAJOR, LAST_PTS_MAJOR] = [136, 143];

/** Read their secret key by key: they show stars, or draw a field. Signals stay on, where one only hands keys on they are off. */
const ASKERS =
  /^(?:sudo|su|doas|pkexec|passwd|login|sulogin|systemd-ask-pas|systemd-tty-ask|cryptsetup|gpg|ssh-keygen|ssh-add)$/;
const CURSES_ASKERS = /^pinentry/;
/** Draw fields of many kinds, and are told which by their arguments. */
const DIALOGS = /^(?:dialog|whiptail|Xdialog|cdialog)$/;
const SECRET_FIELD = /(?:^|\0)--(?:password(?:box|form)|mixedform|insecure)(?:\0|$)/;
/** Hand every key on to another machine, as long as nothing is asked by themselves. */
const REMOTE = /^(?:ssh|mosh|mosh-client|telnet|rlogin)$/;
const MULTIPLEXERS: Readonly<Record<string, RegExp>> = {
  tmux: /^tmux: server$/,
  'tmux: client': /^tmux: server$/,
  screen: /^(?:SCREEN|screen)$/,
};

type Process = { pid: number; name: string; parent: number; group: number; tty: number; foreground: number };

type ReadTermios = (fd: number, into: Uint8Array) => number;
let bound: ReadTermios | null = null;
function readTermios(fd: number, into: Uint8Array): number {
  // Cast: koffi's functions are untyped; the C text is what the type repeats.
  bound ??= koffi.load('libc.so.6').func('int tcgetattr(int fd, _Out_ uint8_t *into)') as ReadTermios;
  return bound(fd, into);
}

export function followTerminals(now: () => number = () => performance.now()): Terminals {
  const known = new Map<number, { at: number; ttys: Tty[] }>();
  return {
    of(pid) {
      if (pid <= 0) return null;
      let entry = known.get(pid);
      if (!entry || now() - entry.at > LOOK_AGAIN_MS) {
        if (known.size > MOST_PROCESSES) known.clear();
        entry = { at: now(), ttys: ttysIn(pid) };
        known.set(pid, entry);
      }
      if (entry.ttys.length === 0) return null;
      const echoes = entry.ttys.map(echoOf);
      // Which of a program's terminals has the keyboard is not told.
      return echoes.includes('hidden') ? 'hidden' : echoes.includes('unknown') ? 'unknown' : 'shown';
    },
  };
}

/** A tty and the programs in front in it: of a script or a pipeline any may be the one that asks. */
type Tty = { number: number; front: Process[] };

function ttysIn(window: number): Tty[] {
  const own = processOf(window);
  if (!own) return [];
  const found = new Map<number, Tty>();
  let left = MOST_PROCESSES;

  /**
   * Ttys that children of this process have for themselves. A helper of the same name stands between in some terminals; in a tty
   * any program may, as the shell does that waits for what it started.
   */
  function lookBelow(parent: Process, depth: number): void {
    for (const pid of childrenOf(parent.pid)) {
      if (left-- <= 0) return;
      const child = processOf(pid);
      if (!child) continue;
      if (isTty(child.tty) && child.tty !== parent.tty) add(child, depth);
      else if (child.name === parent.name || depth > 0) lookBelow(child, depth);
    }
  }
  /** `first`: the first program of a tty, which started the others in it. */
  function add(first: Process, depth: number): void {
    const number = first.tty;
    if (found.has(number)) return;
    const front = membersOf(first, first.foreground);
    found.set(number, { number, front });
    if (depth >= MOST_NESTED) return;
    for (const one of front) {
      const servers = MULTIPLEXERS[one.name];
      if (servers) for (const server of processesNamed(servers)) lookBelow(server, depth + 1);
      lookBelow(one, depth + 1);
    }
  }
  /** Those of this group in the tty, as far as they hang together: the program that a group is called by may have ended. */
  function membersOf(process: Process, group: number): Process[] {
    const below = childrenOf(process.pid).flatMap((pid) => {
      const child = left-- > 0 ? processOf(pid) : null;
      return child?.tty === process.tty ? membersOf(child, group) : [];
    });
    return process.group === group ? [process, ...below] : below;
  }
  lookBelow(own, 0);
  return [...found.values()];
}

function echoOf({ number, front }: Tty): TerminalEcho {
  const flags = localFlags(number);
  if (flags === null) return 'unknown';
  const has = (bit: number): boolean => (flags & bit) !== 0;
  if (has(ECHO)) return 'shown';
  if (has(ICANON)) return 'hidden';
  const asks = ({ name, pid }: Process): boolean =>
    CURSES_ASKERS.test(name) ||
    (DIALOGS.test(name) && SECRET_FIELD.test(argumentsOf(pid))) ||
    (ASKERS.test(name) && has(ISIG));
  if (front.some(asks)) return 'hidden';
  return front.some(({ name }) => REMOTE.test(name)) ? 'unknown' : 'shown';
}

/** Null where it is not ours to read, or gone. */
function localFlags(tty: number): number | null {
  let fd: number | null = null;
  try {
    fd = openSync(`/dev/pts/${tty}`, constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    const bytes = new Uint8Array(TERMIOS_BYTES);
    return readTermios(fd, bytes) === 0 ? new DataView(bytes.buffer).getUint32(LFLAG_AT, true) : null;
  } catch {
    return null;
  } finally {
    // Held open it would keep the terminal from hearing that its program is gone.
    if (fd !== null) closeSync(fd);
  }
}

/** The number below /dev/pts, from the kernel's device number; -1 for none, and for consoles. */
function ptsOf(device: number): number {
  const [major, minor] = [(device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00)];
  return major < PTS_MAJOR || major > LAST_PTS_MAJOR ? -1 : (major - PTS_MAJOR) * 256 + minor;
}
const isTty = (tty: number): boolean => tty >= 0;

function processOf(pid: number): Process | null {
  if (pid <= 0) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name may hold spaces and brackets.
    const end = stat.lastIndexOf(')');
    const rest = stat
      .slice(end + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0, group = 0, , device = 0, foreground = 0] = rest;
    return { pid, name: stat.slice(stat.indexOf('(') + 1, end), parent, group, tty: ptsOf(device), foreground };
  } catch {
    return null;
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function processesNamed(name: RegExp): Process[] {
  const me = process.getuid?.();
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    const found = processOf(Number(entry));
    if (!found || !name.test(found.name)) return [];
    try {
      return statSync(`/proc/${entry}`).uid === me ? [found] : [];
    } catch {
      return [];
    }
  });
}

function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
