import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Builds the pages into renderer/dist. A process of its own: the bundler's memory is given back, and it may fail alone. */
await build({
  configFile: fileURLToPath(new URL('../../renderer/vite.config.ts', import.meta.url)),
  mode: 'production',
  logLevel: 'warn',
});
