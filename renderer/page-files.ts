import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** The fields that are read of a file of the bundler's. */
type Chunk = {
  type: 'chunk';
  fileName: string;
  facadeModuleId: string | null;
  imports: readonly string[];
  viteMetadata?: { importedCss: ReadonlySet<string> };
};
type Bundle = Readonly<Record<string, Chunk | { type: 'asset' }>>;
type Pages = readonly (readonly [pattern: string, module: string])[];

const TABLE = new URL('./shell/pages.tsx', import.meta.url);

/**
 * Writes page-files.json: each page's pattern, and the files that the browser needs for it beyond those that are loaded for
 * every page (the modules `first`). The studio names them in index.html (studio/api/page-files.ts).
 */
export const pageFiles = (first: readonly string[]): Plugin => ({
  name: 'page-files',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const source = JSON.stringify(filesOfPages(bundle, pagesOf(readFileSync(TABLE, 'utf8')), first));
      this.emitFile({ type: 'asset', fileName: 'page-files.json', source });
    },
  },
});

/** The pages of the table in shell/pages.tsx as it is written. Throws when a line of it is written otherwise. */
export function pagesOf(table: string): Pages {
  const found = [...table.matchAll(/\bpage\(\s*'([^']+)',\s*async \(\) =>\s*\(\s*await import\(\s*'([^']+)'/g)];
  const written = table.match(/\bpage\(/g)?.length ?? 0;
  if (found.length !== written || written === 0) {
    throw new Error(`renderer/shell/pages.tsx has ${written} pages, of which ${found.length} can be read.`);
  }
  return found.map(([, pattern = '', file = '']) => [pattern, fileURLToPath(new URL(file, TABLE))]);
}

/** Each page's files, its own first. Throws when a page has none. */
export function filesOfPages(bundle: Bundle, pages: Pages, first: readonly string[]): [string, string[]][] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const chunkOf = (module: string): Chunk => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === module);
    if (!chunk) throw new Error(`The bundle has no file of its own for ${module}.`);
    return chunk;
  };
  const everywhere = filesFrom(
    bundle,
    first.map((module) => chunkOf(module).fileName),
  );
  return pages.map(([pattern, module]) => {
    const files = filesFrom(bundle, [chunkOf(module).fileName]);
    return [pattern, [...files].filter((file) => !everywhere.has(file))];
  });
}

/** These files, and all that they import, with their styles. */
function filesFrom(bundle: Bundle, names: readonly string[]): Set<string> {
  const files = new Set(names);
  for (const name of files) {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk') continue;
    for (const next of [...chunk.imports, ...(chunk.viteMetadata?.importedCss ?? [])]) files.add(next);
  }
  return files;
}
