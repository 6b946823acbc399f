import { expect, test } from 'vitest';
import { namedIn } from './imports.mjs';

const named = (source: string) =>
  namedIn('a.ts', source).imports.map(({ to, typeOnly }) => (typeOnly ? `type ${to}` : to));

test('every kind of import is read, whatever lines it takes', () => {
  const source = `import {
  a,
  b,
} from './ab.ts';
import './effects.ts';
import type { C } from './c.ts';
import { type D } from './d.ts';
export * from './e.ts';
export type { F } from './f.ts';
export { a };
const g = () => import('./g.ts');
let h: import('./h.ts').H;
const made = (name: string) => import(\`./\${name}.ts\`);
`;
  expect(named(source)).toEqual([
    './ab.ts',
    './effects.ts',
    'type ./c.ts',
    './d.ts',
    './e.ts',
    'type ./f.ts',
    './g.ts',
    'type ./h.ts',
  ]);
});

test('what is loaded only when its line is reached is told apart', () => {
  const source = "import './a.ts';\nexport { b } from './b.ts';\nconst c = () => import('./c.ts');";
  expect(namedIn('a.ts', source).imports.map(({ to, lazy }) => [to, lazy])).toEqual([
    ['./a.ts', false],
    ['./b.ts', false],
    ['./c.ts', true],
  ]);
});

test('what is required by a name is an import too', () => {
  expect(named("const x = createRequire(import.meta.url)('@a/native') as X;")).toEqual(['@a/native']);
  expect(named('const text = \'createRequire(import.meta.url)("@a/native")\';')).toEqual([]);
});

test('a text or a comment that reads like an import is none', () => {
  const source = [
    `const text = "say import x from 'y' here";`,
    '// import z from "z"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a source's text
    'throw new Error(`There is no export "${id.slice(0, 60)}" in this workspace.`);',
  ].join('\n');
  expect(named(source)).toEqual([]);
});

test('places are given in the text, also after letters of several bytes', () => {
  const source = `const é = '…'; const { x } = await import('./x.ts'); new Worker(new URL('./w.ts', import.meta.url));`;
  const cut = ({ start, end }: { start: number; end: number }) => source.slice(start, end);
  const { imports, beside } = namedIn('a.ts', source);
  expect(imports.map(cut)).toEqual(['./x.ts']);
  expect(beside.map(cut)).toEqual(['./w.ts']);
});

test('a file that cannot be read is named', () => {
  expect(() => namedIn('broken.ts', 'const = 1')).toThrow(/^broken\.ts: /);
});
