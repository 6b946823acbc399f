import { expect, test } from 'vitest';
import { closureFaults, longFunctionsIn, MOST_CLOSURE_LINES } from './closures.mjs';

const filler = (lines: number) => Array.from({ length: lines }, () => '  go();').join('\n');
const found = (source: string, file = 'core/a.ts') =>
  longFunctionsIn(file, source).map(({ name, kind, line, lines }) => `${kind} ${name} ${line} ${lines}`);

const returning = (lines: number, inner = 'const up = () => n++; function down() { n--; }') =>
  `const first = 1;\nexport function makeCounter() {\n  let n = 0; ${inner}\n${filler(lines)}\n  return { up, down };\n}`;

test('a long function that returns functions is found with its line and length', () => {
  expect(found(returning(200))).toEqual(['closure makeCounter 2 204']);
  expect(found(returning(MOST_CLOSURE_LINES - 4))).toEqual([]);
  expect(found(returning(MOST_CLOSURE_LINES - 3))).toEqual(['closure makeCounter 2 151']);
});

test('functions that are written in the object count, and an arrow that is the object', () => {
  const table = `({\n  a() { return n; },\n  b: () => n,\n${filler(160).replaceAll('  go();', '  // more')}\n})`;
  expect(found(`const make = (n: number) => ${table};`)).toEqual(['closure make 1 164']);
  expect(found(`const make = (n: number) => ${table} as const;`)).toEqual(['closure make 1 164']);
  expect(found(`class A { make = (n: number) => ${table}; }`)).toEqual(['closure make 1 164']);
});

test('inner functions that share a variable or a parameter make a closure; those that share none do not', () => {
  const four = (body: string) => ['a', 'b', 'c', 'd'].map((name) => `  const ${name} = () => ${body};`).join('\n');
  const withFour = (body: string) => `function run(at: number) {\n  let n = 0;\n${four(body)}\n${filler(150)}\n}`;
  expect(found(withFour('n++'))).toEqual(['closure run 1 157']);
  expect(found(withFour('at'))).toEqual(['closure run 1 157']);
  expect(found(withFour('1'))).toEqual([]);
  expect(found(withFour('other.n'))).toEqual([]);
  expect(found(withFour('({ n: 1 })'))).toEqual([]);
});

test('a long function of steps alone is none', () => {
  expect(found(`function run(list: string[]) {\n  const all = list.map((one) => one);\n${filler(200)}\n}`)).toEqual([]);
});

test('components and hooks are told apart, and found when they are very long', () => {
  const component = (name: string, lines: number) => returning(lines).replace('makeCounter', name);
  expect(found(component('Page', 180), 'renderer/a.tsx')).toEqual([]);
  expect(found(component('Page', 220), 'renderer/a.tsx')).toEqual(['component Page 2 224']);
  expect(found(component('usePage', 220), 'renderer/a.ts')).toEqual(['component usePage 2 224']);
  expect(found(component('user', 220), 'renderer/a.ts')).toEqual(['closure user 2 224']);
});

test('a file that cannot be read is named', () => {
  expect(() => longFunctionsIn('broken.ts', `const = 1\n${filler(200)}`)).toThrow(/^broken\.ts: /);
});

test('a long closure is a fault with its place, a long component is none', () => {
  expect(closureFaults(longFunctionsIn('core/a.ts', returning(200)))).toEqual([
    expect.stringMatching(/^core\/a\.ts:2 makeCounter: 204 lines of functions/),
  ]);
  const page = longFunctionsIn('renderer/a.tsx', returning(220).replace('makeCounter', 'Page'));
  expect([page.length, closureFaults(page)]).toEqual([1, []]);
});
