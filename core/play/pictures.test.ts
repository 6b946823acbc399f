import { expect, test } from 'vitest';
import type { PlayedStep } from '../../schemas/play.ts';
import { playedPictures } from './pictures.ts';

const frames = [0, 100_000, 200_000, 260_000, 300_000, 900_000].map((t, n) => [n * 2, t, 0] as const);
const step = (seen: PlayedStep['seen']): PlayedStep => ({
  step: 'a',
  verdict: 'same',
  shift: { x: 0, y: 0 },
  waited: 0,
  why: '',
  ...(seen && { seen }),
});

test('PL18: before is the last frame until the look, after the last until two frames later', () => {
  expect(playedPictures([step({ before: 150_000, after: 230_000 })], frames, 30)).toEqual([{ before: 2, after: 6 }]);
});

test('PL18: after never shows what the next step did', () => {
  const steps = [step({ before: 150_000, after: 230_000 }), step({ before: 240_000, after: 300_000 })];
  expect(playedPictures(steps, frames, 30)[0]).toEqual({ before: 2, after: 4 });
});

test('PL18: a step that was not acted has no picture after it, one of an older play none at all', () => {
  expect(playedPictures([step({ before: 950_000, after: null })], frames, 30)).toEqual([{ before: 10, after: null }]);
  expect(playedPictures([step(undefined)], frames, 30)).toEqual([{ before: null, after: null }]);
  expect(playedPictures([step({ before: 5, after: 5 })], [], 30)).toEqual([{ before: null, after: null }]);
});
