import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listenForSilence, SILENT_MS, stopScreen } from './silence.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clock = { now: () => Date.now() * 1000 };

/** A grabber, its encoder and the watch over the desktop, each of which lives or does not. */
function machine() {
  const lives = { screen: true, desktop: true };
  const stopped = Promise.withResolvers<void>();
  let [screen, desktop] = [0, 0];
  const kill = vi.fn();
  const parts = {
    clock,
    screen: { alive: () => (lives.screen ? ++screen : screen), stop: () => stopped.promise, kill },
    desktop: { alive: () => (lives.desktop ? ++desktop : desktop) },
  };
  return { lives, parts, kill, stopped };
}

it('nothing is silent as long as one of both lives', () => {
  const { lives, parts } = machine();
  const isSilent = listenForSilence(parts);
  lives.screen = false;
  for (let n = 0; n < 20; n++) {
    vi.advanceTimersByTime(1000);
    expect(isSilent()).toBe(false);
  }
  lives.desktop = false;
  const said = Array.from({ length: 6 }, () => {
    vi.advanceTimersByTime(1000);
    return isSilent();
  });
  expect(said).toEqual([false, false, false, true, true, true]);
});

it('an encoder that is slow is waited for while the display answers', async () => {
  const { lives, parts, kill, stopped } = machine();
  lives.screen = false;
  const ended = stopScreen(parts, false);
  await vi.advanceTimersByTimeAsync(20_000);
  stopped.resolve();
  expect(await ended).toBe(true);
  expect(kill).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

it('one that never ends is given up at last', async () => {
  const { parts, kill } = machine();
  const ended = stopScreen(parts, false);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await ended).toBe(false);
  expect(kill).not.toHaveBeenCalled();
});

it('a display that goes in the moment of the stop is not waited for', async () => {
  const { lives, parts, kill, stopped } = machine();
  const ended = stopScreen(parts, false);
  Object.assign(lives, { screen: false, desktop: false });
  kill.mockImplementation(() => stopped.resolve());
  await vi.advanceTimersByTimeAsync(2 * SILENT_MS);
  expect(kill).toHaveBeenCalledTimes(1);
  expect(await ended).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it('nor is its encoder, where that does not end even then', async () => {
  const { lives, parts, kill } = machine();
  const ended = stopScreen(parts, false);
  Object.assign(lives, { screen: false, desktop: false });
  await vi.advanceTimersByTimeAsync(3 * SILENT_MS);
  expect(kill).toHaveBeenCalledTimes(1);
  expect(await ended).toBe(false);
});

it('what is known to be lost has the time of one silence to end', async () => {
  const { parts } = machine();
  const ended = stopScreen(parts, true);
  await vi.advanceTimersByTimeAsync(SILENT_MS);
  expect(await ended).toBe(false);
});
