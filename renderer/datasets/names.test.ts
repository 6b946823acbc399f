import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitSchema, tagSchema, versionNameSchema } from '../../schemas/dataset.ts';
import { anyText } from '../../test/support/any-text.ts';
import { nextVersion, splitFault, tagFault, versionFault } from './names.ts';

const text = fc.oneof(
  anyText({ maxLength: 65 }),
  fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/),
  fc.stringMatching(/^[a-z][a-z0-9_-]{0,45}$/),
  fc.constantFrom('', ' ', 'a,b', 'Train', 'train', 'v1.', '.v1', 'v1.0', 'x'.repeat(50), 'x'.repeat(51), ' padded '),
  fc.constantFrom('con', 'Con.v1', 'aux', ' nul ', 'com1', 'LPT9.tar', 'console', 'com', 'con-1'),
);

describe('names are refused on the page exactly when the studio would refuse them', () => {
  const cases = [
    ['tags', tagFault, tagSchema],
    ['splits', splitFault, splitSchema],
    ['versions', versionFault, versionNameSchema],
  ] as const;
  it.each(cases)('%s', (_, fault, schema) => {
    fc.assert(
      fc.property(text, (name) => {
        // Nothing typed yet is no fault of a tag; the dialogs keep an empty one from being sent.
        if (fault === tagFault && name.trim() === '') return;
        expect(fault(name) === null).toBe(schema.safeParse(name).success);
      }),
    );
  });
});

it.each([
  [[], 'v1.0'],
  [['v1.0'], 'v1.1'],
  [['v1.9', 'v1.8'], 'v1.10'],
  [['v1', 'v3', 'v2'], 'v4'],
  [['2026-04-rc'], '2026-5-rc'],
  [['first'], 'first-2'],
  [['first', 'first-2'], 'first-3'],
])('after %j comes %s', (names, next) => {
  expect(nextVersion(names)).toBe(next);
});
