import { expect, test } from 'vitest';
import { DEFAULT_OPTIONS } from '../../schemas/evaluate.ts';
import { PAGE_OPTIONS } from './choices.ts';

test('what the dialog proposes is the default, but for plans without a judge', () => {
  expect({ ...DEFAULT_OPTIONS, ...PAGE_OPTIONS }).toEqual({ ...DEFAULT_OPTIONS, planScore: 'stepF1' });
});
