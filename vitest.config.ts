import os from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * End-to-end tests that measure real time, show a desktop app's windows or speak to one compositor: a second file beside
 * would disturb what they look at.
 */
const ALONE = ['test/e2e/{sync,bit-exact,harness}.e2e.ts', 'test/desktop/*.e2e.ts'];

const CORES = os.availableParallelism();

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{schemas,core,native,studio,renderer,electron,scripts}/**/*.test.{ts,tsx}'],
          // Vitest's own choice on two cores is one.
          maxWorkers: Math.max(2, CORES - 1),
          testTimeout: 30_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'alone',
          include: ALONE,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.ts'],
          exclude: ALONE,
          globalSetup: './test/support/built-pages.ts',
          // Each has its own display, studio and browser, and waits for what it sees, however long that takes. Two beside each
          // other use both cores of a small machine.
          maxWorkers: 2,
          testTimeout: 240_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
