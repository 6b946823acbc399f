import { expect, test } from 'vitest';
import { unusedIn } from './unused.mjs';

const unused = (files: Record<string, string>) => unusedIn(new Map(Object.entries(files)));

test('an export that nobody imports is a fault, also when its own file uses it', () => {
  expect(unused({ 'core/a.ts': 'export const a = 1;' })).toEqual(['core/a.ts: a is used nowhere: remove it']);
  expect(unused({ 'core/a.ts': 'export const a = 1;\nconsole.log(a);' })).toEqual([
    'core/a.ts: a is used in this file alone: do not export it',
  ]);
});

test('a type that its own file uses may be exported; one that nobody uses may not', () => {
  expect(unused({ 'core/a.ts': 'export type A = 1;\nlet a: A;' })).toEqual([]);
  expect(unused({ 'core/a.ts': 'export type A = 1;' })).toEqual(['core/a.ts: A is used nowhere: remove it']);
});

test('code that only its tests use is a fault; what a file uses may be tested by itself', () => {
  const tested = "import { a } from './a.ts';";
  expect(unused({ 'core/a.ts': 'export const a = 1;', 'core/a.test.ts': tested })).toEqual([
    'core/a.ts: a is used by tests alone: remove it',
  ]);
  expect(unused({ 'core/a.ts': 'export const a = 1;\nconsole.log(a);', 'core/a.test.ts': tested })).toEqual([]);
  expect(
    unused({ 'core/a-for-tests.ts': 'export const a = 1;', 'core/b.test.ts': "import { a } from './a-for-tests.ts';" }),
  ).toEqual([]);
});

test('every way to import counts: by name, all, again exported, later, by a pattern, a type in place', () => {
  for (const user of [
    "import { a as b } from './a.ts';",
    "import * as all from './a.ts';",
    "export * from './a.ts';",
    "const { a } = await import('./a.ts');",
    "const all = import.meta.glob<{ a: 1 }>('./*.ts');",
    "let a: typeof import('./a.ts').a;",
  ])
    expect(unused({ 'core/a.ts': 'export const a = 1;', 'core/b.ts': user })).toEqual([]);
});
