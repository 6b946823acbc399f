import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { sessionClock } from '../clock/session-clock.ts';
import { memory } from '../memory/memory.ts';
import { createFeedQueue, dequeue } from './feed-queue.ts';
import { Film } from './film.ts';
import type { GrabReport } from './grab-protocol.ts';
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
function filming({ held = false } = {}) {
  const reports: GrabReport[] = [];
  const channel = new MessageChannel();
  ports.push(channel);
  const queue = createFeedQueue();
  const film = new Film({
    queue,
    clock: sessionClock(process.hrtime.bigint(), Date.now()),
    memory: OWN_PICTURES,
    stills: '/nowhere',
    stillPort: channel.port2,
    held,
    report: (message) => reports.push(message),
  });
  film.newSegment({ segment: 0, fd: -1, rect: { x: 0, y: 0, width: WIDTH, height: HEIGHT } });
  dequeue(queue, () => undefined);
  const show = (t: number, colour: number) => {
    take(t, colour, true);
    dequeue(queue, () => undefined);
  };
  const take = (t: number, colour: number, added: boolean, asked = t) => {
    const slot = film.slot();
    if (!slot) throw new Error('no slot');
    memory().memcpyIn(slot.image.pointer, new Uint8Array(slot.image.bytes).fill(colour), slot.image.bytes);
    expect(film.add(slot, { asked, t, seen: t - 1, rows: null, same: film.isSame(slot) })).toBe(added);
    return slot;
  };
  const handedOn = () => reports.flatMap((report) => (report.type === 'frame' ? [report.frame] : []));
  return { film, show, take, handedOn, stills: channel.port1 };
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

it('hands pictures on when they are judged, those of a cut never, and says nothing of them afterwards (I6)', () => {
  const { film, take, handedOn } = filming({ held: true });
  for (let i = 0; i < 4; i++) take(i * SECOND, 50 * i, true);
  expect(handedOn()).toEqual([]);
  film.obey({ type: 'judge', judgement: { to: 2 * SECOND, cuts: [{ from: SECOND - 5, to: SECOND + 5 }] } });
  // The third was compared with the second, and was not seen in the cut.
  expect(handedOn()).toMatchObject([
    { i: 0, t: 0 },
    { i: 1, t: 2 * SECOND, seen: SECOND - 5 },
  ]);
  expect(handedOn()[1]).not.toHaveProperty('changed');
  film.obey({ type: 'judge', judgement: { to: 9 * SECOND, cuts: [] } });
  expect(handedOn()[2]).toMatchObject({ i: 2, t: 3 * SECOND, seen: 3 * SECOND - 1, changed: WIDTH * HEIGHT });
});

it('forgets a picture that was read while a cut ended: it may show what was there at any time of the reading (I6)', () => {
  const { film, take, handedOn } = filming({ held: true });
  take(SECOND, 50, true, SECOND - 20);
  take(2 * SECOND, 90, true, 2 * SECOND - 20);
  const cuts = [
    { from: SECOND - 500, to: SECOND - 10 },
    { from: 2 * SECOND - 500, to: 2 * SECOND - 20 },
  ];
  film.obey({ type: 'judge', judgement: { to: 9 * SECOND, cuts } });
  expect(handedOn().map(({ t }) => t)).toEqual([2 * SECOND]);
});

it('keeps a still of a picture that waits when it is handed on, none of one in a cut, and none twice', () => {
  const { film, take, stills } = filming({ held: true });
  const times = () => {
    const found: number[] = [];
    for (let m = receiveMessageOnPort(stills); m; m = receiveMessageOnPort(stills)) found.push(m.message.t);
    return found;
  };
  for (let i = 0; i < 3; i++) take(i * SECOND, 50 * i, true);
  for (const t of [0, SECOND, 2 * SECOND]) film.obey({ type: 'still', t });
  expect(times()).toEqual([]);
  film.obey({ type: 'judge', judgement: { to: 9 * SECOND, cuts: [{ from: SECOND, to: SECOND + 5 }] } });
  expect(times()).toEqual([0, 2 * SECOND]);
  film.obey({ type: 'still', t: 2 * SECOND });
  expect(times()).toEqual([]);
});

it('keeps a still of what had taken the place of a picture that stood for a moment only, never of what came later (K1)', () => {
  const { film, show, stills } = filming();
  const kept = (t: number, until?: number) => {
    film.obey({ type: 'still', t, until });
    return receiveMessageOnPort(stills)?.message.t;
  };
  for (const [n, t] of [0, 800_000, 949_000, 1_060_000, 1_500_000, 1_900_000].entries()) show(t, 50 + 20 * n);
  expect(kept(900_000, 948_999)).toBe(800_000);
  expect(kept(900_000, 984_000)).toBe(949_000);
  // It had stood for longer: the person saw it.
  expect(kept(1_450_000, 1_550_000)).toBe(1_060_000);
  expect(kept(1_850_000)).toBe(1_500_000);
});

it('keeps a still of the picture that the screen came to rest with after an act (K2)', () => {
  const { film, take, stills } = filming();
  const next = () => receiveMessageOnPort(stills)?.message.t;
  take(0, 50, true);
  film.obey({ type: 'still-after', t: SECOND });
  take(SECOND + 100_000, 90, true);
  take(SECOND + 200_000, 130, true);
  film.settle(SECOND + 400_000);
  expect(next()).toBeUndefined();
  film.settle(SECOND + 500_000);
  expect(next()).toBe(SECOND + 200_000);
});

it('forgets pictures and stills, compares the next picture with none and wants a new segment (I6)', () => {
  const { film, take, handedOn, stills } = filming({ held: true });
  take(0, 50, true);
  film.obey({ type: 'judge', judgement: { to: 0, cuts: [] } });
  take(SECOND, 90, true);
  film.obey({ type: 'still', t: SECOND });
  film.obey({ type: 'forget', from: SECOND });
  expect(receiveMessageOnPort(stills)?.message).toBe('flush');
  expect(film.hasPicture()).toBe(false);
  expect(film.isEmpty()).toBe(true);
  film.obey({ type: 'judge', judgement: { to: 9 * SECOND, cuts: [] } });
  film.newSegment({ segment: 1, fd: -1, rect: { x: 0, y: 0, width: WIDTH, height: HEIGHT } });
  take(2 * SECOND, 90, true);
  expect(handedOn()).toMatchObject([
    { i: 0, t: 0 },
    { i: 1, t: 2 * SECOND, seg: 1, seen: SECOND },
  ]);
});
