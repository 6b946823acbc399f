import fc from 'fast-check';
import { expect, test } from 'vitest';
import { heardTexts } from './texts.ts';

test('AT-SPI’s changes are kept until they are taken', () => {
  const texts = heardTexts();
  texts.heard(':1.5', '/o/name', ['insert', 3, 2, '你好', {}]);
  texts.heard(':1.5', '/o/name', ['delete:system', 0, 1, 'x', {}]);
  expect(texts.take()).toEqual([
    { bus: ':1.5', path: '/o/name', at: 3, removed: 0, inserted: '你好' },
    { bus: ':1.5', path: '/o/name', at: 0, removed: 1, inserted: '' },
  ]);
  expect(texts.take()).toEqual([]);
});

test('more than a person types is given up until it was taken, and then heard again', () => {
  const texts = heardTexts();
  for (let n = 0; n < 10_000; n++) texts.heard(':1.5', '/o/log', ['insert', n, 1, 'x', {}]);
  expect(texts.take()).toBeNull();
  texts.heard(':1.5', '/o/log', ['insert', 0, 1, 'x', {}]);
  expect(texts.take()).toHaveLength(1);
  texts.heard(':1.5', '/o/log', ['insert', 0, 1, 'x'.repeat(1_000_000), {}]);
  expect(texts.take()).toBeNull();
});

test('whatever a program tells, what is kept are places, lengths and texts', () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant('insert'),
    fc.constant('delete'),
  );
  fc.assert(
    fc.property(fc.array(fc.array(value, { maxLength: 5 }), { maxLength: 20 }), (signals) => {
      const texts = heardTexts();
      for (const values of signals) texts.heard(':1.5', '/o/name', values);
      for (const { at, removed, inserted } of texts.take() ?? []) {
        expect(Number.isInteger(at) && at >= 0 && Number.isInteger(removed) && removed >= 0).toBe(true);
        expect(typeof inserted).toBe('string');
      }
    }),
  );
});
