import { expect, it } from 'vitest';
import { missingWords } from '../../core/annotate/missing.ts';
import { MISSING_KINDS } from '../../schemas/missing.ts';
import { missingCounts } from './missing-counts.ts';

it('says in English what the command line says', () => {
  for (const n of [1, 2]) {
    const counts = Object.fromEntries(MISSING_KINDS.map((kind) => [kind, n]));
    expect(missingCounts(counts)).toBe(missingWords(counts));
  }
  expect(missingCounts({ box: 0 })).toBe('');
});
