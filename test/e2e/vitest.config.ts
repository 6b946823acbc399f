import { defineConfig } from 'vitest/config';

/** End-to-end tests: real displays, real applications. One file at a time, because they measure and share two cores. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.e2e.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
