import { assemble, type CallCondition, type CallsMachine, filterBytes, type Rule } from './bpf.ts';

/**
 * System calls that no program on a stage needs and through which programs have left cages: a list of what is refused, as
 * Flatpak and Docker keep one. Mounts and namespaces of their own, other processes' memory, keys, the kernel's own doors.
 */

/** Name, number on x86_64 (asm/unistd_64.h) and on aarch64 (asm-generic/unistd.h). */
type Call = readonly [name: string, x86: number | null, arm: number | null];

/** Refused as not permitted. */
const NEVER: readonly Call[] = [
  // Another process's memory and files.
  ['ptrace', 101, 117],
  ['process_vm_readv', 310, 270],
  ['process_vm_writev', 311, 271],
  ['kcmp', 312, 272],
  ['pidfd_getfd', 438, 438],
  // Mounts, roots and namespaces.
  ['mount', 165, 40],
  ['umount2', 166, 39],
  ['pivot_root', 155, 41],
  ['setns', 308, 268],
  ['open_tree', 428, 428],
  ['move_mount', 429, 429],
  ['fsopen', 430, 430],
  ['fsconfig', 431, 431],
  ['fsmount', 432, 432],
  ['fspick', 433, 433],
  ['mount_setattr', 442, 442],
  ['open_by_handle_at', 304, 265],
  ['fanotify_init', 300, 262],
  // Keys are the person's, in every namespace.
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['keyctl', 250, 219],
  // The kernel itself, and the machine.
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
  ['init_module', 175, 105],
  ['finit_module', 313, 273],
  ['delete_module', 176, 106],
  ['kexec_load', 246, 104],
  ['kexec_file_load', 320, 294],
  ['reboot', 169, 142],
  ['syslog', 103, 116],
  ['acct', 163, 89],
  ['swapon', 167, 224],
  ['swapoff', 168, 225],
  ['quotactl', 179, 60],
  ['quotactl_fd', 443, 443],
  ['settimeofday', 164, 170],
  ['clock_settime', 227, 112],
  ['vhangup', 153, 58],
  ['iopl', 172, null],
  ['ioperm', 173, null],
  ['uselib', 134, null],
  ['sysfs', 139, null],
  ['lookup_dcookie', 212, 18],
  ['migrate_pages', 256, 238],
  ['move_pages', 279, 239],
];

/** Refused as if the kernel had none, since programs then do it another way. */
const ABSENT: readonly Call[] = [
  ['clone3', 435, 435], // What it is asked lies in memory, where no filter can look; glibc goes on with clone.
  ['io_uring_setup', 425, 425], // Does other calls past the filter.
  ['io_uring_enter', 426, 426],
  ['io_uring_register', 427, 427],
];

/** sched.h: a namespace of its own, each kind. */
const NEW_NAMESPACES = 0x7e02_0000;
const NEW_TIME = 0x80;
const SET_ID_BITS = 0o6000;
/** Writing into a terminal's input as if it were typed. */
const [TIOCSTI, TIOCLINUX] = [0x5412, 0x541c];
/** Unspecified, UNIX, IPv4, IPv6 and netlink. Others (vsock) are not parted by namespaces, or are drivers seldom looked at. */
const FAMILIES = [0, 1, 2, 10, 16];

const WITH_BIT = (arg: number, anyBit: number): CallCondition => ({ arg, anyBit });
/** Refused when an argument says so. */
const WHEN: readonly (readonly [Call, CallCondition, Rule['answer']])[] = [
  [['chmod', 90, null], WITH_BIT(1, SET_ID_BITS), 'EPERM'],
  [['fchmod', 91, 52], WITH_BIT(1, SET_ID_BITS), 'EPERM'],
  [['fchmodat', 268, 53], WITH_BIT(2, SET_ID_BITS), 'EPERM'],
  [['fchmodat2', 452, 452], WITH_BIT(2, SET_ID_BITS), 'EPERM'],
  [['ioctl', 16, 29], { arg: 1, equals: [TIOCSTI, TIOCLINUX] }, 'EPERM'],
  [['socket', 41, 198], { arg: 0, notIn: FAMILIES }, 'EAFNOSUPPORT'],
];

/** What a sandbox of a program's own is made of (Chromium, Electron, Firefox); it leads nowhere but deeper. */
const OWN_SANDBOX: readonly (readonly [Call, CallCondition | undefined])[] = [
  [['chroot', 161, 51], undefined],
  [['unshare', 272, 97], WITH_BIT(0, NEW_NAMESPACES | NEW_TIME)],
  [['clone', 56, 220], WITH_BIT(0, NEW_NAMESPACES)],
];

/**
 * For root, which has no right left in a cage: programs that root starts give up groups first (xterm), and end when they may not.
 * There is none to give up.
 */
const OF_ROOT: Call = ['setgroups', 116, 159];

type Wish = { ownSandbox: boolean; asRoot: boolean };

const rule = ([name, x86_64, aarch64]: Call, answer: Rule['answer'], when?: CallCondition): Rule => ({
  name,
  call: { x86_64, aarch64 },
  answer,
  ...(when && { when }),
});

export function stageRules({ ownSandbox, asRoot }: Wish): Rule[] {
  return [
    ...NEVER.map((call) => rule(call, 'EPERM')),
    ...ABSENT.map((call) => rule(call, 'ENOSYS')),
    ...WHEN.map(([call, when, answer]) => rule(call, answer, when)),
    ...(ownSandbox ? [] : OWN_SANDBOX.map(([call, when]) => rule(call, 'EPERM', when))),
    ...(asRoot ? [rule(OF_ROOT, 'DONE')] : []),
  ];
}

const MACHINES: Partial<Record<NodeJS.Architecture, CallsMachine>> = { x64: 'x86_64', arm64: 'aarch64' };

/** The filter for this machine, as bubblewrap takes it; null where its calls' numbers are not known here. */
export function stageFilter(wish: Wish, arch: NodeJS.Architecture = process.arch): Buffer | null {
  const machine = MACHINES[arch];
  return machine === undefined ? null : filterBytes(assemble(machine, stageRules(wish)));
}
