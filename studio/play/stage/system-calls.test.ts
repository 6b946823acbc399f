import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assemble, type CallsMachine, ERRNO, type Instruction, type Rule } from './bpf.ts';
import { stageFilter, stageRules } from './system-calls.ts';

type Called = { number: number; arch: number; args?: readonly number[] };
const [ALLOW, KILL] = [0x7fff_0000, 0x8000_0000];
const refused = (answer: keyof typeof ERRNO): number => 0x0005_0000 | ERRNO[answer];
const ARCH: Record<CallsMachine, number> = { x86_64: 0xc000_003e, aarch64: 0xc000_00b7 };

/** What the kernel does with the filter (Documentation/networking/filter.rst), for the instructions that it is made of. */
function verdict(program: readonly Instruction[], { number, arch, args = [] }: Called): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(arch, 4);
  for (const [n, value] of args.entries()) data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + 8 * n);
  let word = 0;
  for (let at = 0; ; at++) {
    const { code, jt, jf, k } = program[at]!;
    const jump = (holds: boolean): void => {
      at += holds ? jt : jf;
    };
    if (code === 0x20) word = data.readUInt32LE(k);
    else if (code === 0x15) jump(word === k);
    else if (code === 0x35) jump(word >= k);
    else if (code === 0x45) jump((word & k) !== 0);
    else if (code === 0x06) return k >>> 0;
    else throw new Error(`no such instruction: ${code}`);
  }
}

const machines: CallsMachine[] = ['x86_64', 'aarch64'];
const plain = { ownSandbox: false, asRoot: false };
const program = (machine: CallsMachine, wish = plain): Instruction[] => assemble(machine, stageRules(wish));
const numberOf = (machine: CallsMachine, name: string): number => {
  const rule = stageRules({ ownSandbox: false, asRoot: true }).find((one) => one.name === name);
  return rule?.call[machine] ?? -1;
};
const asks = (machine: CallsMachine, name: string, args: readonly number[] = [], wish = plain): number =>
  verdict(program(machine, wish), { number: numberOf(machine, name), arch: ARCH[machine], args });

test.each(machines)('on %s doors of the kernel are closed, and what programs need is open', (machine) => {
  for (const name of ['ptrace', 'mount', 'setns', 'keyctl', 'bpf', 'open_by_handle_at', 'reboot'])
    expect([name, asks(machine, name)]).toEqual([name, refused('EPERM')]);
  for (const name of ['clone3', 'io_uring_setup']) expect(asks(machine, name)).toBe(refused('ENOSYS'));
  const [newUser, thread] = [0x1000_0000, 0x003d_0f00];
  expect(asks(machine, 'clone', [newUser])).toBe(refused('EPERM'));
  expect(asks(machine, 'clone', [thread])).toBe(ALLOW);
  expect(asks(machine, 'unshare', [0x2_0000])).toBe(refused('EPERM'));
  expect(asks(machine, 'unshare', [0x400])).toBe(ALLOW);
  expect(asks(machine, 'fchmod', [3, 0o4755])).toBe(refused('EPERM'));
  expect(asks(machine, 'fchmod', [3, 0o755])).toBe(ALLOW);
  expect(asks(machine, 'ioctl', [0, 0x5412])).toBe(refused('EPERM'));
  expect(asks(machine, 'ioctl', [0, 0x541c])).toBe(refused('EPERM'));
  // The kernel looks at the low half alone, so that a high half hides nothing.
  expect(asks(machine, 'ioctl', [0, 2 ** 40 + 0x5412])).toBe(refused('EPERM'));
  expect(asks(machine, 'ioctl', [0, 0x5401])).toBe(ALLOW);
  for (const family of [1, 2, 10, 16]) expect(asks(machine, 'socket', [family])).toBe(ALLOW);
  for (const family of [3, 17, 38, 40]) expect(asks(machine, 'socket', [family])).toBe(refused('EAFNOSUPPORT'));
});

