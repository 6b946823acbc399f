import { fork } from 'node:child_process';
import { join } from 'node:path';
import koffi from 'koffi';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { plainPart } from '../../core/play/eyes-for-tests.ts';
import { openX } from '../../native/linux/x11.ts';
import { startXvfb } from '../../native/linux/xvfb-for-tests.ts';
import type { PerformedStep } from '../../schemas/perform.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import type { FromPlayer, PlayOrder } from './protocol.ts';
import { runScript } from './run-script.ts';
import { openStageDisplay } from './stage/display.ts';

/** A play that ends in the middle of a step lets go of its keys: on the present display they are the person's own. */

const [LEFT_SHIFT, HELD_US] = [50, 60_000_000];

test('whoever started it is killed: the key is up', async () => {
  const { child, isDown } = await playing();
  child.disconnect();
  await expect.poll(isDown).toBe(false);
  await expect.poll(() => child.exitCode).toBe(1);
});

test('Ctrl+C in the terminal of both: it goes on until it is told to stop, then lets go at once and says where it was', async () => {
  const { child, isDown, said } = await playing();
  child.kill('SIGINT');
  await new Promise((done) => setTimeout(done, 300));
  expect([isDown(), child.exitCode]).toEqual([true, null]);
  child.send({ type: 'stop' });
  await expect.poll(isDown).toBe(false);
  await expect
    .poll(() => said.at(-1))
    .toMatchObject({ type: 'ended', stopped: { step: 'held', why: 'it was stopped' } });
});

test('a script that waits for a minute stops when it is told to', async () => {
  const server = await startXvfb('320x240x24');
  onTestFinished(server.close);
  const move = { what: 'move', acts: [{ do: 'move' as const, at: [9, 9] as const }] };
  const wait = { what: 'wait', acts: [{ do: 'wait' as const, ms: 60_000 }, ...move.acts] };
  const order = { steps: [move, wait], screen: { width: 320, height: 240 }, patienceMs: 1000 };
  const stop = new AbortController();
  const said: PerformedStep[] = [];
  const began = performance.now();
  const stopAtWait = (step: PerformedStep): void => {
    said.push(step);
    setTimeout(() => stop.abort(), 300);
  };
  const ended = await runScript(
    order,
    { openDisplay: () => openStageDisplay({ ...process.env, ...server.env }) },
    stopAtWait,
    stop.signal,
  );
  expect([ended.stopped, said.length]).toEqual([2, 1]);
  expect(performance.now() - began).toBeLessThan(50_000);
});

/** The process that plays, in the middle of a step that holds Shift for a minute. */
async function playing() {
  const server = await startXvfb('320x240x24');
  onTestFinished(server.close);
  const folders = temporaryFolders();
  onTestFinished(folders.clean);
  const file = join(folders.make(), 'black.png');
  await sharp({ create: { width: 320, height: 240, channels: 3, background: '#000' } })
    .png()
    .toFile(file);
  const picture = { file, x: 0, y: 0, width: 320, height: 240 };
  const order: PlayOrder = {
    parts: [
      {
        ...plainPart({ x: 0, y: 0, width: 320, height: 240 }),
        step: 'held',
        before: picture,
        after: picture,
        events: [
          { type: 'keydown', t: 0, code: 'ShiftLeft' },
          { type: 'keyup', t: HELD_US, code: 'ShiftLeft' },
        ],
      },
    ],
    restless: null,
    pace: 'recorded',
    patienceMs: 5000,
    startNs: String(process.hrtime.bigint()),
    clock: [],
  };
  const child = fork(new URL('./play-main.ts', import.meta.url), [], { env: server.env, execArgv: [] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: FromPlayer[] = [];
  child.on('message', (message: FromPlayer) => void said.push(message));
  child.send({ type: 'order', order });
  const display = openX(server.name);
  const queryKeymap = koffi.load('libX11.so.6').func('int XQueryKeymap(void *d, _Out_ uint8_t *keys)');
  const isDown = (): boolean => {
    const keys = new Uint8Array(32);
    queryKeymap(display, keys);
    return ((keys[LEFT_SHIFT >> 3] ?? 0) & (1 << (LEFT_SHIFT & 7))) !== 0;
  };
  await expect.poll(isDown).toBe(true);
  return { child, isDown, said };
}
