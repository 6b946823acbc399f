import { expect, test } from 'vitest';
import { FORMATS } from '../../core/export/formats.ts';
import { FORMAT_WORDS } from './format-words.ts';

test('the words of every format and of its choices are in the catalogue, and no others', () => {
  const said = FORMATS.flatMap(({ purpose, parts, options }) => [
    purpose,
    ...[...parts, ...options, ...options.flatMap(({ values }) => values)].map(({ what }) => what),
  ]);
  expect([...FORMAT_WORDS].sort()).toEqual([...new Set(said)].sort());
});
