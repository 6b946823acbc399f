import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import koffi from 'koffi';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openX } from '../../../native/linux/x11.ts';
import { startXvfb } from '../../../native/linux/xvfb-for-tests.ts';
import { openStageDisplay, type StageDisplay } from './display.ts';
import { processesOf, STAGE_MARK } from './processes.ts';

/** Pictures, acts and what becomes of a display that goes away, on a real X server. */

const SCREEN = { x: 0, y: 0, width: 320, height: 240 };
const [LEFT_SHIFT, A] = [50, 38];
const ID = '0d15b1a7f0e5';

async function opened(options: { silentMs?: number } = {}) {
  const server = await startXvfb('320x240x24');
  onTestFinished(server.close);
  const display = openStageDisplay({ ...process.env, ...server.env }, options);
  onTestFinished(() => display.close());
  const watched = openX(server.name);
  const queryKeymap = koffi.load('libX11.so.6').func('int XQueryKeymap(void *d, _Out_ uint8_t *keys)');
  const isDown = (keycode: number): boolean => {
    const keys = new Uint8Array(32);
    queryKeymap(watched, keys);
    return ((keys[keycode >> 3] ?? 0) & (1 << (keycode & 7))) !== 0;
  };
  return { server, display, isDown };
}

const down = (key: string) => ({ do: 'key' as const, key, down: true });

describe.runIf(process.platform === 'linux')("a stage's display", () => {
  test('is looked at, acted on and asked, call by call', async () => {
    const { display, isDown } = await opened();
    expect((await display.layout()).keys.KeyA?.chars[0]).toBe('a');
    expect(await display.screen()).toEqual(SCREEN);
    expect(await display.titles()).toEqual([]);
    expect((await display.look(SCREEN))?.rgb.length).toBe(320 * 240 * 3);
    expect(await display.look({ ...SCREEN, width: 400 })).toBeNull();
    expect(await display.do(down('a'))).toBeNull();
    expect(isDown(A)).toBe(true);
    await display.release();
    expect(isDown(A)).toBe(false);
    expect(await display.rest(SCREEN, { stillMs: 20, lookMs: 10, atMostMs: 2000 })).toBeGreaterThanOrEqual(20);
  });

  test('calls are done in their order, also such that nobody waits for', async () => {
    const { display, isDown } = await opened();
    const all = [display.do(down('shift')), display.do(down('a')), display.release(), display.do(down('a'))];
    await Promise.all(all);
    expect([isDown(LEFT_SHIFT), isDown(A)]).toEqual([false, true]);
  });

  test('a key that no keyboard has is an error and presses nothing; a character is typed by a changed key', async () => {
    const { display } = await opened();
    await expect(display.do(down('nosuchkey'))).rejects.toMatchObject({
      code: 'CAPTURE_FAILED',
      message: expect.stringContaining('has no key for “nosuchkey”'),
    });
    expect(await display.do(down('☂'))).toBe('☂');
  });

  test('closed in the middle of a press: the key is up, and later calls say so', async () => {
    const { display, isDown } = await opened();
    await display.do(down('shift'));
    await display.close();
    await display.close();
    expect(isDown(LEFT_SHIFT)).toBe(false);
    await expect(display.layout()).rejects.toMatchObject({ code: 'CAPTURE_FAILED' });
  });

  test('a display that is gone is an error at every call that waits, and at later ones', async () => {
    const { server, display } = await opened();
    await expect.poll(() => display.layout().catch(() => null)).not.toBeNull();
    const waits = display.rest(SCREEN, { stillMs: 1000, lookMs: 50, atMostMs: 1000 });
    server.close();
    await expect(waits).rejects.toThrow(/its display is gone/);
    await expect(display.look(SCREEN)).rejects.toMatchObject({ code: 'CAPTURE_FAILED' });
  });

  test('one that is not there is an error at the first call', async () => {
    const display: StageDisplay = openStageDisplay({ ...process.env, DISPLAY: ':6399' });
    await expect(display.look(SCREEN)).rejects.toMatchObject({ code: 'CAPTURE_FAILED' });
    await display.close();
  });

  test('whoever opened it is killed: the process ends and lets go', async () => {
    const { server, isDown } = await opened();
    const module = new URL('./display.ts', import.meta.url).href;
    const code = `const { openStageDisplay } = await import('${module}');
      const display = openStageDisplay(process.env);
      await display.do({ do: 'key', key: 'shift', down: true });
      setInterval(() => undefined, 1000);`;
    const env = { ...process.env, ...server.env };
    const parent = spawn(process.execPath, ['--input-type=module', '-e', code], { env, stdio: 'ignore' });
    onTestFinished(() => void parent.kill('SIGKILL'));
    await expect.poll(() => isDown(LEFT_SHIFT), { timeout: 60_000 }).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isDown(LEFT_SHIFT), { timeout: 60_000 }).toBe(false);
  });

  test('first the display goes, then whoever opened it is killed: no process is left', async () => {
    const { server, isDown } = await opened();
    const module = new URL('./display.ts', import.meta.url).href;
    const code = `const { openStageDisplay } = await import('${module}');
      const display = openStageDisplay({ ...process.env, ${STAGE_MARK}: '${ID}' });
      await display.do({ do: 'key', key: 'shift', down: true });
      const times = { stillMs: 1e6, lookMs: 50, atMostMs: 1e6 };
      display.rest({ x: 0, y: 0, width: 10, height: 10 }, times).catch(() => undefined);
      setInterval(() => undefined, 1000);`;
    const env = { ...process.env, ...server.env };
    const parent = spawn(process.execPath, ['--input-type=module', '-e', code], { env, stdio: 'ignore' });
    onTestFinished(() => void parent.kill('SIGKILL'));
    await expect.poll(() => isDown(LEFT_SHIFT), { timeout: 60_000 }).toBe(true);
    // The one that waits would end it when it hears that the display is gone.
    parent.kill('SIGSTOP');
    server.close();
    await sleep(500);
    parent.kill('SIGKILL');
    await expect.poll(() => processesOf(ID), { timeout: 60_000 }).toEqual([]);
  });
});
