import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

test('with STUDIO_LAW_TIMES a law is tried so many times as often, also one that says how often', async () => {
  vi.stubEnv('STUDIO_LAW_TIMES', '3');
  vi.resetModules();
  const { default: many } = await import('../test/support/many-runs.ts');
  let tried = 0;
  const law = fc.property(fc.nat(), () => {
    tried++;
  });
  many.assert(law, { numRuns: 7 });
  expect(tried).toBe(21);
  many.assert(law);
  expect(tried).toBe(321);
  const failing = fc.property(fc.nat(), (n) => n < 0);
  expect(() => many.assert(failing)).toThrow('Counterexample: [0]');
});
