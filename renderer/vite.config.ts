import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { pageFiles } from './page-files.ts';

/** main.tsx loads the language and then start.tsx: both belong to what every page needs. */
const BEGIN = ['main', 'start'].map((name) => fileURLToPath(new URL(`./shell/${name}.tsx`, import.meta.url)));
const INDEX = fileURLToPath(new URL('./index.html', import.meta.url));
const shortOf = (name = ''): string => (name.startsWith('shared') ? 'shared' : '[name]');

type Modules = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null };

let first: Set<string> | null = null;
/** The modules that are loaded before any page: what main.tsx and start.tsx import, and what that imports. */
function atFirst(modules: Modules): ReadonlySet<string> {
  if (first) return first;
  first = new Set(BEGIN);
  for (const id of first) {
    // It imports every part of its library, whichever are used.
    if (id.endsWith('/@mantine/core/esm/index.mjs')) continue;
    for (const next of modules.getModuleInfo(id)?.importedIds ?? []) first.add(next);
  }
  return first;
}

/** main.tsx asks for it when it has run: the browser is told of it before. */
const startEarly: Plugin = {
  name: 'start-early',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const start = Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId === BEGIN[1]);
      if (!start) return [];
      const attrs = { rel: 'modulepreload', crossorigin: true, href: `/${start.fileName}` };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
};

/** The font of what every page says first: asked for with the page, so that its words are not drawn twice. */
const fontEarly: Plugin = {
  name: 'font-early',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const font = Object.keys(bundle).find((file) => /inter-latin-wght-normal[^/]*\.woff2$/.test(file));
      if (font === undefined) return [];
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
};

/**
 * The pages: built to renderer/dist, which the studio serves. Nothing is inlined (no script, no data: address), so the
 * strict content security policy holds. One chunk a page: the router imports them lazily.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), startEarly, fontEarly, pageFiles([INDEX, ...BEGIN.slice(1)])],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // As browsers have them since May 2024. For older ones `light-dark()` would be built into a choice by the system's colours
    // alone, and a page whose colours were chosen here would be half of each.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        // Shared files may import each other in a circle: each module still runs before the first that needs it.
        strictExecutionOrder: true,
        // Their own names would list every page that shares them.
        chunkFileNames: ({ name }) => `assets/${shortOf(name)}-[hash].js`,
        assetFileNames: ({ names }) => `assets/${shortOf(names[0])}-[hash][extname]`,
        codeSplitting: {
          // `first`: what every page needs. Merged with what some pages share, it would bring their code to all of them.
          // `shared`: an icon or a control that two pages share would be a file of its own: a page would ask for dozens. What
          // is put together with something larger brings that to its pages: only the smallest are (bytes).
          groups: [
            { name: (id, modules) => (atFirst(modules).has(id) ? 'first' : null), debugName: 'first', priority: 1 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 1_000 },
          ],
        },
      },
    },
  },
});
