import { defineConfig } from 'vitest/config';

/** End-to-end tests of pages, a studio and a browser for each file, that record nothing: they may run beside each other. */
const PAGES = ['test/e2e/studio/!(record).e2e.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{schemas,core,native,studio,renderer,electron,scripts}/**/*.test.{ts,tsx}'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/{e2e,desktop}/**/*.e2e.ts'],
          exclude: PAGES,
          // Real displays and real time: a second file beside would disturb what is measured.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'pages',
          include: PAGES,
          globalSetup: './test/support/built-pages.ts',
          // Each waits for what it sees, however long that takes; two beside each other use both cores of a small machine.
          maxWorkers: 2,
          testTimeout: 240_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
