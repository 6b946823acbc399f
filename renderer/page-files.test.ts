import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesOfPages, pagesOf } from './page-files.ts';

const table = readFileSync(new URL('./shell/pages.tsx', import.meta.url), 'utf8');

test('every page of the table is read, with the module that it loads', () => {
  const pages = new Map(pagesOf(table));
  expect(pages.size).toBe(table.match(/^ {2}page\($|^ {2}page\('/gm)?.length);
  expect(pages.get('/w/:ws/recordings/:recording')).toMatch(/[\\/]renderer[\\/]annotate[\\/]page\.tsx$/);
  expect(pages.get('/w/:ws/evaluate/:run')).toMatch(/[\\/]renderer[\\/]evaluate[\\/]cases[\\/]page\.tsx$/);
});

test('a line that is written otherwise is not passed over', () => {
  expect(() => pagesOf(table.replace("page('/settings', async () =>", "page('/settings', () =>"))).toThrow(
    `${pagesOf(table).length} pages`,
  );
  expect(() => pagesOf('')).toThrow('0 pages');
});

const chunk = (fileName: string, facadeModuleId: string | null, imports: string[] = [], css: string[] = []) => ({
  type: 'chunk' as const,
  fileName,
  facadeModuleId,
  imports,
  viteMetadata: { importedCss: new Set(css) },
});
const bundle = Object.fromEntries(
  [
    chunk('index.js', '/index.html', ['first.js']),
    chunk('first.js', null, ['runtime.js'], ['first.css']),
    chunk('runtime.js', null),
    chunk('start.js', '/start.tsx', ['first.js']),
    chunk('a.js', '/a/page.tsx', ['first.js', 'shared.js'], ['a.css']),
    chunk('b.js', '/b/page.tsx', ['start.js']),
    // In a circle with what shares it, as chunks may be.
    chunk('shared.js', null, ['runtime.js', 'deep.js'], ['shared.css']),
    chunk('deep.js', null, ['shared.js']),
    chunk('late.js', '/a/dialog.tsx', ['shared.js']),
  ].map((one) => [one.fileName, one]),
);
const FIRST = ['/index.html', '/start.tsx'];

test('a page has the files that it imports, and theirs, but those that every page has', () => {
  const pages = [
    ['/a', '/a/page.tsx'],
    ['/b', '/b/page.tsx'],
  ] as const;
  expect(filesOfPages({ ...bundle, 'a.css': { type: 'asset' } }, pages, FIRST)).toEqual([
    ['/a', ['a.js', 'shared.js', 'a.css', 'deep.js', 'shared.css']],
    ['/b', ['b.js']],
  ]);
});

test('a page without a file of its own ends the build', () => {
  expect(() => filesOfPages(bundle, [['/c', '/c/page.tsx']], FIRST)).toThrow('/c/page.tsx');
});