test.each(machines)(
  'on %s a browser may make its own sandbox, and root’s programs give up groups for show',
  (machine) => {
    expect(asks(machine, 'clone', [0x1000_0000], { ...plain, ownSandbox: true })).toBe(ALLOW);
    expect(asks(machine, 'chroot')).toBe(refused('EPERM'));
    expect(asks(machine, 'chroot', [], { ...plain, ownSandbox: true })).toBe(ALLOW);
    expect(asks(machine, 'mount', [], { ...plain, ownSandbox: true })).toBe(refused('EPERM'));
    expect(asks(machine, 'setgroups')).toBe(ALLOW);
    expect(asks(machine, 'setgroups', [], { ...plain, asRoot: true })).toBe(refused('DONE'));
  },
);

test('calls of another kind of machine, by which the list could be passed, end the program', () => {
  const i386 = 0x4000_0003;
  for (const machine of machines) expect(verdict(program(machine), { number: 0, arch: i386 })).toBe(KILL);
  expect(verdict(program('x86_64'), { number: 0x4000_0065, arch: ARCH.x86_64 })).toBe(KILL);
  expect(verdict(program('aarch64'), { number: 101, arch: ARCH.x86_64 })).toBe(KILL);
});

test('law: a call is refused exactly when a rule of its number holds, the first that does', () => {
  const word = fc.integer({ min: 0, max: 0xffff_ffff });
  const few = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 4 });
  const arg = fc.integer({ min: 0, max: 2 });
  const when = fc.oneof(
    fc.record({ arg, anyBit: fc.integer({ min: 1, max: 7 }) }),
    fc.record({ arg, equals: few }),
    fc.record({ arg, notIn: few }),
    fc.constant(undefined),
  );
  const answer = fc.constantFrom('EPERM', 'ENOSYS', 'EAFNOSUPPORT', 'DONE') as fc.Arbitrary<Rule['answer']>;
  const rule = fc.record({ number: fc.integer({ min: 0, max: 4 }), answer, when });
  const small = fc.oneof(fc.integer({ min: 0, max: 7 }), word);
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 8 }),
      fc.integer({ min: 0, max: 5 }),
      fc.array(small, { minLength: 3, maxLength: 3 }),
      (made, number, args) => {
        const rules = made.map(
          (one): Rule => ({
            name: 'call',
            call: { x86_64: one.number, aarch64: null },
            answer: one.answer,
            ...(one.when && { when: one.when }),
          }),
        );
        const holds = (one: Rule['when']): boolean => {
          if (!one) return true;
          const value = args[one.arg]!;
          if ('anyBit' in one) return (value & one.anyBit) !== 0;
          return 'equals' in one ? one.equals.includes(value) : !one.notIn.includes(value);
        };
        const first = rules.find((one) => one.call.x86_64 === number && holds(one.when));
        const got = verdict(assemble('x86_64', rules), { number, arch: ARCH.x86_64, args });
        expect(got).toBe(first ? refused(first.answer) : ALLOW);
        // A machine that lacks the calls lets all through.
        expect(verdict(assemble('aarch64', rules), { number, arch: ARCH.aarch64, args })).toBe(ALLOW);
      },
    ),
  );
});

test('the filter is as short as the kernel takes, and none is made for a machine whose numbers are not known', () => {
  for (const arch of ['x64', 'arm64'] as const) {
    const bytes = stageFilter(plain, arch)!;
    expect(bytes.length % 8).toBe(0);
    expect(bytes.length / 8).toBeLessThan(4096);
  }
  expect(stageFilter(plain, 'riscv64')).toBeNull();
});

/** The numbers of the kernel's own headers, where they are installed (linux-libc-dev). */
const HEADERS: Record<CallsMachine, string> = {
  x86_64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
  aarch64: '/usr/include/asm-generic/unistd.h',
};
test.each(machines)('the numbers are those of the kernel’s headers: %s', (machine) => {
  if (!existsSync(HEADERS[machine])) return;
  const text = readFileSync(HEADERS[machine], 'latin1');
  const known = new Map(
    [...text.matchAll(/#define __NR3?_?(\w+) (\d+)/g)].map(([, name, number]) => [name, Number(number)]),
  );
  const wrong = stageRules({ ownSandbox: false, asRoot: true }).flatMap(({ name, call }) => {
    const number = call[machine];
    const its = known.get(name) ?? null;
    // Newer than the headers, or of the other machine alone.
    return its === null || its === number ? [] : [`${name}: ${number}, not ${its}`];
  });
  expect(wrong).toEqual([]);
  expect(known.size).toBeGreaterThan(250);
});
