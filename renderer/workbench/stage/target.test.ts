import { expect, test } from 'vitest';
import { stepFrom } from '../../../core/annotate/steps-for-tests.ts';
import type { Step } from '../../../schemas/api/models.ts';
import { pointWords, targetOf } from './target.ts';

const rect = { x: 960, y: 487, width: 400, height: 300 };
const words = (kind: 'click' | 'drag' | 'press' | 'type', start: Step['start'], end = start) =>
  pointWords(kind, targetOf({ step: stepFrom('a', 0, { kind, start, end }) }, rect));

test('a point is said as the narration says it: in the pixels of the picture of a window', () => {
  expect(words('click', [1021, 519, 0])).toBe('61, 32');
  expect(words('drag', [1061, 567, 0], [1221, 567, 1])).toBe('101, 80 → 261, 80');
});

test('of keys the pointer’s place is said where it rested in the picture, and else nothing', () => {
  expect(words('press', [1021, 519, 0])).toBe('61, 32');
  // The pointer has not moved yet.
  expect(words('press', [0, 0, 0])).toBeNull();
  expect(words('type', [0, 0, 0])).toBeNull();
  // Nobody knows where it was.
  expect(words('press', [null, null, 0])).toBeNull();
  expect(words('type', [null, null, 0])).toBeNull();
  // A click there is told all the same: the picture warns of it.
  expect(words('click', [0, 0, 0])).toBe('-960, -487');
});
