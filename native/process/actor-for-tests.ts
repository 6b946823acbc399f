import { spawn } from 'node:child_process';
import { parentPort, workerData } from 'node:worker_threads';
import { StudioError } from '../../schemas/errors.ts';
import { log } from '../log/log.ts';
import type { CallContext } from './call-protocol.ts';
import { serveCalls, tellParent } from './serve.ts';

/** A process or thread that does what it is asked to, good or bad. */

const how: unknown = parentPort ? workerData : process.argv[2];
if (how === 'exits') process.exit(7);
if (how === 'throws') throw new Error('thrown at its start');

const calls = {
  echo: (input: unknown): unknown => input,
  bytes: (size: number): Uint8Array => new Uint8Array(size).fill(7),
  refuse(_: null): never {
    throw new StudioError('DISK_FULL', 'The disk is full.', { free: 0 });
  },
  fail(_: null): never {
    throw new TypeError('hunter2 is not a function');
  },
  async die(status: number): Promise<void> {
    await new Promise(() => process.stderr.write('last words\n', () => process.exit(status)));
  },
  async throwLater(_: null): Promise<void> {
    setTimeout(() => {
      throw new Error('nobody caught it');
    });
    await new Promise(() => undefined);
  },
  block(_: null): never {
    for (;;);
  },
  async wait(_: null, { signal }: CallContext): Promise<void> {
    await new Promise((_done, failed) => signal.addEventListener('abort', () => failed(signal.reason)));
  },
  async count(upTo: number, { report }: CallContext): Promise<number> {
    for (let n = 0; n < upTo; n++) {
      report(n / upTo, `at ${n}`);
      await new Promise((done) => setTimeout(done, 5));
    }
    return upTo;
  },
  async senseless(_: null): Promise<void> {
    await tellParent({ type: 'something else' });
  },
  async flood(messages: number): Promise<number> {
    for (let n = 0; n < messages; n++)
      await tellParent({ type: 'progress', n: 1, share: 0, message: 'x'.repeat(1000) });
    return messages;
  },
  async print(lines: number): Promise<void> {
    for (let n = 0; n < lines; n++) {
      const isTaken = process.stderr.write(`${'y'.repeat(999)}\n`);
      if (!isTaken) await new Promise((done) => process.stderr.once('drain', done));
    }
    await new Promise((done) => process.stderr.write('the end of it\n', done));
  },
  /** A program of its own, which would go on for an hour. */
  begin: (_: null): number => spawn('sleep', ['3600'], { stdio: 'ignore' }).pid ?? 0,
  self: (_: null): number => process.pid,
  say(what: string): void {
    log.warn(what, { recording: 'rec-1', name: 'two words' });
  },
};
export type ActorCalls = typeof calls;
serveCalls(calls);
