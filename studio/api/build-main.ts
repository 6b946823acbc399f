import { existsSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Builds the pages into renderer/dist. A process of its own: the bundler's memory is given back, and it may fail alone. */
// React's development build is three times as slow; a caller's own NODE_ENV (a test's) must not choose it.
process.env.NODE_ENV = 'production';
const dist = fileURLToPath(new URL('../../renderer/dist', import.meta.url));
// Beside the old ones, which a studio that runs may be serving now: the bundler empties its folder before it begins.
const made = `${dist}-${process.pid}`;
const old = `${dist}-old-${process.pid}`;
try {
  await build({
    configFile: fileURLToPath(new URL('../../renderer/vite.config.ts', import.meta.url)),
    mode: 'production',
    logLevel: 'warn',
    build: { outDir: made, emptyOutDir: true },
  });
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(made, dist);
} finally {
  for (const folder of [made, old]) rmSync(folder, { recursive: true, force: true });
}
