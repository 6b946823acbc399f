import { createRequire } from 'node:module';
import type fastCheck from 'fast-check';

/**
 * In place of fast-check where STUDIO_LAW_TIMES is set (vitest.config.ts, scripts/test-laws.mjs): each law is tried so many times
 * as often, also where the test says how often. What fails at one input of ten thousand fails here, not in somebody's run.
 */

// Not by `import`: vitest would answer with this file.
const real = createRequire(import.meta.url)('fast-check') as typeof fastCheck; // It is the same library.
const times = Number(process.env.STUDIO_LAW_TIMES);

const assert = ((property: never, given?: { numRuns?: number }) => {
  const numRuns = (given?.numRuns ?? 100) * times;
  return real.assert(property, { ...given, numRuns } as never);
}) as typeof fastCheck.assert; // Whatever the property is of, it goes through as it came.

export default { ...real, assert };
