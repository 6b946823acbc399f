import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openLogFile } from '../log/log.ts';
import type { ActorCalls } from './actor-for-tests.ts';
import type { CallAnswer } from './call-protocol.ts';
import { type Caller, openCaller } from './calls.ts';
import { endingInWords, type RunEnding } from './ending.ts';
import { startProcess } from './start-process.ts';
import { startThread } from './start-thread.ts';
import type { Wishes } from './supervise.ts';

/** What whoever starts a process or a thread relies on, good ends and bad. */

const ACTOR = new URL('./actor-for-tests.ts', import.meta.url);
type Extra = Partial<Pick<Wishes<CallAnswer>, 'signal' | 'silentMs'>>;
const WAYS = {
  process: (how: string, extra: Extra) => (wishes: Pick<Wishes<CallAnswer>, 'accepts' | 'onMessage'>) =>
    startProcess(ACTOR, { ...wishes, ...extra, args: [how] }),
  thread: (how: string, extra: Extra) => (wishes: Pick<Wishes<CallAnswer>, 'accepts' | 'onMessage'>) =>
    startThread(ACTOR, { ...wishes, ...extra, data: how, isQuiet: true }),
};

const folder = mkdtempSync(join(tmpdir(), 'trajectory-studio-process-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The error of a call that was lost keeps how it ended. */
class Lost extends Error {
  readonly ending: RunEnding;
  constructor(ending: RunEnding) {
    super(endingInWords(ending));
    this.ending = ending;
  }
}
const lost = (why: RunEnding['why'], more: Partial<RunEnding> = {}) =>
  expect.objectContaining({ ending: expect.objectContaining({ why, ...more }) });

describe.each(['process', 'thread'] as const)('a %s', (kind) => {
  function open(extra: Extra = {}, how = 'well'): Caller<ActorCalls> {
    const caller = openCaller<ActorCalls>(WAYS[kind](how, extra), (ending) => new Lost(ending));
    onTestFinished(async () => void (await caller.kill()));
    return caller;
  }

  test('answers calls that run side by side, with bytes, errors and progress', async () => {
    const actor = open();
    const [echo, bytes] = await Promise.all([
      actor.call('echo', { a: [1, 'ü'] }),
      kind === 'thread' && actor.call('bytes', 3),
    ]);
    expect(echo).toEqual({ a: [1, 'ü'] });
    if (kind === 'thread') expect(bytes).toEqual(new Uint8Array([7, 7, 7]));
    await expect(actor.call('refuse', null)).rejects.toMatchObject({ code: 'DISK_FULL', details: { free: 0 } });
    await expect(actor.call('fail', null)).rejects.toMatchObject({ code: 'INTERNAL' });
    const told: string[] = [];
    expect(await actor.call('count', 100, { report: (_share, message) => told.push(message) })).toBe(100);
    expect(told.length).toBeGreaterThan(1);
    expect(told.length, 'now and then').toBeLessThan(50);
    expect(actor.isBusy()).toBe(false);
  });

  test('that dies at its start loses the calls that wait, and every later one', async () => {
    for (const how of ['exits', 'throws']) {
      const actor = open({}, how);
      const status = how === 'exits' ? 7 : 1;
      await expect(actor.call('echo', 1)).rejects.toEqual(
        lost(how === 'throws' && kind === 'thread' ? 'threw' : 'ended', { status }),
      );
      await expect(actor.call('echo', 2)).rejects.toBeInstanceOf(Lost);
      if (how === 'throws') expect(endingInWords(await actor.ended)).toContain('thrown at its start');
    }
  });

  test('that is not there says that it cannot be started', async () => {
    const none = new URL('./none-for-tests.ts', import.meta.url);
    const wishes = { accepts: (_message: unknown): _message is never => false, onMessage: () => undefined };
    const ending = await (kind === 'process'
      ? startProcess(none, wishes)
      : startThread(none, { ...wishes, isQuiet: true })
    ).ended;
    expect(ending.why).not.toBe('killed');
    expect(endingInWords(ending)).toContain('none-for-tests.ts');
  });

  test('that dies mid-way gives its last words with its end', async () => {
    const actor = open();
    expect(await actor.call('echo', 1)).toBe(1);
    await expect(actor.call('die', 3)).rejects.toEqual(lost('ended', { status: 3, last: 'last words' }));
    expect(endingInWords(await actor.ended)).toBe('it ended with status 3. last words');
  });

  test('that throws where nobody catches it ends with what was thrown', async () => {
    const actor = open();
    await expect(actor.call('throwLater', null)).rejects.toThrow('nobody caught it');
  });

  test('that says nothing is ended after its limit, by the call or as a whole; one that may be silent is not', async () => {
    await expect(open().call('block', null, { limitMs: 400 })).rejects.toEqual(lost('silent', { silentMs: 400 }));
    const whole = open({ silentMs: () => 400 });
    await expect(whole.call('block', null)).rejects.toEqual(lost('silent', { silentMs: 400 }));
    let limit: number | null = null;
    const patient = open({ silentMs: () => limit });
    expect(await patient.call('echo', 1)).toBe(1);
    const blocked = patient.call('block', null);
    limit = 200;
    await expect(blocked).rejects.toEqual(lost('silent'));
  });

  test('that floods with messages is ended at once, and nothing comes after its end', async () => {
    const actor = open();
    let came = 0;
    let isGone = false;
    const report = (): void => {
      expect(isGone).toBe(false);
      came++;
    };
    const flood = actor.call('flood', 1e9, { report });
    flood.catch(() => undefined);
    // The call's own number is 1: its progress is heard.
    await vi.waitFor(() => expect(came).toBeGreaterThan(100), 60_000);
    const ended = actor.kill();
    isGone = true;
    expect((await ended).why).toBe('killed');
    await expect(flood).rejects.toEqual(lost('killed'));
  });

  test('that prints without end leaves the end of it, and no more', async () => {
    const actor = open();
    await actor.call('print', 20_000);
    const { last } = await actor.kill();
    expect(last.length).toBeLessThanOrEqual(2000);
    expect(last).toMatch(/^y+\n(y+\n)*the end of it$/);
  });

  test('that sends what is no message is ended', async () => {
    await expect(open().call('senseless', null)).rejects.toEqual(lost('senseless'));
  });

  test('is ended by its signal, also by one that was given before', async () => {
    const control = new AbortController();
    const actor = open({ signal: control.signal });
    const blocked = actor.call('block', null);
    control.abort(new Error('a person stopped it'));
    await expect(blocked).rejects.toEqual(lost('aborted', { error: control.signal.reason }));
    const late = open({ signal: control.signal });
    await expect(late.call('echo', 1)).rejects.toEqual(lost('aborted'));
  });

  test('a call is asked to stop by its own signal, and others go on', async () => {
    const actor = open();
    const control = new AbortController();
    const waiting = actor.call('wait', null, { signal: control.signal });
    control.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    const second = actor.call('wait', null);
    actor.stopAll();
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await actor.call('echo', 1)).toBe(1);
  });

  test('that is let go ends once its work is done', async () => {
    const actor = open();
    const counted = actor.call('count', 3);
    actor.leave();
    expect(await counted).toBe(3);
    expect(await actor.ended).toMatchObject({ why: 'ended', status: 0 });
  });

  test('whoever waits for its end sees it, though nothing else keeps them', async () => {
    const waiting = spawn(process.execPath, [new URL('./waiting-for-tests.ts', import.meta.url).pathname, kind], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said: Buffer[] = [];
    waiting.stdout.on('data', (piece: Buffer) => said.push(piece));
    const [status] = await once(waiting, 'close');
    expect([status, Buffer.concat(said).toString()]).toEqual([0, 'killed']);
  });

  test('what it logs is in the log of whoever started it, cleaned', async () => {
    openLogFile(folder, kind);
    const actor = open();
    await actor.call('say', 'something happened');
    await expect(actor.call('fail', null)).rejects.toThrow();
    const file = join(folder, `${kind}.log`);
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({ what: 'something happened', recording: 'rec-1', name: '(left out)', level: 'warn' }),
    );
    const failed = lines.find(({ what }) => what === 'call failed');
    expect(failed).toMatchObject({ name: 'fail', error: 'TypeError', level: 'warn' });
    expect(failed.at[0]).toMatch(/^native\/process\/actor-for-tests\.ts:\d+$/);
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe.skipIf(process.platform === 'win32')('a group', () => {
  const isRunning = (pid: number): boolean => {
    try {
      // A zombie has no command line.
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
    } catch {
      return false;
    }
  };
  const gone = (pids: readonly number[]): Promise<void> =>
    vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), 60_000);

  test.runIf(process.platform === 'linux')('what a process has started ends with it, however it ends', async () => {
    for (const end of ['kill', 'die'] as const) {
      const actor = openCaller<ActorCalls>((wishes) => startProcess(ACTOR, wishes));
      const pid = await actor.call('begin', null);
      expect(isRunning(pid)).toBe(true);
      if (end === 'kill') await actor.kill();
      else await actor.call('die', 0).catch(() => undefined);
      await gone([pid]);
    }
  });

  test.runIf(process.platform === 'linux')(
    'a process, and what it has started, ends when the one that started it is killed',
    async () => {
      const parent = spawn(process.execPath, [new URL('./parent-for-tests.ts', import.meta.url).pathname], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pids: number[] = JSON.parse(line.toString());
      expect(pids.filter(isRunning)).toEqual(pids);
      parent.kill('SIGKILL');
      await gone(pids);
    },
  );
});
