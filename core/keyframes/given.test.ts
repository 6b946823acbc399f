import { expect, test } from 'vitest';
import { givenKeyframes } from './given.ts';

const frames = [0, 33, 67, 100].map((pts, i) => ({ i: i + 10, pts, t: pts * 1000 }));
const step = (from: number, to: number) => ({ id: 'a', start: { t: from }, end: { t: to } });

test('K6: what stands at the beginning and at the end, the frame of exactly that time included', () => {
  expect(givenKeyframes([step(33_000, 99_999)], frames)).toEqual([
    { action: 'a', role: 'before', frame: 11, t: 33_000 },
    { action: 'a', role: 'after', frame: 12, t: 67_000 },
  ]);
});

test('before the first frame there is the first, after the last the last; without frames nothing', () => {
  expect(givenKeyframes([step(-5, 1e9)], frames).map(({ frame }) => frame)).toEqual([10, 13]);
  expect(givenKeyframes([step(0, 1)], [])).toEqual([]);
});
