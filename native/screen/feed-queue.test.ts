import { expect, it } from 'vitest';
import {
  createFeedQueue,
  dequeue,
  enqueueFrame,
  type FeedEntry,
  hasPassed,
  isPinned,
  position,
  unpin,
} from './feed-queue.ts';

const frame = (slot: number, pts: number): FeedEntry => ({
  kind: 'frame',
  segment: 1,
  slot,
  address: 0x7f00_1234_5678n,
  bytes: 8_294_400,
  pts,
});

it('hands records over in order, with every field', () => {
  const queue = createFeedQueue();
  const entries: FeedEntry[] = [
    { kind: 'segment', segment: 1, fd: 23, width: 1920, height: 1080 },
    frame(3, 40),
    { kind: 'end' },
  ];
  for (const entry of entries) expect(enqueueFrame(queue, entry)).toBe(true);
  const taken: FeedEntry[] = [];
  for (let i = 0; i < entries.length; i++) dequeue(queue, (entry) => taken.push(entry));
  expect(taken).toEqual(entries);
});

it('keeps a slot pinned until each record that shows it was taken', () => {
  const queue = createFeedQueue();
  enqueueFrame(queue, frame(3, 1));
  enqueueFrame(queue, frame(3, 2));
  dequeue(queue, () => expect(isPinned(queue, 3)).toBe(true));
  expect(isPinned(queue, 3)).toBe(true);
  dequeue(queue, () => undefined);
  expect(isPinned(queue, 3)).toBe(false);
});

it('keeps a slot pinned that the reader keeps, until it is given back', () => {
  const queue = createFeedQueue();
  enqueueFrame(queue, frame(3, 1));
  dequeue(queue, () => 'keep');
  expect(isPinned(queue, 3)).toBe(true);
  unpin(queue, 3);
  expect(isPinned(queue, 3)).toBe(false);
});

it('refuses a record when it is full, and loses none of those it holds', () => {
  const queue = createFeedQueue();
  let count = 0;
  while (enqueueFrame(queue, frame(0, count))) count++;
  const taken: number[] = [];
  for (let i = 0; i < count; i++) dequeue(queue, (entry) => taken.push(entry.kind === 'frame' ? entry.pts : -1));
  expect(taken).toEqual(Array.from({ length: count }, (_, i) => i));
  expect(isPinned(queue, 0)).toBe(false);
});

it('tells when everything before a point has been taken', () => {
  const queue = createFeedQueue();
  enqueueFrame(queue, frame(0, 1));
  const at = position(queue);
  expect(hasPassed(queue, at)).toBe(false);
  dequeue(queue, () => undefined);
  expect(hasPassed(queue, at)).toBe(true);
});
