import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds the desktop host into build/desktop/app: main.js (Electron's entry) and preload.cjs, each one file. A sandboxed
 * preload script may load nothing but Electron, and Electron's own Node need not read TypeScript.
 */

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const APP = join(ROOT, 'build', 'desktop', 'app');

const timeOf = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Builds when what is there is missing or older than its sources. Gives the folder, which Electron can be started with. */
export async function buildDesktop() {
  const sources = globSync(['electron/**/*.ts', 'schemas/desktop.ts', 'package.json', 'scripts/desktop-build.mjs'], {
    cwd: ROOT,
  });
  const newest = Math.max(...sources.map((file) => timeOf(join(ROOT, file))));
  if (timeOf(join(APP, 'package.json')) >= newest) return APP;
  await bundle('electron/main.ts', 'main.js', 'es');
  await bundle('electron/preload.ts', 'preload.cjs', 'cjs');
  const { name, version, description, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const manifest = {
    name,
    productName: 'Trajectory Studio',
    version,
    description,
    license,
    author: 'Trajectory Studio',
    type: 'module',
    main: 'main.js',
  };
  mkdirSync(APP, { recursive: true });
  // Last, since its age says that all is there.
  writeFileSync(join(APP, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return APP;
}

async function bundle(entry, file, format) {
  // Only where something is built: who wants to know the folder need not load it.
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    mode: 'production',
    ssr: { noExternal: true, external: ['electron'] },
    build: {
      ssr: entry,
      outDir: APP,
      emptyOutDir: false,
      target: 'node22',
      minify: false,
      rollupOptions: { external: ['electron'], output: { format, entryFileNames: file, exports: 'auto' } },
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${await buildDesktop()}\n`);
