import { expect, test } from 'vitest';
import { safeParts } from './names.ts';

const DEVICES = ['con', 'a/NUL.txt', 'Con .txt', 'com¹', 'a/LPT².png', 'conin$'];
const SIGNS = ['a.', 'a ', 'a/./b', 'a//b', 'a\u0000b', 'a\nb', 'a:b', 'x'.repeat(300), '', 'a/b/c/d/e'];

test.each([...DEVICES, ...SIGNS])('the name %j is refused', (path) => {
  expect(() => safeParts(path, { depth: 4 })).toThrow('cannot be imported');
});

test.each(['console.txt', 'com.txt', 'a/comma.png', 'lpt10', 'Überweisung.pdf'])('the name %j is taken', (path) => {
  expect(safeParts(path, { depth: 4 })).toEqual(path.split('/'));
});
