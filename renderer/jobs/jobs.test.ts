import { expect, it } from 'vitest';
import { isActive } from '../../schemas/api/job-state.ts';
import { jobWords } from './jobs.ts';

it('knows work that can be stopped', () => {
  expect(isActive({ state: 'waiting' })).toBe(true);
  expect(isActive({ state: 'running' })).toBe(true);
  expect(isActive({ state: 'cancelled' })).toBe(false);
});

it('names kinds of work, also ones that came later', () => {
  expect(jobWords('import', 'a')).toBe('Import a');
  expect(jobWords('import.archive', 'a')).toBe('Import a');
  expect(jobWords('thumbnails', 'a')).toBe('Thumbnails a');
});

it('D11: does not say an id that names nothing to anybody', () => {
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
  expect(jobWords('score', id)).toBe('Score answers');
  expect(jobWords('play', id)).toBe('Play 0f8fad5b');
});
