import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Builds the pages into renderer/dist. A process of its own: the bundler's memory is given back, and it may fail alone. */
// React's development build is three times as slow; a caller's own NODE_ENV (a test's) must not choose it.
process.env.NODE_ENV = 'production';
await build({
  configFile: fileURLToPath(new URL('../../renderer/vite.config.ts', import.meta.url)),
  mode: 'production',
  logLevel: 'warn',
});
