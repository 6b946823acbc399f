/**
 * A small assembler for classic BPF, the kernel's own language for filters of system calls (linux/filter.h, linux/seccomp.h).
 * A filter is a list of rules, each about one call; what no rule names is allowed.
 */

export type CallsMachine = 'x86_64' | 'aarch64';

/** Kernel's numbers of the answers to a call that is not done; DONE: as if it were. */
export const ERRNO = { DONE: 0, EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const;
type Errno = keyof typeof ERRNO;

/** A condition on the low 32 bits of an argument (0 is the first): refused when any bit is set, when equal, or when not among. */
export type CallCondition =
  | { arg: number; anyBit: number }
  | { arg: number; equals: readonly number[] }
  | { arg: number; notIn: readonly number[] };

export type Rule = {
  name: string;
  /** Number on each kind of machine; null: it has no such call. */
  call: Readonly<Record<CallsMachine, number | null>>;
  answer: Errno;
  when?: CallCondition;
};

/** audit.h: what the kernel calls the machine whose call it is. */
const AUDIT_ARCH: Record<CallsMachine, number> = { x86_64: 0xc000_003e, aarch64: 0xc000_00b7 };
/** Calls of the x32 kind, which run on x86_64 with other numbers. */
const X32 = 0x4000_0000;

const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;
const [ALLOW, REFUSE, KILL_PROCESS] = [0x7fff_0000, 0x0005_0000, 0x8000_0000];
/** Offsets in struct seccomp_data; arguments have 64 bits each, the low ones first on both machines. */
const [NUMBER, ARCH] = [0, 4];
const argument = (n: number): number => 16 + 8 * n;

export type Instruction = { code: number; jt: number; jf: number; k: number };
const step = (code: number, k: number, jt = 0, jf = 0): Instruction => ({ code, jt, jf, k });

/** The filter's instructions. One of another kind of machine (32-bit programs) is killed: its calls have other numbers. */
export function assemble(machine: CallsMachine, rules: readonly Rule[]): Instruction[] {
  const kill = step(RETURN, KILL_PROCESS);
  const foreign = [step(LOAD_WORD, ARCH), step(JUMP_IF_EQUAL, AUDIT_ARCH[machine], 1, 0), kill];
  const otherKind = machine === 'x86_64' ? [step(JUMP_IF_AT_LEAST, X32, 0, 1), kill] : [];
  const refusals = rules.flatMap(({ call, answer, when }) => {
    const number = call[machine];
    return number === null ? [] : refusal(number, step(RETURN, REFUSE | ERRNO[answer]), when);
  });
  return [...foreign, step(LOAD_WORD, NUMBER), ...otherKind, ...refusals, step(RETURN, ALLOW)];
}

function refusal(number: number, refuse: Instruction, when: CallCondition | undefined): Instruction[] {
  if (when === undefined) return [step(JUMP_IF_EQUAL, number, 0, 1), refuse];
  const test = [step(LOAD_WORD, argument(when.arg)), ...condition(when), refuse, step(LOAD_WORD, NUMBER)];
  // What comes after the rule looks at the number again, so that one that is skipped must not have lost it.
  return [step(JUMP_IF_EQUAL, number, 0, test.length), ...test];
}

/** Jumps over the one instruction behind it unless the condition holds. */
function condition(when: CallCondition): Instruction[] {
  if ('anyBit' in when) return [step(JUMP_IF_ANY_BIT, when.anyBit, 0, 1)];
  const values = 'equals' in when ? when.equals : when.notIn;
  return values.map((value, n) => {
    const behind = values.length - 1 - n;
    // To the refusal, over it, or on to the next value.
    if ('equals' in when) return step(JUMP_IF_EQUAL, value, behind, behind === 0 ? 1 : 0);
    return step(JUMP_IF_EQUAL, value, behind + 1, 0);
  });
}

/** As the kernel reads it: struct sock_filter, eight bytes each. */
export function filterBytes(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * program.length);
  for (const [n, { code, jt, jf, k }] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * n);
    bytes.writeUInt8(jt, 8 * n + 2);
    bytes.writeUInt8(jf, 8 * n + 3);
    bytes.writeUInt32LE(k >>> 0, 8 * n + 4);
  }
  return bytes;
}
