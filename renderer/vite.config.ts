import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The pages: built to renderer/dist, which the studio serves. Nothing is inlined (no script, no data: address), so the
 * strict content security policy holds. One chunk a page: the router imports them lazily.
 */
const shortOf = (name = ''): string => (name.startsWith('shared') ? 'shared' : '[name]');

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        // Their own names would list every page that shares them.
        chunkFileNames: ({ name }) => `assets/${shortOf(name)}-[hash].js`,
        assetFileNames: ({ names }) => `assets/${shortOf(names[0])}-[hash][extname]`,
        codeSplitting: {
          // An icon or a control that two pages share would be a file of its own: a page would ask for dozens of them.
          groups: [{ name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 40_000 }],
        },
      },
    },
  },
});
