import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { followTerminals, type TerminalEcho } from './terminals.ts';

/** `script` is a terminal without a window: its child has a tty of its own. It starts $SHELL, which not every machine says. */
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
function terminal(command: string): ChildProcess {
  const child = spawn('script', ['-qfc', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, SHELL: '/bin/sh' },
  });
  started.push(child);
  return child;
}
async function echoIn(child: ChildProcess, wanted: TerminalEcho | null): Promise<TerminalEcho | null> {
  const terminals = followTerminals();
  let echo: TerminalEcho | null = null;
  for (let i = 0; i < 100; i++) {
    echo = terminals.of(child.pid ?? 0);
    if (echo === wanted) return echo;
    await new Promise((done) => setTimeout(done, 50));
  }
  return echo;
}

describe.runIf(process.platform === 'linux')('whether a program in a terminal hides what is typed', () => {
  test.each<[string, string, TerminalEcho]>([
    ['a shell that reads a secret', "bash -c 'read -s x; sleep 20'", 'hidden'],
    ['a program that reads a line', "bash -c 'read x; sleep 20'", 'shown'],
    ['a program that reads key by key', "sh -c 'stty raw -echo; sleep 20'", 'shown'],
    ['a dialog in another shell', 'sh -c "bash -c \'read -s x; sleep 20\'"', 'hidden'],
    ['a terminal in the terminal', `exec script -qfc "bash -c 'read -s x; sleep 20'" /dev/null`, 'hidden'],
    ['one that a shell waits for', `script -qfc "bash -c 'read -s x; sleep 20'" /dev/null; true`, 'hidden'],
  ])('%s', async (_, command, wanted) => {
    expect(await echoIn(terminal(command), wanted)).toBe(wanted);
  });

  test('a program that asks key by key is known also in a script and in a pipeline', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terminals-'));
    try {
      const asker = join(folder, 'pinentry-curses');
      symlinkSync(realpathSync('/bin/sleep'), asker);
      const raw = 'stty -icanon -echo';
      expect(await echoIn(terminal(`bash -c '${raw}; ${asker} 20; true'`), 'hidden')).toBe('hidden');
      // The program that the group is called by has ended.
      expect(await echoIn(terminal(`bash -c 'set -m; ${raw}; true | ${asker} 20; true'`), 'hidden')).toBe('hidden');
      // One that was left to itself in the background asks nobody.
      expect(await echoIn(terminal(`bash -c 'set -m; ${asker} 20 & ${raw}; sleep 20'`), 'shown')).toBe('shown');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('is followed as it changes', async () => {
    const child = terminal("bash -c 'read a; read -s b; read c'");
    expect(await echoIn(child, 'shown')).toBe('shown');
    child.stdin?.write('a\r');
    expect(await echoIn(child, 'hidden')).toBe('hidden');
    child.stdin?.write('b\r');
    expect(await echoIn(child, 'shown')).toBe('shown');
  });

  test('a process without a terminal in it has none', () => {
    expect(followTerminals().of(process.pid)).toBeNull();
    expect(followTerminals().of(0)).toBeNull();
  });
});
