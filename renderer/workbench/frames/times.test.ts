import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeAt } from '../../../core/annotate/picture.ts';
import { clock, type FrameList, playbackSeconds, recordingTime } from './times.ts';

const frames: FrameList = [
  [0, 1_000_000, 0],
  [1, 1_040_000, 0],
  [5, 4_000_000, 1],
];

test('a frame stands until the next one comes', () => {
  expect(placeAt(frames, 1_000_000)).toBe(0);
  expect(placeAt(frames, 1_039_999)).toBe(0);
  expect(placeAt(frames, 1_040_000)).toBe(1);
  expect(placeAt(frames, 3_999_999)).toBe(1);
  expect(placeAt(frames, 9_000_000)).toBe(2);
});

test('before the first frame there is only the first one, and none in an empty list', () => {
  expect(placeAt(frames, 0)).toBe(0);
  expect(placeAt([], 0)).toBe(-1);
});

test('the playback second of a frame leads back to that frame (law)', () => {
  const lists = fc
    .array(fc.integer({ min: 1, max: 5_000_000 }), { minLength: 1, maxLength: 50 })
    .map((gaps) => gaps.map((_, i): [number, number, number] => [i, gaps.slice(0, i + 1).reduce((a, b) => a + b), 0]));
  fc.assert(
    fc.property(lists, (list) => {
      const start = list[0]![1];
      list.forEach((_, place) => {
        const shown = placeAt(list, recordingTime(playbackSeconds(list, place, start), start));
        // Two frames within the same microsecond of the copy cannot be told apart there.
        expect(list[shown]![1] - list[place]![1]).toBeLessThanOrEqual(1);
      });
    }),
  );
});

test('times read as a clock', () => {
  expect(clock(62_345_000)).toBe('1:02.345');
  expect(clock(62_345_000, 60_000_000)).toBe('0:02.345');
  expect(clock(3_723_400_000)).toBe('1:02:03.400');
  expect(clock(-5)).toBe('0:00.000');
});
