import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { sessionClock } from '../clock/session-clock.ts';
import { memory } from '../memory/memory.ts';
import { createFeedQueue, dequeue } from './feed-queue.ts';
import { createFilm } from './film.ts';
import { OWN_PICTURES } from './own-picture.ts';

const [WIDTH, HEIGHT] = [32, 8];
const SECOND = 1_000_000;
const ports: MessageChannel[] = [];
afterEach(() => {
  for (const { port1, port2 } of ports.splice(0)) {
    port1.close();
    port2.close();
  }
});

/** A film of a small screen; `show` takes a picture in which all bytes are `colour`. */
function filming() {
  const channel = new MessageChannel();
  ports.push(channel);
  const queue = createFeedQueue();
  const film = createFilm({
    queue,
    clock: sessionClock(process.hrtime.bigint(), Date.now()),
    memory: OWN_PICTURES,
    stills: '/nowhere',
    stillPort: channel.port2,
    held: false,
    report: () => undefined,
  });
  film.newSegment({ segment: 0, fd: -1, rect: { x: 0, y: 0, width: WIDTH, height: HEIGHT } });
  dequeue(queue, () => undefined);
  const show = (t: number, colour: number) => {
    const slot = film.slot();
    if (!slot) throw new Error('no slot');
    memory().memcpyIn(slot.image.pointer, new Uint8Array(slot.image.bytes).fill(colour), slot.image.bytes);
    expect(film.add(slot, { t, seen: t - 1, rows: null, same: film.isSame(slot) })).toBe(true);
    dequeue(queue, () => undefined);
  };
  return { film, show };
}

it('does not count the black that a window shows while it opens or clears itself (V6)', () => {
  const { film, show } = filming();
  for (let i = 0; i < 60; i++) {
    show(i * 100_000, i % 2 === 0 ? 0 : 200);
    film.settle(i * 100_000 + 33_000);
  }
  expect(film.counts.black).toBe(0);
});

it('counts a screen that stays black once, however long', () => {
  const { film, show } = filming();
  show(0, 200);
  show(SECOND, 0);
  film.settle(SECOND + 900_000);
  expect(film.counts.black).toBe(0);
  for (let t = 2 * SECOND; t < 60 * SECOND; t += SECOND) film.settle(t);
  expect(film.counts.black).toBe(1);
});

it('counts it once over a change of the segment, and again when it comes again', () => {
  const { film, show } = filming();
  show(0, 0);
  film.settle(SECOND);
  show(2 * SECOND, 0);
  film.settle(5 * SECOND);
  expect(film.counts.black).toBe(1);
  show(6 * SECOND, 200);
  show(7 * SECOND, 0);
  film.settle(8 * SECOND);
  expect(film.counts.black).toBe(2);
});
