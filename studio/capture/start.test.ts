import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { writeKilled } from './killed-for-tests.ts';
import type { CaptureOrder } from './protocol.ts';
import { newRecordingId, startRecording } from './start.ts';

/** The capture processes that were begun: in their place, one that waits for ever. */
const begun = vi.hoisted((): number[] => []);
vi.mock('node:child_process', async (original) => {
  const real = await original<typeof import('node:child_process')>();
  return {
    ...real,
    fork: (_module: URL, _args: readonly string[], options: import('node:child_process').ForkOptions) => {
      const child = real.fork('-e', ['process.on("message", () => undefined)'], options);
      begun.push(child.pid ?? 0);
      return child;
    },
  };
});

const folders = temporaryFolders();
afterAll(folders.clean);

test('a folder that is there already is refused, and nothing of it is touched', () => {
  const folder = join(folders.make(), 'taken');
  mkdirSync(folder);
  writeFileSync(join(folder, 'events.jsonl'), "somebody else's");
  const order = { id: 'taken', folder } as CaptureOrder; // Refused before anything else of it is read.
  expect(() => startRecording(order, () => undefined)).toThrow(
    expect.objectContaining({ code: 'TARGET_EXISTS', message: expect.stringContaining('stays as it is') }),
  );
  expect(readdirSync(folder)).toEqual(['events.jsonl']);
});

test('ids sort by time and do not meet, however many are made in one second', () => {
  const now = new Date('2026-05-04T10:20:30.456Z');
  expect(newRecordingId(now, () => 0)).toBe('20260504-102030-00000000');
  expect(newRecordingId(now, () => 1 - 2 ** -53)).toMatch(/^20260504-102030-[a-z0-9]{8}$/);
  expect(new Set(Array.from({ length: 20_000 }, () => newRecordingId(now))).size).toBe(20_000);
  expect(newRecordingId(now) < newRecordingId(new Date(now.getTime() + 1000))).toBe(true);
});

test('a command to a capture process that was killed just before takes nothing of what it recorded', async () => {
  const { folder: killed, frames } = await writeKilled(join(folders.make(), 'killed'));
  const folder = join(folders.make(), 'rec');
  const order = { id: 'rec', folder } as CaptureOrder; // The process that reads the rest is another one here.
  const running = startRecording(order, () => undefined);
  cpSync(killed, folder, { recursive: true });
  const pid = begun.at(-1)!;
  process.kill(pid, 'SIGKILL');
  // Its end is not heard of before this turn is over.
  while (/\) [^ZX] /.test(stateOf(pid)));
  for (let n = 0; n < 3; n++) running.send({ type: 'pause', reason: 'user' });
  const recording = await running.result;
  expect(recording).toMatchObject({ state: 'closed', counts: { frames: frames.length } });
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['events.jsonl', 'frames.jsonl', 'screen.mkv']));
});

function stateOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return '';
  }
}
