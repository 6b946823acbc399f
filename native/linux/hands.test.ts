import { expect, onTestFinished, test } from 'vitest';
import { openX11Hands } from './hands.ts';
import { EVENT_BYTES, openX, x11 } from './x11.ts';
import { startXvfb } from './xvfb-for-tests.ts';

const POINTER_MOTION = 1 << 6;
const MOTION_NOTIFY = 6;

test('a move to where the pointer is already tells nobody of a move', async () => {
  const server = await startXvfb();
  onTestFinished(server.close);
  const watcher = openX(server.name);
  const hands = openX11Hands(server.name);
  const x = x11();
  onTestFinished(() => {
    hands.close();
    x.closeDisplay(watcher);
  });
  x.selectInput(watcher, x.root(watcher), POINTER_MOTION);
  x.sync(watcher, 0);
  const heard = (): number => {
    x.sync(watcher, 0);
    const event = new Uint8Array(EVENT_BYTES);
    let moves = 0;
    while (x.pending(watcher) > 0) {
      x.nextEvent(watcher, event);
      if (event[0] === MOTION_NOTIFY) moves++;
    }
    return moves;
  };
  hands.move(100, 120);
  expect(heard()).toBe(1);
  hands.move(100, 120);
  expect(heard()).toBe(0);
  hands.move(101, 120);
  expect(heard()).toBe(1);
  expect(hands.pointer()).toEqual({ x: 101, y: 120 });
});
