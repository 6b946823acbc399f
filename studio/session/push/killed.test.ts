import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleRecording, temporaryFolders, writeSample } from '../../store/recording-for-tests.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { freePort, recorderIn, startPush, startServer } from './processes-for-tests.ts';
import { type CutWire, cutWire } from './proxy-for-tests.ts';

const MB = 1e6;
/** A kill costs at most the piece that was on its way. */
const PIECE = 8.4 * MB;

const folders = temporaryFolders();
const folder = folders.make();
const [team, machine] = [join(folder, 'team'), join(folder, 'machine')];
const id = '20260504-102030-killed01';
const video = randomBytes(30 * MB);
let made: string;
let token: string;
let wire: CutWire;
let port: number;
let origin: string;
let server: ChildProcess | null = null;
beforeAll(async () => {
  const workspace = openWorkspace(machine, { create: true });
  made = writeSample(workspace.recordingsDir, sampleRecording({ id }), []);
  writeFileSync(join(made, 'screen.mkv'), video);
  await workspace.syncIndex();
  await workspace.close();
  token = await recorderIn(team);
  [wire, port] = [await cutWire(), await freePort()];
  wire.to(port);
  origin = `http://127.0.0.1:${wire.port}`;
});
afterAll(async () => {
  // Also where a test has failed.
  server?.kill('SIGKILL');
  await wire?.close();
  folders.clean();
});

const push = () => startPush(folder, { dir: machine, id, origin, token, more: ['--free'] });

test('the sender and the server killed at several moments: each begins where the one before was', async () => {
  server = await startServer(folder, team, origin, port);
  /** Kills the sender, or the server under it, when so many bytes have gone over the wire. */
  for (const [who, at] of [
    ['sender', 1_000],
    ['server', 9 * MB],
    ['sender', 14 * MB],
    ['server', 20 * MB],
    ['sender', 27 * MB],
  ] as const) {
    const { child, over } = push();
    let isOver = false;
    void over.then(() => {
      isOver = true;
    });
    while (wire.bytes() < at && !isOver) await sleep(2);
    if (who === 'server') {
      server.kill('SIGKILL');
      server = await startServer(folder, team, origin, port);
      // The sender goes on by itself, for a while.
      await sleep(300);
    }
    child.kill('SIGKILL');
    await over;
  }
  expect(wire.bytes()).toBeLessThan(31 * MB + 5 * PIECE);
});

test('then the server gone when the sender begins, and again just when everything is there: it arrives once, and whole', async () => {
  server?.kill('SIGKILL');
  const last = push();
  let said = '';
  const waits = new Promise<void>((resolve) =>
    last.child.stderr!.on('data', (data: Buffer) => {
      said += data.toString();
      if (said.includes('Trying again')) resolve();
    }),
  );
  await Promise.race([waits, last.over]);
  server = await startServer(folder, team, origin, port);
  const parts = () => readdirSync(join(team, 'uploads')).filter((name) => name.endsWith('.part'));
  while (parts().some((name) => !isWhole(team, name)) && last.child.exitCode === null) await sleep(2);
  server.kill('SIGKILL');
  server = await startServer(folder, team, origin, port);
  const { status, out, err } = await last.over;
  expect([status, err.includes(token), out.includes(token)], err).toEqual([0, false, false]);
  expect(JSON.parse(out).pushed[0]).toMatchObject({ recording: id, freed: true });
  expect(readFileSync(join(team, 'recordings', id, 'screen.mkv')).equals(video)).toBe(true);
  expect(readdirSync(join(team, 'recordings')).filter((name) => name.startsWith('2'))).toEqual([id]);
  expect(parts()).toEqual([]);
  expect(existsSync(made)).toBe(false);
  expect(wire.bytes()).toBeLessThan(31 * MB + 7 * PIECE);
});

function isWhole(team: string, name: string): boolean {
  try {
    const note = JSON.parse(readFileSync(join(team, 'uploads', name.replace('.part', '.json')), 'utf8'));
    return readFileSync(join(team, 'uploads', name)).length === note.bytes;
  } catch {
    return true;
  }
}
