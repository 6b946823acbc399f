import { describe, expect, test } from 'vitest';
import { type Holder, type ProcessSystem, parseHolder, processIds } from './process-id.ts';

/** A machine that is played: its processes by pid, with their start. */
type Played = {
  platform?: NodeJS.Platform;
  boot?: string;
  machineId?: string;
  space?: string | null;
  hostname?: string;
  processes?: Record<number, { started: string; state?: string; probe?: string; hidden?: boolean; line?: string }>;
};

function play({ platform = 'linux', processes = {}, ...rest }: Played = {}): ProcessSystem {
  const { boot = 'boot-1', machineId = 'installation', space = 'pid:[1]', hostname = 'ada' } = rest;
  return {
    platform,
    pid: 1,
    hostname: () => hostname,
    readText(file) {
      if (platform !== 'linux') return null;
      if (file === '/proc/sys/kernel/random/boot_id') return `${boot}\n`;
      if (file === '/etc/machine-id') return machineId;
      const [, pid, what] = /^\/proc\/(\d+)\/(stat|cmdline)$/.exec(file) ?? [];
      const found = processes[Number(pid)];
      if (!found || found.hidden) return null;
      if (what === 'cmdline') return found.line ?? '';
      return `${pid} (a) b) ${found.state ?? 'S'} ${'0 '.repeat(18)}${found.started} 0`;
    },
    readLink: () => space,
    run(_program, args) {
      const found = processes[Number(/\d+/.exec(args.at(-1) ?? '')?.[0])];
      return found && !found.hidden ? found.started : null;
    },
    probe: (pid) => (processes[pid] ? (processes[pid].probe ?? null) : 'ESRCH'),
    now: () => Date.parse('2026-05-04T10:00:00Z'),
    startedAt: Date.parse('2026-05-04T09:00:00Z'),
  };
}

const at = (played: Played) => processIds(play(played));
const RUNS: Played = { processes: { 7: { started: '100' } } };
const holder = (): Holder => at(RUNS).describeHolder('t', 7);

describe('whether a process lives', () => {
  test('it does while it runs, also under another user and where /proc hides it', () => {
    expect(at(RUNS).livenessOf(holder())).toBe('alive');
    expect(at({ processes: { 7: { started: '100', probe: 'EPERM' } } }).livenessOf(holder())).toBe('alive');
    expect(at({ processes: { 7: { started: '', probe: 'EPERM', hidden: true } } }).livenessOf(holder())).toBe('alive');
  });

  test('it does not when it is gone, a zombie, or its pid belongs to another program', () => {
    expect(at({}).livenessOf(holder())).toBe('dead');
    expect(at({ processes: { 7: { started: '100', state: 'Z' } } }).livenessOf(holder())).toBe('dead');
    expect(at({ processes: { 7: { started: '555' } } }).livenessOf(holder())).toBe('dead');
  });

  test('a restart ends all; of another container or machine nothing is known', () => {
    expect(at({ ...RUNS, boot: 'boot-2' }).livenessOf(holder())).toBe('dead');
    expect(at({ ...RUNS, space: 'pid:[2]' }).livenessOf(holder())).toBe('unknown');
    expect(at({ space: 'pid:[2]' }).livenessOf(holder())).toBe('unknown');
    expect(at({ ...RUNS, boot: 'boot-2', machineId: 'another' }).livenessOf(holder())).toBe('unknown');
    expect(at({ ...RUNS, boot: 'boot-2', hostname: 'bob' }).livenessOf(holder())).toBe('unknown');
  });

  test('what an older version wrote is judged by pid and start alone', () => {
    const old = parseHolder(JSON.stringify({ token: 't', pid: 7, started: '100', machine: 'boot-1', since: '' }));
    expect(old && at(RUNS).livenessOf(old)).toBe('alive');
    expect(old && at({}).livenessOf(old)).toBe('dead');
    for (const text of [null, '', '{', '[]', '{"pid":0,"machine":"a"}', '{"pid":"1","machine":"a"}']) {
      expect(parseHolder(text)).toBeNull();
    }
  });

  test.each(['darwin', 'win32'] as const)(
    'on %s another program that got the pid later is told by its start',
    (platform) => {
      const same = platform === 'win32' ? '2026-05-04T10:00:00.0000000Z' : 'Mon May  4 10:00:01 2026\n';
      const later = platform === 'win32' ? '2026-05-04T12:00:00.0000000Z\r\n' : 'Mon May  4 12:00:00 2026\n';
      const noted = at({ platform, processes: { 7: { started: same } } }).describeHolder('t', 7);
      const look = (processes: Played['processes']) => at({ platform, processes: processes ?? {} }).livenessOf(noted);
      expect(look({ 7: { started: same } })).toBe('alive');
      expect(look({ 7: { started: later } })).toBe('dead');
      expect(look({ 7: { started: '', hidden: true } })).toBe('alive');
      expect(look({})).toBe('dead');
    },
  );

  test('by its arguments, where an older version left the pid alone', () => {
    const line = 'node\0/x/capture-main.ts\x0020260504-1-a\0';
    const { runsWith } = at({ processes: { 7: { started: '1', line }, 8: { started: '1', line: 'vi' } } });
    expect(runsWith(7, ['capture-main', '20260504-1-a'])).toBe(true);
    expect(runsWith(7, ['capture-main', 'another'])).toBe(false);
    expect(runsWith(8, ['capture-main'])).toBe(false);
    expect(runsWith(9, [])).toBe(false);
  });
});
