import { expect, test } from 'vitest';
import { MOST_ARROWS, tooManyArrows, unusedArrows } from './unused-arrows.mjs';

const ROOMS = { studio: { files: [], store: ['files'], api: ['files', 'store'] } };

test('an arrow that nothing uses is named', () => {
  const used = new Set(['studio: store files', 'studio: api store']);
  expect(unusedArrows(used, ROOMS)).toEqual(['ROOMS.studio: api may import files, and does not: take it out']);
  expect(unusedArrows(new Set([...used, 'studio: api files']), ROOMS)).toEqual([]);
});

test('arrows over the number are told, and of the house there are none', () => {
  expect(tooManyArrows(ROOMS, { studio: 3 })).toEqual([]);
  expect(tooManyArrows(ROOMS, { studio: 2 })).toEqual(['ROOMS.studio has 3 arrows, more than 2 (MOST_ARROWS)']);
  expect(tooManyArrows()).toEqual([]);
  expect(Object.keys(MOST_ARROWS)).toContain('studio');
});
