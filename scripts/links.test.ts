import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

/** Every link of the documentation leads somewhere: files, folders, pictures, and headings within a page. */

const ROOT = join(import.meta.dirname, '..');
const PAGES = globSync('**/*.md', { cwd: ROOT, exclude: (name) => name === 'node_modules' || name === 'build' }).sort();

/** A page without its code, where brackets are no links. */
const prose = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} +(.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The faults of the links of a page at `file`; its text is given so that a test can bring one of its own. */
function wrongLinks(file: string, text: string): { seen: number; wrong: string[] } {
  const wrong: string[] = [];
  const links = [...prose(text).matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].map(([, link = '']) => link);
  for (const link of links) {
    if (/^[a-z]+:/i.test(link)) continue;
    const [path = '', anchor] = decodeURI(link).split('#');
    const target = path === '' ? file : join(dirname(file), path);
    const inside = !relative(ROOT, target).startsWith('..');
    if (!inside || !(path === '' || existsSync(target))) wrong.push(`${relative(ROOT, file)}: ${link} is not there`);
    else if (anchor !== undefined && !(path === '' ? anchorsOf(text) : anchorsOfFile(target)).has(anchor))
      wrong.push(`${relative(ROOT, file)}: ${link} has no such heading`);
  }
  return { seen: links.length, wrong };
}

const anchorsOfFile = (file: string) => (statSync(file).isFile() ? anchorsOf(readFileSync(file, 'utf8')) : new Set());

test('every link within the documentation leads somewhere', () => {
  const looked = PAGES.map((page) => wrongLinks(join(ROOT, page), readFileSync(join(ROOT, page), 'utf8')));
  expect(looked.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(PAGES).toContain('docs/decisions.md');
  expect(looked.reduce((sum, { seen }) => sum + seen, 0)).toBeGreaterThan(50);
});

test('every page is linked from the README, or from a page that is', () => {
  const found = new Set(['README.md']);
  for (const page of found) {
    const text = prose(readFileSync(join(ROOT, page), 'utf8'));
    for (const [, path = ''] of text.matchAll(/\]\(([^)\s#]+\.md)(?:#[^)]*)?\)/g)) found.add(join(dirname(page), path));
  }
  expect(PAGES.filter((page) => !found.has(page))).toEqual([]);
});

test('the contents of the decisions name every section, in its order, and each says when it was decided', () => {
  const page = readFileSync(join(ROOT, 'docs', 'decisions.md'), 'utf8');
  const [, contents = ''] = page.split(/^## Contents$/m);
  const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, name]) => name).filter((name) => name !== 'Contents');
  const listed = [...(contents.split(/^## /m)[0] ?? '').matchAll(/^- \[(.+)\]\(#/gm)].map(([, name]) => name);
  expect(listed).toEqual(sections);
  const dated = [...page.matchAll(/^## (.+)\n\n\*20\d\d-\d\d-\d\d\*$/gm)].map(([, name]) => name);
  expect(dated).toEqual(sections);
});

/** Files of the project that a text names, with or without a pattern (`electron/host/*.ts`, `{unit,pure}`). */
const NAMED =
  /(?<![\w./-])(?:core|studio|native|renderer|schemas|electron|scripts|test|docs|assets)\/[\w./*{},-]*\.[a-z]+\b/g;

test('every file of the project that the documentation names is there', () => {
  const named = PAGES.flatMap((page) =>
    (readFileSync(join(ROOT, page), 'utf8').match(NAMED) ?? []).map((file) => ({ page, file })),
  );
  const wrong = named.filter(({ file }) => globSync(file, { cwd: ROOT }).length === 0);
  expect(wrong).toEqual([]);
  expect(named.length).toBeGreaterThan(80);
});

test('a link to a missing file, a missing heading or out of the project is told', () => {
  const page = [
    '# A page: with `code` & signs',
    '## Twice',
    '## Twice',
    '[a](#a-page-with-code--signs) [b](#twice-1) [c](../docs/glossary.md#glossary) [d](https://example.org/x)',
    '[e](nowhere.md) [f](#thrice) [g](glossary.md#nothing) [h](../../../etc/passwd) `[i](no-link.md)`',
  ].join('\n');
  expect(wrongLinks(join(ROOT, 'docs', 'page.md'), page).wrong).toEqual([
    'docs/page.md: nowhere.md is not there',
    'docs/page.md: #thrice has no such heading',
    'docs/page.md: glossary.md#nothing has no such heading',
    'docs/page.md: ../../../etc/passwd is not there',
  ]);
});
