import { expect, it } from 'vitest';
import { isActive, jobKindName } from './jobs.ts';

it('knows work that can be stopped', () => {
  expect(isActive({ state: 'waiting' })).toBe(true);
  expect(isActive({ state: 'running' })).toBe(true);
  expect(isActive({ state: 'cancelled' })).toBe(false);
});

it('names kinds of work, also ones that came later', () => {
  expect(jobKindName('import')).toBe('Import');
  expect(jobKindName('import.archive')).toBe('Import');
  expect(jobKindName('thumbnails')).toBe('Thumbnails');
});
